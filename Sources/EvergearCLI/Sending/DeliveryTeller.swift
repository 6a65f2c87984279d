import Notes
import Outbox
import Storage
import Synchronization
import System

/// Tells how deliveries go, from any thread: lines and a bar for people, events for machines.
final class DeliveryTeller: ProgressReporter, Sendable {
    private struct State {
        /// Jobs as they ended last, by their number.
        var ended: [Int64: Job] = [:]
        /// How many jobs ended parked.
        var parked = 0
        /// Bytes that waited at the beginning, and those that have gone.
        var total: Int64 = 0
        var gone: Int64 = 0
        var lastEvent: Int64?
        var progress: Progress?
        /// Each delivery is told as it ends: the run has no end at which all could be.
        var tellsEach = false
        /// Why jobs did not go, as it was told: many may have one reason.
        var reasons: Set<String> = []
        /// Jobs that may have arrived, and why that is not known, as it was told.
        var lost: [Int64: JobFailure?] = [:]
    }

    private let output: Output
    private let state = Mutex(State())

    init(_ output: Output) { self.output = output }

    /// Jobs as they ended, by their number; one that was tried twice counts as it ended last.
    var ended: [Job] { state.withLock { $0.ended.values.sorted { $0.id < $1.id } } }

    /// Shows a bar from now on.
    func begin(_ progress: Progress, total: Int64) {
        state.withLock { state in
            state.progress = progress
            state.total = total
        }
    }

    /// How many jobs were parked. It is asked before each delivery, so it is counted as they end.
    var parked: Int { state.withLock { $0.parked } }

    func tellEach() { state.withLock { $0.tellsEach = true } }

    func began(_ jobs: [Job]) { output.detail("Sending \(Words.list(jobs.map(\.title)))") }

    func advanced(by bytes: Int64) {
        let event: ProgressEvent? = state.withLock { state in
            state.progress?.advance(bytes: bytes)
            state.gone += bytes
            guard output.isJSON, bytes > 0 else { return nil }
            let now = SystemClock.monotonicMilliseconds()
            if let last = state.lastEvent, now - last < Self.betweenEvents { return nil }
            state.lastEvent = now
            return ProgressEvent(bytes: state.gone, total: max(state.gone, state.total))
        }
        if let event { try? output.event(event) }
    }

    /// Milliseconds.
    private static let betweenEvents: Int64 = 300

    func ended(_ jobs: [Job]) {
        state.withLock { state in
            for job in jobs { state.ended[job.id] = job }
            state.parked += jobs.count { $0.state == .parked }
            state.progress?.advance(items: jobs.count)
        }
        if output.isJSON { for job in jobs { try? output.event(DeliveryEvent(job)) } }
        tell(jobs)
    }

    /// How jobs ended, in one sentence for all that ended alike: the parts of a draft have one reason.
    func tell(_ jobs: [Job]) {
        let alike = Dictionary(grouping: jobs) { Ending(state: $0.state, failure: $0.failure) }
        for (ending, jobs) in alike.sorted(by: { $0.value[0].id < $1.value[0].id }) { tell(jobs, ending) }
    }

    private struct Ending: Hashable {
        let state: JobState
        let failure: JobFailure?
    }

    private func tell(_ jobs: [Job], _ ending: Ending) {
        let isOne = jobs.count == 1
        let notes = jobs[0].title + (isOne ? "" : " and \(jobs.count - 1) more")
        func reason() -> String { ending.failure.map { " \(words(for: $0))" } ?? "" }
        switch ending.state {
        case .sent where state.withLock({ $0.tellsEach }):
            for job in jobs {
                output.report(
                    "\(job.title): delivered\(job.receipt?.path.map { ", in \($0)" } ?? " to \(job.destination)")")
            }
            output.flush()
        case .parked:
            output.problem(
                "\(notes): parked, \(isOne ? "needs" : "need") you:\(reason()) \(ending.state.advice(jobs.map(\.id)))")
        case .queued:
            // Of many that fail for one reason the first is enough: how many wait is told at the end.
            guard let failure = ending.failure, isNew(failure) else { return }
            output.problem(
                "\(notes): not now; \(failure.message) `evergear queue run` tries \(isOne ? "it" : "them") again.")
        case .uncertain:
            // A look that changed nothing is nothing new: when the next one comes is told at the end.
            guard isNew(jobs, ending.failure) else { return }
            output.problem(
                "\(notes): may have arrived; checked before \(isOne ? "it is" : "they are") sent again.\(reason()) "
                    + ending.state.advice(jobs.map(\.id)))
        default: break
        }
    }

    /// A reason, in full when it is told for the first time, and always where the first time may be days ago.
    func words(for reason: JobFailure) -> String {
        isNew(reason) ? reason.message : "the same reason as before."
    }

    private func isNew(_ jobs: [Job], _ reason: JobFailure?) -> Bool {
        state.withLock { state in
            let isNew = jobs.map(\.id).count { state.lost.updateValue(reason, forKey: $0) != .some(reason) } > 0
            return state.tellsEach || isNew
        }
    }

    private func isNew(_ reason: JobFailure) -> Bool {
        state.withLock { $0.tellsEach || $0.reasons.insert(reason.message).inserted }
    }
}
