/// An MD5 digest: the name that Evernote gives to the bytes of a resource, and this program to those of a photo.
///
/// It is a name and no proof: who needs to know that two files are equal compares their bytes.
public struct MD5: Hashable, Sendable, CustomStringConvertible {
    /// The digest, always 16 bytes.
    public let bytes: [UInt8]

    /// - Returns: nil unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// - Parameter hex: 32 hexadecimal digits of either case.
    public init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 32 digits in lower case, the form that ENML and its importers want.
    public var hex: String { Self.hex(bytes) }

    public var description: String { hex }

    /// Bytes as hexadecimal digits in lower case.
    public static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
