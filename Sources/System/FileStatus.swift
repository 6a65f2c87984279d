import Glibc

/// What the file system says of a file.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file, folder, link, other
    }

    public let kind: Kind
    /// Bytes.
    public let size: Int64
    /// Last change of the content, nanoseconds since 1970.
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
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
