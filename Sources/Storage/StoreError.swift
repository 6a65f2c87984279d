import Glibc
public import Notes
import SQLite
public import System

/// Everything that goes wrong in this module.
public enum StoreError: Error, Hashable, Sendable {
    /// The store was made by a newer evergear; nothing was touched.
    case newerStore(FilePath, found: Int, known: Int)
    /// A store of an older version, and it may only be read.
    case olderStore(FilePath, found: Int, known: Int)
    /// There is no store in the folder, and none was to be made.
    case noStore(FilePath)
    /// The disk, or the user's share of it, is full. What was acknowledged before is kept.
    case full(FilePath)
    /// The folder or a file in it may not be written.
    case readOnly(FilePath)
    /// The folder or a file in it may not be read.
    case unreadable(FilePath)
    /// Another process kept the store locked for longer than a minute.
    case busy(FilePath)
    /// The database file, or one beside it, does not open: a folder in its place, or no permission.
    case cannotOpen(FilePath)
    /// What is in the store is not what this program writes.
    case damaged(FilePath, what: String)

    case noSuchDraft(Int64)
    case noSuchMemo(Int64)
    case noSuchJob(Int64)
    /// A memo that belongs to another draft, or is named twice.
    case wrongMemo(Int64, draft: Int64)
    /// Somebody edited the draft since it was read.
    case changedMeanwhile(draft: Int64)
    /// An import that is under way adds to the draft.
    case draftInHand(Int64)
    /// The draft has a note in this state, which stands against what was asked.
    case draftInOutbox(draft: Int64, job: Int64, state: JobState)
    /// The same note is on its way to where the job was to go, or is there already, by another job.
    case alreadyThere(job: Int64, other: Int64, state: JobState)
    /// The job's state does not allow what was asked.
    case illegalTransition(job: Int64, state: JobState, event: JobEvent)

    /// The file being taken into the store could not be read.
    case sourceUnreadable(SystemError)
    /// The file being taken into the store changed while it was read.
    case sourceChanged
    /// Bytes that the store should hold are not there.
    case missingBlob(BlobKey)

    /// Ctrl-C.
    case interrupted
    /// Another failure of the system, about a file of the store.
    case system(SystemError)
    /// Another failure of SQLite.
    case database(code: Int32, message: String, sql: String?)

    /// A stable word for scripts and logs.
    public var code: String {
        switch self {
        case .newerStore: "newer_store"
        case .olderStore: "older_store"
        case .noStore: "no_store"
        case .full: "disk_full"
        case .readOnly: "read_only"
        case .unreadable: "no_permission"
        case .busy: "store_busy"
        case .cannotOpen: "cannot_open"
        case .damaged: "store_damaged"
        case .noSuchDraft: "no_such_draft"
        case .noSuchMemo: "no_such_memo"
        case .noSuchJob: "no_such_job"
        case .wrongMemo: "wrong_memo"
        case .changedMeanwhile: "changed_meanwhile"
        case .draftInHand: "draft_in_hand"
        case .draftInOutbox: "draft_in_outbox"
        case .alreadyThere: "already_there"
        case .illegalTransition: "illegal_transition"
        case .sourceUnreadable: "unreadable"
        case .sourceChanged: "changed_while_read"
        case .missingBlob: "missing_blob"
        case .interrupted: "interrupted"
        case .system: "system"
        case .database: "database"
        }
    }

    /// - Parameter folder: The store's.
    init(_ error: any Error, in folder: FilePath) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError:
            switch error.kind {
            case .full: self = .full(folder)
            case .readOnly: self = .readOnly(folder)
            case .busy: self = Interrupt.isRaised ? .interrupted : .busy(folder)
            case .damaged: self = .damaged(folder, what: error.message)
            case .cannotOpen: self = .cannotOpen(folder)
            case .constraint, .other:
                self = .database(code: error.extendedCode, message: error.message, sql: error.sql)
            }
        case let error as SystemError:
            switch error.code {
            case ENOSPC, EDQUOT: self = .full(folder)
            case EACCES, EPERM:
                let isReading = ["open", "stat", "fstat", "opendir"].contains(error.call)
                self = isReading ? .unreadable(error.path ?? folder) : .readOnly(error.path ?? folder)
            case EROFS: self = .readOnly(error.path ?? folder)
            case EINTR where Interrupt.isRaised: self = .interrupted
            default: self = .system(error)
            }
        case let error as Migrator.NewerDatabase:
            self = .newerStore(folder, found: error.found, known: error.known)
        case let error as Migrator.OlderDatabase:
            self = .olderStore(folder, found: error.found, known: error.known)
        case is Interrupted: self = .interrupted
        default: self = .damaged(folder, what: "\(error)")  // JSON of ours that does not decode
        }
    }
}
