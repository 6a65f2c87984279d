import Notes
import Storage
import System
import Testing
import Workbench

@testable import Outbox

/// A real store in a folder of its own, a clock that the test sets, and a destination that does what it is told.
final class Workshop {
    let folder: TemporaryFolder
    let store: Store
    let draft: Draft
    let destination = ScriptedDestination()
    let heard = Heard()
    var clock: Int64 = 1_000
    var policy = RetryPolicy()

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path / "home")
        draft = try store.addDraft(
            Draft(
                uid: UID.make(at: Timestamp(milliseconds: 0)), text: "Out", created: Timestamp(milliseconds: 0),
                updated: Timestamp(milliseconds: 0)))
    }

    var now: Timestamp { Timestamp(milliseconds: clock) }

    /// Queues notes of these titles; each is a sending of its own.
    func queue(_ titles: String..., at address: String = "test:") throws -> [Int64] {
        try store.enqueue(
            titles.map { title in
                let uid = UID.make(at: now)
                return NewJob(
                    note: Note(
                        uid: uid, title: title, enml: "<en-note/>", created: now, updated: now, notebook: nil, tags: [],
                        attributes: NoteAttributes(), resources: []),
                    draft: draft.id, draftHash: title, layout: title, batch: uid, destination: address)
            }, at: now)
    }

    func worker(_ store: Store? = nil, destination: (any Destination)? = nil) throws -> Worker {
        try Worker(
            store: store ?? self.store, policy: policy, reporter: heard, now: { self.now }, jitter: { 1 },
            open: { _ in destination ?? self.destination })
    }

    func work() throws { try worker().run() }

    func job(_ id: Int64) throws -> Job { try store.job(id) }
    func states(_ ids: [Int64]) throws -> [JobState] { try ids.map { try store.job($0).state } }
}

/// What a worker told.
final class Heard: ProgressReporter {
    var began: [[String]] = []
    var ended: [String] = []
    var bytes: Int64 = 0

    func began(_ jobs: [Job]) { began.append(jobs.map(\.title)) }
    func advanced(by bytes: Int64) { self.bytes += bytes }
    func ended(_ jobs: [Job]) { ended += jobs.map { "\($0.title) \($0.state)" } }
}

/// Delivers by a script: each delivery does what its next line says, and succeeds once there is none.
final class ScriptedDestination: Destination {
    enum Line {
        case succeed
        case fail(DeliveryFailure)
        /// It arrived, and the answer was lost.
        case lose
        /// The answer was lost, and it arrives later, if at all.
        case vanish
        /// Runs in the middle of the delivery.
        case during(() throws -> Void)
    }

    var script: [Line] = []
    /// What a look does instead of looking.
    var blindness: DeliveryFailure?
    /// How many jobs go together.
    var most = Int.max
    var mostTogether: Int { most }
    var settlingTime: Int64 = 0
    /// The titles of what has arrived, in order: never one twice.
    var arrived: [String] = []
    /// The titles that were looked for.
    private(set) var lookedFor: [String] = []

    func batch(from due: [Job]) -> [Job] { Array(due.prefix(most)) }

    func deliver(_ handover: Handover) throws -> [Receipt] {
        let jobs = handover.jobs
        try handover.choose(FilePath("/somewhere/\(jobs[0].title)"))
        let titles = try jobs.map { try handover.note(of: $0).title }
        switch script.isEmpty ? .succeed : script.removeFirst() {
        case .succeed: break
        case .fail(let failure): throw failure
        case .lose:
            arrived += titles
            throw DeliveryFailure(.outcomeUnknown, code: "lost", message: "The line broke.")
        case .vanish: throw DeliveryFailure(.outcomeUnknown, code: "lost", message: "The line broke.")
        case .during(let body): try body()
        }
        arrived += titles
        for job in jobs { handover.advance(job.bytes) }
        return jobs.map { Receipt(delivered: Timestamp(milliseconds: 7), guid: $0.title) }
    }

    func find(_ handover: Handover) throws -> [Int64: Finding] {
        if let blindness { throw blindness }
        lookedFor += handover.jobs.map(\.title)
        let here = handover.jobs.filter { arrived.contains($0.title) }
        return Dictionary(
            uniqueKeysWithValues: here.map {
                ($0.id, .arrived(Receipt(delivered: Timestamp(milliseconds: 8), guid: "found")))
            })
    }
}
