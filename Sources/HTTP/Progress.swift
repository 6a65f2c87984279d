/// The clocks that run once a request has begun, in milliseconds.
struct Progress {
    private let stall: Int64
    private let reply: Int64
    private let bodyCount: Int64
    private var sent: Int64 = 0
    private var received: Int64 = 0
    private var movedAt: Int64
    private var sentAt: Int64?

    /// - Parameter stall: The longest time without a byte.
    init(stall: Int64, reply: Int64, bodyCount: Int64, now: Int64) {
        self.stall = stall
        self.reply = reply
        self.bodyCount = bodyCount
        movedAt = now
    }

    var isBodySent: Bool { sent >= bodyCount }

    /// - Parameters:
    ///   - sent: Bytes of the body that have gone.
    ///   - received: Bytes that have come.
    mutating func note(sent: Int64, received: Int64, now: Int64) {
        if sent > self.sent || received > self.received { movedAt = now }
        self.sent = max(self.sent, sent)
        self.received = max(self.received, received)
        if isBodySent, sentAt == nil { sentAt = now }
    }

    /// What runs out next, and when. Before the reply begins only its own clock runs: the other side is thinking.
    var deadline: (at: Int64, what: String) {
        let stalled = (at: movedAt + stall, what: isBodySent ? "the reply stopped coming" : "the body stopped going")
        guard let sentAt else { return stalled }
        let whole = (at: sentAt + reply + received / 1024 * 1000, what: "the reply took too long")
        return received > 0 && stalled.at < whole.at ? stalled : whole
    }
}
