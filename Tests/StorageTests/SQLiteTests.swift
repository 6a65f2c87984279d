import System
import Testing
import Workbench

@testable import SQLite

@Suite struct SQLiteTests {
    let folder: TemporaryFolder
    let db: Connection

    init() throws {
        folder = try TemporaryFolder()
        db = try Connection(path: (folder.path / "some.sqlite").bytes)
        try db.run("CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB) STRICT")
    }

    @Test("every kind of value comes back as it went in")
    func values() throws {
        let rows: [[Value]] = [
            [.integer(.min), .real(0.1), .text("é\u{0}e\u{301} 東京"), .blob([0, 255, 0])],
            [.integer(.max), .real(-.infinity), .text(""), .blob([])],
            [.null, .null, .null, .null],
        ]
        for row in rows { try db.execute("INSERT INTO t VALUES (?1, ?2, ?3, ?4)", row) }
        let read = try db.all("SELECT a, b, c, d FROM t ORDER BY rowid") { row in
            [
                Value(row.optionalInteger(0)), Value(row.optionalReal(1)), Value(row.optionalText(2)),
                Value(row.optionalBlob(3)),
            ]
        }
        #expect(read == rows)
        let types = try db.all("SELECT typeof(c), typeof(d), length(CAST(c AS BLOB)) FROM t") { row in
            "\(row.text(0)) \(row.text(1)) \(row.integer(2))"
        }
        #expect(types == ["text blob 13", "text blob 0", "null null 0"])
    }

    @Test("a failed transaction leaves nothing, an inner one that failed only its own part")
    func transactions() throws {
        struct Stop: Error {}
        func insert(_ number: Int) throws { try db.execute("INSERT INTO t (a) VALUES (?1)", [Value(number)]) }
        func numbers() throws -> [Int64] { try db.all("SELECT a FROM t ORDER BY a") { row in row.integer(0) } }

        #expect(throws: Stop.self) {
            try db.transaction {
                try insert(1)
                throw Stop()
            }
        }
        #expect(try numbers() == [])
        try db.transaction {
            try insert(2)
            try? db.transaction {
                try insert(3)
                throw Stop()
            }
            try db.transaction { try insert(4) }
        }
        #expect(try numbers() == [2, 4])
    }

    @Test("one statement serves two readers at once")
    func reentrance() throws {
        for number in 1...3 { try db.execute("INSERT INTO t (a) VALUES (?1)", [Value(number)]) }
        var pairs = 0
        try db.forEach("SELECT a FROM t") { _ in try db.forEach("SELECT a FROM t") { _ in pairs += 1 } }
        #expect(pairs == 9)
    }

    @Test("errors name the statement and their kind")
    func errors() throws {
        func error(_ sql: String, _ values: [Value] = []) -> SQLiteError? {
            do {
                try db.execute(sql, values)
                return nil
            } catch { return error }
        }
        #expect(error("SELECT x")?.sql == "SELECT x")
        #expect(error("SELECT x")?.message == "no such column: x")
        #expect(error("INSERT INTO t (a) VALUES ('x')")?.kind == .constraint)
        #expect(error("SELECT ?1") != nil, "a parameter without a value")
        #expect(error("SELECT 1", [.null]) != nil, "a value without a parameter")
    }

    @Test("a lock that another connection holds is a typed error once the time is over")
    func busy() throws {
        let other = try Connection(path: (folder.path / "some.sqlite").bytes, busyTimeout: 1)
        try db.transaction {
            let error = #expect(throws: SQLiteError.self) { try other.transaction {} }
            #expect(error?.kind == .busy)
        }
        try other.transaction {}
    }

    @Test("whoever is in a hurry waits no hour for a lock")
    func hurry() throws {
        let other = try Connection(
            path: (folder.path / "some.sqlite").bytes, busyTimeout: 3_600_000, isHurried: { true })
        try db.transaction {
            let error = #expect(throws: SQLiteError.self) { try other.transaction {} }
            #expect(error?.kind == .busy)
        }
    }

    @Test("a migration and its number are committed together or not at all")
    func migrations() throws {
        let path = (folder.path / "migrated.sqlite").bytes
        let db = try Connection(path: path)
        try Migrator(["CREATE TABLE one (a INTEGER)"]).migrate(db)
        let broken = Migrator(["CREATE TABLE one (a INTEGER)", "CREATE TABLE two (a INTEGER); CREATE TABLE one (a)"])
        #expect(throws: SQLiteError.self) { try broken.migrate(db) }
        func state() throws -> [String] {
            try db.all("SELECT name FROM sqlite_schema ORDER BY name") { row in row.text(0) }
                + db.all("PRAGMA user_version") { row in String(row.integer(0)) }
        }
        #expect(try state() == ["one", "1"])
        try Migrator(["", "CREATE TABLE two (a INTEGER)"]).migrate(db)
        #expect(try state() == ["one", "two", "2"])
        #expect(throws: Migrator.NewerDatabase(found: 2, known: 1)) { try Migrator([""]).migrate(db) }
        let reader = try Connection(path: path, mode: .readOnly)
        #expect(throws: Migrator.OlderDatabase(found: 2, known: 3)) { try Migrator(["", "", ""]).migrate(reader) }
    }
}
