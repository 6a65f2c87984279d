import HTTP
import System
import Workbench

/// Answers what it was told to, and keeps what it was sent.
final class ScriptedTransport: Transport {
    private(set) var requests: [Request] = []
    private(set) var sent: [[UInt8]] = []
    private let answer: (Request) throws -> Reply

    init(_ answer: @escaping (Request) throws -> Reply) { self.answer = answer }

    convenience init(reply digits: String) { self.init { _ in Reply(status: 200, body: Hexadecimal.bytes(digits)) } }

    func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply {
        requests.append(request)
        var bytes: [UInt8] = []
        for segment in request.body.segments {
            switch segment {
            case .bytes(let part): bytes += part
            case .file(let path, let offset, let count):
                bytes += try Files.read(path, limit: 1 << 20).dropFirst(Int(offset)).prefix(Int(count))
            }
        }
        sent.append(bytes)
        advance(Int64(bytes.count))
        return try answer(request)
    }
}
