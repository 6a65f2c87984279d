import Notes
import Storage
import Testing

@testable import Outbox

/// A clock that was ten years ahead, and is right again: nothing waits longer than it was ordered to.
@Suite("a wrong clock") struct WrongClockTests {
    let shop: Workshop
    private static let decade: Int64 = 10 * 365 * 86_400_000

    init() throws {
        shop = try Workshop()
        shop.clock = 5 * Self.decade
    }

    /// Works by the wrong clock, and sets it right.
    private func work(ahead milliseconds: Int64 = Self.decade) throws {
        shop.clock += milliseconds
        try shop.work()
        shop.clock -= milliseconds
    }

    @Test("an account that asked for half a minute is left alone for half a minute from now") func account() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = [
            .during { [shop] in
                let until = Timestamp(milliseconds: shop.clock + 30_000)
                throw DeliveryFailure(.accountClosed(until: until), code: "rate_limit", message: "Half a minute.")
            }
        ]
        try work()
        try shop.work()
        #expect(try shop.store.closedGates(at: shop.now).map(\.notBefore?.milliseconds) == [shop.clock + 30_000])
        shop.clock += 29_999
        try shop.work()
        #expect(shop.destination.arrived == [], "what was ordered is obeyed")
        shop.clock += 1
        try shop.work()
        #expect(try shop.job(id).state == .sent)
    }

    @Test("an account that somebody has to open stays closed") func person() throws {
        let closed = DeliveryFailure(.accountClosed(until: nil), code: "auth_expired", message: "Log in.")
        try _ = shop.queue("a")
        shop.destination.script = [.fail(closed)]
        try work()
        try shop.work()
        #expect(shop.destination.arrived == [])
    }

    @Test("the wait before another try begins anew") func backoff() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = [.fail(DeliveryFailure(.unreachable, code: "disk_full", message: "No room."))]
        try work()
        try shop.work()
        #expect(try shop.job(id).notBefore?.milliseconds == shop.clock + 2_000)
        shop.clock += 2_000
        try shop.work()
        #expect(try shop.job(id).state == .sent)
    }

    @Test("between the first look for what may have arrived and the last, the whole time passes") func look() throws {
        let id = try shop.queue("gone")[0]
        shop.destination.settlingTime = 900
        shop.destination.script = [.vanish]
        try work()
        try shop.work()
        #expect(try shop.job(id).notBefore?.milliseconds == shop.clock + 900)
        shop.clock += 900
        try shop.work()
        #expect(try shop.job(id).state == .sent)
        #expect(shop.destination.lookedFor == ["gone", "gone"])
    }

    @Test("a wait that a clock ordered which was behind is over") func behind() throws {
        let id = try shop.queue("a")[0]
        shop.destination.script = [.fail(DeliveryFailure(.unreachable, code: "disk_full", message: "No room."))]
        try work(ahead: -Self.decade)
        try shop.work()
        #expect(try shop.job(id).state == .sent)
    }
}
