import Glibc
import Hashing
public import Notes
import Synchronization
public import System

/// Bytes by their content: `blobs/d4/d41d8cd98f00b204e9800998ecf8427e-0`, each kept once, never changed.
///
/// May be used from several threads and processes at once. Nothing is synced by itself: `sync` does that for all that
/// was added through this object, before the transaction that names it. So threads that add for one store share its
/// `blobs`, and have ended before that transaction.
public final class BlobStore: Sendable {
    /// Where the blobs are.
    public let folder: FilePath
    private let home: FilePath
    private let isReadOnly: Bool
    private let temporary = Mutex<KernelLock?>(nil)
    private let isDirty = Atomic<Bool>(false)
    private let syncing = Mutex<Void>(())
    private let held = Mutex<KernelLock?>(nil)

    private static let chunk = 1 << 20

    init(home: FilePath, isReadOnly: Bool) {
        self.home = home
        self.isReadOnly = isReadOnly
        folder = home / "blobs"
    }

    deinit {
        temporary.withLock { lock in if let lock { Self.removeFolder(lock.path) } }
    }

    /// Takes in a file: its blocks are shared where the file system can, else it is copied; read once either way.
    ///
    /// Bytes that are here already are compared, and keep their key; different bytes of the same MD5 and size get one
    /// of their own.
    /// - Throws: `sourceUnreadable`, `sourceChanged` (about the file alone: the next one may go well), `full`,
    ///   `readOnly`, `interrupted`, `system`.
    public func add(_ source: borrowing FileDescriptor) throws(StoreError) -> BlobKey {
        do {
            let before = try Self.reading { () throws(SystemError) in try source.status() }
            let path = try temporaryPath()
            defer { try? Files.remove(path) }
            let file = try FileDescriptor.create(path, mode: 0o400)
            let digest = Digest(.md5)
            let isShared = before.size > 0 && (try? file.clone(source)) != nil
            // What was cloned is read from the clone: that, and not what the source may be by now, is what is kept.
            let size = isShared ? try file.status().size : before.size
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Int(min(Int64(Self.chunk), size + 1)), alignment: 4096)
            defer { buffer.deallocate() }
            var offset: Int64 = 0
            while true {
                try Interrupt.check()
                let count =
                    isShared
                    ? try file.read(into: buffer, at: offset)
                    : try Self.reading { () throws(SystemError) in try source.read(into: buffer, at: offset) }
                offset += Int64(count)
                guard offset <= size else { throw StoreError.sourceChanged }
                let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                digest.update(part)
                if !isShared { try file.write(part) }
                if count < buffer.count { break }
            }
            // On its way to the disk while the next file is read.
            if !isShared, size >= Self.chunk { file.startWriting(from: 0, count: size) }
            let after = try Self.reading { () throws(SystemError) in try source.status() }
            guard offset == size, after.size == size, after.modified == before.modified else {
                throw StoreError.sourceChanged
            }
            return try keep(file, at: path, digest: digest, size: size)
        } catch { throw StoreError(error, in: home) }
    }

    /// Takes in bytes from memory.
    /// - Throws: `full`, `readOnly`, `system`.
    public func add(_ bytes: [UInt8]) throws(StoreError) -> BlobKey {
        do {
            let path = try temporaryPath()
            defer { try? Files.remove(path) }
            let file = try FileDescriptor.create(path, mode: 0o400)
            let digest = Digest(.md5)
            digest.update(bytes)
            try file.write(bytes)
            return try keep(file, at: path, digest: digest, size: Int64(bytes.count))
        } catch { throw StoreError(error, in: home) }
    }

    /// The file's path. It is read-only: nobody may write to it.
    public func path(of key: BlobKey) -> FilePath { folder / String(key.md5.hex.prefix(2)) / key.description }

    /// True where the bytes are here, in their full length.
    /// - Throws: `unreadable`, `system`: nobody can say then.
    public func contains(_ key: BlobKey) throws(StoreError) -> Bool {
        do throws(SystemError) {
            return try Files.status(path(of: key)).size == key.size
        } catch {
            if error.code == ENOENT { return false }
            throw StoreError(error, in: home)
        }
    }

    /// Opens a blob for reading.
    /// - Throws: `missingBlob` where it is not here or not in its full length, `unreadable`, `system`.
    public func open(_ key: BlobKey) throws(StoreError) -> FileDescriptor {
        do {
            let file = try FileDescriptor.openForReading(path(of: key))
            guard try file.status().size == key.size else { throw StoreError.missingBlob(key) }
            return file
        } catch let error as SystemError where error.code == ENOENT {
            throw .missingBlob(key)
        } catch { throw StoreError(error, in: home) }
    }

    /// Waits until all that was added is on the disk; does nothing where nothing was.
    /// - Throws: `full`, `system`.
    public func sync() throws(StoreError) {
        do {
            // Who finds a sync under way waits for it: it may be the one that has their bytes.
            try syncing.withLock { _ in
                guard isDirty.exchange(false, ordering: .acquiringAndReleasing) else { return }
                do {
                    try FileDescriptor.openFolder(folder).syncFileSystem()
                } catch {
                    isDirty.store(true, ordering: .releasing)
                    throw error
                }
            }
        } catch { throw StoreError(error, in: home) }
    }

    /// Keeps what is here, and what comes, from being freed by another process until the store has committed the memos or
    /// jobs that name it. Adding does so by itself; who only makes a note of what is here already asks for it.
    /// - Throws: `readOnly`, `interrupted`, `system`.
    public func hold() throws(StoreError) {
        if isReadOnly { return }
        do {
            try held.withLock { lock in
                if lock == nil { lock = try KernelLock.wait(for: home / Self.lockName, isShared: true) }
            }
        } catch { throw StoreError(error, in: home) }
    }

    /// What was held is named, or nobody wants it any more.
    func letGo() { held.withLock { $0 = nil } }

    /// Waits until nobody holds anything, and keeps it so for as long as what is returned lives.
    func keepOthersOut(waiting: () -> Void) throws(SystemError) -> KernelLock {
        try KernelLock.wait(for: home / Self.lockName, waiting: waiting)
    }

    private static let lockName = "blobs.lock"

    /// Removes a blob. The caller knows that nothing names it.
    /// - Throws: `readOnly`, `system`.
    public func remove(_ key: BlobKey) throws(StoreError) {
        do { try Files.remove(path(of: key)) } catch { throw StoreError(error, in: home) }
    }

    /// Every blob there is, folder by folder.
    func forEachKey(_ body: (BlobKey) throws -> Void) throws {
        guard Files.isFolder(folder) else { return }
        for group in try Files.names(in: folder) where Files.isFolder(folder / group) {
            for name in try Files.names(in: folder / group) {
                if let key = BlobKey(name: name.description) { try body(key) }
            }
        }
    }

    /// Removes the temporaries of processes that are no more. What cannot be removed stays: it stands in nobody's way.
    func removeAbandonedTemporaries() {
        let all = home / "temporary"
        for name in (try? Files.names(in: all)) ?? [] {
            if let lock = try? KernelLock.takeOver(all / name) { Self.removeFolder(lock.path) }
        }
    }

    /// Gives a finished temporary file its name.
    private func keep(
        _ file: borrowing FileDescriptor, at temporary: FilePath, digest: Digest, size: Int64
    ) throws -> BlobKey {
        guard let md5 = MD5(bytes: digest.finish()) else { throw StoreError.damaged(home, what: "no MD5") }
        var key = BlobKey(md5: md5, size: size)
        while true {
            // Found or made: another process that found it first may not have synced it yet.
            isDirty.store(true, ordering: .releasing)
            let path = path(of: key)
            do throws(SystemError) {
                if Files.exists(path) { throw SystemError(code: EEXIST, call: "rename", path: path) }
                do throws(SystemError) {
                    try Files.renameNew(temporary, to: path)
                } catch {
                    guard error.code == ENOENT else { throw error }
                    try Files.makeFolder(path.folder)
                    try Files.renameNew(temporary, to: path)
                }
                return key
            } catch {
                guard error.code == EEXIST else { throw error }
                if try Self.holdsSameBytes(file, FileDescriptor.openForReading(path)) { return key }
                key.serial += 1
            }
        }
    }

    private static func holdsSameBytes(
        _ one: borrowing FileDescriptor, _ other: borrowing FileDescriptor
    ) throws(SystemError) -> Bool {
        let size = try one.status().size
        guard try other.status().size == size else { return false }
        var offset: Int64 = 0
        while offset < size {
            let bytes = try one.read(chunk, at: offset)
            guard !bytes.isEmpty, try other.read(chunk, at: offset) == bytes else { return false }
            offset += Int64(bytes.count)
        }
        return true
    }

    /// A name for a new file in this process' own temporary folder.
    private func temporaryPath() throws -> FilePath {
        if isReadOnly { throw StoreError.readOnly(home) }
        try hold()
        let folder = try temporary.withLock { lock in
            if let lock { return lock.path }
            let made = try KernelLock.makeFolder(in: home / "temporary")
            lock = made
            return made.path
        }
        return folder / String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// A file in its place goes as well.
    private static func removeFolder(_ path: FilePath) {
        guard (try? Files.status(path, followsLink: false))?.kind == .folder else {
            try? Files.remove(path)
            return
        }
        for name in (try? Files.names(in: path)) ?? [] { removeFolder(path / name) }
        _ = path.withCString { rmdir($0) }
    }

    /// Tells a failure of the file that comes in from one of the store.
    private static func reading<T>(_ body: () throws(SystemError) -> T) throws(StoreError) -> T {
        do throws(SystemError) {
            return try body()
        } catch {
            throw error.code == EINTR && Interrupt.isRaised ? .interrupted : .sourceUnreadable(error)
        }
    }
}

extension BlobKey {
    /// Reads a blob's file name, as `description` writes it; nil for any other name.
    init?(name: String) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let md5 = MD5(hex: String(parts[0])), let size = Int64(parts[1]),
            let serial = parts.count == 3 ? Int(parts[2]) : 0
        else { return nil }
        self.init(md5: md5, size: size, serial: serial)
        if description != name { return nil }
    }
}
