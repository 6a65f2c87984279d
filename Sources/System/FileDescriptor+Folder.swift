import Glibc

/// What is in an open folder, found without its path: that may be too long, or lead elsewhere by now.
extension FileDescriptor {
    /// Opens a folder in this folder; not through a link (ENOTDIR or ELOOP).
    public func openFolder(named name: FilePath) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(owning: try systemCall("open", name) { name.withCString { openat(number, $0, flags) } })
    }

    /// The status of what is in this folder, of a link itself.
    public func status(ofEntry name: FilePath) throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall("stat", name) { name.withCString { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) } }
        return FileStatus(status)
    }

    /// The names in this folder, sorted by bytes, without `.` and `..`.
    public func names() throws(SystemError) -> [FilePath] {
        // A stream closes its descriptor and moves its position: it gets one of its own.
        let own = try systemCall("open") { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            throw SystemError(code: code, call: "opendir")
        }
        defer { closedir(stream) }
        var names: [FilePath] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError(code: errno, call: "readdir") }
                break
            }
            // The name runs on past the 256 bytes of the imported tuple's type: it is read in place, never copied.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let text = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            let limit = Int(entry.pointee.d_reclen) - offset
            let name = FilePath(bytes: UnsafeBufferPointer(start: text, count: limit))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
