import Layouts
import Notes
import Outbox
import Storage
import System

/// Queues the notes of drafts, and works the queue off.
struct Sending {
    let context: Context
    let store: Store
    let making: NoteMaking
    let options: SendingOptions

    /// What became of the drafts that were asked for.
    struct Tally {
        /// Jobs of this sending.
        var queued: [Int64] = []
        var alreadyDelivered: [Job] = []
        /// Drafts that no note could be made of, each with what is wrong.
        var refused: [(draft: Draft, failure: Failure)] = []
    }

    /// Queues the notes of drafts, delivers what is due, and says what became of them.
    func send(_ drafts: [Draft]) throws -> ExitStatus {
        let tally = try queue(drafts)
        let output = context.output
        for job in tally.alreadyDelivered where job.part == 1 {
            let place = job.receipt?.path.map { ", in \($0)" } ?? ""
            output.report("\(job.title): already delivered\(place). Nothing was sent; --again makes a new note.")
        }
        var status: ExitStatus = tally.refused.isEmpty ? .success : tally.queued.isEmpty ? .badInput : .partlyDone
        if options.noWait {
            if !tally.queued.isEmpty {
                output.report("\(Words.count(tally.queued.count, "note")) queued. `evergear queue run` delivers them.")
            }
        } else {
            let reporter = try Delivery(context: context, store: store, enexSplit: options.enexSplit).run()
            output.isQuiet ? () : output.lines(SendReport.lines(reporter.ended))
            status = status.and(reporter.status)
        }
        if output.isJSON {
            let jobs = try (tally.queued.map { try store.job($0) }) + tally.alreadyDelivered
            try output.json(SendSummary(jobs, refused: tally.refused.count))
        }
        return status
    }

    /// Makes notes and puts them into the outbox, draft by draft: one that is refused stops no other.
    /// - Throws: What concerns all of them: `StoreError`, `Interrupted`, a missing decoder or folder of layouts.
    func queue(_ drafts: [Draft]) throws -> Tally {
        var tally = Tally()
        let progress = Progress(
            context.output, "Preparing", totalItems: drafts.reduce(0) { $0 + $1.photos.count })
        defer { progress.finish() }
        for draft in drafts {
            do {
                try queue(draft, progress, &tally)
            } catch {
                let failure = Failure(error)
                guard Self.concernsOnly(error), drafts.count > 1 else { throw error }
                tally.refused.append((draft, failure))
                context.output.problem("draft \(draft.id), \(draft.title): \(failure.sentence)")
            }
        }
        return tally
    }

    private func queue(_ draft: Draft, _ progress: Progress, _ tally: inout Tally) throws {
        let digest = try making.digest(of: draft)
        let layout = making.layout(of: draft).stored
        let destination = try DestinationFolder(options.to ?? context.configuration.to, in: context).address
        if !options.again {
            let delivered = try store.deliveredJobs(draftHash: digest, destination: destination, layout: layout)
            if !delivered.isEmpty {
                tally.alreadyDelivered += delivered
                return
            }
        }
        let made = try making.make(draft, progress: progress)
        for remark in made.remarks(on: draft) { context.output.remark(remark) }
        let now = context.now()
        let batch = UID.make(at: now)
        let jobs = made.notes.enumerated().map { index, note in
            NewJob(
                note: note, draft: draft.id, draftHash: digest, layout: layout, batch: batch, part: index + 1,
                parts: made.notes.count, destination: destination)
        }
        if options.again {
            tally.queued += try store.enqueue(jobs, at: now)
        } else if let queued = try store.enqueueOnce(jobs, at: now) {
            tally.queued += queued
        } else {
            // Another process was faster.
            tally.alreadyDelivered += try store.deliveredJobs(
                draftHash: digest, destination: destination, layout: layout)
        }
    }

    /// True for what is wrong with one draft and does not keep another from going.
    private static func concernsOnly(_ error: any Error) -> Bool {
        switch error {
        case is NoteMaker.NameRefused, is PlanError, is ENMLError, is NoteComposer.Failure, is LayoutSheet.Unknown,
            is StylesheetError, StoreError.missingBlob, StoreError.draftInOutbox:
            true
        default: false
        }
    }
}

