import EDAM
import Notes
import Outbox
import Storage
import Synchronization
import System

/// Works the outbox off in the foreground: files in this thread, uploads in threads of their own, each with a store and
/// a connection of its own, as if so many programs ran at once.
final class Delivery {
    /// True once the user pressed Ctrl-C; what was in hand then has been put back.
    private(set) var isInterrupted = false

    private let context: Context
    private let store: Store
    private let teller: DeliveryTeller
    private let doors: Doors
    private var uploads: Uploads?
    /// nil: not asked yet.
    private var isMetered: Bool?

    /// - Parameter enexSplit: Bytes after which another file begins; nil: by the setting.
    init(_ context: Context, _ store: Store, network: Network, enexSplit: ByteSize? = nil) {
        self.context = context
        self.store = store
        teller = DeliveryTeller(context.output)
        doors = Doors(
            context: context, network: network, split: (enexSplit ?? context.configuration.enexSplit).bytes)
    }

    /// Jobs as they ended, by their number.
    var ended: [Job] { teller.ended }

    /// Finds out what became of what an earlier run left, so that what is queued now does not meet it half done.
    /// - Throws: `StoreError`, `UnknownDestination`, `Interrupted`.
    func recover() throws { try doors.worker(of: store, teller).recover() }

    /// Begins to upload what is due while more is still being queued.
    /// - Throws: `SystemError` where the system allows no more threads.
    func begin() throws { try begin(doors.network.transfers) }

    private func begin(_ threads: Int) throws {
        if uploads == nil, mayUpload() { uploads = try Uploads(doors, teller, threads: threads) }
    }

    /// Delivers what is due until nothing is.
    /// - Parameter stay: Whether it waits for what is due later.
    /// - Throws: `StoreError`, `UnknownDestination`.
    func run(_ stay: Stay = .untilNothingIsDue) throws {
        if case .forEver = stay { teller.tellEach() }
        while true {
            try deliverWhatIsDue()
            if isInterrupted { break }
            do {
                if try !waitForWork(stay) { break }
                doors.network.accounts.forgetWhatMayChange()
            } catch is Interrupted {
                isInterrupted = true
                break
            }
        }
    }

    /// Whether the connection is one that notes go over. Asked once a run.
    private func mayUpload() -> Bool {
        guard doors.network.transmit == .unmetered, uploads == nil else { return true }
        if let isMetered { return !isMetered }
        let metering = Metering.now(in: context)
        isMetered = metering == .metered
        switch metering {
        case .metered:
            context.output.problem(
                "the connection is metered, and nothing is uploaded over it. `evergear queue run --transmit auto` does it all "
                    + "the same.")
        case .unmetered: break
        case .unknown:
            context.output.remark(
                "NetworkManager does not tell whether the connection is metered: taken as not metered.")
        }
        return metering != .metered
    }

    /// When a run ends.
    enum Stay {
        case untilNothingIsDue
        /// Everything is sent, parked or cancelled, or waits for a person.
        case untilSettled
        case forEver
    }

    private func deliverWhatIsDue() throws {
        try doors.openForTokens(store)
        let waiting = try store.queueCounts()
        let progress = Progress(
            context.output, "Sending", totalItems: waiting[.queued] + waiting[.uncertain],
            totalBytes: waiting.bytesWaiting)
        defer { progress.finish() }
        teller.begin(progress, total: waiting.bytesWaiting)
        let threads = try min(notesForAccounts(), doors.network.transfers)
        if threads > 0 { try begin(threads) }
        do {
            try doors.worker(of: store, teller) { !JobDestination.isAccount($0) }.run()
        } catch is Interrupted { isInterrupted = true }
        if let uploads {
            self.uploads = nil
            do { try uploads.finish() } catch is Interrupted { isInterrupted = true }
        }
    }

    /// How many notes could go to accounts now, counted up to as many as go at once.
    private func notesForAccounts() throws -> Int {
        let uncertain = try store.jobs(in: [.uncertain]).count { JobDestination.isAccount($0.destination) }
        let now = context.now()
        return try store.waitingDestinations().filter(JobDestination.isAccount).reduce(uncertain) { count, address in
            try count + store.dueJobs(at: address, now: now, limit: doors.network.transfers).count
        }
    }

    /// - Returns: false where there is nothing to wait for.
    private func waitForWork(_ stay: Stay) throws -> Bool {
        if case .untilNothingIsDue = stay { return false }
        while true {
            // Somebody may have set the clock right.
            try store.restartWaits(by: context.now)
            let next = try store.isQueuePaused() ? nil : store.nextWork(at: context.now())
            if case .untilSettled = stay, next == nil { return false }
            let left = next.map { $0.milliseconds - context.now().milliseconds } ?? .max
            if left <= 0, isMetered != true { return true }
            if isMetered == true {
                // The connection may be another by then.
                try Interrupt.wait(milliseconds: Self.lookAtConnection)
                isMetered = nil
                return true
            }
            context.output.flush()
            // Another process may queue something meanwhile, or open a gate.
            try Interrupt.wait(milliseconds: min(left, Self.lookAround))
        }
    }

    /// Milliseconds.
    private static let lookAround: Int64 = 2_000
    /// Milliseconds.
    private static let lookAtConnection: Int64 = 60_000

