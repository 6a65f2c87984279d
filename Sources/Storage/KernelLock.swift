import Glibc
import System

/// A file or folder that is locked by the kernel (flock) for as long as this owner lives: whoever dies, even by
/// kill -9, lets go of it. No process number is looked at, so none can be mistaken.
final class KernelLock: Sendable {
    let path: FilePath
    private let descriptor: FileDescriptor

    private init(_ path: FilePath, _ descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Puts a short text into the file in place of what is there, for whoever looks. It is not synced.
    func tell(_ text: String) {
        _ = text.utf8CString.withUnsafeBytes { pwrite(descriptor.number, $0.baseAddress, $0.count, 0) }
    }

    /// Makes a file of a new name in a folder, locked.
    static func makeFile(in folder: FilePath) throws(SystemError) -> KernelLock {
        try make(in: folder) { path throws(SystemError) in try FileDescriptor.create(path, mode: 0o600) }
    }

    /// Makes a folder of a new name in a folder, locked.
    static func makeFolder(in folder: FilePath) throws(SystemError) -> KernelLock {
        try make(in: folder) { path throws(SystemError) in
            try Files.makeFolder(path)
            return try FileDescriptor.openFolder(path)
        }
    }

    /// Locks what is there.
    /// - Returns: nil where somebody alive holds it, or it is not there.
    static func takeOver(_ path: FilePath) throws(SystemError) -> KernelLock? {
        do throws(SystemError) {
            let descriptor =
                Files.isFolder(path)
                ? try FileDescriptor.openFolder(path) : try FileDescriptor.openForReading(path, followsLink: false)
            return try descriptor.tryLock() ? KernelLock(path, descriptor) : nil
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Waits for the lock on a file, which is made where there is none.
    /// - Parameters:
    ///   - isShared: Several may have it so at once.
    ///   - waiting: Called where somebody else has it.
    static func wait(
        for path: FilePath, isShared: Bool = false, waiting: () -> Void = {}
    ) throws(SystemError) -> KernelLock {
        let descriptor = try openOrMake(path)
        if !isShared {
            if try descriptor.tryLock() { return KernelLock(path, descriptor) }
            waiting()
        }
        try descriptor.lock(isShared: isShared)
        return KernelLock(path, descriptor)
    }

    /// Whether nobody has the lock on a file that is there. It is not taken: who looks stands in nobody's way but for the
    /// moment of it.
    static func isFree(_ path: FilePath) throws(SystemError) -> Bool {
        try FileDescriptor.openForReading(path, followsLink: false).tryLock(isShared: true)
    }

    private static func openOrMake(_ path: FilePath) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            return try FileDescriptor.create(path, mode: 0o600)
        } catch {
            guard error.code == EEXIST else { throw error }
            return try FileDescriptor.openForReading(path, followsLink: false)
        }
    }

    private static func make(
        in folder: FilePath, _ create: (FilePath) throws(SystemError) -> FileDescriptor
    ) throws(SystemError) -> KernelLock {
        while true {
            try Files.makeFolder(folder)
            let path = folder / String(UInt64.random(in: .min ... .max), radix: 36)
            let descriptor: FileDescriptor
            do throws(SystemError) {
                descriptor = try create(path)
            } catch {
                if error.code == ENOENT { continue }
                throw error
            }
            // Between its making and its lock somebody may have held it for a dead one's, and removed it.
            guard try Files.hold(path, by: descriptor) else { continue }
            return KernelLock(path, descriptor)
        }
    }
}

/// What a process holds while it works jobs off. Jobs in the state `sending` name their worker; when its lock can be
/// taken, the worker has died and nobody knows what became of them.
public final class WorkerLock: Sendable {
    private let lock: KernelLock

    init(in folder: FilePath) throws(SystemError) { lock = try KernelLock.makeFile(in: folder) }

    deinit { try? Files.remove(lock.path) }

    /// The worker's name in the store: a new one each time.
    public var id: String { lock.path.name.description }

    /// Says how many bytes of the jobs in hand have gone, for those who look. It costs no wait for the disk.
    public func tell(bytes: Int64) { lock.tell(String(bytes)) }

    /// What a worker last said.
    static func bytes(told worker: String, in folder: FilePath) -> Int64? {
        guard let text = try? Files.read(folder / FilePath(worker), limit: 100) else { return nil }
        return Int64(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    }
}
