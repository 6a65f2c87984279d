import Notes
import Storage
import System

struct QueueRedirect: Command {
    static let configuration = CommandConfiguration(
        commandName: "redirect",
        abstract: "Send jobs that are queued or parked to another destination",
        discussion: """
            They are queued there as if they had never been tried, as the notes that they were when they were queued. A job
            that may have arrived is refused until that is settled: `evergear queue run` looks for it, or you look yourself
            and say `evergear queue mark-sent`, or `evergear queue retry` where you know that it has not.

                evergear queue redirect --all --to enex:~/rescued

            Exit status: 3 when some were redirected and others not.
            """)

    @OptionGroup var selection: JobSelection

    @Option(help: "Where to: enex, enex:FOLDER, or evernote.")
    var to: DestinationAddress

    @OptionGroup(title: "Network") var network: NetworkOptions

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let destination = try JobDestination(to, service: Network(context, network).service, in: context).address
        let output = context.output
        let ids = try selection.ids(in: store, context) { $0.destination != destination }
        let jobs = try ids.map { try store.job($0) }
        let begun = jobs.filter { $0.upload?.resources ?? 0 > 0 && $0.destination != destination }
        let left =
            writing.dryRun
            ? jobs.compactMap { job in job.refusal(of: .redirect).map { (job: job.id, error: $0) } }
            : try store.redirect(ids, to: destination, at: context.now())
        for (_, error) in left { output.problem(error.sentence) }
        let stay = Set(left.map(\.job))
        for job in begun where !stay.contains(job.id) {
            output.remark(
                "job \(job.id), \(job.title): a part of it has arrived at \(job.destination), and stays there.")
        }
        let moved = ids.filter { !stay.contains($0) }
        if output.isJSON { for id in moved { try output.json(JobJSON(store.job(id))) } }
        if ids.isEmpty { output.report("There is nothing to redirect.") }
        try selection.tellOfUncertain(in: store, context)
        if !moved.isEmpty {
            output.report(
                "\(writing.dryRun ? "Would redirect" : "Redirected") \(Words.count(moved.count, "job")) to \(destination). "
                    + "`evergear queue run` delivers what is queued.")
        }
        guard let first = left.first else { return .success }
        return moved.isEmpty ? first.error.status : .partlyDone
    }
}

struct QueueMarkSent: Command {
    static let configuration = CommandConfiguration(
        commandName: "mark-sent",
        abstract: "Count parked or uncertain jobs as delivered, because you saw that they have arrived",
        discussion: """
            The receipt says that it is by hand: such a job is not sent again, but nobody has verified its photos, so
            `evergear sent --paths` does not list them and `evergear prune` does not free them.
            """)

    @Argument(help: "The jobs: numbers, or addresses of their notes (evergear://note/…).")
    var jobs: [JobReference]

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let now = context.now()
        // All are looked for before the first is changed.
        var seen: Set<Int64> = []
        let chosen = try jobs.map { try store.job(context.number(of: $0, in: store)) }
            .filter { seen.insert($0.id).inserted }
        var marked = 0
        for job in chosen {
            do {
                if let refusal = job.refusal(of: .find) { throw refusal }
                if !writing.dryRun { try store.adopt(job.id, receipt: Receipt(delivered: now), at: now) }
            } catch let error as StoreError {
                guard case .illegalTransition = error else { throw error }
                context.output.problem(error.sentence)
                continue
            }
            marked += 1
            if context.output.isJSON { try context.output.json(JobJSON(store.job(job.id))) }
        }
        if marked > 0 {
            context.output.report(
                "\(writing.dryRun ? "Would mark" : "Marked") \(Words.count(marked, "job")) as sent, by hand.")
        }
        return marked == chosen.count ? .success : marked > 0 ? .partlyDone : .failed
    }
}

extension Job {
    /// Why an event cannot happen to it; nil: it can.
    func refusal(of event: JobEvent) -> StoreError? {
        state.after(event) == nil ? .illegalTransition(job: id, state: state, event: event) : nil
    }
}
