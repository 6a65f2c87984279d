import Glibc
import HTTP
import System
import Testing
import Workbench

/// `service.py` in a process of its own, which ends with this.
final class Service {
    struct Ended: Error {}

    private let child: ChildProcess
    private var pending: [UInt8] = []
    private(set) var port = 0
    private let scheme: String

    /// - Parameters:
    ///   - tls: A certificate and its key.
    ///   - hangsUp: Every connection is ended as soon as something has come.
    init(tls: (certificate: FilePath, key: FilePath)? = nil, hangsUp: Bool = false) throws {
        let script = FilePath(#filePath).folder / "service.py"
        let arguments =
            tls.map { ["--tls", $0.certificate.description, $0.key.description] } ?? (hangsUp ? ["--hang-up"] : [])
        child = try ChildProcess(
            "/usr/bin/python3", [script.description] + arguments, environment: ["PATH=/usr/bin:/bin"])
        scheme = tls == nil ? "http" : "https"
        port = try #require(Int(try line()))
    }

    func address(_ path: String, host: String = "127.0.0.1") throws -> WebAddress {
        try #require(WebAddress("\(scheme)://\(host):\(port)\(path)"))
    }

    /// The connection and path of the next request that it has got.
    func request() throws -> String {
        while true {
            let words = try line().split(separator: " ")
            if words.first == "request" { return words.dropFirst().joined(separator: " ") }
        }
    }

    /// The next line that it says.
    func line() throws -> String {
        while true {
            if let end = pending.firstIndex(of: 0x0a) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return line
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(child.output.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Ended() }
            pending += buffer[..<count]
        }
    }
}
