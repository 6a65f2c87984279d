import Glibc
import System
import Testing

/// A folder of a test's own, removed with all that is in it.
final class TemporaryFolder {
    let path: FilePath

    init() throws {
        var template = Array("/tmp/evergear-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = FilePath(bytes: template.map { UInt8(bitPattern: $0) })
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: FilePath) {
        if (try? Files.status(path, followsLink: false))?.kind == .folder {
            for name in (try? Files.names(in: path)) ?? [] { remove(path / name) }
            _ = path.withCString { rmdir($0) }
        } else {
            try? Files.remove(path)
        }
    }
}
