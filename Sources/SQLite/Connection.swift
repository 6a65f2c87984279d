import CSQLite
import Glibc

/// An open database file. One thread at a time: another thread opens its own.
///
/// Statements are prepared once and kept, by their text: values go in as parameters, never into the text.
public final class Connection {
    public enum Mode: Sendable {
        /// For reading and writing; made where there is none.
        case create
        case readOnly
        /// For reading a file that nobody can change, such as one on a medium without write access: no locks, no
        /// shared memory beside it.
        case immutable
    }

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var depth = 0
    private let busyTimeout: Int64
    private let waiting: () -> Void
    private let isHurried: () -> Bool
    /// When the call in hand began to wait for a lock, and whether that was told; milliseconds.
    private var waitingSince: Int64 = 0
    private var isWaitingTold = false

    /// - Parameters:
    ///   - path: The file's path, bytes as the file system has them.
    ///   - busyTimeout: How long a call waits for other processes' locks, milliseconds. It has no turn among them, and on a
    ///     busy disk each holds it for as long as a sync takes.
    ///   - waiting: Called once, when a call has waited for a second. It must not use this connection.
    ///   - isHurried: Asked while a call waits; once it is so, a second in all is enough.
    public init(
        path: [UInt8], mode: Mode = .create, busyTimeout: Int32 = 60_000, waiting: @escaping () -> Void = {},
        isHurried: @escaping () -> Bool = { false }
    ) throws(SQLiteError) {
        var name = path
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch mode {
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = Array("file:".utf8) + path.flatMap(Self.escaped) + Array("?immutable=1".utf8)
        }
        var handle: OpaquePointer?
        let terminated = name.map { CChar(bitPattern: $0) } + [0]
        let code = sqlite3_open_v2(terminated, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(handle, sql: nil)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.busyTimeout = Int64(busyTimeout)
        self.waiting = waiting
        self.isHurried = isHurried
        // The handle is closed before this object goes.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().waitsOn(count) ? 1 : 0
            }, context)
    }

    /// Waits a little for another process' lock.
    /// - Parameter count: How often this call has waited already.
    /// - Returns: false once it has been long enough.
    private func waitsOn(_ count: Int32) -> Bool {
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        let now = Int64(clock.tv_sec) * 1000 + Int64(clock.tv_nsec) / 1_000_000
        if count == 0 { waitingSince = now }
        let limit = isHurried() ? min(busyTimeout, 1000) : busyTimeout
        if now - waitingSince >= limit { return false }
        if now - waitingSince >= 1000, !isWaitingTold {
            isWaitingTold = true
            waiting()
        }
        // At first the lock is mostly gone in a moment.
        let pause = min(100, Int64(count) * 5 + 1, limit - (now - waitingSince))
        usleep(UInt32(pause * 1000))
        return true
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// True where the file was opened, or could only be opened, for reading.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// The rowid of the last row inserted.
    public var lastID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that the last statement changed.
    public var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The statements prepared so far, so that a test can ask for the plan of each.
    var preparedSQL: [String] { statements.keys.sorted() }

    /// Runs statements that have neither parameters nor rows that anybody wants, separated by semicolons.
    public func run(_ script: String) throws(SQLiteError) {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(handle, sql: script)
        }
    }

    /// Runs one statement to its end.
    public func execute(_ sql: String, _ values: [Value] = []) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.start(values)
        while try statement.step() {}
    }

    /// Hands over row by row.
    public func forEach(_ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws -> Void) throws {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.start(values)
        while try statement.step() { try body(statement.row) }
    }

    /// All rows, each made into something.
    public func all<T>(_ sql: String, _ values: [Value] = [], _ make: (borrowing Row) throws -> T) throws -> [T] {
        var found: [T] = []
        try forEach(sql, values) { row in found.append(try make(row)) }
        return found
    }

    /// The first row, made into something; nil where there is none.
    public func first<T>(_ sql: String, _ values: [Value] = [], _ make: (borrowing Row) throws -> T) throws -> T? {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.start(values)
        return try statement.step() ? try make(statement.row) : nil
    }

    /// Runs the body in a transaction that holds the write lock from its start (BEGIN IMMEDIATE): what it read is
    /// still so when it writes. Committed when the body returns, undone when it throws.
    ///
    /// One inside another is a savepoint of it: undone alone, committed with the outer one.
    public func transaction<T>(_ body: () throws -> T) throws -> T {
        let isOuter = depth == 0
        try execute(isOuter ? "BEGIN IMMEDIATE" : "SAVEPOINT inner_transaction")
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            try execute(isOuter ? "COMMIT" : "RELEASE inner_transaction")
            return result
        } catch {
            // After a full disk, say, SQLite has rolled back by itself: there is nothing left to undo then.
            if sqlite3_get_autocommit(handle) == 0 {
                try? run(isOuter ? "ROLLBACK" : "ROLLBACK TO inner_transaction; RELEASE inner_transaction")
            }
            throw error
        }
    }

    /// A prepared statement, a kept one where it is free.
    private func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = statements[sql], !kept.isRunning { return kept }
        let fresh = try Statement(sql, on: handle)
        if statements[sql] == nil { statements[sql] = fresh }
        return fresh
    }

    /// A byte of a path as it stands in a URI.
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            return [byte]
        default:
            let digits = Array("0123456789abcdef".utf8)
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
