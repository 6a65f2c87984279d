import CCurl

/// An http or https address, as libcurl reads it: the one that is judged is the one that is connected to.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    /// In lower case, without a final dot; an IPv6 address stands in brackets.
    public let host: String
    public let port: Int
    /// With the query, where there is one; at least `/`.
    public let path: String

    /// - Returns: nil for anything but a whole http or https address of plain characters, and for one with a user, a
    ///   password or a fragment: no secret belongs into an address.
    public init?(_ text: String) {
        guard text.utf8.count <= 2048, let url = ccurl_url() else { return nil }
        defer { ccurl_url_cleanup(url) }
        guard ccurl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            Self.part(CURLUPART_FRAGMENT, of: url) == nil, Self.part(CURLUPART_ZONEID, of: url) == nil,
            let scheme = Self.part(CURLUPART_SCHEME, of: url), ["http", "https"].contains(scheme),
            var host = Self.part(CURLUPART_HOST, of: url)?.lowercased(),
            let port = Self.part(CURLUPART_PORT, of: url, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
            (1...65535).contains(port)
        else { return nil }
        if host.hasSuffix(".") { host.removeLast() }
        guard Self.isPlain(host) else { return nil }
        self.isSecure = scheme == "https"
        self.host = host
        self.port = port
        let query = Self.part(CURLUPART_QUERY, of: url)
        path = (Self.part(CURLUPART_PATH, of: url) ?? "/") + (query.map { "?" + $0 } ?? "")
    }

    /// `http` or `https`.
    public var scheme: String { isSecure ? "https" : "http" }

    /// The whole address; the port only where it is not the scheme's own.
    public var text: String { "\(scheme)://\(host)\(port == (isSecure ? 443 : 80) ? "" : ":\(port)")\(path)" }

    public var description: String { text }

    /// True for this machine itself: `localhost`, 127.0.0.0/8 and ::1.
    public var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// True where the host is the domain itself or has a name under it.
    /// - Parameter domain: In lower case: `evernote.com`.
    public func isWithin(domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard ccurl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { ccurl_free(text) }
        return String(validatingCString: text)
    }

    /// Letters that a resolver would still map to others could make the judged name another than the one looked up.
    private static func isPlain(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
        }
        return !host.isEmpty && host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789.-_".utf8.contains($0) }
    }
}
