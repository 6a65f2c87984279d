import Glibc
import System

/// Where a command gets a text from: its words, a file, the standard input, or an editor.
struct TextInput {
    let words: [String]
    var file: FilePath?

    /// A text of more than 16 MiB is refused.
    private static let longest = 16 << 20

    /// - Parameters:
    ///   - context: Whose editor and home folder are used.
    ///   - editing: What an editor begins with, and a name for its file; nil: no editor is opened.
    /// - Returns: nil where nothing was said: no words, and an editor left empty.
    /// - Throws: `SystemError`, `NothingToKeep` for bytes that are no text, `EditKept`.
    func read(in context: Context, editing: (text: String, name: String)? = nil) throws -> String? {
        if let file {
            return file == "-" ? try standardInput() : try text(Files.readText(file, limit: Self.longest), of: file)
        }
        if words == ["-"] { return try standardInput() }
        if !words.isEmpty { return words.joined(separator: " ") }
        guard let editing else { return nil }
        guard StandardStream.input.isTerminal else { return try standardInput() }
        let comments = [
            "The first line is the title. Lines that begin with # are left out; an empty text changes nothing."
        ]
        let session = try EditorSession(
            DraftFile.write(text: editing.text, comments: comments), named: editing.name, in: context.home,
            environment: context.environment)
        return try session.run(
            read: { bytes throws(DraftFile.Mistake) in
                let text = try DraftFile.parse(text: bytes)
                return text.isEmpty ? nil : text
            },
            apply: { $0 })
    }

    private func standardInput() throws -> String {
        try text(StandardStream.input.readAll(limit: Self.longest), of: "the standard input")
    }

    private func text(_ bytes: [UInt8], of source: FilePath) throws(NothingToKeep) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw NothingToKeep(sentence: "\(source) is not UTF-8 text. Convert it, with iconv for example.")
        }
        return text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text
    }
}
