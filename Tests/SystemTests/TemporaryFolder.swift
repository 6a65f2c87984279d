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
            _ = path.withCString { chmod($0, 0o700) }
            for name in (try? Files.names(in: path)) ?? [] { remove(path / name) }
            _ = path.withCString { rmdir($0) }
        } else {
            try? Files.remove(path)
        }
    }
}

/// Runs a program to its end, gives it some input and takes what it prints.
func run(
    _ program: FilePath, _ arguments: [String] = [], input: String = "", environment: [String] = ["PATH=/usr/bin:/bin"]
) throws -> (output: String, ending: ChildProcess.Ending) {
    // By the shell, which closes the input for us: the child's own end stays open as long as its owner lives.
    let quoted = ([program.description] + arguments).map { "'\($0)'" }.joined(separator: " ")
    var child = try ChildProcess(
        "/bin/sh", ["-c", "head -c \(input.utf8.count) | \(quoted)"], environment: environment)
    try child.input.write(Array(input.utf8))
    let output = try readToEnd(child.output.number)
    return (String(decoding: output, as: UTF8.self), child.wait())
}

func readToEnd(_ descriptor: Int32) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        try #require(count >= 0)
        if count == 0 { return all }
        all += buffer[..<count]
    }
}
