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

    func ended(_ job: Job) {
        let tellsEach = state.withLock { state in
            state.ended[job.id] = job
            if job.state == .parked { state.parked += 1 }
            state.progress?.advance(items: 1)
            return state.tellsEach
        }
        if output.isJSON { try? output.event(DeliveryEvent(job)) }
        func reason() -> String { job.failure.map { " \(words(for: $0))" } ?? "" }
        switch job.state {
        case .sent where tellsEach:
            output.report(
                "\(job.title): delivered\(job.receipt?.path.map { ", in \($0)" } ?? " to \(job.destination)")")
            output.flush()
        case .parked: output.problem("\(job.title): parked, needs you:\(reason()) \(job.state.advice(job.id))")
        case .queued where job.failure != nil:
            output.problem("\(job.title): not now;\(reason()) `evergear queue run` tries it again.")
        case .uncertain:
            output.problem(
                "\(job.title): may have arrived; checked before it is sent again.\(reason()) \(job.state.advice(job.id))"
            )
        default: break
        }
    }

    /// A reason, in full when it is told for the first time, and always where the first time may be days ago.
    func words(for reason: JobFailure) -> String {
        let isNew = state.withLock { $0.tellsEach || $0.reasons.insert(reason.message).inserted }
        return isNew ? reason.message : "the same reason as before."
    }
}
