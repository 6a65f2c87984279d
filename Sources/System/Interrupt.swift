import CSystem
import Glibc
import Synchronization

/// Ctrl-C (SIGINT), and SIGTERM and SIGHUP alike: noted by the signal's handler, asked for between two pieces of work.
public enum Interrupt {
    private static let raised = Atomic<Bool>(false)

    public static var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// - Throws: `Interrupted` once a signal has come.
    public static func check() throws(Interrupted) {
        if isRaised { throw Interrupted() }
    }

    /// Asks for the same end from within: the reader of our output has gone, say.
    public static func raise() {
        raised.store(true, ordering: .relaxed)
        write(alarmBell.load(ordering: .relaxed), "!", 1)
    }

    /// The two ends of a pipe that becomes readable with the first signal, and stays so; -1 before `install`.
    private static let alarm = Atomic<Int32>(-1)
    private static let alarmBell = Atomic<Int32>(-1)

    /// Readable from the first signal on, for whoever waits for other things as well; nil before `install`. Only to be
    /// polled.
    public static var alarmDescriptor: Int32? {
        let descriptor = alarm.load(ordering: .relaxed)
        return descriptor < 0 ? nil : descriptor
    }

    /// Waits until there is something to read, or a person has pressed Ctrl-C.
    ///
    /// A read that waits by itself misses a signal that comes just before it begins: the flag is set, and nothing breaks
    /// the call off.
    /// - Throws: `SystemError`, EINTR once a signal has come.
    public static func waitUntilReadable(_ descriptor: Int32) throws(SystemError) {
        var sources = [descriptor, alarm.load(ordering: .relaxed)].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            if isRaised { throw SystemError(code: EINTR, call: "poll") }
            let ready = poll(&sources, nfds_t(sources.count), -1)
            if ready < 0, errno != EINTR { throw SystemError(code: errno, call: "poll") }
            if ready > 0, sources[0].revents != 0, !isRaised { return }
        }
    }

    /// Waits for a time, or until a person has pressed Ctrl-C.
    /// - Throws: `Interrupted` once a signal has come.
    public static func wait(milliseconds: Int64) throws(Interrupted) {
        let end = SystemClock.monotonicMilliseconds() + milliseconds
        var source = pollfd(fd: alarm.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0)
        while true {
            try check()
            let left = end - SystemClock.monotonicMilliseconds()
            if left <= 0 { return }
            _ = poll(&source, 1, Int32(min(left, 60_000)))
        }
    }

    /// Installs the handler. Calls that wait come back with EINTR (no SA_RESTART), so that nothing waits on.
    /// A second signal ends the process at once: someone who presses twice means it.
    ///
    /// A signal that whoever started us ignores stays ignored (`nohup`; a script's background job and Ctrl-C). One that
    /// is blocked is let in: blocking is handed down by chance, from a thread that keeps signals off itself.
    public static func install() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { @Sendable signal in
            if Interrupt.raised.exchange(true, ordering: .relaxed) {
                csystem_show_typing()
                _exit(130)
            }
            write(Interrupt.alarmBell.load(ordering: .relaxed), "!", 1)
        }
        var ends: [Int32] = [-1, -1]
        if csystem_pipe(&ends) == 0 {
            alarm.store(ends[0], ordering: .relaxed)
            alarmBell.store(ends[1], ordering: .relaxed)
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            var inherited = sigaction()
            sigaction(signal, nil, &inherited)
            if isIgnored(inherited) { continue }
            sigaction(signal, &action, nil)
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // Pointers to functions cannot be compared in Swift; SIG_IGN is the number 1.
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
    }
}

/// Thrown where work was given up because of a signal. Nothing that was kept is lost.
public struct Interrupted: Error, Sendable {
    public init() {}
}
