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

    /// Finds out what became of jobs that dead workers left and of those whose answer was lost. A paused queue is only
    /// told of the dead.
    /// - Throws: `StoreError`, `Interrupted`; what `open` throws.
    public func recover() throws {
        _ = try store.recoverAbandonedJobs(at: now())
        if try !store.isQueuePaused() { try lookForUncertain() }
    }

    /// Recovers, and then works until nothing is due, or the queue is paused.
    ///
    /// A failed delivery is no error here: the job then waits, is uncertain or is parked, and says why.
    /// - Throws: `StoreError`; `Interrupted`, with everything put back; what `open` throws.
    public func run() throws {
        try recover()
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
            try report(ids)
            if failure.kind == .interrupted { throw Interrupted() }
            return
        }
        try store.succeed(zip(ids, receipts).map { ($0, $1) }, at: now())
        try report(ids)
    }

    private func report(_ ids: [Int64]) throws { try ids.forEach { reporter.ended(try store.job($0)) } }

    /// The jobs that are to blame get what the policy says, each by its own tries; the others are put back.
    private func settle(_ jobs: [Job], after failure: DeliveryFailure) throws {
        let share = jitter()
        let decisions = Dictionary(grouping: jobs) { job in
            failure.job.map { $0 != job.id } ?? false
                ? .putBack : policy.decision(after: failure.kind, tries: job.tries + 1, jitter: share)
        }
        let reason = JobFailure(code: failure.code, message: failure.message)
        for (decision, jobs) in decisions { try carryOut(decision, jobs.map(\.id), because: reason) }
    }

    private func carryOut(_ decision: RetryPolicy.Decision, _ ids: [Int64], because reason: JobFailure) throws {
        switch decision {
        case .park: try store.park(ids, because: reason, at: now())
        case .lookFirst: try store.markUncertain(ids, because: reason, at: now())
        case .putBack: try store.postpone(ids, until: nil, because: nil, at: now())
        case .retry(let wait):
            let time = Timestamp(milliseconds: now().milliseconds + wait)
            try store.postpone(ids, until: time, because: reason, at: now())
        }
    }

    /// Looks for every uncertain job before anything is sent again.
    private func lookForUncertain() throws {
        let jobs = try store.jobs(in: [.uncertain]).filter { ($0.notBefore ?? now()) <= now() }
        for (address, together) in Dictionary(grouping: jobs, by: \.destination).sorted(by: { $0.key < $1.key }) {
            do {
                let found = try destination(address).find(together, note: { try store.note(ofJob: $0.id) })
                for job in together { try settle(uncertain: job, found[job.id]) }
            } catch let failure as DeliveryFailure {
                if failure.kind == .interrupted { throw Interrupted() }
                // They stay uncertain, and are looked for the next time.
                let reason = JobFailure(code: failure.code, message: failure.message)
                try unlessOvertaken { try store.postpone(together.map(\.id), until: nil, because: reason, at: now()) }
                try report(together.map(\.id))
            }
        }
    }

    private func settle(uncertain job: Job, _ receipt: Receipt?) throws {
        try unlessOvertaken {
            if let receipt {
                try store.adopt(job.id, receipt: receipt, at: now())
                try report([job.id])
            } else if policy.decision(afterMissing: job.tries) == .park {
                let reason = job.failure ?? JobFailure(code: "lost", message: "It did not arrive.")
                try store.park([job.id], because: reason, at: now())
                try report([job.id])
            } else {
                try store.requeue([job.id], at: now())
            }
        }
    }

    /// Another process may have looked as well, and been faster: then there is nothing left to do.
    private func unlessOvertaken(_ change: () throws -> Void) throws {
        do { try change() } catch StoreError.illegalTransition {}
    }
}
