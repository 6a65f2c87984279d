import EDAM
import Notes
import Storage
import System

struct QueueRun: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver what is queued, until nothing is due",
        discussion:
            "Exit status: 0 when nothing is left, 3 when some jobs are parked, 75 when something waits for later.")

    @Flag(help: "Stay until everything is delivered, or needs you.")
    var wait = false

    @Flag(help: "Stay for ever, and deliver each job as it becomes due.")
    var watch = false

    @Option(help: "Write a line for every photo, and where it went, to FILE, as CSV (default: none).")
    var report: FilePath?

    @OptionGroup(title: "Uploading") var transfer: TransferOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        if let report { try PhotoReportFile.check(report) }
        let store = try context.openStore()
        let output = context.output
        let delivery = Delivery(context, store, network: Network(context, network, transfer))
        if writing.dryRun {
            let now = context.now()
            let due = try store.waitingDestinations().flatMap { try store.dueJobs(at: $0, now: now, limit: .max) }
            if output.isJSON { try due.forEach { try output.json(JobJSON($0)) } }
            output.lines(
                due.isEmpty ? ["Nothing is due."] : JobReport.table(due, now: now).lines(width: output.columns))
            let counts = try store.queueCounts()
            if due.isEmpty || counts.isPaused { try delivery.tellWhatWaits(counts) }
            return .success
        }
        try delivery.run(watch ? .forEver : wait ? .untilSettled : .untilNothingIsDue)
        SendReport.lines(delivery.ended).forEach(output.report)
        let counts = try store.queueCounts()
        if delivery.ended.isEmpty, counts.open == 0 { output.report("Nothing is due.") }
        try delivery.tellWhatWaits(counts)
        let parkedBefore = counts[.parked] - delivery.ended.count { $0.state == .parked }
        if parkedBefore > 0 {
            output.problem(
                "\(Words.count(parkedBefore, "job is", "jobs are")) parked since before. `evergear queue status` says why, and what "
                    + "to do.")
        }
        let summary = SendSummary(delivery.ended, outbox: counts)
        if output.isJSON { try output.json(summary) }
        try delivery.close(summary, report: report.map(PhotoReportFile.init))
        if delivery.isInterrupted { throw Interrupted() }
        let status = counts[.parked] > 0 ? ExitStatus.partlyDone : .success
        return try counts.open > 0 ? status.and(.notNow).and(delivery.gateStatus()) : status
    }
}

struct QueueRetry: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue parked jobs again, and let waiting ones wait no longer",
        discussion: """
            They are delivered by the next `evergear queue run` or `evergear send`. A job that may have arrived is sent again
            only where it is named: look first that it is not there.
            """)

    @OptionGroup var selection: JobSelection
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let (ids, refused) = try selection.ids(in: store, context, for: .retry) { job in
            job.state == .parked || job.state == .queued && job.notBefore != nil
        }
        // One that became uncertain since it was looked at was not meant.
        if !writing.dryRun {
            try store.retry(ids, alsoUncertain: !selection.jobs.isEmpty, at: context.now())
        }
        try context.output.changes(.retried, of: ids, dryRun: writing.dryRun)
        if !ids.isEmpty {
            context.output.report(
                "\(writing.dryRun ? "Would queue" : "Queued") \(Words.count(ids.count, "job")) again. "
                    + "`evergear queue run` delivers them.")
        } else if refused.isEmpty {
            context.output.report("There is nothing to retry.")
        }
        return refused.isEmpty ? .success : ids.isEmpty ? .failed : .partlyDone
    }
}

struct QueueCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Give up jobs that are queued or parked",
        discussion: """
            Their drafts stay, and can be sent again. A large note may be at the service in part: it is kept there, or moved
            to the trash with --remove; a terminal is asked. A job that may have arrived is refused until that is settled:
            `evergear queue run` looks for it, or you look yourself and say `evergear queue mark-sent`, or `evergear queue
            retry` where you know that it has not.

            Exit status: 3 when some were given up and others not.
            """)

    @OptionGroup var selection: JobSelection

    @Flag(help: "Move what the service has of a half-sent note to its trash.")
    var remove = false

    @Flag(help: "Keep what the service has of a half-sent note, without asking.")
    var keep = false

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        var (ids, refused) = try selection.ids(in: store, context, for: .cancel) { _ in true }
        if !writing.dryRun {
            ids = try ids.filter { id in
                let isCancelled = try cancel(id, store, context)
                if !isCancelled { refused.append(id) }
                return isCancelled
            }
        }
        try selection.tellOfUncertain(in: store, context)
        try context.output.changes(.cancelled, of: ids, dryRun: writing.dryRun)
        if !ids.isEmpty {
            context.output.report("\(writing.dryRun ? "Would cancel" : "Cancelled") \(Words.count(ids.count, "job")).")
        } else if refused.isEmpty {
            context.output.report("There is nothing to cancel.")
        }
        return refused.isEmpty ? .success : ids.isEmpty ? .failed : .partlyDone
    }
}

extension QueueCancel {
    func validate() throws(ValidationError) {
        if keep, remove { throw ValidationError("--keep and --remove contradict each other") }
    }

