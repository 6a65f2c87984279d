import Glibc
import Notes
import SQLite
import System
import Testing
import Workbench

@testable import Storage

/// A file system of a few megabytes in memory, unmounted when its owner goes.
private final class SmallDisk {
    let path: FilePath

    /// Only root may mount one, and not everywhere.
    static let isPossible: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        return (try? SmallDisk(in: folder, "size=64k")) != nil
    }()

    init(in folder: TemporaryFolder, _ options: String) throws {
        path = folder.path / "disk"
        try Files.makeFolder(path)
        guard try run("/bin/mount", ["-t", "tmpfs", "-o", options, "none", path.description]).status == .status(0)
        else {
            throw SystemError(code: EPERM, call: "mount", path: path)
        }
    }

    func remount(_ options: String) throws {
        let result = try run("/bin/mount", ["-o", "remount,\(options)", path.description])
        #expect(result.status == .status(0))
    }

    deinit { _ = try? run("/bin/umount", ["-l", path.description]) }
}

@Suite struct OpeningTests {
    let folder: TemporaryFolder
    var home: FilePath { folder.path / "home" }

    init() throws { folder = try TemporaryFolder() }

    private func isIntact(_ store: Store) throws -> Bool {
        let damage = try store.db.all("PRAGMA integrity_check") { row in row.text(0) }
        let orphans = try store.db.all("PRAGMA foreign_key_check") { row in row.text(0) }
        return damage == ["ok"] && orphans.isEmpty
    }

    @Test("a store is made for its owner alone, syncs each commit and lets go of all but its file")
    func making() throws {
        do {
            let store = try folder.store()
            #expect(try store.db.first("PRAGMA journal_mode") { row in row.text(0) } == "wal")
            #expect(try store.db.first("PRAGMA synchronous") { row in row.integer(0) } == 2)
            #expect(try store.db.first("PRAGMA foreign_keys") { row in row.bool(0) } == true)
            let loose = try store.db.all(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND NOT strict"
            ) { row in row.text(0) }
            #expect(loose == [])
        }
        #expect(try run("/usr/bin/stat", ["-c", "%a", home.description]).output == "700\n")
        #expect(try run("/usr/bin/stat", ["-c", "%a", (home / "store.sqlite").description]).output == "600\n")
        #expect(try Files.names(in: home) == ["store.lock", "store.sqlite"])
    }

    @Test("a store that was put together again from a dump gets its write-ahead log back")
    func recovered() throws {
        try folder.store().db.run("PRAGMA journal_mode = DELETE")
        #expect(try folder.store().db.first("PRAGMA journal_mode") { row in row.text(0) } == "wal")
    }

    @Test("a store from a newer program is refused and left as it is")
    func newer() throws {
        try folder.store().db.run("PRAGMA user_version = 99")
        let before = try Files.read(home / "store.sqlite", limit: 1 << 20)
        let expected = StoreError.newerStore(home, found: 99, known: Migrator.store.version)
        #expect(failure { _ = try folder.store() } == expected)
        #expect(failure { _ = try folder.store(readOnly: true) } == expected)
        #expect(try Files.read(home / "store.sqlite", limit: 1 << 20) == before)
    }

    @Test("what is no store is refused and left as it is")
    func noStore() throws {
        #expect(failure { _ = try folder.store(readOnly: true) } == .noStore(home))
        #expect(!Files.exists(home))
        try Files.makeFolder(home)
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
        try Files.replace(home / "store.sqlite", with: bytes)
        guard case .damaged? = failure({ _ = try folder.store() }) else {
            Issue.record("taken for a store")
            return
        }
        #expect(try Files.read(home / "store.sqlite", limit: 1 << 20) == bytes)
        try Files.replace(folder.path / "file", with: [])
        #expect(failure { _ = try Store(folder: folder.path / "file" / "home") }?.code == "system")
    }

