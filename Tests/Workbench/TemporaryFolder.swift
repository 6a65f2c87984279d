import Glibc
public import System

/// A folder of a test's own, removed with all that is in it.
public final class TemporaryFolder {
    public let path: FilePath

    public init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/evergear-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(code: errno, call: "mkdtemp") }
        path = FilePath(bytes: template.map { UInt8(bitPattern: $0) })
    }

    deinit { Self.remove(path) }

    /// Makes a file in the folder.
    public func write(_ bytes: [UInt8], as name: String) throws -> FilePath {
        let file = try FileDescriptor.create(path / name)
        try file.write(bytes)
        return path / name
    }

    private static func remove(_ path: FilePath) {
        if (try? Files.status(path, followsLink: false))?.kind == .folder {
            _ = path.withCString { chmod($0, 0o700) }
            for name in (try? Files.names(in: path)) ?? [] { remove(path / name) }
            _ = path.withCString { rmdir($0) }
        } else {
            try? Files.remove(path)
        }
    }
}
