import Notes
import Storage
import System

struct QueueVerify: Command {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Fetch what was delivered, and compare it with what was sent",
        discussion: """
            Title, text and the MD5 of every file. Without JOB, everything that was delivered is looked at; jobs that somebody
            counted as sent by hand are named and left out, since nobody knows where they are.

            Exit status: 0 when all is as it was sent, 3 when some is not, 1 when nothing is, 75 when something could not be
            looked at now.
            """)

    @Argument(help: "The jobs: numbers, or addresses of their notes (evergear://note/…).")
    var jobs: [JobReference] = []

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let chosen =
            jobs.isEmpty
            ? try store.jobs(in: [.sent]).newestOfEachNote
            : try jobs.map { try store.job(context.number(of: $0, in: store)) }
        // Said before anything is read.
        for job in chosen where job.state != .sent { throw NotDelivered(job: job.id, state: job.state) }
        let output = context.output
        let verification = Verification(context, store, Network(context, network))
        let progress = Progress(output, "Comparing", totalItems: chosen.count)
        defer { progress.finish() }
        var verdicts: [Verification.Verdict] = []
        var byHand: [Job] = []
        try verification.look(at: chosen) { job, verdict in
            progress.advance(items: 1)
            if output.isJSON { try output.event(VerdictJSON(job, verdict)) }
            if jobs.isEmpty, verdict == .unknowable {
                byHand.append(job)
                return
            }
            verdicts.append(verdict)
            let line = "job \(job.id), \(job.title): \(verdict.words)"
            if verdict == .same { output.report(line) } else if !output.isJSON { output.problem(line) }
        }
        if !byHand.isEmpty {
            output.remark(
                "\(Words.count(byHand.count, "job")) cannot be verified, counted as sent by hand: "
                    + Words.list(byHand.map { "job \($0.id), \($0.title)" }) + ".")
        }
        if chosen.isEmpty { output.report("Nothing was delivered yet.") }
        let same = verdicts.count { $0 == .same }
        if same == verdicts.count { return .success }
        let status = same > 0 ? ExitStatus.partlyDone : .failed
        return verdicts.contains { $0.code == "unreachable" } ? status.and(.notNow) : status
    }

    struct VerdictJSON: Encodable {
        let job: Int64
        let title: String
        let verdict: String
        let differences: [String]
        let message: String?

        init(_ job: Job, _ verdict: Verification.Verdict) {
            self.job = job.id
            title = job.title
            self.verdict = verdict.code
            if case .different(let list) = verdict { differences = list } else { differences = [] }
            message = verdict == .same ? nil : verdict.words
        }
    }
}

extension [Job] {
    /// Without those whose note a later one replaced.
    fileprivate var newestOfEachNote: [Job] {
        var seen: Set<String> = []
        return reversed().filter { job in job.receipt?.guid.map { seen.insert($0).inserted } ?? true }.reversed()
    }
}

/// A job that there is nothing to compare with.
struct NotDelivered: ExplainedError {
    let job: Int64
    let state: JobState
    var sentence: String { "job \(job) was not delivered (\(state.words)); there is nothing to compare." }
    var status: ExitStatus { .badInput }
}
