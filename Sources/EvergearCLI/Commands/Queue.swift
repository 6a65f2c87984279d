import Notes
import Storage

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
            QueueStatus.self, QueueList.self, QueueShow.self, QueueRetry.self, QueueCancel.self, QueueRun.self,
        ])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct QueueStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how many jobs are in each state, what waits and until when, and the last error in words")

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let counts = try store.queueCounts()
        let waiting = try store.jobs(in: [.sending, .uncertain, .parked, .queued], limit: Self.mostShown)
        let output = context.output
        if output.isJSON {
            try output.json(QueueStatusJSON(counts, jobs: waiting))
            return .success
        }
        let shown = JobState.allCases.filter { counts[$0] > 0 }
        output.line(
            shown.isEmpty ? "The outbox is empty." : shown.map { "\(counts[$0]) \($0.words)" }.joined(separator: " · "))
        if counts.isPaused { output.line("The queue is paused: nothing is sent.") }
        if counts.bytesWaiting > 0 { output.line("\(Words.size(counts.bytesWaiting)) wait to be sent.") }
        if let next = counts.nextAttempt { output.line("Next try \(Words.relative(next, to: context.now())).") }
        if !waiting.isEmpty { output.lines(JobReport.table(waiting, now: context.now()).lines(width: output.columns)) }
        let more = JobState.allCases.filter { $0 != .sent && $0 != .cancelled }.reduce(0) { $0 + counts[$1] }
        if more > waiting.count { output.line("and \(more - waiting.count) more: `evergear queue list`") }
        if !waiting.isEmpty, let last = try store.lastFailure(), let failure = last.failure {
            output.line("Last error, job \(last.job): \(failure.message)")
        }
        for state in [JobState.parked, .uncertain] where counts[state] > 0 {
            if let job = waiting.first(where: { $0.state == state }) { output.line(state.advice(job.id)) }
        }
        return .success
    }

    /// Jobs that fit a screen.
    private static let mostShown = 20
}

struct QueueList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the jobs that are not finished")

    @Flag(help: "Those that are sent or cancelled as well.")
    var all = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let states = all ? JobState.allCases : [.queued, .sending, .uncertain, .parked]
        let jobs = try store.jobs(in: states)
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

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let job = try store.job(context.number(of: job, in: store))
        let attempts = try store.attempts(ofJob: job.id)
        if context.output.isJSON {
            try context.output.json(JobJSON(job, attempts: attempts))
        } else {
            context.output.lines(JobReport.lines(job, attempts: attempts, now: context.now()))
        }
        return .success
    }
}

struct QueueRetry: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue parked jobs again, and let waiting ones wait no longer",
        discussion: "They are delivered by the next `evergear queue run` or `evergear send`.")

    @OptionGroup var selection: JobSelection
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let ids = try selection.ids(in: store, context, allOf: [.parked])
        if !writing.dryRun { try store.retry(ids, at: context.now()) }
        context.output.report(
            "\(writing.dryRun ? "Would queue" : "Queued") \(Words.count(ids.count, "job")) again. "
                + "`evergear queue run` delivers them.")
        return .success
    }
}

struct QueueCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Give up jobs that are queued or parked",
        discussion: "Their drafts stay, and can be sent again.")

    @OptionGroup var selection: JobSelection
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let ids = try selection.ids(in: store, context, allOf: [.queued, .parked])
        if !writing.dryRun { try store.cancel(ids, at: context.now()) }
        context.output.report("\(writing.dryRun ? "Would cancel" : "Cancelled") \(Words.count(ids.count, "job")).")
        return .success
    }
}

struct QueueRun: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver what is queued, until nothing is due",
        discussion:
            "Exit status: 0 when nothing is left, 3 when some jobs are parked, 75 when something waits for later.")

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let reporter = try Delivery(context: context, store: store, enexSplit: nil).run()
        let counts = try store.queueCounts()
        if context.output.isJSON {
            try context.output.json(SendSummary(reporter.ended, refused: 0))
        } else if !context.output.isQuiet {
            context.output.lines(SendReport.lines(reporter.ended))
            if reporter.ended.isEmpty { context.output.line("Nothing is due.") }
        }
        var status = reporter.status
        if counts[.queued] + counts[.uncertain] > 0 { status = status.and(.notNow) }
        if counts[.parked] > 0 { status = status.and(.partlyDone) }
        return status
    }
}

/// Jobs by name, or all that the command applies to.
struct JobSelection: ParsableArguments {
    @Argument(help: "The jobs: numbers, or addresses of their notes (evergear://note/…).")
    var jobs: [JobReference] = []

    @Flag(help: "All jobs that this applies to.")
    var all = false

    /// The numbers of the jobs.
    func ids(in store: Store, _ context: Context, allOf states: [JobState]) throws -> [Int64] {
        all ? try store.jobs(in: states).map(\.id) : try jobs.map { try context.number(of: $0, in: store) }
    }

    func validate() throws(ValidationError) {
        if jobs.isEmpty != all { throw ValidationError("name the jobs, or say --all") }
    }
}
