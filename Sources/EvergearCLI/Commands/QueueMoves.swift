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
            and say `evergear queue mark-sent`, or `evergear queue cancel` where you know that it has not.

                evergear queue redirect --all --to enex:~/rescued

            Exit status: 3 when some were redirected and others not.
            """)

    @OptionGroup var selection: JobSelection

    @Option(help: "Where to: enex, or enex:FOLDER.")
    var to: DestinationAddress

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let destination = try DestinationFolder(to, in: context).address
        let output = context.output
        let ids = try selection.ids(in: store, context) { $0.destination != destination }
        let begun = try ids.map { try store.job($0) }.filter { $0.upload != nil && $0.destination != destination }
        let left = writing.dryRun ? [] : try store.redirect(ids, to: destination, at: context.now())
        for (_, error) in left { output.problem(error.sentence) }
        let stay = Set(left.map(\.job))
        for job in begun where !stay.contains(job.id) {
            output.remark(
                "job \(job.id), \(job.title): a part of it has arrived at \(job.destination), and stays there.")
        }
        let moved = ids.filter { !stay.contains($0) }
        if output.isJSON { for id in moved { try output.json(JobJSON(store.job(id))) } }
        if ids.isEmpty { output.report("There is nothing to redirect.") }
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
        let ids = try jobs.map { try store.job(context.number(of: $0, in: store)).id }
        for id in ids where !writing.dryRun { try store.adopt(id, receipt: Receipt(delivered: now), at: now) }
        if context.output.isJSON { for id in ids { try context.output.json(JobJSON(store.job(id))) } }
        context.output.report(
            "\(writing.dryRun ? "Would mark" : "Marked") \(Words.count(ids.count, "job")) as sent, by hand.")
        return .success
    }
}
