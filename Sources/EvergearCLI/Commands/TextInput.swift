import Glibc
import System

/// Where a command gets a text from: its words, a file, the standard input, or an editor.
struct TextInput {
    let words: [String]
    var file: FilePath?

    /// What an editor is opened with.
    struct Editing {
        let text: String
        /// For its file: `draft-new`.
        let name: String
        /// The command that takes a text from a file, by the file's name.
        let command: (String) -> String
    }

    /// A text of more than 16 MiB is refused.
    private static let longest = 16 << 20

    /// The text as it was given, with no editor.
    ///
    /// - Returns: nil where nothing was said.
    /// - Throws: `SystemError`, `NothingToKeep` for bytes that are no text.
    func read() throws -> String? {
        if let file {
            return file == "-" ? try standardInput() : try text(Files.readText(file, limit: Self.longest), of: file)
        }
        if words == ["-"] { return try standardInput() }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The text as it was given; else of an editor where the input is a terminal, and of the input where it is not.
    ///
    /// - Parameters:
    ///   - context: Whose editor and home folder are used.
    ///   - keep: Does with the text what the command is for. Until this has returned, what was typed is in a file.
    /// - Returns: What `keep` returned; nil where the editor was left empty.
    /// - Throws: As `read()`, and `EditKept` with what `keep` threw.
    func read<Result>(
        orEdit editing: Editing, in context: Context, keep: (String) throws -> Result
    ) throws -> Result? {
        if let text = try read() { return try keep(text) }
        guard StandardStream.input.isTerminal else { return try keep(standardInput()) }
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
            again: { try context.output.asksAgain($0) },
            goingOn: { file in
                "Mended, and without its lines that begin with #, `\(editing.command(file.shellWord))` goes on with it."
            },
            apply: keep)
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
