/// How the program ends. Part of its interface: scripts depend on it, so no number ever changes its meaning.
///
/// From 64 up they are those of sysexits.h. Where several apply, the most urgent is told: 130, 78, 77, 75, 3, 1.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// All done; nothing to do counts as done.
    case success = 0
    /// Failed for a reason that has no number of its own.
    case failed = 1
    /// Partly done: some parked or failed, the rest done.
    case partlyDone = 3
    /// The command line cannot be understood.
    case usage = 64
    /// The input is there and no good.
    case badInput = 65
    /// No such draft, job, photo or file.
    case noInput = 66
    /// Not now; it will be tried again.
    case notNow = 75
    /// No token, or one that has expired.
    case authentication = 77
    /// The configuration cannot be used.
    case configuration = 78
    /// Ctrl-C.
    case interrupted = 130

    /// What `evergear --help` says of it.
    var meaning: String {
        switch self {
        case .success: "all done"
        case .failed: "failed"
        case .partlyDone: "partly done: some failed or are parked, the rest is done"
        case .usage: "the command line cannot be understood"
        case .badInput: "bad input data"
        case .noInput: "no such draft, job or file"
        case .notNow: "not now; it will be tried again"
        case .authentication: "authentication"
        case .configuration: "configuration"
        case .interrupted: "interrupted"
        }
    }

    /// Of two that apply, the one to end with.
    func and(_ other: ExitStatus) -> ExitStatus {
        let order: [ExitStatus] = [.interrupted, .configuration, .authentication, .notNow, .partlyDone, .failed]
        for status in order where self == status || other == status { return status }
        return self == .success ? other : self
    }
}
