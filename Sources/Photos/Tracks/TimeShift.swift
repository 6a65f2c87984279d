public import Notes

/// How much is added to what a camera's clock showed: `+01:00`, `-00:03:20`, `+210384:00` for a clock that began at 2000.
public struct TimeShift: Hashable, Sendable, CustomStringConvertible {
    public let seconds: Int64

    public init(seconds: Int64) { self.seconds = seconds }

    /// Reads `±HH:MM[:SS]`; hours may have up to six digits.
    /// - Returns: nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let parts = bytes.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, (1...6).contains(parts[0].count),
            parts.dropFirst().allSatisfy({ $0.count == 2 }), parts.joined().allSatisfy(DateText.isDigit)
        else { return nil }
        let numbers = parts.map { $0.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let total = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        seconds = sign == UInt8(ascii: "-") ? -total : total
    }

    /// - Returns: nil for what is no date in the years 1 to 9999.
    public func applied(to local: LocalTime) -> LocalTime? {
        let (moved, overflow) = local.seconds.addingReportingOverflow(seconds)
        guard !overflow, (-62_135_596_800...253_402_300_799).contains(moved) else { return nil }
        return LocalTime(seconds: moved, nanosecond: local.nanosecond)
    }

    /// How long it is, without its direction: `4 days 3 hours`.
    public var length: String { Self.words(seconds.magnitude) }

    /// - Parameter most: How many of the units are said, from the largest on.
    static func words(_ seconds: UInt64, most: Int = 4) -> String {
        let parts: [(UInt64, String)] = [
            (seconds / 86_400, "day"), (seconds / 3600 % 24, "hour"), (seconds / 60 % 60, "minute"),
            (seconds % 60, "second"),
        ]
        let said = parts.drop { $0.0 == 0 }.prefix(most).filter { $0.0 > 0 }.map { number, unit in
            "\(number) \(unit)\(number == 1 ? "" : "s")"
        }
        return said.joined(separator: " ")
    }

    /// As `init` reads it, with seconds only where there are some.
    public var description: String {
        let total = seconds.magnitude
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = total % 60 == 0 ? "" : ":" + two(total % 60)
        return (seconds < 0 ? "-" : "+") + two(total / 3600) + ":" + two(total / 60 % 60) + rest
    }
}