    /// Cancels a job, and does with a note that is at the service in part what is wanted.
    /// - Returns: false where it has gone on meanwhile, which is told.
    private func cancel(_ id: Int64, _ store: Store, _ context: Context) throws -> Bool {
        let isToGo = try isToBeRemoved(store.job(id), store, context)
        do {
            try store.cancel([id], at: context.now())
        } catch {
            guard case StoreError.illegalTransition = error else { throw error }
            context.output.problem(Failure(error).sentence)
            return false
        }
        // Only now, when nobody can complete it any more.
        let job = try store.job(id)
        if isToGo, let upload = job.upload, case .account(let service) = try JobDestination(address: job.destination) {
            let account = EvernoteAccount(service, context, store, Network(context, network))
            try account.notes().deleteNote(upload.guid)
            context.output.report("\(job.title): the half-sent note was moved to the trash.")
        }
        return true
    }

    /// Tells what the service has of a note, and asks what is to become of it. A note that was delivered before stays, as
    /// does one that somebody else has changed.
    private func isToBeRemoved(_ job: Job, _ store: Store, _ context: Context) throws -> Bool {
        guard let upload = job.upload, job.state != .sent, JobDestination.isAccount(job.destination) else {
            return false
        }
        let all = try store.note(ofJob: job.id).resources.count
        let holds =
            upload.resources > 0
            ? "\(job.title): the note at the service holds \(upload.resources) of \(all) files"
            : "\(job.title): the service has a part of the note"
        if try store.isDelivered(note: upload.guid) {
            if upload.resources > 0 {
                context.output.remark(
                    "\(job.title): the note at the service, which was delivered before, is changed in part and stays; "
                        + "`evergear send --update` completes it. It is the note \(upload.guid).")
            }
            return false
        }
        if job.failure?.code == "note_gone" { return false }
        if job.failure?.code != "conflict" {
            if remove { return true }
            if !keep, StandardStream.input.isTerminal,
                try context.output.confirm("\(holds). Move it to the trash there", isAnswered: false)
            {
                return true
            }
        }
        context.output.remark("\(holds); it stays there. It is the note \(upload.guid).")
        return false
    }
}

struct QueuePause: Command {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Deliver nothing until `evergear queue resume`",
        discussion: """
            Notes can still be queued. What is being delivered at this moment is finished first.
            """)

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        if !writing.dryRun { try store.setPaused(true) }
        try context.output.report(
            writing.dryRun
                ? "Would pause the queue." : "The queue is paused. `evergear queue resume` lets it go on.",
            ChangeJSON(change: .paused, dryRun: writing.dryRun))
        return .success
    }
}

struct QueueResume: Command {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let deliveries go on after `evergear queue pause`, or after an account took nothing",
        discussion: "A wait that the service ordered goes on to its end.")

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        if !writing.dryRun {
            try store.setPaused(false)
            // A wait that a service ordered is not a person's to end.
            for gate in try store.closedGates(at: context.now()) { try store.openGate(gate.account) }
        }
        try context.output.report(
            writing.dryRun
                ? "Would let the queue go on." : "The queue goes on. `evergear queue run` delivers what waits.",
            ChangeJSON(change: .resumed, dryRun: writing.dryRun))
        return .success
    }
}

/// Jobs by name, by what went wrong, or all that the command applies to.
struct JobSelection: ParsableArguments {
    @Argument(help: "The jobs: numbers, or addresses of their notes (evergear://note/…).")
    var jobs: [JobReference] = []

    @Option(
        help: ArgumentHelp(
            "Those with this reason, as `evergear queue list --json` has it under code: disk_full (default: none).",
            valueName: "CODE"))
    var reason: String?

    @Flag(help: "All jobs that this applies to.")
    var all = false

    /// The numbers of the jobs.
    /// - Parameter applies: Whether one is meant that is not named.
    func ids(in store: Store, _ context: Context, where applies: (Job) -> Bool) throws -> [Int64] {
        if !jobs.isEmpty {
            var seen: Set<Int64> = []
            return try jobs.map { try context.number(of: $0, in: store) }.filter { seen.insert($0).inserted }
        }
        return try store.jobs(in: [.queued, .parked]).filter { job in
            applies(job) && (reason == nil || job.failure?.code == reason)
        }.map(\.id)
    }

    /// The numbers of the jobs that an event can happen to. The others are told of, each with the reason.
    func ids(
        in store: Store, _ context: Context, for event: JobEvent, where applies: (Job) -> Bool
    ) throws -> (possible: [Int64], refused: [Int64]) {
        var (possible, refused): ([Int64], [Int64]) = ([], [])
        for id in try ids(in: store, context, where: applies) {
            if let refusal = try store.job(id).refusal(of: event) {
                context.output.problem(refusal.sentence)
                refused.append(id)
            } else {
                possible.append(id)
            }
        }
        return (possible, refused)
    }

    /// With `--all` nobody named those that may have arrived, and they are left as they are.
    func tellOfUncertain(in store: Store, _ context: Context) throws {
        guard all, case let stuck = try store.queueCounts()[.uncertain], stuck > 0 else { return }
        context.output.remark(
            "\(Words.count(stuck, "job")) that may have arrived \(stuck == 1 ? "stays as it is" : "stay as they are"): `evergear "
                + "queue run` looks; where you have looked yourself, `evergear queue mark-sent` settles it if it is there, "
                + "`evergear queue retry` if it is not.")
    }

    func validate() throws(ValidationError) {
        if [!jobs.isEmpty, reason != nil, all].count(where: \.self) != 1 {
            throw ValidationError("name the jobs, or say --reason or --all")
        }
    }
}
