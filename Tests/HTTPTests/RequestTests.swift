import Glibc
import HTTP
import System
import Testing
import Workbench

@Suite("HTTP requests")
struct RequestTests {
    @Test("pieces in memory and ranges of files arrive as one body of exactly the announced length")
    func mixedBody() throws {
        let folder = try TemporaryFolder()
        let photo = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let path = try folder.write(photo, as: "photo")
        let body = Body([
            .bytes(Array("head".utf8)), .file(path, offset: 0, count: 700_000), .bytes([]),
            .file(path, offset: 0, count: 0), .file(path, offset: 699_000, count: 1000), .bytes([0, 255]),
        ])
        let expected = Array("head".utf8) + photo + photo[699_000...] + [0, 255]
        #expect(body.count == 701_006)
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        var gone: Int64 = 0
        let reply = try transport.send(Request(try service.address("/echo"), body: body, replyLimit: 1 << 20)) {
            gone += $0
        }
        #expect(reply.status == 200)
        #expect(reply.body == expected)
        #expect(gone == 701_006)
    }

    @Test("the headers are those that were given and the transport's own, and no other")
    func headers() throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test/1")
        let request = Request(
            try service.address("/head"),
            headers: [("Content-Type", "application/x-thrift"), ("Accept", "application/x-thrift"), ("X-Empty", "")],
            body: Body(Array("four".utf8)), replyLimit: 10_000)
        let head = String(decoding: try transport.send(request).body, as: UTF8.self)
        #expect(
            Set(head.split(separator: "\r\n")) == [
                "POST /head HTTP/1.1", "Host: 127.0.0.1:\(service.port)", "User-Agent: evergear-test/1",
                "Accept-Encoding: gzip", "Content-Type: application/x-thrift", "Accept: application/x-thrift",
                "X-Empty:", "Content-Length: 4",
            ])
    }

    @Test("an empty body is announced as empty")
    func emptyBody() throws {
        let service = try Service()
        let request = Request(try service.address("/head"), body: Body(), replyLimit: 10_000)
        let head = String(
            decoding: try CurlTransport(userAgent: "evergear-test").send(request).body, as: UTF8.self)
        #expect(head.contains("Content-Length: 0\r\n"))
        #expect(!head.contains("Transfer-Encoding"))
    }

    @Test(
        "a header that could become two is refused, and its value is not told",
        arguments: [
            ("X-Token", "secret\r\nX-Other: 1"), ("X-Token", "secret\0"), ("X Token", "secret"), ("", "secret"),
        ])
    func brokenHeader(name: String, value: String) throws {
        let transport = try CurlTransport(userAgent: "evergear-test")
        let address = try #require(WebAddress("http://127.0.0.1:1/"))
        let error = #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(address, headers: [(name, value)], body: Body(), replyLimit: 10))
        }
        #expect(error?.kind == .unusable)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("several requests go over one connection")
    func keepAlive() throws {
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        for number in 0..<5 {
            let body = [UInt8](repeating: UInt8(number), count: number * 100_000)
            let reply = try transport.send(
                Request(try service.address("/echo"), body: Body(body), replyLimit: 1 << 20))
            #expect(reply.body == body)
            #expect(try service.line() == "request 1 /echo")
        }
    }

    @Test("a file that gets shorter while it is sent ends the request, and the rest is not made up")
    func shrinkingFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], as: "photo")
        truncate(path, 64 << 20)
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        let body = Body([.file(path, offset: 0, count: 64 << 20)])
        let error = #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(try service.address("/echo"), body: body, replyLimit: 1 << 27)) { _ in
                truncate(path, 100)
            }
        }
        #expect(error?.kind == .bodyShorter(path))
        #expect(error?.bodySent == false)
        #expect(try service.line() == "request 1 /echo")
        #expect(try service.line() == "ended 1")
    }

    @Test("a file that is missing, or no file, ends the request")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let service = try Service()
        let transport = try CurlTransport(userAgent: "evergear-test")
        for (path, code) in [(folder.path / "missing", ENOENT), (folder.path, EISDIR)] {
            let body = Body([.bytes([1]), .file(path, offset: 0, count: 10)])
            let error = #expect(throws: HTTPError.self) {
                _ = try transport.send(Request(try service.address("/echo"), body: body, replyLimit: 100))
            }
            #expect(error?.kind == .bodyUnreadable(SystemError(code: code, call: "open", path: path)))
            #expect(error?.bodySent == false)
        }
        let short = try folder.write([1, 2, 3], as: "short")
        let error = #expect(throws: HTTPError.self) {
            let body = Body([.file(short, offset: 2, count: 2)])
            _ = try transport.send(Request(try service.address("/echo"), body: body, replyLimit: 100))
        }
        #expect(error?.kind == .bodyShorter(short))
    }

    @Test("with a limit on what is sent, its own pauses are no stall")
    func bandwidth() throws {
        let service = try Service()
        let transport = try CurlTransport(
            userAgent: "evergear-test", timeouts: Timeouts(stall: .milliseconds(100)), bytesPerSecond: 100_000)
        let body = [UInt8](repeating: 7, count: 60_000)
        let reply = try transport.send(Request(try service.address("/echo"), body: Body(body), replyLimit: 60_000))
        #expect(reply.body == body)
    }

    private func truncate(_ path: FilePath, _ size: Int) {
        #expect(path.withCString { Glibc.truncate($0, size) } == 0)
    }
}
