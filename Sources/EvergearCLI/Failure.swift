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
    var sentence: String { message.asSentence + (advice.map { " " + $0 } ?? "") }
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
        return (place + words).asSentence
    }

    /// What is the matter and what to do about it, for behind the name of what it is about; without a full stop.
    var words: String {
        let what =
            switch code {
            case EINVAL where call == "open": "a pipe, a socket or a device, and no file"
            case EISDIR: "a folder, and no file"
            case EBADF: "closed"
            default: reason.prefix(1).lowercased() + reason.dropFirst()
            }
        return advice.map { "\(what). \($0)" } ?? what
    }

    var status: ExitStatus {
        switch (code, call) {
        case (EINTR, _): .interrupted
        // Input that is not there or cannot be reached; what was to be written is no input.
        case (ENOENT, "open"), (ENOENT, "stat"), (ENOENT, "opendir"), (EACCES, "open"), (EACCES, "stat"),
            (EACCES, "opendir"), (ENOTDIR, "open"), (ENOTDIR, "stat"), (ELOOP, "open"), (ELOOP, "stat"),
            (ENAMETOOLONG, "open"), (ENAMETOOLONG, "stat"), (EBADF, "read"):
            .noInput
        case (EISDIR, "open"), (EINVAL, "open"), (EFBIG, "read"): .badInput
        default: .failed
        }
    }

    private var advice: String? {
        switch code {
        case ENOSPC, EDQUOT: "Make room there and run the command again; nothing that was kept is lost"
        case EROFS: "That file system is read-only: choose another folder, or mount it for writing"
        case EACCES, EPERM: "Look at who may \(isReading ? "read" : "write") it (`ls -ld`), or choose another place"
        case ENOENT where isReading: "Is the name right?"
        case ENOENT where call == "spawn": "That program is not installed"
        case ENOTDIR: "A folder is wanted there, and something else is in its place"
        case ENAMETOOLONG: "Choose a shorter name"
        case ELOOP: "The links lead in a circle"
        case EISDIR: "Name a file in it"
        case EINVAL where call == "open": "Save what comes out of it to a file first"
        case EBADF where call == "read": "Say what is to be read, or pipe it in"
        case EEXIST where call == "mkdir": "A file stands where a folder should be: move it, or choose another folder"
        case EEXIST: "Nothing is ever written over a file that is there; choose another name"
        case EMFILE, ENFILE: "Too many files are open: raise the limit (`ulimit -n`)"
        case EIO: "The disk or card may be failing: save what is on it"
        case EFBIG where call == "read": "It is larger than what is read here"
        default: nil
        }
    }

    private var isReading: Bool { ["open", "stat", "fstat", "opendir", "readdir", "read"].contains(call) }
}

extension String {
    /// With a full stop, unless it ends as a sentence does already.
    var asSentence: String { last == "?" ? self : self + "." }
}

// MARK: Drafts as text files

extension DraftFile.Mistake: ExplainedError {
    var sentence: String { "line \(line): \(reason)." }
    var status: ExitStatus { .badInput }
}

// MARK: Storage, Photos, Layouts, ENEX, Outbox
//
// One extension for each error type of these modules.
