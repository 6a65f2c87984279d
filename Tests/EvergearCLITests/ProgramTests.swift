import Glibc
import System
import Testing
import Workbench

@testable import EvergearCLI

/// The program itself, by a shell. What each command does is tested with the command.
@Suite("The program")
struct ProgramTests {
    private let folder: TemporaryFolder
    /// It is built beside the tests.
    private let program: FilePath

    init() throws {
        folder = try TemporaryFolder()
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink("/proc/self/exe", $0, bytes.count) } ?? -1
        }
        try #require(count > 0)
        program = FilePath(bytes: buffer[..<count]).folder / "evergear"
        try #require(Files.exists(program), "build the program first: swift build")
    }

    /// - Parameter script: `evergear` is the program.
    private func shell(_ script: String) throws -> (output: String, status: Int32) {
        var child = try ChildProcess(
            "/bin/bash", ["-c", "evergear() { '\(program)' \"$@\"; }; cd '\(folder.path)'; \(script)"],
            environment: ["EVERGEAR_HOME=\(folder.path)", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"])
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(child.output.number, &buffer, buffer.count)
            try #require(count >= 0)
            if count == 0 { break }
            all += buffer[..<count]
        }
        guard case .status(let status) = child.wait() else {
            Issue.record("the shell was ended by a signal")
            return ("", -1)
        }
        return (String(decoding: all, as: UTF8.self), status)
    }

    @Test("--version goes to the standard output, with status 0")
    func versions() throws {
        let result = try shell("evergear --version 2>&-")
        #expect(result.output == "evergear \(version)\n" && result.status == 0)
    }

    @Test("a mistake is one line on the standard error, with status 64")
    func mistakes() throws {
        let result = try shell("evergear send --layuot x 2>&1 >/dev/null")
        #expect(
            result.output
                == "evergear: there is no option --layuot. Did you mean \"--layout\"? See `evergear send --help`.\n")
        #expect(result.status == 64)
        #expect(try shell("evergear send --layuot x 2>/dev/null").output == "")
    }

    @Test("without a command, help goes to the standard error, with status 64")
    func nothing() throws {
        #expect(try shell("evergear 2>/dev/null").output == "")
        let result = try shell("evergear queue 2>&1")
        #expect(result.output.contains("Usage: evergear queue COMMAND") && result.status == 64)
    }

    @Test("a configuration that cannot be used is 78, and help does not need it")
    func configuration() throws {
        let result = try shell("echo '{colour: 1}' > config.json5; evergear draft list 2>&1")
        #expect(result.output.contains("config.json5, line 1: there is no setting \"colour\""))
        #expect(result.status == 78)
        #expect(try shell("evergear draft list --help > /dev/null").status == 0)
        #expect(try shell("evergear --config none.json5 draft list 2>/dev/null").status == 78)
    }

    @Test("a reader that goes away ends the program in silence, as SIGPIPE does")
    func brokenPipe() throws {
        // The reader ends before the program begins to write.
        let result = try shell(
            "exec 2>&1; { until [ -e gone ]; do :; done; evergear --help; echo $? > status; } | { touch gone; }; "
                + "until [ -s status ]; do :; done; cat status")
        #expect(result.output == "141\n")
    }

    @Test("results that cannot be written are an error, told where it can be")
    func fullDisk() throws {
        let result = try shell("evergear --help 2>&1 > /dev/full")
        #expect(result.output.hasPrefix("evergear: the results could not be written: no space left on device. "))
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.status == 1)
    }

    @Test("what a command line says cannot act on the terminal that shows the mistake")
    func controls() throws {
        let result = try shell("evergear $'\\e[31mred\\nevergear: all is well' 2>&1")
        #expect(!result.output.contains("\u{1b}"))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test("a file name that is not UTF-8 is understood")
    func bytes() throws {
        let result = try shell("evergear explain $'\\xff.jpg' --config $'\\xfe' 2>&1")
        #expect(result.status == 78, "the configuration is looked for by its bytes: \(result.output)")
    }

    @Test("asking makes no folder and no file")
    func nothingIsLeftBehind() throws {
        #expect(try shell("evergear --version > /dev/null; ls -A").output == "")
    }
}
