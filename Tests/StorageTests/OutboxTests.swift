import Notes
import System
import Testing
import Workbench

@testable import Storage

@Suite struct OutboxTests {
    let folder: TemporaryFolder
    let store: Store
    let draft: Draft
    let worker: WorkerLock

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
        draft = try store.addDraft(makeDraft())
        worker = try store.beginWork()
    }

    private let failed = JobFailure(code: "rate_limit", message: "too many calls", parameter: "Note.title")

    private func states() throws -> [JobState] { try store.jobs(ofDraft: draft.id).map(\.state) }

    @Test("a note is frozen with every field")
    func frozen() throws {
        let place = Place(latitude: 35.1, longitude: -139.7, altitude: .nan, name: "丘 \"\\")
        var attributes = NoteAttributes(
            place: place, sourceURL: "evergear://note/x", sourceApplication: "evergear", titleQuality: 2,
            subjectDate: -5)
        attributes.altitude = .infinity
        let resources = try (1...3).map { number in
            Resource(
                blob: try makePhoto(number).blob, mime: "image/png",
                pixels: number == 1 ? nil : PixelSize(width: number, height: 9),
                attributes: ResourceAttributes(
                    fileName: "\(number).png", timestamp: Int64(number), place: number == 2 ? nil : place,
                    camera: Camera(make: "M", model: nil)))
        }
        var new = makeJob(draft: draft.id, hash: "abc", layout: "thumbs", batch: "b", part: 2, parts: 3)
        new.note = Note(
            uid: "u", title: "T (2/3)", enml: "<en-note>\u{10ffff}é</en-note>", created: time(1),
            createdOffset: -12_600,
            updated: time(2), notebook: "N", tags: ["x", "é"], attributes: attributes, resources: resources)
        let id = try store.enqueue([new], at: time(3))[0]
        var note = try folder.store().note(ofJob: id)
        #expect(note.resources[0].attributes.altitude?.isNaN == true)  // which is not equal to itself
        for index in [0, 2] {
            note.resources[index].attributes.altitude = nil
            new.note.resources[index].attributes.altitude = nil
        }
        #expect(note == new.note)
        let job = try store.job(id)
        #expect(job.uid == "u")
        #expect(job.title == "T (2/3)")
        #expect((job.part, job.parts) == (2, 3))
        #expect([job.draftHash, job.layout, job.batch, job.destination] == ["abc", "thumbs", "b", "enex:/notes"])
        #expect(job.bytes == 3000 + 21)
        #expect(job.queued == time(3))
        #expect(job.state == .queued)
        #expect(job.notBefore == nil)
        #expect(failure { _ = try store.note(ofJob: 99) } == .noSuchJob(99))
        #expect(failure { _ = try store.enqueue([makeJob(draft: 99)], at: time(3)) } == .noSuchDraft(99))
    }

    @Test("jobs of one file are sent together, each with attempt and receipt, and so is the draft")
    func delivery() throws {
        let batch = UID.make(at: time(0))
        let ids = try store.enqueue(
            (1...2).map { makeJob(draft: draft.id, batch: batch, part: $0, parts: 2) }, at: time(1))
        #expect(try store.draftStanding(draft.id).state == .queued)
        let claimed = try store.claim(ids, by: worker, target: "/notes/a.enex", at: time(2))
        #expect(claimed.map(\.state) == [.sending, .sending])
        #expect(claimed.map(\.target) == ["/notes/a.enex", "/notes/a.enex"])
        #expect(try store.claim(ids, by: worker, at: time(2)) == [], "nobody gets it twice")
        #expect(try store.draftStanding(draft.id).state == .sending)
        try store.setTarget("/notes/b.enex", of: ids)
        #expect(try store.job(ids[0]).target == "/notes/b.enex")
        let receipt = Receipt(
            delivered: time(3), path: "/notes/b.enex", guid: "g", usn: 7, sha256: "00ff", bytes: 12345)
        try store.succeed(ids.map { ($0, receipt) }, at: time(3))
        let jobs = try store.jobs(ofDraft: draft.id)
        #expect(jobs.map(\.state) == [.sent, .sent])
        #expect(jobs.map(\.receipt) == [receipt, receipt])
        #expect(try store.draftStanding(draft.id).state == .sent)
        #expect(try store.draftSummaries().map(\.standing.state) == [.sent])
        #expect(
            try store.attempts(ofJob: ids[1]) == [
                Attempt(
                    job: ids[1], number: 1, worker: worker.id, started: time(2), ended: time(3), outcome: .sent,
                    failure: nil, bytes: 12345)
            ])
        #expect(
            failure { try store.succeed([(ids[0], receipt)], at: time(4)) }
                == .illegalTransition(job: ids[0], state: .sent, event: .succeed))
    }

    @Test("of several deliveries, one that cannot be keeps all others from being noted")
    func allOrNothing() throws {
        let ids = try store.enqueue(
            ["a", "b"].map { makeJob(draft: draft.id, destination: $0) }, at: time(1))
        _ = try store.claim([ids[0]], by: worker, at: time(2))
        let receipt = Receipt(delivered: time(3))
        #expect(
            failure { try store.succeed(ids.map { ($0, receipt) }, at: time(3)) }
                == .illegalTransition(job: ids[1], state: .queued, event: .succeed))
        #expect(try states() == [.sending, .queued])
        #expect(try store.job(ids[0]).receipt == nil)
        #expect(try store.attempts(ofJob: ids[0]).map(\.ended) == [nil])
        #expect(
            failure {
                _ = try store.enqueue([makeJob(draft: draft.id, destination: "c"), makeJob(draft: 99)], at: time(4))
            }
                == .noSuchDraft(99))
        #expect(try states().count == 2)
    }

    @Test("a job that waits is not due before its time, and tells why")
    func waiting() throws {
        let id = try store.enqueue([makeJob(draft: draft.id)], at: time(1))[0]
        _ = try store.claim([id], by: worker, at: time(2))
        try store.postpone([id], until: time(100), because: failed, at: time(3))
        let job = try store.job(id)
        #expect(job.state == .queued)
        #expect(job.notBefore == time(100))
        #expect(job.failure == JobFailure(code: "rate_limit", message: "too many calls"))
        #expect(job.attempts == 1 && job.tries == 1)
        #expect(try store.attempts(ofJob: id).map(\.failure) == [failed])
        #expect(try store.lastFailure()?.outcome == .postponed)
        #expect(try store.queueCounts().nextTry == time(100))
        #expect(try store.claim([id], by: worker, at: time(99)) == [])
        #expect(try store.dueJobs(at: "enex:/notes", now: time(99), limit: 9) == [])
        #expect(try store.dueJobs(at: "enex:/notes", now: time(100), limit: 9).map(\.id) == [id])
        try store.retry([id], at: time(4))
        #expect(try store.claimDue(at: "enex:/elsewhere", limit: 9, by: worker, now: time(5)) == [])
        #expect(try store.claimDue(at: "enex:/notes", limit: 9, by: worker, now: time(5)).map(\.attempts) == [2])
    }

    @Test("only a failure costs a try, and a person gives them all back")
    func tries() throws {
        let id = try store.enqueue([makeJob(draft: draft.id)], at: time(1))[0]
        func fail(_ end: () throws -> Void) throws -> Int {
            _ = try store.claim([id], by: worker, at: time(2))
            try end()
            return try store.job(id).tries
        }
        #expect(try fail { try store.postpone([id], until: nil, because: nil, at: time(3)) } == 0)
        #expect(try fail { try store.postpone([id], until: nil, because: failed, at: time(3)) } == 1)
        #expect(
            try fail {
                try store.markUncertain([id], because: failed, at: time(3))
                try store.postpone([id], until: nil, because: failed, at: time(3))
                try store.requeue([id], at: time(3))
            } == 2)
        #expect(try store.job(id).attempts == 3)
        try store.retry([id], at: time(4))
        #expect(try store.job(id).tries == 0)
    }

    @Test("what failed least often is due first, then what waits longest")
    func healthyFirst() throws {
        let ids = try store.enqueue(
            ["a", "b", "c", "d"].map { makeJob(draft: draft.id, layout: $0) }, at: time(1))
        for (id, fails) in zip(ids, [2, 1, 0, 1]) {
            for fail in 0..<fails {
                _ = try store.claim([id], by: worker, at: time(50))
                try store.postpone([id], until: time(id == ids[3] ? 20 : 30), because: failed, at: time(Int64(fail)))
            }
        }
        func due(_ now: Int64, _ limit: Int = 9) throws -> [Int64] {
            try store.dueJobs(at: "enex:/notes", now: time(now), limit: limit).map(\.id)
        }
        #expect(try due(50) == [ids[2], ids[3], ids[1], ids[0]])
        #expect(try due(50, 2) == [ids[2], ids[3]])
        #expect(try due(25) == [ids[2], ids[3]])
    }

    @Test("a lost answer is looked for: found it is sent, missed it is queued again")
    func uncertain() throws {
        let ids = try store.enqueue(["a", "b"].map { makeJob(draft: draft.id, layout: $0) }, at: time(1))
        _ = try store.claim(ids, by: worker, at: time(2))
        try store.markUncertain(ids, until: time(50), because: failed, at: time(3))
        #expect(try store.draftStanding(draft.id).state == .uncertain)
        #expect(try store.jobs(in: [.uncertain]).map(\.notBefore) == [time(50), time(50)])
        #expect(try store.queueCounts().nextTry == nil, "it is not tried by itself")
        #expect(try store.claim(ids, by: worker, at: time(60)) == [])
        #expect(
            failure { _ = try store.enqueue([makeJob(draft: draft.id, layout: "a")], at: time(4)) }
                == .draftInOutbox(draft: draft.id, job: ids[0], state: .uncertain))
        try store.adopt(ids[0], receipt: Receipt(delivered: time(5), guid: "g"), at: time(5))
        try store.requeue([ids[1]], at: time(5))
        #expect(try states() == [.sent, .queued])
        #expect(try store.attempts(ofJob: ids[0]).map(\.outcome) == [.unknown])
    }

    @Test("behind a closed gate nothing is claimed, though it is due; another account goes on")
    func closedGate() throws {
        let ids = try store.enqueue(
            [makeJob(draft: draft.id, destination: "me"), makeJob(draft: draft.id, destination: "you")], at: time(1))
        try store.closeGate(Gate(account: "me", notBefore: time(9), reason: failed), at: time(2))
        #expect(try store.claim(ids, by: worker, at: time(8)).map(\.id) == [ids[1]])
        #expect(try store.claim(ids, by: worker, at: time(9)).map(\.id) == [ids[0]])
    }

    @Test("a parked job waits for a person")
    func parked() throws {
        let id = try store.enqueue([makeJob(draft: draft.id)], at: time(1))[0]
        _ = try store.claim([id], by: worker, at: time(2))
        try store.park([id], because: failed, at: time(3))
        #expect(try store.draftStanding(draft.id).state == .parked)
        #expect(try store.claim([id], by: worker, at: time(1000)) == [])
        try store.retry([id], at: time(4))
        #expect(try store.job(id).failure == nil)
        try store.cancel([id], at: time(5))
        #expect(try store.draftStanding(draft.id).state == .unsent)
    }

    @Test("sending anew replaces what is still queued there, and nothing else")
    func replacing() throws {
        let old = try store.enqueue(
            [makeJob(draft: draft.id), makeJob(draft: draft.id, layout: "plain")], at: time(1))
        let new = try store.enqueue([makeJob(draft: draft.id)], at: time(2))
        #expect(try states() == [.cancelled, .queued, .queued])
        #expect(try store.job(old[0]).failure?.code == "replaced")
        _ = try store.claim(new, by: worker, at: time(3))
        #expect(
            failure { _ = try store.enqueue([makeJob(draft: draft.id)], at: time(4)) }
                == .draftInOutbox(draft: draft.id, job: new[0], state: .sending))
        #expect(try states() == [.cancelled, .queued, .sending])
    }

    @Test("parts that wait for those that have arrived are not replaced by all of them anew")
    func restOfParts() throws {
        let parts = [1, 2].map { makeJob(draft: draft.id, batch: "first", part: $0, parts: 2) }
        let ids = try #require(try store.enqueueOnce(parts, at: time(1)))
        _ = try store.claim([ids[0]], by: worker, at: time(2))
        try store.succeed([(ids[0], Receipt(delivered: time(3)))], at: time(3))
        let again = [1, 2].map { makeJob(draft: draft.id, batch: "second", part: $0, parts: 2) }
        #expect(try store.enqueueOnce(again, at: time(4)) == nil)
        #expect(
            try store.retryWaitingParts(
                ofDraft: draft.id, draftHash: "h", destination: "enex:/notes", layout: "full", at: time(5)) == [ids[1]])
        #expect(try states() == [.sent, .queued])
    }

    @Test("a draft is removed only when nothing of it is under way; its history stays")
    func removal() throws {
        let id = try store.enqueue([makeJob(draft: draft.id)], at: time(1))[0]
        #expect(
            failure { try store.removeDraft(draft.id) }
                == .draftInOutbox(draft: draft.id, job: id, state: .queued))
        _ = try store.claim([id], by: worker, at: time(2))
        try store.succeed([(id, Receipt(delivered: time(3)))], at: time(3))
        try store.removeDraft(draft.id)
        let job = try store.job(id)
        #expect(job.draft == nil)
        #expect(job.receipt == Receipt(delivered: time(3)))
        #expect(try store.attempts(ofJob: id).count == 1)
        #expect(try store.queueCounts()[.sent] == 1)
    }

    @Test("what was delivered and has not changed is known, as a whole")
    func delivered() throws {
        let resource = Resource(
            blob: try makePhoto(1).blob, mime: "image/jpeg", pixels: nil,
            attributes: ResourceAttributes(fileName: "a.jpg"))
        let ids = try store.enqueue(
            (1...2).map { makeJob(draft: draft.id, batch: "b", part: $0, parts: 2, resources: [resource]) },
            at: time(1))
        func found(_ hash: String = "h", _ layout: String = "full") throws -> [Int64] {
            try store.deliveredJobs(draftHash: hash, destination: "enex:/notes", layout: layout).map(\.id)
        }
        _ = try store.claim(ids, by: worker, at: time(2))
        #expect(try store.vouched(for: resource.blob) == nil)
        try store.succeed([(ids[1], Receipt(delivered: time(3), path: "/notes/a.enex"))], at: time(3))
        #expect(try found() == [], "one part is missing")
        #expect(try store.vouched(for: resource.blob) != nil)
        try store.succeed([(ids[0], Receipt(delivered: time(3)))], at: time(3))
        #expect(try found() == ids)
        #expect(try found("other") == [])
        #expect(try found("h", "thumbs") == [])
    }

    @Test("what counts for a draft is its last sending that was not given up")
    func draftStates() throws {
        let first = try store.enqueue([makeJob(draft: draft.id, batch: "1")], at: time(1))
        _ = try store.claim(first, by: worker, at: time(1))
        try store.succeed([(first[0], Receipt(delivered: time(2)))], at: time(2))
        let second = try store.enqueue(
            (1...2).map { makeJob(draft: draft.id, batch: "2", part: $0, parts: 2) }, at: time(3))
        #expect(try store.draftStanding(draft.id).state == .queued)
        try store.cancel([second[1]], at: time(4))
        _ = try store.claim([second[0]], by: worker, at: time(4))
        try store.succeed([(second[0], Receipt(delivered: time(5)))], at: time(5))
        #expect(try store.draftStanding(draft.id).state == .partlySent)
        let third = try store.enqueue([makeJob(draft: draft.id, batch: "3")], at: time(6))
        try store.cancel(third, at: time(7))
        #expect(try store.draftStanding(draft.id).state == .partlySent)
        #expect(try store.draftSummaries().map(\.standing.state) == [.partlySent])
    }

    @Test("jobs of a worker that died become uncertain, those of a living one stay")
    func abandoned() throws {
        let ids = try store.enqueue(["a", "b"].map { makeJob(draft: draft.id, layout: $0) }, at: time(1))
        // A connection of its own stands for another process: the kernel's lock is the open file's.
        let other = try folder.store()
        do {
            let dying = try other.beginWork()
            _ = try other.claim([ids[0]], by: dying, at: time(2))
            _ = try store.claim([ids[1]], by: worker, at: time(2))
            #expect(try store.recoverAbandonedJobs(at: time(3)) == [])
            withExtendedLifetime(dying) {}
        }
        #expect(try store.recoverAbandonedJobs(at: time(4)).map(\.id) == [ids[0]])
        #expect(try states() == [.uncertain, .sending])
        #expect(try store.attempts(ofJob: ids[0]).map(\.outcome) == [.abandoned])
        #expect(try store.job(ids[0]).failure?.code == "abandoned")
        #expect(try Files.names(in: folder.path / "home/workers").map(\.description) == [worker.id])
        #expect(try store.recoverAbandonedJobs(at: time(5)) == [])
        // What kill -9 leaves: a lock file that nobody holds.
        try Files.replace(folder.path / "home/workers/dead", with: [])
        #expect(try store.recoverAbandonedJobs(at: time(6)) == [])
        #expect(try Files.names(in: folder.path / "home/workers").count == 1)
    }

    @Test("counts, bytes, pause and gates")
    func glance() throws {
        let ids = try store.enqueue(
            ["a", "b", "c"].map { makeJob(draft: draft.id, destination: $0) }, at: time(1))
        _ = try store.claim([ids[0]], by: worker, at: time(2))
        try store.cancel([ids[1]], at: time(2))
        var counts = try store.queueCounts()
        #expect([counts[.queued], counts[.sending], counts[.cancelled], counts[.sent]] == [1, 1, 1, 0])
        #expect(counts.bytesWaiting == 20)
        #expect(!counts.isPaused)
        #expect(try store.waitingDestinations() == ["c"])
        try store.setPaused(true)
        counts = try folder.store().queueCounts()
        #expect(counts.isPaused)
        try store.setPaused(false)
        #expect(try store.isQueuePaused() == false)

        let limited = JobFailure(code: "rate_limit", message: "Not now.")
        try store.closeGate(Gate(account: "me", notBefore: time(9), reason: limited), at: time(1))
        try store.closeGate(
            Gate(account: "me", notBefore: time(5), reason: JobFailure(code: "earlier", message: "")), at: time(1))
        #expect(
            try store.closedGate("me", at: time(8)) == Gate(account: "me", notBefore: time(9), reason: limited))
        #expect(try store.closedGate("me", at: time(9)) == nil, "it opens by itself")
        #expect(try store.closedGate("you", at: time(8)) == nil)
        let expired = JobFailure(code: "auth_expired", message: "Log in.")
        try store.closeGate(Gate(account: "me", notBefore: nil, reason: expired), at: time(1))
        try store.closeGate(Gate(account: "me", notBefore: time(99), reason: limited), at: time(1))
        let ordered = Gate(account: "me", notBefore: time(99), reason: limited)
        let forPerson = Gate(account: "me", notBefore: nil, reason: expired)
        #expect(try store.closedGates(at: time(98)) == [ordered, forPerson])
        #expect(try store.closedGate("me", at: time(98)) == ordered)
        #expect(try store.closedGates(at: time(1_000)) == [forPerson])
        try store.openGate("me")
        #expect(try store.closedGates(at: time(98)) == [ordered], "nobody ends what the service ordered")
        #expect(try store.closedGates(at: time(99)) == [])
        let used = JobFailure(code: "quota_reached", message: "Next month.")
        try store.closeGate(Gate(account: "me", notBefore: time(99), reason: used), at: time(1))
        try store.openGate("me")
        #expect(try store.closedGates(at: time(1)) == [ordered])

        #expect(try store.jobs(in: JobState.allCases, newestFirst: true, limit: 2).map(\.id) == [ids[2], ids[1]])
        #expect(try store.jobs(in: [.queued, .sending], limit: 1).map(\.id) == [ids[0]])
    }
}
