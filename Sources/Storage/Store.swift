import Glibc
import Notes
import SQLite
public import System

/// Drafts, photos and the outbox, in one SQLite file and a folder of blobs beside it.
///
/// One connection, for one thread: another thread or process opens a store of its own on the same folder. What a
/// method has returned from is on the disk.
public final class Store {
    /// `store.sqlite`, `blobs`, `temporary` and `workers` are in it.
    public let folder: FilePath
    public let blobs: BlobStore
    let db: Connection

    /// Opens the store in a folder.
    ///
    /// For writing, makes folder (0700) and store where there are none, brings an older store up to date, and removes
    /// what dead processes left of their temporaries.
    /// - Parameters:
    ///   - readOnly: Changes nothing at all; works on a medium that cannot be written, too.
    ///   - waiting: Called once, when another process has kept the store locked for a second. It must not use the store.
    /// - Throws: `newerStore`, `olderStore`, `noStore` (only with `readOnly`), `readOnly`, `full`, `busy`, `damaged`…
    public init(
        folder: FilePath, readOnly: Bool = false, waiting: @escaping () -> Void = {}
    ) throws(StoreError) {
        self.folder = folder
        blobs = BlobStore(home: folder, isReadOnly: readOnly)
        do {
            db = try readOnly ? Self.openForReading(folder, waiting) : Self.open(folder, waiting)
            if !readOnly { blobs.removeAbandonedTemporaries() }
        } catch { throw StoreError(error, in: folder) }
    }

    private static func open(_ folder: FilePath, _ waiting: @escaping () -> Void) throws -> Connection {
        try Files.makeFolder(folder)
        let path = folder / "store.sqlite"
        // Made here for its mode, which the files beside it take over: the folder may have been there, open to all.
        if !Files.exists(path) { try makeFile(path) }
        let db = try Connection(path: path.bytes, waiting: waiting, isHurried: { Interrupt.isRaised })
        // SQLite opens for reading what it cannot open for writing.
        if db.isReadOnly { throw StoreError.readOnly(folder) }
        // The write-ahead log is a property of the file. Sorting and the like never leaves memory for /tmp.
        try db.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
        let isLogged = try db.first("PRAGMA journal_mode") { row in row.text(0) } == "wal"
        // A store that was put together again from a damaged one has lost the property.
        if try !isLogged || !Migrator.store.isUpToDate(db) {
            // Two that begin at once: the change of the journal mode knows no patience.
            let lock = try KernelLock.wait(for: folder / "store.lock", waiting: waiting)
            try withExtendedLifetime(lock) {
                try db.run("PRAGMA journal_mode = WAL")
                try Migrator.store.migrate(db)
            }
        }
        return db
    }

    /// Another process may be faster.
    private static func makeFile(_ path: FilePath) throws(SystemError) {
        do throws(SystemError) {
            _ = try FileDescriptor.create(path, mode: 0o600)
        } catch {
            if error.code != EEXIST { throw error }
        }
    }

    private static func openForReading(_ folder: FilePath, _ waiting: @escaping () -> Void) throws -> Connection {
        let path = folder / "store.sqlite"
        guard Files.exists(path) else { throw StoreError.noStore(folder) }
        // Readers of a write-ahead log share memory in a file beside it. Where none can be made, nobody writes either.
        let isWritable = folder.withCString { access($0, W_OK) } == 0
        let log = try? Files.status(folder / "store.sqlite-wal")
        let db = try Connection(
            path: path.bytes, mode: isWritable || (log?.size ?? 0) > 0 ? .readOnly : .immutable, waiting: waiting,
            isHurried: { Interrupt.isRaised })
        try db.run("PRAGMA temp_store = MEMORY")
        try Migrator.store.migrate(db)
        return db
    }

    /// Reads, and gives every failure this module's name.
    func reading<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do { return try body() } catch { throw StoreError(error, in: folder) }
    }

    /// Makes what names blobs: these are on the disk before, and are not held any more once it is committed.
    func naming<T>(_ body: () throws -> T) throws(StoreError) -> T {
        try blobs.sync()
        let result = try changing(body)
        blobs.letGo()
        return result
    }

    /// Changes something: all of it or nothing.
    func changing<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do { return try db.transaction(body) } catch { throw StoreError(error, in: folder) }
    }
}
