/// Names for the world: UUIDs of version 7, which sort by the time they were made (RFC 9562, section 5.7).
public enum UID {
    /// A new one, in lower case.
    public static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: time.milliseconds >> (40 - 8 * $0)) }
        bytes += (0..<10).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0f | 0x70
        bytes[8] = bytes[8] & 0x3f | 0x80
        let hex = Array(MD5.hex(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }

    /// A new one, of the system's randomness.
    public static func make(at time: Timestamp) -> String {
        var generator = SystemRandomNumberGenerator()
        return make(at: time, using: &generator)
    }
}
