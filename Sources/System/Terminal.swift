import CSystem
import Glibc

/// The three descriptors that every program is given.
public enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Fills the places of streams that the program was started without.
    ///
    /// The next file that is opened would get the number of a closed stream, and what is meant for the stream would be
    /// written into that file. What is put in its place refuses to be read or written as the stream would (EBADF).
    public static func fillClosed() {
        for number in 0..<Int32(3) where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Columns of the terminal behind it; nil where there is none.
    public var columns: Int? {
        let columns = Int(csystem_columns(rawValue))
        return columns > 0 ? columns : nil
    }

    /// Writes all bytes.
    public func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            done += try systemCall("write") {
                all.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress.map { $0 + done }, all.count - done) }
            }
        }
    }

    /// Everything up to the end.
    /// - Parameter limit: More bytes than this are refused with EFBIG.
    public func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        try readToEnd(of: rawValue, named: "the standard input", limit: limit)
    }
}

extension ChildProcess {
    /// Everything that the program prints, up to its end.
    /// - Parameter limit: More bytes than this are refused with EFBIG.
    /// - Throws: `SystemError`, EINTR once a person has pressed Ctrl-C.
    public func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        try readToEnd(of: output.number, named: "the program's output", limit: limit)
    }
}

/// Everything up to the end, from what may keep us waiting: a pipe, a terminal.
func readToEnd(of descriptor: Int32, named name: FilePath, limit: Int) throws(SystemError) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        try Interrupt.waitUntilReadable(descriptor)
        let count: Int
        do throws(SystemError) {
            count = try systemCall("read", name) {
                buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            }
        } catch {
            // Another reader was quicker.
            if error.code == EAGAIN { continue }
            throw error
        }
        if count == 0 { return all }
        guard all.count + count <= limit else { throw SystemError(code: EFBIG, call: "read", path: name) }
        all += buffer[..<count]
    }
}

extension ChildProcess {
    /// Runs a program on this process's own terminal, as an editor wants it, and waits for its end.
    ///
    /// It stays in our process group and inherits the three standard streams and nothing else. While it runs, Ctrl-C
    /// and Ctrl-\ are its own business.
    /// - Parameter environment: `NAME=value` entries, the whole of what the child gets.
    /// - Throws: `SystemError`, ENOENT where there is no such program.
    public static func runOnTerminal(
        _ program: FilePath, _ arguments: [FilePath], environment: [[UInt8]]
    ) throws(SystemError) -> Ending {
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        var interrupt = sigaction()
        var quit = sigaction()
        sigaction(SIGINT, &ignore, &interrupt)
        sigaction(SIGQUIT, &ignore, &quit)
        defer {
            sigaction(SIGINT, &interrupt, nil)
            sigaction(SIGQUIT, &quit, nil)
        }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        csystem_spawn_close_from(&actions, 3)
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var argv = ([program] + arguments).map { $0.withCString { strdup($0) } } + [nil]
        var envp = environment.map { FilePath(bytes: $0).withCString { strdup($0) } } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let code = program.withCString { posix_spawn(&child, $0, &actions, &attributes, &argv, &envp) }
        guard code == 0 else { throw SystemError(code: code, call: "spawn", path: program) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }
}
