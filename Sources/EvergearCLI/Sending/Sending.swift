import Layouts
import Notes
import Storage
import System

/// Queues the notes of drafts, and works the queue off.
struct Sending {
    let context: Context
    let store: Store
    let making: NoteMaking
    let options: SendingOptions
    /// Whether the notes replace those that were delivered before.
    let updates: Bool
    let network: Network
    let destination: JobDestination
    let advice: AccountAdvice
    /// Written at the end; nil: none was asked for.
    var report: PhotoReportFile?

    /// - Throws: `SystemError`, `ConfigurationError` for a destination that cannot be; `UpdateNeedsAccount`.
    init(
        _ context: Context, _ store: Store, look: LookOptions, parts: PartOptions, options: SendingOptions,
        updates: Bool = false, network: Network
    ) throws {
        self.context = context
        self.store = store
        self.options = options
        self.updates = updates || options.update
        self.network = network
        report = options.report.map(PhotoReportFile.init)
        destination = try JobDestination(
            options.to ?? context.configuration.to, service: network.service, in: context)
        advice = try AccountAdvice(destination, context, store, network)
        making = try NoteMaking(context, store, look: look, parts: parts, noteSizeMax: advice.noteSizeMax)
    }

    /// What became of the drafts that were asked for.
    struct Tally {
        /// Jobs of this sending.
        var queued: [Int64] = []
        var alreadyDelivered: [Job] = []
        /// How the program would end for each draft that no note could be made of.
        var refused: [ExitStatus] = []
    }

    /// Says what sending would do.
    /// - Returns: How the program ends for the drafts that no note can be made of.
    func show(_ drafts: [Draft]) throws -> ExitStatus {
        var tally = Tally()
        var rest: [Draft] = []
        for draft in drafts {
            do {
                if try store.draftStanding(draft.id).isBeingImported { throw StoreError.draftInHand(draft.id) }
                let delivered = try delivered(way(of: draft))
                if delivered.isEmpty {
                    rest.append(draft)
                } else {
                    try report(alreadyDelivered: delivered, of: draft, &tally)
                }
            } catch {
                guard let refusal = Refusal(of: draft, error) else { throw error }
                tally.refused.append(refusal.failure.status)
                try refusal.tell(context.output, isAlone: drafts.count == 1)
            }
        }
        if !rest.isEmpty || drafts.isEmpty {
            tally.refused += try PlanReport(context, store, making, advice).print(rest, isAlone: drafts.count == 1)
        }
        return Refusal.status(of: tally.refused, isAll: tally.refused.count == drafts.count)
    }

    /// Queues the notes of drafts, delivers what is due, and says what became of them.
    /// - Throws: What concerns all drafts; `Interrupted`, once what was done until then is told.
    func send(_ drafts: [Draft]) throws -> ExitStatus {
        let delivery = Delivery(context, store, network: network, enexSplit: options.enexSplit)
        if !options.noWait, !isManual {
            try delivery.recover()
            // What is queued goes while the next draft is prepared; files wait until all that belongs into one is there.
            if case .account = destination { try delivery.begin() }
        }
        let tally = try queue(drafts)
        let output = context.output
        if options.noWait || isManual {
            if !tally.queued.isEmpty {
                output.report("\(Words.count(tally.queued.count, "note")) queued. `evergear queue run` delivers them.")
            }
            let jobs = try tally.queued.map { try store.job($0) }
            let summary = SendSummary(jobs, tally, outbox: try store.queueCounts())
            if output.isJSON { try output.json(summary) }
            try delivery.close(summary, report: report)
            return status(of: tally)
        }
        try delivery.run(options.wait ? .untilSettled : .untilNothingIsDue)
        // First of all, so that whatever of this sending is not done by then counts as waiting.
        let counts = try store.queueCounts()
        // What waited from before goes with it, and is told with it.
        let own = Set(tally.queued)
        let jobs = try tally.queued.map { try store.job($0) } + delivery.ended.filter { !own.contains($0.id) }
        report(jobs, delivery)
        if drafts.isEmpty, jobs.isEmpty {
            output.report(
                counts.open > 0
                    ? "There is nothing new to send; what was queued before waits. `evergear queue status` says for what."
                    : "There is nothing to send.")
        }
        try delivery.tellWhatWaits(counts)
        let summary = SendSummary(jobs, tally, outbox: counts)
        if output.isJSON { try output.json(summary) }
        try delivery.close(summary, report: report)
        if delivery.isInterrupted { throw Interrupted() }
        return try status(of: tally).and(Delivery.status(of: jobs)).and(counts.open > 0 ? .notNow : .success)
            .and(delivery.gateStatus())
    }

    /// Says where notes are. Another evergear may have been faster with some, or have queued them again.
    private func report(_ jobs: [Job], _ delivery: Delivery) {
        let here = Set(delivery.ended.map(\.id))
        let elsewhere = jobs.filter { !here.contains($0.id) }
        SendReport.lines(jobs.filter { here.contains($0.id) }, elsewhere: elsewhere).forEach(context.output.report)
        delivery.tell(endedElsewhere: elsewhere.filter { $0.state == .parked })
        let replaced = elsewhere.count { $0.state == .cancelled }
        if replaced > 0 {
            let notes = Words.count(replaced, "note was", "notes were")
            context.output.remark(
                "\(notes) queued again by another evergear, which sends \(replaced == 1 ? "it" : "them").")
        }
    }

    /// Uploads wait for `queue run`.
    private var isManual: Bool {
        network.transmit == .manual && JobDestination.isAccount(destination.address)
    }

    private func status(of tally: Tally) -> ExitStatus {
        Refusal.status(of: tally.refused, isAll: tally.queued.isEmpty && tally.alreadyDelivered.isEmpty)
    }

