import Glibc
public import System

/// Runs a program to its end, gives it some input and takes what it prints.
public func run(
    _ program: FilePath, _ arguments: [String] = [], input: String = "",
    environment: [String] = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
) throws -> (output: String, status: ChildProcess.Ending) {
    // By the shell, which closes the input for us: the child's own end stays open as long as its owner lives.
    var child = try ChildProcess(
        "/bin/sh", ["-c", "head -c \(input.utf8.count) | \"$0\" \"$@\"", program.description] + arguments,
        environment: environment)
    try child.input.write(Array(input.utf8))
    let output = try readToEnd(child.output.number)
    return (String(decoding: output, as: UTF8.self), child.wait())
}

/// Everything that comes out of a descriptor until its other end is closed.
public func readToEnd(_ descriptor: Int32) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw SystemError(code: errno, call: "read") }
        if count == 0 { return all }
        all += buffer[..<count]
    }
}
