public import System

/// Why an ENEX file could not be written or is not as it should be.
public enum ENEXError: Error, Hashable, Sendable {
    /// The file itself: no space, no permission.
    case file(SystemError)
    /// The bytes of a resource can't be read.
    case bodyUnreadable(note: String, fileName: String, SystemError)
    /// The bytes of a resource are no longer those that the note was made of.
    case bodyChanged(note: String, fileName: String)
    /// A note that must not be written: no title, a file name used twice or with a slash in it, a kind that is no MIME type.
    case noteRefused(note: String, reason: String)
    /// A file without a note would not be an ENEX file.
    case noNotes
    /// Something failed before: what was written is of no use.
    case unusable
    /// A file that was read is no ENEX, and where.
    case malformed(path: FilePath, line: Int, reason: String)

    /// A stable name.
    public var code: String {
        switch self {
        case .file: "enex-file"
        case .bodyUnreadable: "body-unreadable"
        case .bodyChanged: "body-changed"
        case .noteRefused: "note-refused"
        case .noNotes: "no-notes"
        case .unusable: "enex-unusable"
        case .malformed: "enex-malformed"
        }
    }
}
