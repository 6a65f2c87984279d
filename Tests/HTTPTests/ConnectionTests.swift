import Glibc
import HTTP
import System
import Testing
import Workbench

@Suite("HTTP connections")
struct ConnectionTests {
    private static let large = Body([UInt8](repeating: 1, count: 32 << 20))
    private static let small = Body(Array("body".utf8))

    private func failure(_ path: String, _ body: Body, timeouts: Timeouts = Timeouts()) throws -> HTTPError? {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test", timeouts: timeouts)
        return #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(try service.address(path), body: body, replyLimit: 1 << 20))
        }
    }

    @Test(
        "a connection that ends before the body has gone: the request has surely not arrived",
        arguments: ["/close/before", "/reset/before", "/close/inside"])
    func endsEarly(path: String) throws {
        let error = try failure(path, Self.large)
        #expect(error?.kind == .broken)
        #expect(error?.bodySent == false)
    }

    @Test("a connection that ends after the body: the request may have arrived")
    func endsLate() throws {
        let error = try failure("/close/after", Self.small)
        #expect(error?.kind == .broken)
        #expect(error?.bodySent == true)
    }

    @Test("an empty body has gone with the request")
    func endsLateWithoutBody() throws {
        #expect(try failure("/close/after", Body())?.bodySent == true)
    }

    @Test("a body that nobody takes runs out of time")
    func stalledBody() throws {
        let error = try failure("/stall", Self.large, timeouts: Timeouts(stall: .milliseconds(300)))
        #expect(error?.kind == .timedOut)
        #expect(error?.bodySent == false)
    }

    @Test("a reply that does not come, stops or drips runs out of time", arguments: ["/never", "/half", "/drip"])
    func noReply(path: String) throws {
        let isHalf = path == "/half"
        let error = try failure(
            path, Self.small,
            timeouts: Timeouts(
                stall: isHalf ? .milliseconds(300) : .seconds(60), reply: isHalf ? .seconds(60) : .milliseconds(300)))
        #expect(error?.kind == .timedOut)
        #expect(error?.bodySent == true)
    }

    @Test("a kept connection that has ended is noticed before the next request")
    func endedWhileIdle() throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        let said = Body(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
        _ = try transport.send(Request(try service.address("/say"), body: said, replyLimit: 100))
        #expect(try service.line() == "request 1 /say")
        #expect(try service.line() == "ended 1")
        let reply = try transport.send(Request(try service.address("/echo"), body: Self.small, replyLimit: 100))
        #expect(reply.body == Array("body".utf8))
        #expect(try service.line() == "request 2 /echo")
    }

    @Test("a request that a kept connection takes with it is sent again, if part of its body had not gone")
    func lostWithConnection() throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        let address = try service.address("/second-is-lost")
        _ = try transport.send(Request(address, body: Self.small, replyLimit: 100))
        var gone: Int64 = 0
        let reply = try transport.send(Request(address, body: Self.large, replyLimit: 32 << 20)) { gone += $0 }
        #expect(reply.status == 200)
        #expect(reply.body.count == 32 << 20)
        #expect(gone == 32 << 20)
        for request in ["1 /second-is-lost", "1 /second-is-lost", "2 /second-is-lost"] {
            #expect(try service.request() == request)
        }
    }

    @Test("a request whose body had gone is never sent again", arguments: [0, 4])
    func notSentTwice(count: Int) throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        let path = "/second-is-lost-after"
        let body = Body([UInt8](repeating: 1, count: count))
        _ = try transport.send(Request(try service.address(path), body: body, replyLimit: 100))
        let error = #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(try service.address(path), body: body, replyLimit: 100))
        }
        #expect(error?.kind == .broken)
        #expect(error?.bodySent == true)
        _ = try transport.send(Request(try service.address("/echo"), body: body, replyLimit: 100))
        for request in ["1 \(path)", "1 \(path)", "2 /echo"] { #expect(try service.request() == request) }
    }

    @Test("a new connection that breaks is not tried again")
    func newConnectionBreaks() throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(try service.address("/reset/before"), body: Self.large, replyLimit: 100))
        }
        _ = try transport.send(Request(try service.address("/echo"), body: Self.small, replyLimit: 100))
        for request in ["1 /reset/before", "2 /echo"] { #expect(try service.request() == request) }
    }

    @Test("nobody there, and no such host")
    func nobody() throws {
        let transport = try CurlTransport(userAgent: "evergear-test")
        func kind(_ text: String) throws -> HTTPError.Kind? {
            let address = try #require(WebAddress(text))
            let error = #expect(throws: HTTPError.self) {
                _ = try transport.send(Request(address, body: Body(), replyLimit: 100))
            }
            #expect(error?.bodySent == false)
            return error?.kind
        }
        #expect(try kind("http://127.0.0.1:1/") == .noConnection)
        // Too long for a name, so that no resolver asks anybody.
        #expect(try kind("http://\(String(repeating: "a", count: 64)).invalid/") == .unresolved)
    }

    @Test("Ctrl-C ends a request that waits for its reply, and one whose body nobody takes")
    func interrupts() async {
        await #expect(processExitsWith: .exitCode(130)) { try ConnectionTests.sendUntilInterrupted("/never/interrupt") }
        await #expect(processExitsWith: .exitCode(130)) { try ConnectionTests.sendUntilInterrupted("/stall/interrupt") }
    }

    /// The service raises the signal once the request is under way. Without an answer to it, the wait would be long.
    private static func sendUntilInterrupted(_ path: String) throws {
        Interrupt.install()
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        do {
            _ = try transport.send(
                Request(try service.address(path), body: path.contains("stall") ? large : small, replyLimit: 100))
        } catch is Interrupted {
            exit(130)
        }
        exit(1)
    }

    @Test("a proxy of the environment is used, but not for loopback")
    func proxy() async {
        await #expect(processExitsWith: .success) {
            let service = try Service()
            let transport = try CurlTransport(userAgent: "evergear-test")
            func send(_ text: String) throws {
                let address = try #require(WebAddress(text))
                _ = try transport.send(Request(address, body: Body(), replyLimit: 100))
            }
            setenv("http_proxy", "http://127.0.0.1:\(service.port)", 1)
            setenv("https_proxy", "http://127.0.0.1:\(service.port)", 1)
            try send("http://evergear.invalid/echo")
            #expect(try service.line() == "request 1 http://evergear.invalid/echo")
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            try send("http://127.0.0.1:\(service.port)/echo")
            #expect(try service.line() == "request 2 /echo")

            // CONNECT is not what this service knows.
            let refused = #expect(throws: HTTPError.self) { try send("https://evergear.invalid/echo") }
            #expect(refused?.kind == .proxy)
            #expect(refused?.bodySent == false)

            setenv("http_proxy", "gopher://user:secret@127.0.0.1:1", 1)
            let unknown = #expect(throws: HTTPError.self) { try send("http://evergear.invalid/echo") }
            #expect(unknown?.bodySent == false)
            #expect(unknown?.message.contains("secret") == false)
        }
    }
}
