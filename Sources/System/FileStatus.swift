import Glibc

/// What the file system says of a file.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file, folder, link, other
    }

    public let kind: Kind
    /// Bytes.
    public let size: Int64
    /// Who may do what with it, as chmod counts.
    public let mode: UInt32
    /// Last change of the content, nanoseconds since 1970; what is beyond the years 1677 to 2262 is taken as these.
    public let modified: Int64
    /// Device and inode: equal for two names of one file.
    public let identity: [UInt64]

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(status.st_size)
        mode = UInt32(status.st_mode) & 0o7777
        let seconds = Int64(status.st_mtim.tv_sec)
        let (nanoseconds, isTooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = nanoseconds.addingReportingOverflow(Int64(status.st_mtim.tv_nsec))
        modified = isTooMany || isOver ? (seconds < 0 ? .min : .max) : sum
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
