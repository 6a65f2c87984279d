public import System

/// The order that people expect of file names: `IMG_9` before `IMG_10`, `a` beside `A`.
///
/// Runs of digits count by their value, of any length; ASCII letters without regard to case; names that are the same so
/// far in the order of their bytes. Any two different names have an order.
public enum NaturalOrder {
    public static func isBefore(_ a: String, _ b: String) -> Bool { compare(Array(a.utf8), Array(b.utf8)) < 0 }

    public static func isBefore(_ a: FilePath, _ b: FilePath) -> Bool { compare(a.bytes, b.bytes) < 0 }

    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if isDigit(a[i]), isDigit(b[j]) {
                let order = compareNumbers(a, &i, b, &j)
                if order != 0 { return order }
            } else {
                let (left, right) = (folded(a[i]), folded(b[j]))
                if left != right { return left < right ? -1 : 1 }
                i += 1
                j += 1
            }
        }
        if i < a.count || j < b.count { return i < a.count ? 1 : -1 }
        return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }

    /// Compares two runs of digits by value and moves behind them.
    private static func compareNumbers(_ a: [UInt8], _ i: inout Int, _ b: [UInt8], _ j: inout Int) -> Int {
        let left = digits(a, &i)
        let right = digits(b, &j)
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// The digits from `i` on, without zeros in front.
    private static func digits(_ bytes: [UInt8], _ i: inout Int) -> ArraySlice<UInt8> {
        while i < bytes.count, bytes[i] == UInt8(ascii: "0") { i += 1 }
        let start = i
        while i < bytes.count, isDigit(bytes[i]) { i += 1 }
        return bytes[start..<i]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