/// The folder that an address names.
struct DestinationFolder {
    let folder: FilePath

    /// As it stands in a job: the folder by its absolute path.
    var address: String { "enex:\(folder)" }

    /// - Throws: `SystemError`; `ConfigurationError` for a path that a job could not name.
    init(_ destination: DestinationAddress, in context: Context) throws {
        switch destination {
        case .enex(let folder):
            self.folder = try folder.map { try Files.absolute(context.home.expand($0)) } ?? context.home.notes
        }
        guard folder.isUTF8 else { throw ConfigurationError("the folder \(folder) has a name that is not UTF-8") }
    }

    /// - Returns: nil for an address that this version does not know.
    init?(address: String) {
        guard address.hasPrefix("enex:") else { return nil }
        folder = FilePath(String(address.dropFirst(5)))
    }
}

/// Jobs for a destination that this version cannot deliver to.
struct UnknownDestination: ExplainedError {
    let address: String
    var sentence: String {
        "there are jobs for \"\(address)\", a destination that this evergear does not know. Update it."
    }
    var status: ExitStatus { .configuration }
}

/// Works the outbox off in the foreground, and tells how it goes.
struct Delivery {
    let context: Context
    let store: Store
    /// For files that begin anew after so many bytes.
    let enexSplit: ByteSize?

    /// - Throws: `StoreError`, `Interrupted`.
    func run() throws -> DeliveryReporter {
        let counts = try store.queueCounts()
        let reporter = DeliveryReporter(
            context.output,
            Progress(
                context.output, "Sending", totalItems: counts[.queued] + counts[.uncertain],
                totalBytes: counts.bytesWaiting))
        defer { reporter.progress.finish() }
        var policy = RetryPolicy()
        policy.base = Int64(context.configuration.retryBase * 1000)
        policy.cap = Int64(context.configuration.retryCap * 1000)
        let split = enexSplit ?? context.configuration.enexSplit
        let context = context
        let blobs = store.blobs
        let worker = try Worker(store: store, policy: policy, reporter: reporter, now: context.now) { address in
            guard let place = DestinationFolder(address: address) else { throw UnknownDestination(address: address) }
            return ENEXDestination(folder: place.folder, blobs: blobs, split: split.bytes, now: context.now)
        }
        try worker.run()
        return reporter
    }
}

/// Tells how deliveries go: lines and a bar for people, events for machines.
final class DeliveryReporter: ProgressReporter {
    let progress: Progress
    private let output: Output
    /// Jobs as they ended, in order; one that was tried twice counts as it ended last.
    private(set) var ended: [Job] = []

    init(_ output: Output, _ progress: Progress) {
        self.output = output
        self.progress = progress
    }

    func began(_ jobs: [Job]) { output.detail("Sending \(Words.list(jobs.map(\.title)))") }

    func advanced(by bytes: Int64) { progress.advance(bytes: bytes) }

    func ended(_ job: Job) {
        ended.removeAll { $0.id == job.id }
        ended.append(job)
        progress.advance(items: 1)
        try? output.isJSON ? output.event(DeliveryEvent(job)) : ()
        switch job.state {
        case .parked:
            output.problem(
                "\(job.title): parked, needs you: \(job.failure?.message ?? "") \(job.state.advice(job.id))")
        case .queued:
            if let failure = job.failure {
                output.problem("\(job.title): not now, tried again later. \(failure.message)")
            }
        case .uncertain: output.problem("\(job.title): may have arrived; checked before it is sent again.")
        default: break
        }
    }

    func count(_ state: JobState) -> Int { ended.count { $0.state == state } }

    /// How a sending ends for scripts.
    var status: ExitStatus {
        var status = ExitStatus.success
        if count(.parked) > 0 { status = status.and(count(.sent) > 0 ? .partlyDone : .badInput) }
        if count(.queued) + count(.uncertain) > 0 { status = status.and(.notNow) }
        return status
    }
}

/// A line of `send --json`.
struct DeliveryEvent: Encodable {
    let event: String
    let job: Int64
    let title: String
    let code: String?
    let message: String?

    init(_ job: Job) {
        event = job.state == .queued ? "waiting" : job.state.rawValue
        self.job = job.id
        title = job.title
        code = job.failure?.code
        message = job.failure?.message
    }
}
