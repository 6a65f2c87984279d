import HTTP
import System
import Testing
import Workbench

@Suite("HTTP replies")
struct ReplyTests {
    let service: Service
    let transport: CurlTransport

    init() throws {
        service = try Service()
        transport = try CurlTransport(userAgent: "evergear-test")
    }

    private func post(_ path: String, _ body: String = "body", limit: Int = 1 << 20) throws -> Reply {
        try transport.send(Request(try service.address(path), body: Body(Array(body.utf8)), replyLimit: limit))
    }

    private func failure(_ path: String, _ body: String = "body", limit: Int = 1 << 20) -> HTTPError? {
        #expect(throws: HTTPError.self) { _ = try post(path, body, limit: limit) }
    }

    @Test("a reply that is packed comes unpacked")
    func gzip() throws {
        let text = String(repeating: "Rain on the ridge. ", count: 10_000)
        #expect(try post("/gzip", text).body == Array(text.utf8))
    }

    @Test("the bound on a reply counts unpacked bytes")
    func bomb() throws {
        let error = failure("/bomb")
        #expect(error?.kind == .replyTooLong)
        #expect(error?.bodySent == true)
        #expect(try post("/echo", "1234", limit: 4).body.count == 4)
        #expect(failure("/echo", "12345", limit: 4)?.kind == .replyTooLong)
    }

    @Test("headers without end, and interim replies without end, are bounded", arguments: ["/endless", "/interim"])
    func endlessHeaders(path: String) {
        #expect(failure(path)?.kind == .replyTooLong)
    }

    @Test("a redirect is a reply and is not followed")
    func redirect() throws {
        let said = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(service.port)/echo\r\nContent-Length: 0\r\n\r\n"
        #expect(try post("/say", said).status == 302)
        #expect(try service.line() == "request 1 /say")
        #expect(try service.line() == "ended 1")
        _ = try post("/head")
        #expect(try service.line() == "request 2 /head")
    }

    @Test("a 503 is a reply, with how long to wait")
    func unavailable() throws {
        let reply = try post(
            "/say", "HTTP/1.1 503 Service Unavailable\r\nretry-after: 120\r\nContent-Type: text/plain\r\n\r\nlater")
        #expect(reply == Reply(status: 503, retryAfter: 120, contentType: "text/plain", body: Array("later".utf8)))
    }

    @Test("the headers of an interim reply are not the reply's")
    func interim() throws {
        let reply = try post(
            "/say", "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(reply == Reply(status: 200, body: Array("ok".utf8)))
    }

    @Test(
        "what is no HTTP, or not packed as it says, is no reply",
        arguments: [
            "nonsense\r\n\r\n", "HTTP/1.1 9999999 What\r\n\r\n", "\0\0\0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
        ])
    func garbage(said: String) {
        let error = failure("/say", said)
        #expect(error?.kind == .badReply)
        #expect(error?.bodySent == true)
    }

    @Test(
        "a reply shorter than announced is none",
        arguments: ["Content-Length: 100\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd"])
    func truncated(said: String) {
        let error = failure("/say", "HTTP/1.1 200 OK\r\n\(said)")
        #expect(error?.kind == .broken)
        #expect(error?.bodySent == true)
    }

    @Test("a refusal that comes before the body has gone is a reply")
    func earlyRefusal() throws {
        let body = Body([UInt8](repeating: 0, count: 32 << 20))
        let reply = try transport.send(Request(try service.address("/early"), body: body, replyLimit: 100))
        #expect(reply.status == 413)
        #expect(reply.body == Array("too large".utf8))
        // What was left of the body is not taken for the next request.
        #expect(try post("/echo", "next").body == Array("next".utf8))
    }
}

/// The collector alone, with a clock of its own. Instants are those that `date -u +%s -d` gives.
@Suite("Headers of a reply")
struct ReplyCollectorTests {
    private func collect(_ lines: [String], now: Int64 = 946_684_700) -> ReplyCollector {
        var collector = ReplyCollector(limit: 100, now: now)
        for line in lines { _ = Array((line + "\r\n").utf8).withUnsafeBytes { collector.takeHeader($0) } }
        return collector
    }

    @Test(
        "a wait is told in seconds or as a date",
        arguments: [
            ("0", 0), ("120", 120), ("  7\t", 7), ("99999999999999999999", 31_622_400), ("20000101", 20_000_101),
            ("Fri, 31 Dec 1999 23:59:59 GMT", 99), ("Friday, 31-Dec-99 23:59:59 GMT", 99),
            ("Fri Dec 31 23:59:59 1999", 99), ("Fri, 31 Dec 1999 00:00:00 GMT", 0),
            ("Fri, 31 Dec 2049 00:00:00 GMT", 31_622_400),
        ])
    func wait(value: String, seconds: Int) {
        #expect(collect(["HTTP/1.1 503 Busy", "Retry-After:\(value)", ""]).retryAfter == seconds)
    }

    @Test("what is no wait is none", arguments: ["", "-5", "soon", "1.5", "5s", String(repeating: "9", count: 65)])
    func noWait(value: String) {
        let collector = collect(["HTTP/1.1 503 Busy", "Retry-After: \(value)", ""])
        #expect(collector.status == 503)
        #expect(collector.retryAfter == nil)
    }

    @Test("trailers change nothing")
    func trailers() {
        let collector = collect(["HTTP/1.1 503 Busy", "Retry-After: 5", "", "Retry-After: 50", "Content-Type: x", ""])
        #expect(collector.retryAfter == 5)
        #expect(collector.contentType == nil)
    }

    @Test("the status line is HTTP's", arguments: ["HTTP/1.1 200", "HTTP/1.0  200 OK", "HTTP/2 200 "])
    func statusLine(line: String) {
        #expect(collect([line, ""]).reply == Reply(status: 200))
    }

    @Test("nothing is taken once there was too much")
    func tooLong() {
        var collector = ReplyCollector(limit: 4, now: 0)
        func take(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { collector.takeBody($0) } }
        #expect(take("abc"))
        #expect(!take("de"))
        #expect(!take("d"))
        #expect(collector.isTooLong)
        #expect(collector.body == Array("abc".utf8))
    }
}
