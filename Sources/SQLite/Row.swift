import CSQLite

/// One row of a result, readable until the closure that it was given to returns: it cannot be kept.
///
/// Columns count from 0. The tables are STRICT, so a column has the type of its declaration; the one of a damaged file
/// comes as SQLite converts it, never as a crash.
public struct Row: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    public func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    public func bool(_ column: Int) -> Bool { integer(column) != 0 }

    public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    public func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

    /// Empty for NULL.
    public func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// Empty for NULL.
    public func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    public func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
