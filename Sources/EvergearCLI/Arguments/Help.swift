import Text

/// The help of a command, wrapped to a width.
struct Help {
    private let configuration: CommandConfiguration
    private let path: [String]
    private let sections: [(title: String, slots: [Slot])]

    /// - Parameter path: From the program's name to the command's.
    init(_ command: any ParsableCommand.Type, path: [String]) {
        configuration = command.configuration
        self.path = path
        sections = command.init().sections
    }

    func text(width: Int) -> String {
        var blocks = [Wrapping.wrap(configuration.abstract + ".", width: width)]
        blocks.append(Wrapping.wrap("Usage: " + usage, width: width, indent: 0, hanging: 7))
        for paragraph in paragraphs(of: configuration.discussion) {
            blocks.append(paragraph.hasPrefix(" ") ? paragraph : Wrapping.wrap(paragraph, width: width))
        }
        if !configuration.subcommands.isEmpty {
            let rows = configuration.subcommands.map { ($0.configuration.commandName, $0.configuration.abstract) }
            blocks.append(list("Commands", rows, width))
        }
        let arguments = sections.flatMap(\.slots).filter { $0.kind == .argument }
        if !arguments.isEmpty {
            blocks.append(list("Arguments", arguments.map { ($0.valueName, describe($0)) }, width))
        }
        for section in sections {
            let options = section.slots.filter { $0.kind != .argument }
            if !options.isEmpty {
                let title = section.title.isEmpty ? "Options" : section.title
                blocks.append(list(title, options.map { (spell($0), describe($0)) }, width))
            }
        }
        if !configuration.subcommands.isEmpty {
            let name = path.joined(separator: " ")
            blocks.append(Wrapping.wrap("Run `\(name) COMMAND --help` for the help of a command.", width: width))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private var usage: String {
        var words = path
        if !configuration.subcommands.isEmpty { words.append("COMMAND") }
        let slots = sections.flatMap(\.slots)
        for slot in slots where slot.kind == .argument {
            let name = slot.valueName + (slot.isRepeating ? "…" : "")
            words.append(slot.isRequired ? name : "[\(name)]")
        }
        for slot in slots where slot.kind == .option && slot.isRequired {
            words.append("\(slot.displayName) \(slot.valueName)")
        }
        if slots.contains(where: { $0.kind != .argument && !$0.isRequired }) { words.append("[options]") }
        return words.joined(separator: " ")
    }

    /// `-f, --file FILE`, long names all in one column.
    private func spell(_ slot: Slot) -> String {
        let short = slot.spellings.filter { !$0.hasPrefix("--") }
        let long = slot.spellings.filter { $0.hasPrefix("--") }
        let names = (short.isEmpty ? "    " : "") + (short + long).joined(separator: ", ")
        return slot.kind == .flag ? names : names + " " + slot.valueName
    }

    private func describe(_ slot: Slot) -> String {
        var text = slot.help.abstract
        if let value = slot.defaultDescription {
            if text.last == "." { text.removeLast() }
            text += " (default: \(value))."
        }
        if slot.kind == .option, slot.isRepeating { text += " Repeatable." }
        return text
    }

    private func list(_ title: String, _ rows: [(name: String, text: String)], _ width: Int) -> String {
        let column = min(rows.map(\.name.columns).max() ?? 0, 26) + 4
        let lines = rows.map { row in
            let text = Wrapping.wrap(row.text, width: width, indent: column, hanging: column)
            let name = "  " + row.name
            // A long name has its line to itself.
            if name.columns > column - 2 { return name + "\n" + text }
            return name + String(text.dropFirst(name.count))
        }
        return ([title + ":"] + lines).joined(separator: "\n")
    }

    private func paragraphs(of text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1].append(line)
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { lines in
            lines[0].hasPrefix(" ") ? lines.joined(separator: "\n") : lines.joined(separator: " ")
        }
    }
}

/// Lines of running text.
enum Wrapping {
    /// - Parameters:
    ///   - width: Columns of a terminal; a word that is wider alone stays whole.
    ///   - indent: Spaces before the first line.
    ///   - hanging: Spaces before each further line.
    static func wrap(_ text: String, width: Int, indent: Int = 0, hanging: Int = 0) -> String {
        var lines: [String] = []
        var line = String(repeating: " ", count: indent)
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.columns + 1 + String(word).columns > width {
                lines.append(line)
                line = String(repeating: " ", count: hanging)
                isEmpty = true
            }
            line += isEmpty ? String(word) : " " + word
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}

extension Help {
    /// Columns for help: the terminal's, within what reads well.
    /// - Parameter columns: nil where there is no terminal.
    static func width(of columns: Int?) -> Int { min(max(columns ?? 80, 40), 100) }
}
