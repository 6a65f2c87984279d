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
    private let serves: (String) -> Bool
    private let isEnough: () -> Bool
    private let open: (String) throws -> any Destination
    private var destinations: [String: any Destination] = [:]
    /// Jobs whose answer was lost here: looked for once nothing else is due.
    private var lost: [Int64] = []

    /// - Parameters:
    ///   - serves: Whether it works for an address; what others are for it leaves alone.
    ///   - isEnough: Asked before each delivery: true ends the work, as after so many jobs that were refused.
    ///   - open: Gives the destination of an address, `enex:/home/me/evergear`.
    ///   - now: The clock.
    ///   - jitter: 0 to 1, at random.
    /// - Throws: `StoreError`.
    public init(
        store: Store, policy: RetryPolicy, reporter: any ProgressReporter, now: @escaping () -> Timestamp,
        jitter: @escaping () -> Double = { .random(in: 0...1) },
        serves: @escaping (String) -> Bool = { _ in true }, isEnough: @escaping () -> Bool = { false },
        open: @escaping (String) throws -> any Destination
    ) throws {
        self.store = store
        self.policy = policy
        self.reporter = reporter
        self.now = now
        self.jitter = jitter
        self.serves = serves
        self.isEnough = isEnough
        self.open = open
        lock = try store.beginWork()
    }

    /// Finds out what became of jobs that dead workers left and of those whose answer was lost. A paused queue is only
    /// told of the dead. What a wrong clock ordered begins anew.
    /// - Throws: `StoreError`, `Interrupted`; what `open` throws.
    public func recover() throws {
        try store.restartWaits(by: now)
        _ = try store.recoverAbandonedJobs(at: now())
        if try !store.isQueuePaused() { try look(for: store.jobs(in: [.uncertain])) }
    }

    /// Works until nothing is due, or the queue is paused. What a delivery leaves uncertain is looked for at once.
    ///
    /// A failed delivery is no error here: the job then waits, is uncertain or is parked, and says why.
    /// - Throws: `StoreError`; `Interrupted`, with everything put back; what `open` throws.
    /// - Parameter recovers: Whether what others left is found out first: one of several workers is enough for it.
    public func run(recovers: Bool = true) throws {
        if recovers { try recover() }
        while try !store.isQueuePaused(), !isEnough() {
            try Interrupt.check()
            if let batch = try nextBatch() {
                try deliver(batch.jobs, to: batch.destination)
            } else if !lost.isEmpty {
                try look(for: lost.map(store.job).filter { $0.state == .uncertain })
                lost = []
            } else {
                return
            }
        }
    }

    private func destination(_ address: String) throws -> any Destination {
        if let known = destinations[address] { return known }
        let opened = try open(address)
        destinations[address] = opened
        return opened
    }

    private func nextBatch() throws -> (jobs: [Job], destination: any Destination)? {
        for address in try store.waitingDestinations() where try isOpen(address) {
            let destination = try destination(address)
            let due = try store.dueJobs(at: address, now: now(), limit: destination.mostTogether)
            if due.isEmpty { continue }
            return (destination.batch(from: due), destination)
        }
        return nil
    }

    private func deliver(_ batch: [Job], to destination: any Destination) throws {
        // Another worker may have been faster: what it took is missing here.
        let jobs = try store.claim(batch.map(\.id), by: lock, at: now())
        if jobs.isEmpty { return }
        let ids = jobs.map(\.id)
        lock.tell(bytes: 0)
        reporter.began(jobs)
        let receipts: [Receipt]
        do {
            receipts = try destination.deliver(handover(of: jobs))
        } catch let failure as DeliveryFailure {
            try settle(jobs, after: failure)
            try report(ids)
            if failure.kind == .interrupted { throw Interrupted() }
            return
        }
        try store.succeed(zip(ids, receipts).map { ($0, $1) }, at: now())
        try report(ids)
    }

    private func handover(of jobs: [Job]) -> Handover {
        var gone: Int64 = 0
        return Handover(jobs, of: store) { [reporter, lock] bytes in
            gone += bytes
            lock.tell(bytes: gone)
            reporter.advanced(by: bytes)
        }
    }

    private func report(_ ids: [Int64]) throws { reporter.ended(try ids.map(store.job)) }

    /// The jobs that are to blame get what the policy says, each by its own tries; the others are put back.
    private func settle(_ jobs: [Job], after failure: DeliveryFailure) throws {
        let share = jitter()
        let decisions = Dictionary(grouping: jobs) { job in
            failure.job.map { $0 != job.id } ?? false
                ? .putBack : policy.decision(after: failure.kind, tries: job.tries + 1, jitter: share)
        }
        for (decision, jobs) in decisions { try carryOut(decision, jobs, because: JobFailure(failure)) }
    }

    private func carryOut(_ decision: RetryPolicy.Decision, _ jobs: [Job], because reason: JobFailure) throws {
        let ids = jobs.map(\.id)
        switch decision {
        case .park: try store.park(ids, because: reason, at: now())
        case .lookFirst, .lookAgain:
            try store.markUncertain(ids, because: reason, at: now())
            lost += ids
        case .putBack: try store.postpone(ids, until: nil, because: nil, at: now())
        case .retry(let wait):
            let time = Timestamp(milliseconds: now().milliseconds + wait)
            try store.postpone(ids, until: time, because: reason, at: now())
        case .hold(let time): try store.postpone(ids, until: time, because: reason, costsTry: false, at: now())
        case .closeAccount(let time):
            try closeAccounts(of: jobs, until: time, because: reason)
            try store.postpone(ids, until: nil, because: reason, costsTry: false, at: now())
        }
    }

    private func closeAccounts(of jobs: [Job], until time: Timestamp?, because reason: JobFailure) throws {
        for account in Set(jobs.map(\.destination)) {
            try store.closeGate(Gate(account: account, notBefore: time, reason: reason), at: now())
        }
    }

    private func isOpen(_ address: String) throws -> Bool {
        try serves(address) && store.closedGate(address, at: now()) == nil
    }

    /// Looks for uncertain jobs before anything is sent again.
    private func look(for uncertain: [Job]) throws {
        let jobs = uncertain.filter { ($0.notBefore ?? now()) <= now() }
        for (address, together) in Dictionary(grouping: jobs, by: \.destination).sorted(by: { $0.key < $1.key })
        where try isOpen(address) {
            let destination = try destination(address)
            for jobs in together.chunks(of: destination.mostTogether).map(Array.init) {
                do {
                    let found = try destination.find(handover(of: jobs))
                    for job in jobs { try settle(uncertain: job, found[job.id], at: destination) }
                } catch let failure as DeliveryFailure {
                    if failure.kind == .interrupted { throw Interrupted() }
                    try keepLooking(for: jobs, after: failure)
                    if try !isOpen(address) { break }
                }
            }
        }
    }

    /// No telling: they stay uncertain, and are looked for the next time. Where they are found to be what nobody can
    /// send on, they are parked.
    private func keepLooking(for jobs: [Job], after failure: DeliveryFailure) throws {
        let reason = JobFailure(failure)
        if failure.kind == .rejected {
            try store.ifUntouched(jobs) { try store.park(jobs.map(\.id), because: reason, at: now()) }
            return try report(jobs.map(\.id))
        }
        if case .accountClosed(let time) = failure.kind { try closeAccounts(of: jobs, until: time, because: reason) }
        for job in jobs {
            let wait = Int64(Double(policy.longestWait(after: job.tries)) * jitter())
            let time = Timestamp(milliseconds: now().milliseconds + wait)
            try store.ifUntouched([job]) {
                try store.keepLooking([job.id], after: time, isAbsent: false, because: reason, at: now())
            }
        }
        try report(jobs.map(\.id))
    }

    /// Does with a job what a look at it told, unless another process looked as well and was faster.
    private func settle(uncertain job: Job, _ finding: Finding?, at destination: any Destination) throws {
        var isTold = true
        let isSettled = try store.ifUntouched([job]) {
            switch finding {
            case .arrived(let receipt): return try store.adopt(job.id, receipt: receipt, at: now())
            case .begun:
                isTold = false
                return try store.requeue([job.id], at: now())
            case nil: break
            }
            let looked = job.looked.map { now().milliseconds - $0.milliseconds }
            let decision = policy.decision(
                afterMissing: job.tries, looked: looked, settling: destination.settlingTime)
            switch decision {
            case .lookAgain(let wait):
                let time = Timestamp(milliseconds: now().milliseconds + wait)
                try store.keepLooking([job.id], after: time, isAbsent: true, because: job.failure, at: now())
            case .park:
                let reason = job.failure ?? JobFailure(code: "lost", message: "It did not arrive.")
                try store.park([job.id], because: reason, at: now())
            default:
                isTold = false
                try store.requeue([job.id], at: now())
            }
        }
        if isSettled, isTold { try report([job.id]) }
    }
}

extension JobFailure {
    fileprivate init(_ failure: DeliveryFailure) {
        self.init(code: failure.code, message: failure.message, parameter: failure.parameter)
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
