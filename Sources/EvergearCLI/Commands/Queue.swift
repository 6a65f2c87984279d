import Notes
import Storage
import System

/// `evergear queue`: what waits, what went, what needs you.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "See what waits to be delivered, and act on it",
        discussion: """
            Each note that is to be delivered is a job. It is queued, then sent; parked when it needs you; uncertain
            when it may have arrived, which is checked before anything is sent again.
            """,
        subcommands: [
            QueueStatus.self, QueueList.self, QueueShow.self, QueueLog.self, QueueRun.self, QueueRetry.self,
            QueueCancel.self, QueueRedirect.self, QueueMarkSent.self, QueuePause.self, QueueResume.self,
            QueueVerify.self,
        ])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct QueueStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how many jobs are in each state, what waits and until when, and the last error in words")

    @Flag(help: "Show it again and again, until Ctrl-C (terminals only).")
    var watch = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        guard watch else { return try show(store, context) }
        guard context.output.columns != nil, !context.output.isJSON else {
            throw UsageError(
                "--watch shows the status on a terminal, and this is none", command: "evergear queue status")
        }
        while true {
            context.output.clearScreen()
            _ = try show(store, context)
            context.output.flush()
            try Interrupt.wait(milliseconds: 1_000)
        }
    }

    private func show(_ store: Store, _ context: Context) throws -> ExitStatus {
        let counts = try store.queueCounts()
        let reasons = try store.parkedReasons()
        let gates = try store.closedGates(at: context.now())
        let output = context.output
        if output.isJSON {
            try output.json(
                QueueStatusJSON(
                    counts, jobs: store.jobs(in: JobState.unfinished), reasons: reasons, gates: gates))
            return .success
        }
        // What needs somebody comes first.
        var waiting: [Job] = []
        for state in [JobState.parked, .uncertain, .sending, .queued] {
            waiting += try store.jobs(in: [state], limit: Self.mostShown - waiting.count)
        }
        let shown = JobState.allCases.filter { counts[$0] > 0 }
        output.line(
            shown.isEmpty ? "The outbox is empty." : shown.map { "\(counts[$0]) \($0.words)" }.joined(separator: " · "))
        if counts.isPaused {
            output.line("The queue is paused: nothing is sent. `evergear queue resume` lets it go on.")
        }
        output.lines(gates.map { Self.line($0, now: context.now()) })
        if counts.bytesWaiting > 0 { output.line("\(Words.size(counts.bytesWaiting)) wait to be sent.") }
        for job in waiting where job.state == .sending {
            if let line = try Self.line(job, store.course(ofJob: job.id), now: context.now()) { output.line(line) }
        }
        let now = context.now()
        for (what, next) in [("try", counts.nextTry), ("look", counts.nextLook)] where !counts.isPaused {
            if let next {
                output.line("Next \(what) \(Words.relative(max(next, now), to: now)), by `evergear queue run`.")
            }
        }
        for (failure, jobs) in reasons.prefix(Self.mostReasons) {
            output.line(
                "\(Words.count(jobs, "job")) parked: \(failure.message) When that is mended: `evergear queue retry --reason "
                    + "\(failure.code)`")
        }
        if reasons.count > Self.mostReasons { output.line("and \(reasons.count - Self.mostReasons) more reasons") }
        if !waiting.isEmpty { output.lines(JobReport.table(waiting, now: context.now()).lines(width: output.columns)) }
        let unfinished = JobState.unfinished.reduce(0) { $0 + counts[$1] }
        if unfinished > waiting.count { output.line("and \(unfinished - waiting.count) more: `evergear queue list`") }
        for address in Set(waiting.map(\.destination)).sorted() {
            if let line = Self.quota(address, context) { output.line(line) }
        }
        if !waiting.isEmpty, let last = try store.lastFailure(), let failure = last.failure {
            output.line("Last error, job \(last.job): \(failure.message)")
        }
        for state in [JobState.parked, .uncertain] where counts[state] > 0 {
            if let job = waiting.first(where: { $0.state == state }) { output.line(state.advice(job.id)) }
        }
        return .success
    }

    /// How far a note is that is being sent.
    private static func line(_ job: Job, _ course: (since: Timestamp, bytes: Int64)?, now: Timestamp) -> String? {
        guard let course else { return nil }
        var figures = ProgressFigures(verb: "Sending \(job.title):")
        figures.bytes = course.bytes
        figures.totalBytes = max(job.bytes, course.bytes)
        figures.elapsed = now.milliseconds - course.since.milliseconds
        return figures.line(width: 1_000)
    }

    /// What is left of an account's month, as far as it was heard.
    private static func quota(_ address: String, _ context: Context) -> String? {
        guard case .account(let service) = try? JobDestination(address: address),
            let standing = AccountCache(context.home).entry(of: service).standing, let left = standing.uploadLeft
        else { return nil }
        let asked = Words.relative(Timestamp(milliseconds: standing.asked), to: context.now())
        return "\(Words.size(left)) of this month's upload left at \(address) (as of \(asked))."
    }

    /// An account that takes nothing now, why, and until when.
    private static func line(_ gate: Gate, now: Timestamp) -> String {
        let until =
            gate.notBefore.map { "\(DeliveryReport.time($0)), \(Words.relative($0, to: now))" }
            ?? "you have done something"
        return "Nothing is sent to \(gate.account) until \(until): \(gate.reason.message)"
    }

    /// Jobs that fit a screen.
    private static let mostShown = 20
    private static let mostReasons = 5
}

struct QueueList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the jobs that are not finished")

    @Flag(help: "Those that are sent or cancelled as well.")
    var all = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let jobs = try store.jobs(in: all ? JobState.allCases : JobState.unfinished)
        if context.output.isJSON {
            for job in jobs { try context.output.json(JobJSON(job)) }
        } else if jobs.isEmpty {
            context.output.line("No jobs.")
        } else {
            context.output.lines(
                JobReport.table(jobs, now: context.now()).lines(width: context.output.columns))
        }
        return .success
    }
}

struct QueueShow: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a job with every attempt and its receipt")

    @Argument(help: "The job: its number, or the address of its note (evergear://note/…).")
    var job: JobReference

    @Flag(help: "The note's text as well, in ENML, as it was fixed when it was queued.")
    var content = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let job = try store.job(context.number(of: job, in: store))
        let attempts = try store.attempts(ofJob: job.id)
        let content = content ? try store.note(ofJob: job.id).enml : nil
        if context.output.isJSON {
            try context.output.json(JobJSON(job, attempts: attempts, content: content))
        } else {
            context.output.lines(JobReport.lines(job, attempts: attempts, now: context.now()))
            if let content { context.output.text("\n" + content) }
        }
        return .success
    }
}

struct QueueLog: Command {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show every attempt to deliver a job, the newest first")

    @Argument(help: "The job: its number, or the address of its note (evergear://note/…).")
    var job: JobReference

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let job = try store.job(context.number(of: job, in: store))
        let attempts = try store.attempts(ofJob: job.id).reversed()
        if context.output.isJSON {
            for attempt in attempts { try context.output.json(AttemptJSON(attempt)) }
        } else if attempts.isEmpty {
            context.output.line("Job \(job.id) was not tried yet.")
        } else {
            context.output.lines(attempts.map { JobReport.line($0, now: context.now()) })
        }
        return .success
    }
}

extension JobState {
    /// The states of jobs that still have something before them.
    static let unfinished: [JobState] = [.queued, .sending, .uncertain, .parked]
}
