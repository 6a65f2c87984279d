/// Brings a database to the form that this program knows. Forward only.
///
/// The number of migrations done is the file's `user_version`, written in the transaction of the migration itself.
public struct Migrator: Sendable {
    /// The file was made by a newer program.
    public struct NewerDatabase: Error, Hashable, Sendable {
        public let found: Int
        public let known: Int
    }

    /// A file that may only be read is too old to be read as it is.
    public struct OlderDatabase: Error, Hashable, Sendable {
        public let found: Int
        public let known: Int
    }

    private let migrations: [String]

    /// - Parameter migrations: SQL, in order. One that was released is never edited: another one follows it.
    public init(_ migrations: [String]) { self.migrations = migrations }

    /// The version of a database that is up to date.
    public var version: Int { migrations.count }

    /// - Returns: False where there are migrations left to do.
    /// - Throws: `NewerDatabase`, `SQLiteError`.
    public func isUpToDate(_ connection: Connection) throws -> Bool {
        let found = try Self.version(of: connection)
        if found > version { throw NewerDatabase(found: found, known: version) }
        return found == version
    }

    /// Does what is left to do, each migration in a transaction of its own.
    /// - Throws: `NewerDatabase`, `OlderDatabase`, `SQLiteError`.
    public func migrate(_ connection: Connection) throws {
        while try !isUpToDate(connection) {
            if connection.isReadOnly {
                throw OlderDatabase(found: try Self.version(of: connection), known: version)
            }
            try connection.transaction {
                // Another process may have been here since.
                let done = try Self.version(of: connection)
                guard done < version else { return }
                try connection.run(migrations[done])
                try connection.run("PRAGMA user_version = \(done + 1)")
            }
        }
    }

    private static func version(of connection: Connection) throws -> Int {
        max(0, Int(try connection.first("PRAGMA user_version") { row in row.integer(0) } ?? 0))
    }
}
