import Glibc
import System

/// A folder that goes with its owner.
final class TemporaryFolder {
    let path: FilePath

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/evergear-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(code: errno, call: "mkdtemp") }
        path = FilePath(bytes: template.map { UInt8(bitPattern: $0) })
    }

    deinit {
        for name in (try? Files.names(in: path)) ?? [] { try? Files.remove(path / name) }
        path.withCString { _ = rmdir($0) }
    }

    func write(_ bytes: [UInt8], as name: String) throws -> FilePath {
        let file = try FileDescriptor.create(path / name)
        try file.write(bytes)
        return path / name
    }
}

/// Runs a program to its end and gives its status and what it printed.
func run(
    _ program: FilePath, _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin"]
) throws -> (status: ChildProcess.Ending, output: String) {
    var child = try ChildProcess(program, arguments, environment: environment)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(child.output.number, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        output += buffer[..<count]
    }
    return (child.wait(), String(decoding: output, as: UTF8.self))
}
