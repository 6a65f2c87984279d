import CSQLite

/// A prepared statement. It owns the handle and is used by its connection alone.
final class Statement {
    let sql: String
    /// True while its rows are being read: it cannot serve a second caller then.
    private(set) var isRunning = false
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            if code == SQLITE_OK { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "no statement", sql: sql) }
            throw SQLiteError(connection, sql: sql)
        }
        self.sql = sql
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Sets all parameters, `?1` first, and makes it ready to run.
    func start(_ values: [Value]) throws(SQLiteError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(extendedCode: SQLITE_RANGE, message: "wrong number of parameters", sql: sql)
        }
        for (value, index) in zip(values, 1...) {
            let index = Int32(index)
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .real(let number): sqlite3_bind_double(handle, index, number)
                case .text(let text):
                    // With the length, so that a NUL inside is kept; an empty string still has an address.
                    text.withCString {
                        sqlite3_bind_text64(
                            handle, index, $0, UInt64(text.utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
                    }
                case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), csqlite_transient())
                    }
                }
            guard code == SQLITE_OK else { throw SQLiteError(connection, sql: sql) }
        }
        isRunning = true
    }

    /// - Returns: False when there are no more rows.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(connection, sql: sql)
        }
    }

    /// Ends the run and lets go of its parameters.
    func finish() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isRunning = false
    }

    var row: Row { Row(handle) }
}
