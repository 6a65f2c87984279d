import CSystem
import Glibc

/// A program with a pipe to its input and one from its output, in a process group of its own.
///
/// It inherits nothing but those two and the standard error. Its end is seen as the end of its output; the end of its
/// input tells it that its parent has gone.
public struct ChildProcess: ~Copyable {
    public let pid: Int32
    public let input: FileDescriptor
    public let output: FileDescriptor
    private var isReaped = false

    /// - Parameter environment: `NAME=value` entries, the whole of what the child gets.
    /// - Throws: `SystemError`, ENOENT where there is no such program.
    public init(_ program: FilePath, _ arguments: [String] = [], environment: [String] = []) throws(SystemError) {
        let down = try Self.pipe()
        let up = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, down.read.number, 0)
        posix_spawn_file_actions_adddup2(&actions, up.write.number, 1)
        csystem_spawn_close_from(&actions, 3)  // what some library opened without O_CLOEXEC
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)  // an ignored SIGPIPE or SIGINT would be inherited
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)  // Ctrl-C reaches only the parent
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var argv = ([program.description] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let code = program.withCString { posix_spawn(&child, $0, &actions, &attributes, &argv, &envp) }
        guard code == 0 else { throw SystemError(code: code, call: "spawn", path: program) }
        pid = child
        input = down.write
        output = up.read
    }

    /// Tells the child that nothing more comes.
    public func closeInput() {
        // The descriptor has one owner and closes with it: until then it leads nowhere.
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        dup2(nowhere, input.number)
        close(nowhere)
    }

    /// How a child ended.
    public enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    /// Ends the whole group at once.
    public func kill() { _ = Glibc.kill(-pid, SIGKILL) }

    /// Waits for the end and takes it in. The child must have been told to end: by the end of its input, or by `kill`.
    public mutating func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }

    deinit {
        guard !isReaped else { return }
        _ = Glibc.kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    private struct Pipe: ~Copyable {
        let read: FileDescriptor
        let write: FileDescriptor
    }

    /// Both ends close on exec: no other child, started at this moment, keeps one open.
    private static func pipe() throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe") { csystem_pipe(&ends) }
        return Pipe(read: FileDescriptor(owning: ends[0]), write: FileDescriptor(owning: ends[1]))
    }
}
