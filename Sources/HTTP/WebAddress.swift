/// An address of the web.
public struct WebAddress: Hashable, Sendable {
    public let scheme: String
    public let host: String
    public let port: Int?
    public let path: String

    public init?(_ text: String) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        scheme = text[..<colon.lowerBound].lowercased()
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        path = authority.endIndex == rest.endIndex ? "/" : String(rest[authority.endIndex...])
        let parts = authority.split(separator: ":")
        guard let first = parts.first, ["http", "https"].contains(scheme), !authority.contains("@") else { return nil }
        host = first.lowercased()
        port = parts.count > 1 ? Int(parts[1]) : nil
    }

    public var isLoopback: Bool { host == "localhost" || host.hasPrefix("127.") || host == "[::1]" }
    public var text: String { "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }
}
