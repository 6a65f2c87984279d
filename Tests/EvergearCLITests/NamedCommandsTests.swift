import System
import Testing

@testable import EvergearCLI

@Suite("Commands that documents, helps and messages name")
struct NamedCommandsTests {
    private static let project: FilePath = {
        var folder = FilePath(#filePath).folder
        while folder != "/", !Files.exists(folder / "Package.swift") { folder = folder.folder }
        return folder
    }()

    private static func text(_ file: FilePath) throws -> String {
        String(decoding: try Files.read(file, limit: 1 << 24), as: UTF8.self)
    }

    /// What is wrong with a command line, without what comes behind it: comments, pipes, redirections.
    private func complaint(_ line: some StringProtocol) -> String? {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in line + " " {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                if ["#", "<", "|", ">"].contains(word) { return parse(words) }
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return parse(words)
    }

    private func parse(_ words: [String]) -> String? {
        do throws(UsageError) {
            _ = try Invocation.parse(
                words.dropFirst().map { Array($0.utf8) }, root: Evergear.self, everywhere: GlobalOptions.self, width: 80
            )
            return nil
        } catch { return error.message }
    }

    @Test("each command line in a document or in a help is understood", arguments: ["README.md", "docs", "help"])
    func lines(place: String) throws {
        let texts =
            switch place {
            case "docs":
                try Files.names(in: Self.project / "docs").map { try Self.text(Self.project / "docs" / $0) }
            case "help": HelpTests.commands.map { Help($0.type, path: $0.path).text(width: 1000) }
            default: [try Self.text(Self.project / FilePath(place))]
            }
        var count = 0
        for line in texts.flatMap({ $0.split(separator: "\n") }) where line.hasPrefix("    ") {
            // Two spaces part a command from what is said of it.
            let command = line.drop { $0 == " " }.split(separator: "   ").first ?? ""
            guard command.hasPrefix("evergear ") else { continue }
            let upTo = command.split(separator: "  ").first ?? command
            count += 1
            #expect(complaint(upTo) == nil, "\(line)")
        }
        #expect(place == "docs" || count > 5)
    }

    @Test("a command in backquotes has that name and those options, wherever it is named")
    func spans() throws {
        var files = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map { Self.project / FilePath($0) }
        files += try Files.names(in: Self.project / "docs").map { Self.project / "docs" / $0 }
        var folders = [Self.project / "Sources/EvergearCLI"]
        while let folder = folders.popLast() {
            for name in try Files.names(in: folder) {
                if Files.isFolder(folder / name) { folders.append(folder / name) } else { files.append(folder / name) }
            }
        }
        var count = 0
        for file in files {
            for match in try Self.text(file).matches(of: /`evergear ([^`\n]*)`/) {
                // What a sentence puts in, and what stands for a number or a name.
                let line = match.output.1.replacing(/\\\([^()]*(\([^()]*\)[^()]*)*\)/, with: "1")
                    .replacing(/\b[A-Z][A-Z]+\b/, with: "1").replacing("\\\"", with: "\"")
                // `evergear add` is what somebody might type.
                if line.hasPrefix("1") || line.hasPrefix("help") || line == "add" { continue }
                count += 1
                let complaint = complaint("evergear " + line)
                // A span names what matters there, and leaves out what else the command needs.
                let isIncomplete = complaint.map { !$0.hasPrefix("there is no") && !$0.contains(" is not ") } ?? true
                #expect(isIncomplete, "\(file): \(match.output.0)")
            }
        }
        #expect(count > 50)
    }
}
