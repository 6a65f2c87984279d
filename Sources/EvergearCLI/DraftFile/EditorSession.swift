import Glibc
import Notes
import Storage
import System

/// A text that a person changes in an editor of their choice.
///
/// The text is a file below the store's own folder from the first moment on. It is removed once what it says is done,
/// or when there is nothing in it that a person wrote; in every other case it stays, and the error names it.
struct EditorSession {
    private let file: FilePath
    private let original: [UInt8]
    private let environment: Environment

    /// - Parameters:
    ///   - text: What the editor begins with.
    ///   - name: The file's name up to its ending, for those who find it later: `draft-3`.
    init(_ text: String, named name: String, in home: Home, environment: Environment) throws(SystemError) {
        self.environment = environment
        original = Array(text.utf8)
        file = try Self.create(name, in: home.edits, original)
    }

    /// Opens the editor until what it leaves is understood, then does what it says.
    ///
    /// - Parameters:
    ///   - read: Turns the file's bytes into a value; nil: there is nothing to do.
    ///   - again: Asked after a mistake whether the editor opens again; nil: nobody is there to be asked.
    ///   - goingOn: A sentence on how a text that was kept is taken up again.
    ///   - apply: Does it. Once this returns, the file goes.
    /// - Returns: nil where there was nothing to do.
    /// - Throws: `EditKept`, with what went wrong and where the text is; what went wrong alone where nothing was written.
    func run<Value, Result>(
        read: ([UInt8]) throws(DraftFile.Mistake) -> Value?,
        again: (DraftFile.Mistake) throws -> Bool? = { _ in nil }, goingOn: (FilePath) -> String,
        apply: (Value) throws -> Result
    ) throws -> Result? {
        do {
            while true {
                let before = try bytes()
                try openEditor()
                try Interrupt.check()
                let after = try bytes()
                let value: Value?
                do throws(DraftFile.Mistake) {
                    value = try read(after)
                } catch {
                    // Where nobody can say so, an editor that changes nothing is not opened for ever.
                    guard try again(error) ?? (before != after) else { throw error }
                    try Files.replace(file, with: Self.complaining(of: error, in: after))
                    continue
                }
                let result = try value.map { try apply($0) }
                try? Files.remove(file)
                return result
            }
        } catch {
            // What cannot be read back may be what somebody wrote.
            if (try? bytes()) == original || !Files.exists(file) {
                try? Files.remove(file)
                throw error
            }
            throw EditKept(file: file, cause: error, goingOn: goingOn(file))
        }
    }

    private func bytes() throws(SystemError) -> [UInt8] { try Files.read(file, limit: 64 << 20) }

    /// The user's editor, by the shell, as its setting may have arguments: `code --wait`.
    private func openEditor() throws {
        let editor = environment.text("VISUAL") ?? environment.text("EDITOR") ?? "vi"
        let ending = try ChildProcess.runOnTerminal(
            "/bin/sh", ["-c", FilePath(editor + " \"$1\""), FilePath(editor), file],
            environment: environment.entries(without: [Access.variable]))
        if ending != .status(0) { throw EditorFailed(editor: editor, ending: ending) }
    }

    /// A new file of a name that nobody has.
    private static func create(_ name: String, in folder: FilePath, _ bytes: [UInt8]) throws(SystemError) -> FilePath {
        try Files.makeFolder(folder)
        var number = 1
        while true {
            let path = folder / (number == 1 ? "\(name).txt" : "\(name)-\(number).txt")
            do throws(SystemError) {
                try FileDescriptor.create(path, mode: 0o600).write(bytes)
                return path
            } catch {
                // Texts that were kept before stay what they are.
                if error.code != EEXIST || number == 10_000 { throw error }
                number += 1
            }
        }
    }

    // MARK: The complaint on top of a file that comes back

    private static let mark = Array("# !! ".utf8)

    /// The file with the mistake told on top, in place of one told before. The line it names is that of the new file.
    static func complaining(of mistake: DraftFile.Mistake, in bytes: [UInt8]) -> [UInt8] {
        var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        let before = lines.prefix { $0.starts(with: mark) }.count
        lines.removeFirst(before)
        let complaint = [
            "Nothing is changed yet: line \(mistake.line - before + 2) cannot be understood.",
            mistake.reason.withoutLineEnds + ".",
        ]
        return Array((complaint.map { (mark + Array($0.utf8))[...] } + lines).joined(separator: [0x0a]))
    }
}

extension String {
    fileprivate var withoutLineEnds: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

/// The editor ended with a complaint of its own, or is not there.
struct EditorFailed: ExplainedError {
    let editor: String
    let ending: ChildProcess.Ending

    var sentence: String {
        switch ending {
        case .status(126), .status(127): "there is no editor \"\(editor)\". Set VISUAL or EDITOR to one that is there."
        case .status(let status): "the editor \"\(editor)\" ended with status \(status), so nothing was changed."
        case .signal(let signal): "the editor \"\(editor)\" was ended by signal \(signal), so nothing was changed."
        }
    }
    var status: ExitStatus { .failed }
}

/// An edit that did not come to its end. The text is kept.
struct EditKept: ExplainedError {
    let file: FilePath
    let cause: any Error
    /// How the text is taken up again, as a sentence.
    let goingOn: String

    var sentence: String {
        var words = "\(Failure(cause).sentence) Your text is kept in \(file). "
        // Applied as it is, the text would undo what the other command did.
        if case StoreError.changedMeanwhile(let draft) = cause {
            words += "Take over into it what `evergear draft edit \(draft) --print` shows; then "
        }
        return words + goingOn
    }
    var status: ExitStatus { Failure(cause).status }
}

/// A file that a person gave, as with `draft edit --from`, and that cannot be understood.
struct MistakeInFile: ExplainedError {
    let file: FilePath
    let mistake: DraftFile.Mistake

    var sentence: String { "\(file), line \(mistake.line): \(mistake.reason). Nothing was changed." }
    var status: ExitStatus { .badInput }
}
