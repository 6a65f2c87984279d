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
}