    /// Makes notes and puts them into the outbox, draft by draft: one that is refused stops no other.
    private func queue(_ drafts: [Draft]) throws -> Tally {
        var tally = Tally()
        let progress = Progress(
            context.output, "Preparing", totalItems: drafts.reduce(0) { $0 + $1.photos.count })
        defer { progress.finish() }
        for draft in drafts {
            do {
                try queueWhole(draft, progress, &tally)
            } catch {
                guard let refusal = Refusal(of: draft, error) else { throw error }
                tally.refused.append(refusal.failure.status)
                try refusal.tell(context.output, isAlone: drafts.count == 1)
            }
        }
        return tally
    }

    /// What another command changes while its notes are made is made once more.
    private func queueWhole(_ draft: Draft, _ progress: Progress, _ tally: inout Tally) throws {
        if try store.draftStanding(draft.id).isBeingImported { throw StoreError.draftInHand(draft.id) }
        var draft = draft
        for _ in 1..<Self.mostTimesMade {
            do {
                return try queue(draft, progress, &tally)
            } catch StoreError.changedMeanwhile {
                draft = try store.draft(draft.id)
            }
        }
        try queue(draft, progress, &tally)
    }

    private static let mostTimesMade = 3

    private func queue(_ draft: Draft, _ progress: Progress, _ tally: inout Tally) throws {
        let way = try way(of: draft)
        let delivered = try delivered(way)
        if !delivered.isEmpty { return try report(alreadyDelivered: delivered, of: draft, &tally) }
        let rest = try options.again ? [] : rest(of: draft, way)
        tally.queued += rest
        if !rest.isEmpty { return }
        let made = try making.make(draft, progress: progress)
        for remark in made.remarks(on: draft) { context.output.remark(remark) }
        try advice.check(made.notes, creating: options.createNotebook)
        let now = context.now()
        let batch = UID.make(at: now)
        let replaced = try updates ? notesToReplace(of: draft, parts: made.notes.count) : []
        let jobs = made.notes.enumerated().map { index, note in
            NewJob(
                note: note, draft: draft.id, draftUpdated: draft.updated, draftHash: way.digest, layout: way.layout,
                batch: batch, part: index + 1,
                parts: made.notes.count, destination: way.destination,
                replaces: replaced.indices.contains(index) ? replaced[index] : nil)
        }
        if options.again {
            tally.queued += try store.enqueue(jobs, at: now)
        } else if let queued = try store.enqueueOnce(jobs, at: now) {
            tally.queued += queued
        } else {
            // Another process was faster, with all of it or with some parts.
            let delivered = try self.delivered(way)
            if !delivered.isEmpty { return try report(alreadyDelivered: delivered, of: draft, &tally) }
            tally.queued += try self.rest(of: draft, way)
        }
    }

    private typealias Way = (digest: String, layout: String, destination: String)

    /// What a draft is to go as, and where to. What went the same way is not sent twice.
    private func way(of draft: Draft) throws -> Way {
        (
            try making.digest(of: draft), making.layout(of: draft).stored,
            destination.address
        )
    }

    /// The jobs by which exactly this was delivered; none where it is to be made again in any case.
    private func delivered(_ way: Way) throws -> [Job] {
        if options.again { return [] }
        return try store.deliveredJobs(draftHash: way.digest, destination: way.destination, layout: way.layout)
    }

    /// Where some parts of the unchanged draft have arrived: those that still wait, which wait no longer.
    private func rest(of draft: Draft, _ way: Way) throws -> [Int64] {
        try store.retryWaitingParts(
            ofDraft: draft.id, draftHash: way.digest, destination: way.destination, layout: way.layout,
            at: context.now())
    }

    /// The notes that the draft made when it was delivered last, by part, whatever its layout was.
    /// - Throws: `NothingToReplace`, `FewerParts`.
    private func notesToReplace(of draft: Draft, parts: Int) throws -> [Upload] {
        let sent = try store.jobs(ofDraft: draft.id).filter {
            $0.state == .sent && $0.destination == destination.address && $0.receipt?.guid != nil
        }
        let last = sent.filter { $0.batch == sent.last?.batch }.sorted { $0.part < $1.part }
        if last.isEmpty { throw NothingToReplace(draft: draft.id) }
        if last.count > parts { throw FewerParts(draft: draft.id, before: last.count, now: parts) }
        return last.compactMap { job in
            guard let receipt = job.receipt, let guid = receipt.guid, let usn = receipt.usn else { return nil }
            return Upload(guid: guid, usn: usn, resources: 0)
        }
    }

    private func report(alreadyDelivered jobs: [Job], of draft: Draft, _ tally: inout Tally) throws {
        tally.alreadyDelivered += jobs
        try store.noteUnchanged(jobs.map(\.id), draftUpdated: draft.updated)
        let output = context.output
        let place = jobs.first?.receipt?.path
        output.report(
            "\(Words.title(draft.title)): already delivered\(place.map { ", in \($0)" } ?? ""). Nothing was sent; --again makes a "
                + "new note.")
        if output.isJSON { try output.event(DraftEvent(alreadyDelivered: draft, place)) }
    }
}

/// A draft that was never delivered to the account.
struct NothingToReplace: ExplainedError {
    let draft: Int64
    var sentence: String {
        "draft \(draft) has no note in this account that could be replaced. Send it without --update."
    }
    var status: ExitStatus { .badInput }
}

/// A note of the last delivery would be left over.
struct FewerParts: ExplainedError {
    let draft: Int64
    let before: Int
    let now: Int
    var sentence: String {
        "draft \(draft) was delivered as \(before) notes and makes \(now) now: which of the old ones should go is not for "
            + "evergear to say. Send it with --again, and remove the old notes yourself."
    }
    var status: ExitStatus { .badInput }
}
