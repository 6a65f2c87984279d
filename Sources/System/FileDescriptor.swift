import CSystem
import Glibc

/// An open file, closed when its owner goes.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number, for calls that this type does not wrap; it stays owned here.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens a regular file for reading.
    ///
    /// O_NONBLOCK keeps a FIFO or a device from holding the program up; what is no regular file is refused after fstat.
    /// - Parameter followsLink: false refuses a symbolic link as the last component (ELOOP).
    public static func openForReading(_ path: FilePath, followsLink: Bool = true) throws(SystemError) -> FileDescriptor
    {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
        let file = FileDescriptor(
            owning: try systemCall("open", path) { path.withCString { Glibc.open($0, flags) } })
        let status = try file.status(path)
        guard status.kind == .file else {
            throw SystemError(code: status.kind == .folder ? EISDIR : EINVAL, call: "open", path: path)
        }
        return file
    }

    /// Opens a folder.
    public static func openFolder(_ path: FilePath) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall("open", path) {
                path.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            })
    }

    /// Makes a file that must not be there yet (EEXIST), for reading and writing.
    public static func create(_ path: FilePath, mode: UInt32 = 0o644) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall("create", path) {
                path.withCString { Glibc.open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode) }
            })
    }

    /// Opens what is there, whatever it is, and leaves what is in it.
    public static func openForWriting(_ path: FilePath) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall("open", path) {
                path.withCString { Glibc.open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
            })
    }

    public func status(_ path: FilePath? = nil) throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall("fstat", path) { fstat(number, &status) }
        return FileStatus(status)
    }

    /// Reads at an offset, until the buffer is full or the file ends.
    /// - Returns: The bytes read; fewer than asked for only at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try systemCall("read") {
                pread(
                    number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset) + off_t(filled)
                )
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Up to `count` bytes at an offset; fewer only at the end.
    public func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes at the file's position.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try systemCall("write") { Glibc.write(number, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Takes over the content of another file by sharing its blocks, where the file system can (FICLONE).
    /// - Throws: EOPNOTSUPP, EXDEV, EINVAL, ENOTTY and others where it cannot.
    public func clone(_ source: borrowing FileDescriptor) throws(SystemError) {
        let from = source.number
        try systemCall("clone") { csystem_clone(number, from) }
    }

    /// Takes the kernel's lock on the file (flock), which its process holds until this descriptor is closed, however
    /// the process ends.
    /// - Parameter isShared: Several may have it so at once; nobody else has it then.
    /// - Returns: False where somebody else holds it.
    public func tryLock(isShared: Bool = false) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try systemCall("flock") { flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Waits for the kernel's lock on the file (flock).
    /// - Parameter isShared: Several may have it so at once; nobody else has it then.
    public func lock(isShared: Bool = false) throws(SystemError) {
        try systemCall("flock") { flock(number, isShared ? LOCK_SH : LOCK_EX) }
    }

    /// Starts bringing bytes to the disk, without waiting: a later `sync` has less to do. A hint, so it never fails.
    public func startWriting(from offset: Int64, count: Int64) { _ = csystem_start_writing(number, offset, count) }

    /// Says who may do what with the file, as chmod does.
    public func setMode(_ mode: UInt32) throws(SystemError) { try systemCall("fchmod") { fchmod(number, mode) } }

    /// Waits until the file's bytes are on the disk.
    public func sync() throws(SystemError) { try systemCall("fsync") { fsync(number) } }

    /// Waits until everything of this file's file system is on the disk.
    public func syncFileSystem() throws(SystemError) { try systemCall("syncfs") { csystem_syncfs(number) } }
}
