/// What a command line asks for.
enum Invocation {
    case command(any ParsableCommand, path: [String])
    /// Help that was asked for.
    case help(String)
    /// Help because a command is missing: a usage error.
    case missingCommand(help: String)
    case version

    /// - Parameters:
    ///   - words: Without the program's own name.
    ///   - everywhere: Options that may stand before a subcommand's name too; every leaf has them.
    ///   - width: Columns that help may use.
    static func parse(
        _ words: [[UInt8]], root: any ParsableCommand.Type, everywhere: any ParsableArguments.Type, width: Int
    ) throws(UsageError) -> Invocation {
        var place = Place(command: root, path: [root.configuration.commandName])
        var rest = words[...]
        var carried: [[UInt8]] = []
        let early = CarriedOptions(everywhere.init().slots)
        while !place.command.configuration.subcommands.isEmpty {
            guard let word = rest.popFirst() else { return .missingCommand(help: place.help(width)) }
            let text = String(decoding: word, as: UTF8.self)
            if text == "-h" || text == "--help" {
                return .help(place.help(width))
            } else if text == "--version" {
                return .version
            } else if text == "help" {
                for name in rest where !ArgumentParser.looksLikeOption(name) {
                    try place.descend(to: String(decoding: name, as: UTF8.self))
                }
                return .help(place.help(width))
            } else if ArgumentParser.looksLikeOption(word) {
                do throws(UsageError) {
                    carried += try early.take(word, &rest)
                } catch { throw error.of(place.name) }
            } else {
                try place.descend(to: text)
            }
        }
        let value = place.command.init()
        let slots = value.slots
        var parser = ArgumentParser(slots)
        do throws(UsageError) {
            if try parser.fill(from: carried + rest) == .helpRequested { return .help(place.help(width)) }
            if let missing = slots.first(where: { $0.isRequired && !$0.isFilled }) {
                throw UsageError("\(missing.displayName) is missing")
            }
        } catch { throw error.of(place.name) }
        do throws(ValidationError) {
            try value.validateAll()
        } catch { throw UsageError(error.message, command: place.name) }
        return .command(value, path: place.path)
    }

    /// Where in the tree of commands the reading has come to.
    private struct Place {
        var command: any ParsableCommand.Type
        /// From the program's name to the command's.
        var path: [String]

        var name: String { path.joined(separator: " ") }

        func help(_ width: Int) -> String { Help(command, path: path).text(width: width) }

        mutating func descend(to name: String) throws(UsageError) {
            let known = command.configuration.subcommands
            guard let next = known.first(where: { $0.configuration.commandName == name }) else {
                let suggestion =
                    NearestName.of(name, among: known.map { $0.configuration.commandName })
                    ?? Self.group(with: name, among: known).map { "\($0) \(name)" }
                throw UsageError(
                    "there is no command \"\((path.dropFirst() + [name]).joined(separator: " "))\"",
                    suggestion: suggestion.map { "\(self.name) \($0)" }, command: self.name)
            }
            command = next
            path.append(name)
        }

        /// `evergear add` was probably to be `evergear draft add`.
        private static func group(with name: String, among groups: [any ParsableCommand.Type]) -> String? {
            groups.first { group in
                group.configuration.subcommands.contains { $0.configuration.commandName == name }
            }?.configuration.commandName
        }
    }
}

/// Options that stand before a subcommand's name are carried to where the subcommand reads its own.
private struct CarriedOptions {
    private let slots: [String: Slot]

    init(_ slots: [Slot]) {
        var named: [String: Slot] = [:]
        for slot in slots {
            for name in slot.spellings { named[name] = slot }
        }
        self.slots = named
    }

    /// The word itself, with its value where that is the next word.
    func take(_ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) -> [[UInt8]] {
        let cut = word.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: word[..<(cut ?? word.endIndex)], as: UTF8.self)
        guard let slot = slots[name] else {
            throw UsageError(
                "there is no option \(name) before a command's name",
                suggestion: NearestName.of(name, among: slots.keys.sorted()))
        }
        guard slot.kind == .option, cut == nil else { return [word] }
        guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value (\(slot.valueName))") }
        return [word, value]
    }
}
