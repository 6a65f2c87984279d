import CSQLite
import Glibc

/// A call to SQLite that failed.
public struct SQLiteError: Error, Hashable, Sendable {
    /// What a person can do something about.
    public enum Kind: Hashable, Sendable {
        /// The disk, or the user's share of it, is full.
        case full
        /// The file or its folder may not be written.
        case readOnly
        /// Another process held the lock longer than the busy timeout.
        case busy
        /// The file is damaged, or is no database.
        case damaged
        /// There is no such file, or it may not be opened.
        case cannotOpen
        /// A rule of the schema was broken: a unique key, a foreign key, a check.
        case constraint
        case other
    }

    /// The extended result code (https://www.sqlite.org/rescode.html).
    public let extendedCode: Int32
    /// SQLite's own words.
    public let message: String
    /// The statement, or nil where the file was being opened.
    public let sql: String?
    /// The `errno` of the system call below, 0 where there was none.
    public let systemCode: Int32

    public init(extendedCode: Int32, message: String, sql: String?, systemCode: Int32 = 0) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.systemCode = systemCode
    }

    /// The primary result code.
    public var code: Int32 { extendedCode & 0xff }

    public var kind: Kind {
        // The shared memory of a full disk comes back as an I/O error, a journal that can't be made as CANTOPEN.
        if code == SQLITE_IOERR || code == SQLITE_CANTOPEN {
            switch systemCode {
            case ENOSPC, EDQUOT: return .full
            case EROFS, EACCES, EPERM: return .readOnly
            default: break
            }
        }
        switch code {
        case SQLITE_FULL: return .full
        case SQLITE_READONLY, SQLITE_PERM: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        case SQLITE_CANTOPEN: return .cannotOpen
        case SQLITE_CONSTRAINT: return .constraint
        default: return .other
        }
    }

    /// What the connection says of its last call.
    init(_ connection: OpaquePointer?, sql: String?) {
        let code = sqlite3_extended_errcode(connection)
        self.init(
            extendedCode: code, message: String(cString: sqlite3_errmsg(connection)), sql: sql,
            systemCode: code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_CANTOPEN
                ? sqlite3_system_errno(connection) : 0)
    }
}
