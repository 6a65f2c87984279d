import CCurl
import Glibc

/// Takes a reply in as its lines and bytes come, and holds them to their bounds. The announced length counts for
/// nothing here: room is made for what has come.
package struct ReplyCollector: Sendable {
    package private(set) var status = 0
    package private(set) var retryAfter: Int?
    package private(set) var contentType: String?
    package private(set) var body: [UInt8] = []
    /// Bytes of all headers, those of interim replies among them.
    package private(set) var headerCount = 0
    /// True from the blank line after the headers of the reply itself, not of an interim one (1xx).
    package private(set) var hasWholeHeaders = false
    /// True where more came than is taken.
    package private(set) var isTooLong = false

    private let limit: Int
    private let now: Int64

    /// Bytes that all headers together may have.
    package static let headerLimit = 65_536
    /// What is longer than a year is no wait.
    private static let longestWait: Int64 = 366 * 86_400

    /// - Parameters:
    ///   - limit: The most bytes that the body may have.
    ///   - now: Seconds since 1970, from which a date to wait for is counted.
    package init(limit: Int, now: Int64) {
        self.limit = limit
        self.now = now
    }

    /// True before anything has come.
    package var isEmpty: Bool { headerCount == 0 && body.isEmpty }

    package var reply: Reply { Reply(status: status, retryAfter: retryAfter, contentType: contentType, body: body) }

    /// Takes one line of the headers, with its line end: a status line, a header or the blank line.
    /// - Returns: False where there are too many: nothing more is taken.
    package mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isTooLong, line.count <= Self.headerLimit - headerCount else {
            isTooLong = true
            return false
        }
        headerCount += line.count
        // What follows the headers of the reply itself are trailers.
        if hasWholeHeaders { return true }
        let text = line.trimmed
        if text.isEmpty {
            hasWholeHeaders = status >= 200
        } else if let status = Self.status(text) {
            self.status = status
            retryAfter = nil
            contentType = nil
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed
            switch String(decoding: text[..<colon], as: UTF8.self).lowercased() {
            case "retry-after": retryAfter = wait(value)
            case "content-type": contentType = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
            default: break
            }
        }
        return true
    }

    /// Takes bytes of the body, unpacked.
    /// - Returns: False where there are too many: nothing more is taken.
    package mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isTooLong, bytes.count <= limit - body.count else {
            isTooLong = true
            return false
        }
        body += bytes
        return true
    }

    /// `HTTP/1.1 200 OK`, the words being optional (RFC 9112, 4).
    private static func status(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.starts(with: "HTTP/".utf8) else { return nil }
        let code = line.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }.prefix {
            $0 != UInt8(ascii: " ")
        }
        guard code.count == 3 else { return nil }
        return Int(String(decoding: code, as: UTF8.self)).flatMap { (100...999).contains($0) ? $0 : nil }
    }

    /// Seconds, or a date in any of HTTP's three forms (RFC 9110, 10.2.3 and 5.6.7).
    private func wait(_ value: UnsafeRawBufferPointer) -> Int? {
        guard !value.isEmpty, value.count <= 64, !value.contains(0) else { return nil }
        let text = String(decoding: value, as: UTF8.self)
        if value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return Int(min(Int64(text) ?? .max, Self.longestWait))
        }
        let date = Int64(ccurl_getdate(text))
        guard date >= 0 else { return nil }
        return Int(min(max(0, date.subtractingReportingOverflow(now).partialValue), Self.longestWait))
    }
}

extension UnsafeRawBufferPointer {
    /// Without spaces, tabs and line ends around it.
    fileprivate var trimmed: UnsafeRawBufferPointer {
        let isBlank: (UInt8) -> Bool = { " \t\r\n".utf8.contains($0) }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return UnsafeRawBufferPointer(rebasing: self[..<startIndex])
        }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
    }
}
