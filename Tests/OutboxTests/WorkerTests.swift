import Notes
import Storage
import System
import Testing
import Workbench

@testable import Outbox

@Suite("The worker") struct WorkerTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    private let unreachable = DeliveryFailure(.unreachable, code: "disk_full", message: "No room.")

    @Test("what is due is delivered, with attempt and receipt, and nothing twice") func success() throws {
        let ids = try shop.queue("a", "b")
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .sent])
        #expect(try ids.map { try shop.job($0).receipt?.guid } == ["a", "b"])
        #expect(try shop.job(ids[1]).target == "/somewhere/a", "chosen for the batch before the first byte")
        #expect(try shop.store.attempts(ofJob: ids[0]).map(\.outcome) == [.sent])
        #expect(shop.heard.began == [["a", "b"]])
        #expect(shop.heard.ended == ["a sent", "b sent"])
        #expect(shop.heard.bytes == 20)
        try shop.work()
        #expect(shop.destination.arrived == ["a", "b"])
    }

    @Test("a rejected job is parked, and the others of its batch go on at once") func rejected() throws {
        let ids = try shop.queue("a", "bad", "c")
        shop.destination.script = [
            .fail(DeliveryFailure(.rejected, code: "body-changed", message: "It is not what it was.", job: ids[1]))
        ]
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .parked, .sent])
        #expect(try shop.job(ids[1]).failure == JobFailure(code: "body-changed", message: "It is not what it was."))
        #expect(
            try ids.map { try shop.job($0).tries } == [0, 0, 0], "only the failures that are tried again are counted")
        #expect(shop.heard.began == [["a", "bad", "c"], ["a", "c"]])
        shop.clock += 1_000_000
        try shop.work()
        #expect(shop.destination.arrived == ["a", "c"], "nobody retries a parked job by itself")
    }

    @Test("an unreachable destination is tried again after twice the wait each time, and parked after eight tries")
    func unreachableDestination() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = Array(repeating: .fail(unreachable), count: 8)
        var waits: [Int64] = []
        for _ in 1...7 {
            try shop.work()
            let job = try shop.job(id)
            #expect(job.state == .queued)
            #expect(job.failure == JobFailure(code: "disk_full", message: "No room."))
            let next = try #require(job.notBefore).milliseconds
            waits.append(next - shop.clock)
            shop.clock = next - 1
            let begun = shop.heard.began.count
            try shop.work()
            #expect(shop.heard.began.count == begun, "a millisecond too early")
            shop.clock = next
        }
        #expect(waits == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000])
        try shop.work()
        #expect(try shop.job(id).state == .parked)
        #expect(try shop.job(id).attempts == 8)
        try shop.store.retry([id], at: shop.now)
        shop.destination.script = [.fail(unreachable)]
        try shop.work()
        #expect(try shop.job(id).state == .queued, "a person's retry gives all tries back")
    }

    @Test("jobs that go together are judged each by its own tries") func ownTries() throws {
        let old = try shop.queue("old")
        shop.policy.tries = 2
        shop.destination.script = [.fail(unreachable), .fail(unreachable)]
        try shop.work()
        shop.clock += 2_000
        let new = try shop.queue("new")
        try shop.work()
        #expect(try shop.states(old + new) == [.parked, .queued])
        #expect(shop.heard.began.last == ["new", "old"], "what failed before goes last")
    }

    @Test("what may have arrived is looked for, and adopted where it is there") func adopted() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = [.lose]
        try shop.work()
        #expect(try shop.job(id).state == .sent)
        #expect(try shop.store.attempts(ofJob: id).map(\.outcome) == [.unknown])
        #expect(try shop.job(id).receipt?.guid == "found")
        #expect(shop.destination.arrived == ["a"])
        #expect(shop.heard.ended == ["a uncertain", "a sent"])
    }

    @Test("what may have arrived and has not is sent again, eight times at most") func missing() throws {
        let id = try shop.queue("a")[0]
        let lost = DeliveryFailure(.outcomeUnknown, code: "lost", message: "The line broke.")
        shop.destination.script = [.fail(lost)]
        try shop.work()
        try shop.work()
        #expect(try shop.job(id).state == .sent)
        #expect(shop.destination.lookedFor == ["a"])
        #expect(shop.destination.arrived == ["a"])

        let other = try shop.queue("b")[0]
        shop.destination.script = Array(repeating: .fail(lost), count: 20)
        for _ in 1...12 { try shop.work() }
        #expect(try shop.job(other).state == .parked)
        #expect(try shop.job(other).attempts == 8)
        #expect(try shop.job(other).failure?.code == "lost")
    }

    @Test("while nobody can look, what may have arrived is not sent again") func blind() throws {
        let ids = try shop.queue("a")
        shop.destination.script = [.lose]
        shop.destination.blindness = unreachable
        try shop.work()
        #expect(try shop.states(ids) == [.uncertain])
        #expect(try shop.job(ids[0]).failure?.code == "disk_full", "it says why")
        #expect(shop.heard.ended.last == "a uncertain")
        shop.destination.blindness = nil
        try shop.work()
        #expect(shop.destination.lookedFor == [], "not before its time")
        shop.clock += 2_000
        try shop.work()
        #expect(try shop.states(ids) == [.sent])
        #expect(shop.destination.arrived == ["a"])
    }

    @Test("an interrupted delivery is put back as if it had not been tried") func interrupted() throws {
        let ids = try shop.queue("a", "b")
        shop.destination.script = [.fail(DeliveryFailure(.interrupted, code: "interrupted", message: "Ctrl-C"))]
        #expect(throws: Interrupted.self) { try shop.work() }
        #expect(try shop.states(ids) == [.queued, .queued])
        #expect(try shop.job(ids[0]).notBefore == nil)
        #expect(try shop.job(ids[0]).failure == nil)
        #expect(try shop.job(ids[0]).tries == 0)
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .sent])
    }

    @Test("a paused queue delivers nothing and looks for nothing; a pause takes hold between two deliveries")
    func paused() throws {
        let ids = try shop.queue("a", "b")
        shop.destination.most = 1
        shop.destination.script = [.during { [store = shop.store] in try store.setPaused(true) }]
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .queued])
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .queued])
        try shop.store.setPaused(false)
        shop.destination.script = [
            .during { [store = shop.store] in
                try store.setPaused(true)
                throw DeliveryFailure(.outcomeUnknown, code: "lost", message: "The line broke.")
            }
        ]
        try shop.work()
        try shop.work()
        #expect(shop.destination.lookedFor.isEmpty)
        try shop.store.setPaused(false)
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .sent])
    }

    @Test("two workers at once never deliver the same") func together() throws {
        let ids = try shop.queue("a", "b", "c", "d")
        shop.destination.most = 2
        // While the first has two in hand, another process works off all that it finds.
        let other = try Store(folder: shop.folder.path / "home")
        let shop = shop
        shop.destination.script = [.during { try shop.worker(other).run() }]
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .sent, .sent, .sent])
        #expect(shop.destination.arrived.sorted() == ["a", "b", "c", "d"])
        #expect(shop.destination.lookedFor.isEmpty, "a live worker's jobs are not taken for a dead one's")
        #expect(try ids.map { try shop.job($0).attempts } == [1, 1, 1, 1])
    }

    @Test("a job that another worker took in between is left to it") func overtaken() throws {
        let ids = try shop.queue("a", "b")
        let other = try shop.store.beginWork()
        let thief = Thief(shop.destination) { [shop] in _ = try? shop.store.claim([ids[0]], by: other, at: shop.now) }
        try shop.worker(destination: thief).run()
        #expect(try shop.states(ids) == [.sending, .sent])
        #expect(shop.destination.arrived == ["b"])
    }

    @Test("what a dead worker had in hand is looked for, and sent where it is missing") func abandoned() throws {
        let ids = try shop.queue("here", "gone")
        shop.destination.most = 1
        shop.destination.script = [.lose]
        do {
            // Its lock goes with it, as the kernel lets go of a dead process's.
            let dead = try shop.store.beginWork()
            _ = try shop.store.claim(ids, by: dead, at: shop.now)
            _ = try? shop.destination.deliver(Handover([shop.job(ids[0])], of: shop.store, progress: { _ in }))
        }
        try shop.work()
        #expect(try shop.states(ids) == [.sent, .sent])
        #expect(shop.destination.arrived == ["here", "gone"])
        #expect(
            try ids.map { try shop.store.attempts(ofJob: $0).map(\.outcome) } == [[.abandoned], [.abandoned, .sent]])
        #expect(try ids.map { try shop.job($0).receipt?.guid } == ["found", "gone"])
    }

    @Test("healthy jobs go before those that failed often") func healthyFirst() throws {
        let sick = try shop.queue("sick")
        shop.destination.most = 1
        shop.destination.script = [.fail(unreachable)]
        try shop.work()
        shop.clock += 2_000
        let well = try shop.queue("well")
        try shop.work()
        #expect(shop.destination.arrived == ["well", "sick"])
        #expect(try shop.states(sick + well) == [.sent, .sent])
    }

    @Test("one destination that fails does not hold up another") func several() throws {
        let bad = try shop.queue("a", at: "test:1")
        let good = try shop.queue("b", at: "test:2")
        shop.destination.script = [.fail(unreachable)]
        try shop.work()
        #expect(try shop.states(bad + good) == [.queued, .sent])
    }

    @Test("what may still be carried out is looked for again later, and sent again only then")
    func settling() throws {
        shop.destination.settlingTime = 900
        shop.destination.script = [.vanish]
        let id = try shop.queue("late")[0]
        try shop.work()
        #expect(try shop.job(id).state == .uncertain)
        #expect(shop.destination.lookedFor == ["late"])
        #expect(try shop.job(id).notBefore?.milliseconds == shop.clock + 900)
        shop.clock += 899
        try shop.work()
        #expect(shop.destination.lookedFor == ["late"], "not looked for before its time")
        shop.destination.arrived = ["late"]
        shop.clock += 1
        try shop.work()
        #expect(try shop.job(id).state == .sent)
        #expect(shop.destination.arrived == ["late"], "and not sent again")
    }

    @Test("what is still not there at the last look is sent again")
    func settled() throws {
        shop.destination.settlingTime = 900
        shop.destination.script = [.vanish]
        let id = try shop.queue("gone")[0]
        try shop.work()
        shop.clock += 900
        try shop.work()
        #expect(try shop.job(id).state == .sent)
        #expect(shop.destination.lookedFor == ["gone", "gone"])
    }

    @Test("a closed account gets no call before its time, costs no try, and other destinations go on")
    func closedAccount() throws {
        let ids = try shop.queue("a", "b")
        let other = try shop.queue("c", at: "zoo:")
        shop.destination.most = 1
        let time = Timestamp(milliseconds: shop.clock + 60_000)
        shop.destination.script = [
            .fail(DeliveryFailure(.accountClosed(until: time), code: "rate_limit", message: "Not before noon."))
        ]
        try shop.work()
        #expect(try shop.states(ids + other) == [.queued, .queued, .sent])
        #expect(try shop.job(ids[0]).tries == 0)
        #expect(shop.destination.arrived == ["c"])
        shop.clock += 59_999
        try shop.work()
        #expect(shop.destination.arrived == ["c"], "a millisecond too early")
        shop.clock += 1
        try shop.work()
        #expect(shop.destination.arrived == ["c", "a", "b"])
    }

    @Test("while an account is closed, nothing is looked for there either")
    func closedAccountUncertain() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = [
            .during { [store = shop.store] in
                try store.closeGate(
                    Gate(
                        account: "test:", notBefore: nil, reason: JobFailure(code: "auth_expired", message: "Log in.")),
                    at: Timestamp(milliseconds: 1_000))
                throw DeliveryFailure(.outcomeUnknown, code: "lost", message: "The line broke.")
            }
        ]
        try shop.work()
        #expect(try shop.job(id).state == .uncertain)
        try shop.work()
        #expect(shop.destination.lookedFor == [])
        try shop.store.openGate("test:")
        try shop.work()
        #expect(try shop.job(id).state == .sent)
    }
}

/// Lets somebody act between the look at what is due and its claim.
private struct Thief: Destination {
    let destination: ScriptedDestination
    let act: () -> Void

    init(_ destination: ScriptedDestination, act: @escaping () -> Void) {
        self.destination = destination
        self.act = act
    }

    func batch(from due: [Job]) -> [Job] {
        act()
        return destination.batch(from: due)
    }

    var mostTogether: Int { destination.mostTogether }
    var settlingTime: Int64 { destination.settlingTime }
    func deliver(_ handover: Handover) throws -> [Receipt] { try destination.deliver(handover) }
    func find(_ handover: Handover) throws -> [Int64: Finding] { try destination.find(handover) }
}
