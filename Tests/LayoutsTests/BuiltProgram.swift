import Glibc
import System
import Testing

/// The built `evergear`, beside the tests.
enum BuiltProgram {
    static func path() throws -> FilePath {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &target, target.count)
        let program = FilePath(bytes: target[..<max(count, 0)].map { UInt8(bitPattern: $0) }).folder / "evergear"
        try #require(Files.exists(program), "build evergear first")
        return program
    }
}
