import Testing

@testable import Outbox

@Suite("When a job is tried again") struct RetryPolicyTests {
    /// Columns are failed tries, the last one included. A number is a wait in milliseconds, without jitter.
    static let table = """
                       | 1         | 2         | 3         | 7         | 8         | 9
        unreachable    | 2000      | 4000      | 8000      | 128000    | park      | park
        rejected       | park      | park      | park      | park      | park      | park
        outcomeUnknown | lookFirst | lookFirst | lookFirst | lookFirst | lookFirst | lookFirst
        interrupted    | putBack   | putBack   | putBack   | putBack   | putBack   | putBack
        accountClosed  | close     | close     | close     | close     | close     | close
        missing        | 0         | 0         | 0         | 0         | park      | park
        """

    @Test("each kind of failure and number of tries has one answer") func decisions() throws {
        let lines = Self.table.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        }
        let tries = try lines[0].dropFirst().map { try #require(Int($0)) }
        let policy = RetryPolicy()
        for line in lines.dropFirst() {
            for (tries, cell) in zip(tries, line.dropFirst()) {
                let decision =
                    line[0] == "missing"
                    ? policy.decision(afterMissing: tries, looked: nil, settling: 0)
                    : policy.decision(after: try kind(line[0]), tries: tries, jitter: 1)
                #expect(decision == answer(cell), "\(line[0]), \(tries) tries")
            }
        }
    }

    @Test("the wait doubles up to the cap, and no number is too large") func waits() {
        var policy = RetryPolicy()
        #expect(
            [1, 2, 9, 10, 11, 64, .max].map(policy.longestWait) == [
                2_000, 4_000, 512_000, 900_000, 900_000, 900_000, 900_000,
            ])
        policy.base = .max
        #expect(policy.longestWait(after: 3) == 900_000)
        policy.base = 0
        #expect(policy.longestWait(after: 5) == 0)
        policy.tries = 100
        policy.base = 10
        policy.cap = 5
        #expect(policy.decision(after: .unreachable, tries: 1, jitter: 1) == .retry(after: 5))
    }

    @Test("jitter is a share of the whole wait", arguments: [(0.0, 0), (0.25, 1_000), (0.5, 2_000), (1.0, 4_000)])
    func jitter(share: Double, wait: Int64) {
        #expect(RetryPolicy().decision(after: .unreachable, tries: 2, jitter: share) == .retry(after: wait))
    }

    @Test("where a request that was cut off may still be carried out, a second look decides")
    func settling() {
        let policy = RetryPolicy()
        #expect(policy.decision(afterMissing: 1, looked: nil, settling: 900) == .lookAgain(after: 900))
        #expect(policy.decision(afterMissing: 1, looked: 400, settling: 900) == .lookAgain(after: 500))
        #expect(policy.decision(afterMissing: 1, looked: 900, settling: 900) == .retry(after: 0))
        #expect(policy.decision(afterMissing: 8, looked: 899, settling: 900) == .lookAgain(after: 1))
        #expect(policy.decision(afterMissing: 8, looked: 900, settling: 900) == .park)
    }

    private func kind(_ name: String) throws -> DeliveryFailure.Kind {
        let kinds: [String: DeliveryFailure.Kind] = [
            "unreachable": .unreachable, "rejected": .rejected, "outcomeUnknown": .outcomeUnknown,
            "interrupted": .interrupted, "accountClosed": .accountClosed(until: nil),
        ]
        return try #require(kinds[name])
    }

    private func answer(_ cell: String) -> RetryPolicy.Decision? {
        switch cell {
        case "park": .park
        case "lookFirst": .lookFirst
        case "putBack": .putBack
        case "close": .closeAccount(until: nil)
        default: Int64(cell).map { .retry(after: $0) }
        }
    }
}
