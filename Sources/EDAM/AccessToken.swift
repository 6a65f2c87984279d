public import Notes

/// What lets a program into an account. It never prints itself: only who asks for `secret` gets to see it.
public struct AccessToken: Hashable, Sendable {
    /// The token, to be kept or sent.
    public let secret: String

    /// - Parameter text: Space and line ends around it are left out.
    /// - Returns: nil for what can be no token: nothing, or with a space, a control or a letter that is not ASCII in it.
    public init?(_ text: String) {
        let trimmed = text.utf8.drop { Self.isSpace($0) }.reversed().drop { Self.isSpace($0) }.reversed()
        guard !trimmed.isEmpty, trimmed.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        secret = String(decoding: Array(trimmed), as: UTF8.self)
    }

    /// The part of the service that keeps the account: `s1`. nil where the token is not of the classic form
    /// (`S=s1:U=…:E=…:C=…:P=…:A=…:V=2:H=…`).
    public var shard: String? { part("S") }

    /// When it ends. nil where the token is not of the classic form, which has it in milliseconds as a hexadecimal number.
    public var expires: Timestamp? {
        part("E").flatMap { Int64($0, radix: 16) }.flatMap { $0 >= 0 ? Timestamp(milliseconds: $0) : nil }
    }

    private func part(_ name: String) -> String? {
        secret.split(separator: ":").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "…" }
    public var debugDescription: String { "…" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