    @Test("a reader sees what a writer has committed, and changes nothing")
    func readers() throws {
        let store = try folder.store()
        let reader = try folder.store(readOnly: true)
        let draft = try store.addDraft(makeDraft())
        #expect(try reader.draft(draft.id) == draft)
        #expect(failure { _ = try reader.addDraft(makeDraft()) } == .readOnly(home))
        #expect(failure { try reader.setPaused(true) } == .readOnly(home))
    }

    @Test(
        "on a medium without write access a store can be read, and writing is a typed error",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func readOnlyMedium() throws {
        let disk = try SmallDisk(in: folder, "size=4m")
        let home = disk.path / "my home?100%"
        let draft = try Store(folder: home).addDraft(makeDraft())
        try disk.remount("ro")
        #expect(failure { _ = try Store(folder: home) } == .readOnly(home))
        #expect(failure { _ = try Store(folder: disk.path / "other") } == .readOnly(disk.path / "other"))
        let reader = try Store(folder: home, readOnly: true)
        #expect(try reader.draft(draft.id) == draft)
        #expect(failure { try reader.setPaused(true) } == .readOnly(home))
    }

    @Test(
        "a full disk is a typed error, and what was acknowledged before is there",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func fullDisk() throws {
        let disk = try SmallDisk(in: folder, "size=2m")
        let home = disk.path / "home"
        var kept: [Int64: String] = [:]
        do {
            let store = try Store(folder: home)
            let source = try folder.file([UInt8](repeating: 1, count: 3 << 20))
            #expect(failure { _ = try store.blobs.add(source) } == .full(home))
            let error = failure {
                for number in 0..<1000 {
                    let text = "\(number) " + String(repeating: "x", count: 20_000)
                    kept[try store.addDraft(makeDraft(text)).id] = text
                }
            }
            #expect(error == .full(home))
            #expect(kept.count > 5)
        }
        #expect(failure { _ = try Store(folder: disk.path / "second").addDraft(makeDraft()) }?.code == "disk_full")
        try disk.remount("size=8m")
        let store = try Store(folder: home)
        for (id, text) in kept { #expect(try store.draft(id).text == text) }
        #expect(try store.draftSummaries().count == kept.count)
        _ = try store.addDraft(makeDraft("goes on"))
        #expect(try isIntact(store))
        #expect(try Files.names(in: home / "temporary").count <= 1)
    }

    @Test(
        "a process killed in the middle of a transaction leaves nothing of it",
        .enabled(if: Files.exists("/usr/bin/sqlite3"), "needs /usr/bin/sqlite3"))
    func killed() throws {
        let draft = try folder.store().addDraft(makeDraft(memos: [Memo(text: "a", photos: [try makePhoto(1)])]))
        for isCommitted in [false, true] {
            var child = try ChildProcess("/usr/bin/sqlite3", ["-batch", "-bail", (home / "store.sqlite").description])
            // More than a page cache holds, so that the log has pages of a transaction that never ends.
            try child.input.write(
                Array(
                    """
                    PRAGMA foreign_keys = ON; PRAGMA cache_size = 10; BEGIN IMMEDIATE;
                    \(isCommitted ? "UPDATE draft SET notebook = 'committed'; COMMIT; BEGIN IMMEDIATE;" : "")
                    DELETE FROM memo;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                        INSERT INTO memo (draft, number, position, text)
                        SELECT \(draft.id), i, i, hex(randomblob(500)) FROM n;
                    SELECT 'in the middle';

                    """.utf8))
            var answer = [UInt8](repeating: 0, count: 100)
            #expect(read(child.output.number, &answer, answer.count) > 0)
            child.kill()
            #expect(child.wait() == .signal(SIGKILL))
            var expected = draft
            if isCommitted { expected.notebook = "committed" }
            let store = try folder.store()
            #expect(try store.draft(draft.id) == expected)
            #expect(try isIntact(store))
        }
    }
}
