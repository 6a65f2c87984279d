import CSystem
import Glibc

/// What the program does to files as a whole.
public enum Files {
    /// Makes a folder and those above it; one that is there already is fine.
    public static func makeFolder(_ path: FilePath, mode: UInt32 = 0o700) throws(SystemError) {
        if path.withCString({ mkdir($0, mode) }) == 0 { return }
        switch errno {
        case EEXIST where isFolder(path): return
        case EEXIST: throw SystemError(code: ENOTDIR, call: "mkdir", path: path)
        case ENOENT where path.folder != path && path.folder != ".":
            try makeFolder(path.folder, mode: mode)
            if path.withCString({ mkdir($0, mode) }) == 0 || errno == EEXIST { return }
            throw SystemError(code: errno, call: "mkdir", path: path)
        case let code: throw SystemError(code: code, call: "mkdir", path: path)
        }
    }

    public static func status(_ path: FilePath, followsLink: Bool = true) throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall("stat", path) {
            path.withCString { followsLink ? stat($0, &status) : lstat($0, &status) }
        }
        return FileStatus(status)
    }

    /// The folder that relative paths start from.
    public static func currentFolder() throws(SystemError) -> FilePath {
        guard let text = getcwd(nil, 0) else { throw SystemError(code: errno, call: "getcwd") }
        defer { free(text) }
        return FilePath(bytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// A path that still names the same file when the program has gone elsewhere. Links are not looked at.
    public static func absolute(_ path: FilePath) throws(SystemError) -> FilePath {
        path.isAbsolute ? path : try currentFolder() / path
    }

    /// Where a path leads, the same for each of its spellings: links to its folder followed, no `.` and no `..`. A link at
    /// its end stays one. Where there is no such folder, the path as it is, from the root on.
    public static func place(of path: FilePath) throws(SystemError) -> FilePath {
        let name = path.name
        let isAllFolder = name == "." || name == ".." || name == "/"
        if isAllFolder, let place = try? resolve(path) { return place }
        if !isAllFolder, let folder = try? resolve(path.folder) { return folder / name }
        return try absolute(path)
    }

    /// Whether there is anything of that name.
    /// - Throws: `SystemError` where that cannot be told: a folder that may not be entered, a share that is gone.
    public static func isThere(_ path: FilePath) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try status(path, followsLink: false)
            return true
        } catch {
            if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.code) { return false }
            throw error
        }
    }

    /// False only where it is sure that there is nothing of that name.
    public static func exists(_ path: FilePath) -> Bool { (try? isThere(path)) ?? true }

    public static func isFolder(_ path: FilePath) -> Bool {
        (try? status(path))?.kind == .folder
    }

    /// The names in a folder, sorted by bytes, without `.` and `..`.
    public static func names(in path: FilePath) throws(SystemError) -> [FilePath] {
        do throws(SystemError) {
            return try FileDescriptor.openFolder(path).names()
        } catch { throw SystemError(code: error.code, call: error.call, path: path) }
    }

    /// Where a path leads in the end, with every link followed.
    public static func resolve(_ path: FilePath) throws(SystemError) -> FilePath {
        guard let resolved = path.withCString({ realpath($0, nil) }) else {
            throw SystemError(code: errno, call: "realpath", path: path)
        }
        defer { free(resolved) }
        return FilePath(
            bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
    }

    /// A whole regular file.
    /// - Parameter limit: More bytes than this are refused with EFBIG before anything is read.
    public static func read(_ path: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor.openForReading(path)
        let size = Int(try file.status(path).size)
        guard size <= limit else { throw SystemError(code: EFBIG, call: "read", path: path) }
        do throws(SystemError) {
            return try file.read(size, at: 0)
        } catch { throw SystemError(code: error.code, call: error.call, path: path) }
    }

    /// A whole file, or all that comes out of a pipe or a terminal: a text, a list, a token.
    /// - Parameter limit: More bytes than this are refused with EFBIG.
    /// - Throws: `SystemError`, EINTR once a person has pressed Ctrl-C.
    public static func readText(_ path: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
        guard let kind = try? status(path).kind, kind == .other else { return try read(path, limit: limit) }
        // Without O_NONBLOCK, opening a pipe waits for its writer, and Ctrl-C could come just before the wait begins.
        let file = FileDescriptor(
            owning: try systemCall("open", path) {
                path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            })
        return try readToEnd(of: file.number, named: path, limit: limit)
    }

    /// Removes a file; one that is not there is fine.
    public static func remove(_ path: FilePath) throws(SystemError) {
        if path.withCString({ unlink($0) }) != 0, errno != ENOENT {
            throw SystemError(code: errno, call: "unlink", path: path)
        }
    }

    /// Gives a file a new name in the same file system, over an existing one if need be.
    public static func rename(_ from: FilePath, to: FilePath) throws(SystemError) {
        try systemCall("rename", to) { from.withCString { a in to.withCString { b in Glibc.rename(a, b) } } }
    }

    /// Gives a file a new name in the same file system, never over an existing one (EEXIST).
    public static func renameNew(_ from: FilePath, to: FilePath) throws(SystemError) {
        do throws(SystemError) {
            try systemCall("rename", to) {
                from.withCString { a in to.withCString { b in csystem_rename_new(AT_FDCWD, a, AT_FDCWD, b) } }
            }
        } catch {
            // Not every file system knows the flag; a second name is never given over an existing one either.
            guard error.code == EINVAL else { throw error }
            try systemCall("link", to) { from.withCString { a in to.withCString { b in link(a, b) } } }
            try remove(from)
        }
    }

    /// Waits until a folder's list of names is on the disk.
    public static func syncFolder(_ path: FilePath) throws(SystemError) { try FileDescriptor.openFolder(path).sync() }

    /// Writes a whole file so that a reader finds the old bytes or the new, never a part of them. Links are followed; what
    /// is no file, as a terminal, a pipe or a device, is written into and stays what it is.
    ///
    /// - Parameters:
    ///   - mode: A new file's, less what the process holds back (umask).
    ///   - keepsMode: Whether one that is there stays open to those that it was open to; else it gets `mode`.
    public static func replace(
        _ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o600, keepsMode: Bool = false
    ) throws(SystemError) {
        let known = try? status(path)
        if known?.kind == .other {
            do throws(SystemError) {
                return try FileDescriptor.openForWriting(path).write(bytes)
            } catch { throw SystemError(code: error.code, call: error.call, path: path) }
        }
        let path = known == nil ? path : try resolve(path)
        let temporary = temporaryName(beside: path)
        do throws(SystemError) {
            let file = try FileDescriptor.create(temporary, mode: mode)
            // Else one who tidies up takes it for a dead one's. A file system that knows no locks is told of by the rename.
            _ = try? hold(temporary, by: file)
            if keepsMode, let known { try file.setMode(known.mode) }
            try file.write(bytes)
            try file.sync()
            try rename(temporary, to: path)
            try syncFolder(path.folder)
        } catch {
            try? remove(temporary)
            throw SystemError(code: error.code, call: error.call, path: path)
        }
    }

    /// Refuses what `replace` could not do, as far as that can be told before: its folder is there, and may be written.
    public static func checkReplaceable(_ path: FilePath) throws(SystemError) {
        let known = try? status(path)
        if known?.kind == .folder { throw SystemError(code: EISDIR, call: "create", path: path) }
        if known?.kind == .other {
            try systemCall("access", path) { path.withCString { access($0, W_OK) } }
            return
        }
        let folder = try (known == nil ? path : resolve(path)).folder
        if try status(folder).kind != .folder { throw SystemError(code: ENOTDIR, call: "create", path: folder) }
        try systemCall("access", folder) { folder.withCString { access($0, W_OK | X_OK) } }
    }

    /// Writes a new file piece by piece, so that it is there whole or not at all; never over an existing one (EEXIST).
    public static func writeNew(
        _ path: FilePath, mode: UInt32 = 0o644, _ body: (borrowing FileDescriptor) throws -> Void
    ) throws {
        while true {
            let temporary = temporaryName(beside: path)
            do {
                let file = try FileDescriptor.create(temporary, mode: mode)
                guard try hold(temporary, by: file) else { continue }
                try body(file)
                try file.sync()
                try renameNew(temporary, to: path)
                try syncFolder(path.folder)
                return
            } catch {
                try? remove(temporary)
                // Nobody has heard of the temporary name.
                if let error = error as? SystemError, error.path == nil || error.path == temporary {
                    throw SystemError(code: error.code, call: error.call, path: path)
                }
                throw error
            }
        }
    }

    /// The program that runs, with all links followed; nil where the system does not tell.
    public static var runningProgram: FilePath? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &target, target.count)
        return count > 0 ? FilePath(bytes: target[..<count]) : nil
    }

    /// What a temporary file's name begins with, so that those that a crash left are found again.
    private static let temporaryPrefix = ".evergear-"

    /// A name beside `path` that is not in use.
    public static func temporaryName(beside path: FilePath) -> FilePath {
        path.folder / "\(temporaryPrefix)\(getpid())-\(UInt32.random(in: .min ... .max))"
    }

    /// Takes the kernel's lock on a temporary file, by which others see that its maker lives.
    /// - Parameter file: The file at that path, which is held for as long as this is open.
    /// - Returns: False where somebody took it for a dead one's between its making and this, and removed it.
    public static func hold(_ path: FilePath, by file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        guard try file.tryLock(), let status = try? status(path, followsLink: false) else { return false }
        return try file.status().identity == status.identity
    }

    /// Removes the temporary files in a folder whose makers have died. What cannot be removed stays.
    public static func removeAbandonedTemporaries(in folder: FilePath) {
        for name in (try? names(in: folder)) ?? [] where name.description.hasPrefix(temporaryPrefix) {
            let path = folder / name
            guard let file = try? FileDescriptor.openForReading(path, followsLink: false), (try? file.tryLock()) == true
            else { continue }
            try? remove(path)
        }
    }
}