    /// Says why there is still something in the outbox, and until when: whoever ends with `notNow` has said it.
    /// - Parameter counts: The outbox, as the exit status is told by.
    func tellWhatWaits(_ counts: QueueCounts) throws {
        let output = context.output
        if counts[.sending] > 0 {
            let notes = Words.count(counts[.sending], "note is", "notes are")
            output.problem("\(notes) being sent by another evergear. `evergear queue status` shows how far it is.")
        }
        let waiting = counts[.queued] + counts[.uncertain]
        if waiting == 0 { return }
        if counts.isPaused {
            output.problem(
                "the queue is paused: \(Words.count(waiting, "note waits", "notes wait")), and nothing is sent. `evergear "
                    + "queue resume` lets it go on.")
        }
        let now = context.now()
        for gate in try store.closedGates(at: now) {
            output.problem("\(gate.account) takes nothing now: \(teller.words(for: gate.reason))")
        }
        // Why nothing goes over a metered connection was said when it was asked.
        guard !counts.isPaused, isMetered != true, let next = try store.nextWork(at: now) else { return }
        let notes = Words.count(waiting, "note waits", "notes wait")
        let what = counts[.queued] > 0 ? "try" : "look"
        output.problem(
            next > now
                ? "\(notes): the next \(what) is \(Words.later(next, from: now)), by `evergear queue run`."
                : "\(notes): `evergear queue run` goes on with what is due.")
    }

    /// Tells of jobs that another evergear was faster with, as if they had ended here.
    func tell(endedElsewhere jobs: [Job]) { teller.tell(jobs) }

    /// Tells all who want to know how a run went: the report's file, and the command `onFinish`.
    /// - Throws: `ReportLost`, once all others were told.
    func close(_ summary: SendSummary, report: PhotoReportFile?) throws {
        defer {
            if let command = context.configuration.onFinish {
                FinishCommand(command: command).run(summary, in: context)
            }
        }
        try report?.write(ended, from: store)
    }

    /// How the program ends for what is held back: 77 where a new token is what is needed.
    func gateStatus() throws -> ExitStatus {
        let gates = try store.closedGates(at: context.now())
        return gates.contains { AccountClosed(gate: $0).isForAccess } ? .authentication : .success
    }

    /// How deliveries end for scripts.
    static func status(of jobs: [Job]) -> ExitStatus {
        let has = { (state: JobState) in jobs.contains { $0.state == state } }
        var status = ExitStatus.success
        if has(.parked) { status = has(.sent) ? .partlyDone : .failed }
        return has(.queued) || has(.sending) || has(.uncertain) ? status.and(.notNow) : status
    }
}

/// Opens destinations, for every thread that delivers.
private struct Doors: Sendable {
    let context: Context
    let network: Network
    /// Bytes after which another ENEX file begins.
    let split: Int64

    /// For as many threads that upload at once.
    func sharing(among threads: Int) -> Doors {
        var network = network
        network.bandwidth = network.bandwidth.map { max(1, $0 / Int64(threads)) }
        return Doors(context: context, network: network, split: split)
    }

    /// - Parameter serves: Whether it works for an address.
    func worker(
        of store: Store, _ teller: DeliveryTeller, serves: @escaping (String) -> Bool = { _ in true }
    ) throws -> Worker {
        var policy = RetryPolicy()
        policy.base = Int64(context.configuration.retryBase * 1000)
        policy.cap = Int64(context.configuration.retryCap * 1000)
        let most = network.onErrors.most
        return try Worker(
            store: store, policy: policy, reporter: teller, now: context.now, serves: serves,
            isEnough: { teller.parked >= most }
        ) { address in
            try open(address, store)
        }
    }

    /// Opens the accounts that were closed for want of a token, and have one by now.
    func openForTokens(_ store: Store) throws {
        for gate in try store.closedGates(at: context.now()) {
            guard case .account(let service)? = try? JobDestination(address: gate.account) else { continue }
            try EvernoteAccount(service, context, store, network).reopenIfThereIsAToken()
        }
    }

    private func open(_ address: String, _ store: Store) throws -> any Destination {
        switch try JobDestination(address: address) {
        case .folder(let folder):
            return ENEXDestination(folder: folder, blobs: store.blobs, split: split, now: context.now)
        case .account(let service):
            return EvernoteDestination(
                account: EvernoteAccount(service, context, store, network), blobs: store.blobs,
                threshold: network.isSingleRequest ? nil : network.stepThreshold, settlingTime: network.lookAgain,
                now: context.now)
        }
    }
}

/// Threads that upload what is due to accounts, until no more is coming.
private final class Uploads {
    private let threads: [WorkThread]
    private let shared: Shared

    private final class Shared: Sendable {
        struct State {
            var isMoreComing = true
            var failure: (any Error)?
        }
        let state = Mutex(State())
    }

    init(_ doors: Doors, _ teller: DeliveryTeller, threads count: Int) throws(SystemError) {
        // The bandwidth is one for all.
        let doors = doors.sharing(among: count)
        let shared = Shared()
        self.shared = shared
        threads = try (0..<count).map { index throws(SystemError) in
            try WorkThread {
                do {
                    let store = try Store(folder: doors.context.home.data)
                    let worker = try doors.worker(of: store, teller, serves: JobDestination.isAccount)
                    // One of them is enough to find out what others left.
                    try worker.run(recovers: index == 0)
                    while shared.state.withLock({ $0.isMoreComing && $0.failure == nil }) {
                        try Interrupt.wait(milliseconds: Self.lookAround)
                        try worker.run(recovers: false)
                    }
                } catch {
                    shared.state.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }
    }

    /// Milliseconds between two looks at what is due, while more is coming.
    private static let lookAround: Int64 = 100

    /// Waits until all that is due has gone.
    /// - Throws: What ended a thread.
    func finish() throws {
        shared.state.withLock { $0.isMoreComing = false }
        threads.forEach { $0.join() }
        if let failure = shared.state.withLock({ $0.failure }) { throw failure }
    }
}
