import HTTP
import System
import Testing
import Workbench

@Suite("HTTPS")
struct TLSTests {
    /// A certificate for `localhost`, signed by itself.
    private func certificate(in folder: TemporaryFolder) throws -> (certificate: FilePath, key: FilePath) {
        let (certificate, key) = (folder.path / "certificate.pem", folder.path / "key.pem")
        let made = try run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key.description,
                "-out", certificate.description,
            ])
        try #require(made.status == .status(0))
        return (certificate, key)
    }

    private func failure(_ transport: CurlTransport, _ address: WebAddress) -> HTTPError? {
        #expect(throws: HTTPError.self) {
            _ = try transport.send(Request(address, body: Body([1, 2, 3]), replyLimit: 100))
        }
    }

    @Test("a certificate that nobody vouches for is refused, until its maker is named")
    func privateAuthority() throws {
        let folder = try TemporaryFolder()
        let tls = try certificate(in: folder)
        let service = try Service(tls: tls)
        let address = try service.address("/echo", host: "localhost")
        let stranger = failure(try CurlTransport(userAgent: "evergear-test"), address)
        #expect(stranger?.kind == .tls)
        #expect(stranger?.bodySent == false)

        let trusting = try CurlTransport(userAgent: "evergear-test", caFile: tls.certificate)
        for _ in 0..<2 {
            let reply = try trusting.send(Request(address, body: Body([1, 2, 3]), replyLimit: 100))
            #expect(reply.body == [1, 2, 3])
            #expect(try service.line() == "request 2 /echo")
        }
        // The certificate is for a name, not for this number.
        let other = failure(trusting, try service.address("/echo"))
        #expect(other?.kind == .tls)
        #expect(other?.bodySent == false)
    }

    @Test("a file of certificates that is missing or has none is an error")
    func badAuthorityFile() throws {
        let folder = try TemporaryFolder()
        let service = try Service(tls: try certificate(in: folder))
        for path in [folder.path / "missing", try folder.write(Array("none".utf8), as: "none")] {
            let transport = try CurlTransport(userAgent: "evergear-test", caFile: path)
            #expect(failure(transport, try service.address("/echo", host: "localhost"))?.kind == .tls)
        }
    }

    @Test("a large body arrives over TLS as it left")
    func largeBody() throws {
        let folder = try TemporaryFolder()
        let tls = try certificate(in: folder)
        let service = try Service(tls: tls)
        let transport = try CurlTransport(userAgent: "evergear-test", caFile: tls.certificate)
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) }
        let path = try folder.write(bytes, as: "photo")
        let body = Body([.bytes([9]), .file(path, offset: 0, count: 4_000_000), .bytes([9])])
        let reply = try transport.send(
            Request(try service.address("/echo", host: "localhost"), body: body, replyLimit: 1 << 23))
        #expect(reply.body == [9] + bytes + [9])
    }

    @Test("a TLS greeting that is not answered runs out of time")
    func silentGreeting() throws {
        let service = try Service()  // speaks no TLS, and waits for the end of the headers
        let address = try #require(WebAddress("https://127.0.0.1:\(service.port)/echo"))
        let transport = try CurlTransport(
            userAgent: "evergear-test", timeouts: Timeouts(connect: .milliseconds(300)))
        let error = failure(transport, address)
        #expect(error?.kind == .timedOut)
        #expect(error?.bodySent == false)
    }

    @Test("a connection that ends while the greeting goes on is none, and no fault of TLS")
    func brokenGreeting() throws {
        let service = try Service(hangsUp: true)
        let address = try #require(WebAddress("https://127.0.0.1:\(service.port)/echo"))
        let error = failure(try CurlTransport(userAgent: "evergear-test"), address)
        #expect(error?.kind == .noConnection)
        #expect(error?.bodySent == false)
    }
}
