import Glibc
import HTTP
import System

/// A service that answers a request with given bytes and hangs up, without a thread of its own: the request waits in the
/// kernel until its sender is called back, and that is the time to answer.
final class LoopbackService: Sendable {
    static let shared = LoopbackService()

    private let listener: FileDescriptor
    private let port: UInt16

    private init() {
        listener = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = listener.number
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 && listen(number, 16) == 0 && getsockname(number, $0, &length) == 0
            }
        }
        guard isListening else { fatalError("no socket to listen on") }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// - Returns: What the transport makes of the answer.
    func answer(_ bytes: [UInt8], replyLimit: Int) -> Result<Reply, any Error> {
        // Another address each time: one pair of ports is not free for a minute after its use.
        let host = "127.\(Int.random(in: 0...255)).\(Int.random(in: 0...255)).\(Int.random(in: 1...254))"
        return Result {
            guard let address = WebAddress("http://\(host):\(port)/") else { fatalError("no address") }
            let transport = try CurlTransport(userAgent: "evergear-fuzz")
            return try transport.send(Request(address, body: Body([1]), replyLimit: replyLimit)) { _ in say(bytes) }
        }
    }

    private func say(_ bytes: [UInt8]) {
        let connection = FileDescriptor(owning: accept(listener.number, nil, nil))
        var request = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection.number, &request, request.count, 0)
        _ = send(connection.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
