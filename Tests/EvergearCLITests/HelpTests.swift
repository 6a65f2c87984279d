import Testing
import Text

@testable import EvergearCLI

@Suite("Help")
struct HelpTests {
    /// Every command with its path.
    static let commands: [(path: [String], type: any ParsableCommand.Type)] = below(["evergear"], Evergear.self)

    private static func below(
        _ path: [String], _ type: any ParsableCommand.Type
    ) -> [(path: [String], type: any ParsableCommand.Type)] {
        [(path, type)]
            + type.configuration.subcommands.flatMap { below(path + [$0.configuration.commandName], $0) }
    }

    @Test("every option of every command states its default")
    func defaults() {
        for (path, type) in Self.commands {
            for slot in type.init().slots where slot.kind == .option && !slot.isRequired {
                #expect(
                    slot.defaultDescription != nil || slot.help.abstract.contains("(default: "),
                    "\(path.joined(separator: " ")) \(slot.displayName)")
            }
        }
    }

    @Test("no two options of a command share a name")
    func names() {
        for (path, type) in Self.commands {
            let names = type.init().slots.flatMap(\.spellings)
            #expect(Set(names).count == names.count, "\(path.joined(separator: " ")): \(names)")
        }
    }

    @Test("every command that does something has the options that hold everywhere")
    func everywhere() {
        for (path, type) in Self.commands where type.configuration.subcommands.isEmpty {
            #expect(type is any Command.Type, "\(path.joined(separator: " "))")
            let names = Set(type.init().slots.flatMap(\.spellings))
            for name in ["-q", "-v", "--json", "--config", "-h"] {
                #expect(names.contains(name), "\(path.joined(separator: " ")) \(name)")
            }
        }
    }

    @Test("a setting that help names exists, and has an option's name")
    func settings() throws {
        for (path, type) in Self.commands {
            for slot in type.init().slots {
                for found in slot.help.abstract.matches(of: /the setting ([a-zA-Z]+)/) {
                    let setting = Setting.named(String(found.output.1))
                    #expect(setting?.name == String(found.output.1), "\(path.joined(separator: " ")) \(found.output.1)")
                }
            }
        }
    }

    @Test("help keeps to the width of the terminal", arguments: [40, 80, 100])
    func width(width: Int) {
        for (path, type) in Self.commands {
            for line in Help(type, path: path).text(width: width).split(separator: "\n") {
                // What is indented in a discussion stands as it is written; one word alone may be wider.
                let isExample = line.hasPrefix("    ") && !line.hasPrefix("      ") && width < 80
                let isOneWord = !line.drop { $0 == " " }.contains(" ")
                let isStatus = width < 80 && line.first == " "
                #expect(
                    String(line).columns <= width || isExample || isOneWord || isStatus,
                    "\(path.joined(separator: " ")): \(line)")
            }
        }
    }

    @Test("a command's help as a whole")
    func wholeText() {
        let expected = """
            Add, edit, move and remove the memos of a draft.

            Usage: evergear memo COMMAND [options]

            A memo is a card: words, photos (mostly one), or both. Its number is the one
            that `evergear draft show` prints in brackets, and stays while the memo moves.
            To change many at once, use `evergear draft edit`.

            Commands:
              add   Add a memo at the end of a draft
              edit  Change the words, the time, the place or the photos of a memo
              move  Move a memo within its draft
              rm    Remove memos from their draft

            Everywhere:
              -q, --quiet        Print nothing on success, and every problem otherwise.
              -v, --verbose      Say more about what is done.
                  --json         Print results as JSON: one object, or one object a line
                                 where there are many.
                  --config FILE  Read the settings from FILE (default: config.json5 in
                                 $EVERGEAR_HOME, else in ~/.config/evergear).
              -h, --help         Show this help.

            Run `evergear memo COMMAND --help` for the help of a command.

            """
        #expect(Help(MemoCommand.self, path: ["evergear", "memo"]).text(width: 80) == expected)
    }

    @Test("usage shows what is needed, what may come, and what may come again")
    func usage() {
        func usage(_ type: any ParsableCommand.Type) -> String? {
            Help(type, path: ["evergear", "x"]).text(width: 100).split(separator: "\n").first {
                $0.hasPrefix("Usage: ")
            }
            .map(String.init)
        }
        #expect(usage(ExportCommand.self) == "Usage: evergear x DRAFT… --output FILE [options]")
        #expect(usage(MemoAdd.self) == "Usage: evergear x DRAFT [TEXT…] [options]")
    }

    @Test("kanji count as two columns when lines are wrapped")
    func wrapping() {
        #expect(Wrapping.wrap("東京 京都 大阪", width: 9) == "東京 京都\n大阪")
        #expect(Wrapping.wrap("a b c", width: 3, indent: 1, hanging: 1) == " a\n b\n c")
        #expect(Wrapping.wrap("toolong x", width: 3) == "toolong\nx")
        #expect(Wrapping.wrap("", width: 3) == "")
    }
}
