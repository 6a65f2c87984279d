/// A number of bytes as people write it: `200M`, `1.5GB`, `209715200`.
///
/// K, M and G (and KiB, MiB, GiB) are powers of 1024, kB, MB and GB powers of 1000, as in GNU's `split` and `dd`.
struct ByteSize: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    let bytes: Int64

    init(bytes: Int64) { self.bytes = bytes }

    init?(argument text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits), let factor = Self.factor(of: text.dropFirst(digits.count)) else {
            return nil
        }
        let bytes = number * factor
        // 2^53: up to here a Double counts every byte.
        guard bytes >= 1, bytes <= 9_007_199_254_740_992 else { return nil }
        self.bytes = Int64(bytes)
    }

    private static func factor(of unit: Substring) -> Double? {
        switch unit.lowercased() {
        case "", "b": 1
        case "k", "kib": 1024
        case "m", "mib": 1_048_576
        case "g", "gib": 1_073_741_824
        case "kb": 1000
        case "mb": 1_000_000
        case "gb": 1_000_000_000
        default: nil
        }
    }

    /// `200M` where that is exact, else the bytes.
    var description: String {
        for (unit, factor) in [("G", Int64(1_073_741_824)), ("M", 1_048_576), ("K", 1024)]
        where bytes > 0 && bytes % factor == 0 { return "\(bytes / factor)\(unit)" }
        return "\(bytes)"
    }

    static let expectation = "a size of at least a byte, such as 200M or 26214400"
    static let valueName = "SIZE"
}
