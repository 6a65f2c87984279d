public import Notes
public import Storage
import System

/// Works the outbox off: recovers what a dead worker left, then delivers what is due until nothing is.
public final class Worker {
    private let store: Store
    private let lock: WorkerLock
    private let policy: RetryPolicy
    private let reporter: any ProgressReporter
    private let now: () -> Timestamp
    private let jitter: () -> Double
    private let open: (String) throws -> any Destination
    private var destinations: [String: any Destination] = [:]

    /// Jobs that are taken in hand at once, at most: as many notes can share a file.
    private static let mostTogether = 1_000

    /// - Parameters:
    ///   - open: Gives the destination of an address, `enex:/home/me/evergear`.
    ///   - now: The clock.
    ///   - jitter: 0 to 1, at random.
    /// - Throws: `StoreError`.
    public init(
        store: Store, policy: RetryPolicy, reporter: any ProgressReporter, now: @escaping () -> Timestamp,
        jitter: @escaping () -> Double = { .random(in: 0...1) }, open: @escaping (String) throws -> any Destination
    ) throws {
        self.store = store
        self.policy = policy
        self.reporter = reporter
        self.now = now
        self.jitter = jitter
        self.open = open
        lock = try store.beginWork()
    }

    /// Works until nothing is due, or the queue is paused.
    ///
    /// A failed delivery is no error here: the job then waits, is uncertain or is parked, and says why.
    /// - Throws: `StoreError`; `Interrupted`, with everything put back; what `open` throws.
    public func run() throws {
        _ = try store.recoverAbandonedJobs(at: now())
        try lookForUncertain()
        while try !store.isQueuePaused(), let batch = try nextBatch() {
            try Interrupt.check()
            try deliver(batch.jobs, to: batch.destination)
        }
    }

    private func destination(_ address: String) throws -> any Destination {
        if let known = destinations[address] { return known }
        let opened = try open(address)
        destinations[address] = opened
        return opened
    }

    private func nextBatch() throws -> (jobs: [Job], destination: any Destination)? {
        for address in try store.waitingDestinations() {
            let due = try store.dueJobs(at: address, now: now(), limit: Self.mostTogether)
            if due.isEmpty { continue }
            let destination = try destination(address)
            return (destination.batch(from: due), destination)
        }
        return nil
    }

    private func deliver(_ batch: [Job], to destination: any Destination) throws {
        // Another worker may have been faster: what it took is missing here.
        let jobs = try store.claim(batch.map(\.id), by: lock, at: now())
        if jobs.isEmpty { return }
        let ids = jobs.map(\.id)
        reporter.began(jobs)
        let receipts: [Receipt]
        do {
            receipts = try destination.deliver(
                jobs, note: { try store.note(ofJob: $0.id) }, choose: { try store.setTarget($0, of: ids) },
                advance: reporter.advanced)
        } catch let failure as DeliveryFailure {
            try settle(jobs, after: failure)
            try ids.forEach { reporter.ended(try store.job($0)) }
            if failure.kind == .interrupted { throw Interrupted() }
            return
        }
        try store.succeed(zip(ids, receipts).map { ($0, $1) }, at: now())
        try ids.forEach { reporter.ended(try store.job($0)) }
    }

    private func settle(_ jobs: [Job], after failure: DeliveryFailure) throws {
        let reason = JobFailure(code: failure.code, message: failure.message)
        let guilty = failure.job.map { [$0] } ?? jobs.map(\.id)
        let others = jobs.map(\.id).filter { !guilty.contains($0) }
        let attempt = jobs.filter { guilty.contains($0.id) }.map(\.attempts).max() ?? 1
        switch policy.decision(after: failure, attempt: attempt, jitter: jitter()) {
        case .park: try store.park(guilty, because: reason, at: now())
        case .lookFirst: try store.markUncertain(guilty, because: reason, at: now())
        case .putBack: try store.postpone(guilty, until: nil, because: nil, at: now())
        case .retry(let wait):
            let time = Timestamp(milliseconds: now().milliseconds + wait)
            try store.postpone(guilty, until: time, because: reason, at: now())
        }
        if !others.isEmpty { try store.postpone(others, until: nil, because: nil, at: now()) }
    }

    /// Looks for every uncertain job before anything is sent again.
    private func lookForUncertain() throws {
        let jobs = try store.jobs(in: [.uncertain]).filter { ($0.notBefore ?? now()) <= now() }
        for (address, together) in Dictionary(grouping: jobs, by: \.destination).sorted(by: { $0.key < $1.key }) {
            let found: [Int64: Receipt]
            do {
                found = try destination(address).find(together, note: { try store.note(ofJob: $0.id) })
            } catch is DeliveryFailure {
                continue  // cannot look now: they stay uncertain, and are looked for the next time
            }
            for job in together { try settle(uncertain: job, found[job.id]) }
        }
    }

    /// Another process may have looked as well, and been faster: then there is nothing left to do.
    private func settle(uncertain job: Job, _ receipt: Receipt?) throws {
        do {
            if let receipt {
                try store.adopt(job.id, receipt: receipt, at: now())
            } else {
                try store.requeue([job.id], at: now())
            }
        } catch StoreError.illegalTransition {}
    }
}
