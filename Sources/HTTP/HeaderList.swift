import CCurl

/// The headers of a request as libcurl wants them. It owns the list.
final class HeaderList {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `HTTPError`, `unusable`, for a name or a value that could become something else on its way.
    init(_ headers: [(name: String, value: String)]) throws(HTTPError) {
        // A name with nothing behind it keeps libcurl from a header of its own.
        var lines = ["Expect:"]
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        for (name, value) in headers {
            guard Self.isName(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw HTTPError(.unusable, message: "a header has characters that cannot be sent")
            }
            lines.append(value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)")
        }
        for line in lines {
            guard let longer = ccurl_slist_append(list, line) else {
                throw HTTPError(.unusable, message: "no memory for the headers")
            }
            list = longer
        }
    }

    deinit { ccurl_slist_free_all(list) }

    /// A token (RFC 9110, 5.6.2).
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }
}
