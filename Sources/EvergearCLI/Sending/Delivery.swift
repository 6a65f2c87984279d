import Notes
import Outbox
import Storage
import System

/// Works the outbox off in the foreground, and tells how it goes: lines and a bar for people, events for machines.
final class Delivery: ProgressReporter {
    /// Jobs as they ended, by their number; one that was tried twice counts as it ended last.
    var ended: [Job] { last.values.sorted { $0.id < $1.id } }
    /// True once the user pressed Ctrl-C; what was in hand then has been put back.
    private(set) var isInterrupted = false

    private var last: [Int64: Job] = [:]
    private let context: Context
    private let store: Store
    private let split: ByteSize
    private var progress: Progress?
    /// Bytes that waited at the beginning, and those of them that have gone.
    private var total: Int64 = 0
    private var gone: Int64 = 0
    private var lastEvent: Int64?

    /// - Parameter enexSplit: Bytes after which another file begins; nil: by the setting.
    /// - Throws: `StoreError`.
    init(_ context: Context, _ store: Store, enexSplit: ByteSize? = nil) throws {
        self.context = context
        self.store = store
        split = enexSplit ?? context.configuration.enexSplit
    }

    /// Finds out what became of what an earlier run left, so that what is queued now does not meet it half done.
    /// - Throws: `StoreError`, `UnknownDestination`, `Interrupted`.
    func recover() throws { try worker().recover() }

    /// Delivers what is due until nothing is.
    /// - Throws: `StoreError`, `UnknownDestination`.
    func run() throws {
        let waiting = try store.queueCounts()
        total = waiting.bytesWaiting
        let progress = Progress(
            context.output, "Sending", totalItems: waiting[.queued] + waiting[.uncertain], totalBytes: total)
        self.progress = progress
        defer { progress.finish() }
        do { try worker().run() } catch is Interrupted { isInterrupted = true }
        let counts = try store.queueCounts()
        if counts.isPaused, counts[.queued] > 0 {
            context.output.problem("the queue is paused, and nothing is sent. `evergear queue resume` lets it go on.")
        }
    }

    private func worker() throws -> Worker {
        var policy = RetryPolicy()
        policy.base = Int64(context.configuration.retryBase * 1000)
        policy.cap = Int64(context.configuration.retryCap * 1000)
        let (split, blobs, now) = (split.bytes, store.blobs, context.now)
        return try Worker(store: store, policy: policy, reporter: self, now: now) { address in
            guard let place = DestinationFolder(address: address) else { throw UnknownDestination(address: address) }
            return ENEXDestination(folder: place.folder, blobs: blobs, split: split, now: now)
        }
    }

    /// How deliveries end for scripts.
    static func status(of jobs: [Job]) -> ExitStatus {
        let has = { (state: JobState) in jobs.contains { $0.state == state } }
        var status = ExitStatus.success
        if has(.parked) { status = has(.sent) ? .partlyDone : .failed }
        return has(.queued) || has(.sending) || has(.uncertain) ? status.and(.notNow) : status
    }

    // MARK: What the worker tells

    func began(_ jobs: [Job]) { context.output.detail("Sending \(Words.list(jobs.map(\.title)))") }

    func advanced(by bytes: Int64) {
        progress?.advance(bytes: bytes)
        gone += bytes
        guard context.output.isJSON, bytes > 0 else { return }
        let now = SystemClock.monotonicMilliseconds()
        if let lastEvent, now - lastEvent < Self.betweenEvents { return }
        lastEvent = now
        try? context.output.event(ProgressEvent(bytes: gone, total: max(gone, total)))
    }

    /// Milliseconds.
    private static let betweenEvents: Int64 = 300

    func ended(_ job: Job) {
        last[job.id] = job
        progress?.advance(items: 1)
        let output = context.output
        if output.isJSON { try? output.event(DeliveryEvent(job)) }
        let reason = job.failure.map { " \($0.message)" } ?? ""
        switch job.state {
        case .parked: output.problem("\(job.title): parked, needs you:\(reason) \(job.state.advice(job.id))")
        case .queued where job.failure != nil:
            output.problem("\(job.title): not now;\(reason) `evergear queue run` tries it again.")
        case .uncertain:
            output.problem(
                "\(job.title): may have arrived; checked before it is sent again.\(reason) \(job.state.advice(job.id))")
        default: break
        }
    }
}
