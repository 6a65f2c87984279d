import Glibc
import System
import Testing
import Workbench

@Suite("Child processes")
struct ChildProcessTests {
    @Test("what goes in comes out, and the end is told by its status")
    func roundTrip() throws {
        let result = try run("/usr/bin/tr", ["a-z", "A-Z"], input: "quiet\n")
        #expect(result.output == "QUIET\n")
        #expect(result.status == .status(0))
        #expect(try run("/bin/false").status == .status(1))
    }

    @Test("a missing program is an error of the start")
    func missing() {
        #expect(throws: SystemError(code: ENOENT, call: "spawn", path: "/no/such/program")) {
            _ = try ChildProcess("/no/such/program")
        }
    }

    @Test("a child inherits three descriptors and the environment it was given, nothing else")
    func inheritance() throws {
        // Opened as careless libraries do, without O_CLOEXEC.
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        var child = try ChildProcess(
            "/bin/sh", ["-c", "for n in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$n ] && echo $n; done; env"],
            environment: ["ONLY=this"])
        let output = String(decoding: try readToEnd(child.output.number), as: UTF8.self)
        #expect(child.wait() == .status(0))
        let lines = output.split(separator: "\n").filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") }
        #expect(lines == ["ONLY=this"])
    }

    @Test("a child does not inherit that SIGPIPE is ignored")
    func signals() throws {
        // It stays so: other tests, which run at the same time, count on it.
        signal(SIGPIPE, SIG_IGN)
        var child = try ChildProcess("/bin/sh", ["-c", "grep SigIgn /proc/self/status"])
        let output = String(decoding: try readToEnd(child.output.number), as: UTF8.self)
        _ = child.wait()
        let mask = try #require(output.split(separator: "\t").last.flatMap { UInt64($0.dropLast(), radix: 16) })
        #expect(mask & (1 << UInt64(SIGPIPE - 1)) == 0)
    }

    @Test("killing ends the whole group")
    func kill() throws {
        var child = try ChildProcess("/bin/sh", ["-c", "/bin/sleep 1000 & echo started; wait"])
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(read(child.output.number, &buffer, 8) == 8)
        child.kill()
        #expect(child.wait() == .signal(SIGKILL))
        // The sleeper held the pipe open: its end shows that it is gone too.
        #expect(try readToEnd(child.output.number) == [])
    }

    @Test("on the terminal: the arguments arrive as bytes, the environment is the one given, the status comes back")
    func onTerminal() throws {
        let folder = try TemporaryFolder()
        let file = folder.path / FilePath(bytes: [0xff, 0x78])
        let ending = try ChildProcess.runOnTerminal(
            "/bin/sh", ["-c", "printf %s \"$WORD\" > \"$1\"; exit 7", "sh", file],
            environment: [Array("WORD=given".utf8)])
        #expect(ending == .status(7))
        #expect(try Files.read(file, limit: 100) == Array("given".utf8))
    }

    // In a process of its own. What a signal does is the whole process's: another test that runs something on the terminal
    // would change it meanwhile, and the signal would end all tests.
    @Test("on the terminal: Ctrl-C while the child runs is the child's business, and ours again afterwards")
    func interruptsOnTerminal() async {
        await #expect(processExitsWith: .success) {
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)  // the test's process comes with signals blocked
            var before = sigaction()
            sigaction(SIGINT, nil, &before)
            let ending = try ChildProcess.runOnTerminal(
                "/bin/sh", ["-c", "kill -INT $PPID; kill -INT $$; sleep 5"], environment: [])
            #expect(ending == .signal(SIGINT))
            var after = sigaction()
            sigaction(SIGINT, nil, &after)
            #expect(
                unsafeBitCast(after.__sigaction_handler.sa_handler, to: Int.self)
                    == unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self))
        }
    }
}

@Suite("The environment")
struct EnvironmentTests {
    @Test("a variable that is set to nothing counts as not set")
    func empty() {
        let environment = Environment(["SET": "x", "EMPTY": ""])
        #expect(environment.text("SET") == "x")
        #expect(environment.text("EMPTY") == nil)
        #expect(environment.text("MISSING") == nil)
        #expect(environment.path("SET") == "x")
    }

    @Test("a child's entries leave out what it must not see")
    func entries() {
        let environment = Environment(["EVERGEAR_TOKEN": "secret", "EVERGEAR_TOKEN_2": "other"])
        #expect(environment.entries(without: ["EVERGEAR_TOKEN"]) == [Array("EVERGEAR_TOKEN_2=other".utf8)])
    }

    @Test("this process's own entries are those the system passed")
    func process() throws {
        let path = try #require(Environment.process.bytes("PATH"))
        #expect(Environment.process.entries().contains(Array("PATH=".utf8) + path))
        #expect(!Environment.process.entries(without: ["PATH"]).contains { $0.starts(with: Array("PATH=".utf8)) })
    }
}
