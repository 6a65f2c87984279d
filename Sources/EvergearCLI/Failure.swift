import Glibc
import Notes
import System

/// An error that can say for itself what a person is to read and how the program ends.
protocol ExplainedError: Error {
    /// What and where, and what to do, as sentences without `evergear:` in front. Outside text in it is cleaned where
    /// it is printed.
    var sentence: String { get }
    var status: ExitStatus { get }
}

/// What the program ends with when something was thrown. The one place where errors become words.
///
/// Errors of the modules below are explained by the extensions in this file, one for each type: a new type gets one
/// here, and nothing else is needed.
struct Failure: Hashable {
    let sentence: String
    let status: ExitStatus

    init(_ error: any Error) {
        if let error = error as? any ExplainedError {
            sentence = error.sentence
            status = error.status
        } else {
            sentence = "something unexpected went wrong (\(error)). Please report it, with what you did."
            status = .failed
        }
    }
}

// MARK: The command line and the configuration

extension UsageError: ExplainedError {
    var sentence: String {
        let meant = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return "\(message).\(meant) See `\(command) --help`."
    }
    var status: ExitStatus { .usage }
}

extension ConfigurationError: ExplainedError {
    var sentence: String { "\(message)." + (advice.map { " " + $0 } ?? "") }
    var status: ExitStatus { .configuration }
}

// MARK: The system

extension Interrupted: ExplainedError {
    var sentence: String { "interrupted. What was done until then is kept." }
    var status: ExitStatus { .interrupted }
}

extension SystemError: ExplainedError {
    var sentence: String {
        // A call that a signal broke off: only the interrupt lets it through.
        if code == EINTR { return Interrupted().sentence }
        let place = path.map { "\($0): " } ?? (call == "write" ? "writing: " : "\(call): ")
        let what = place + Self.lowercasedFirst(reason) + "."
        guard let advice else { return what }
        return what + " " + advice
    }

    var status: ExitStatus {
        switch (code, call) {
        case (EINTR, _): .interrupted
        // Input that is not there or cannot be reached; what was to be written is no input.
        case (ENOENT, "open"), (ENOENT, "stat"), (ENOENT, "opendir"), (EACCES, "open"), (EACCES, "stat"),
            (EACCES, "opendir"), (ENOTDIR, "open"), (ENOTDIR, "stat"), (ELOOP, "open"), (ELOOP, "stat"):
            .noInput
        case (EISDIR, "open"), (EINVAL, "open"), (EFBIG, "read"): .badInput
        default: .failed
        }
    }

    private var advice: String? {
        switch code {
        case ENOSPC, EDQUOT: "Make room there and run the command again; nothing that was kept is lost."
        case EROFS: "That file system is read-only: choose another folder, or mount it for writing."
        case EACCES, EPERM: "Look at who may \(isReading ? "read" : "write") it (`ls -ld`), or choose another place."
        case ENOENT where isReading: "Is the name right?"
        case ENOENT where call == "spawn": "That program is not installed."
        case EISDIR: "A file is wanted here."
        case EINVAL where call == "open": "Only regular files are read: no pipe, device or socket."
        case EEXIST where call == "mkdir": "A file stands where a folder should be: move it, or choose another folder."
        case EEXIST: "Nothing is ever written over a file that is there; choose another name."
        case EMFILE, ENFILE: "Too many files are open: raise the limit (`ulimit -n`)."
        case EIO: "The disk or card may be failing: save what is on it."
        case EFBIG where call == "read": "The file is larger than what is read here."
        default: nil
        }
    }

    private var isReading: Bool { ["open", "stat", "fstat", "opendir", "readdir", "read"].contains(call) }

    private static func lowercasedFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

// MARK: Drafts as text files

extension DraftFile.Mistake: ExplainedError {
    var sentence: String { "line \(line): \(reason)." }
    var status: ExitStatus { .badInput }
}

// MARK: Storage, Photos, Layouts, ENEX, Outbox
//
// One extension for each error type of these modules.
