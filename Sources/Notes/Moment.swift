/// When something happened: the time that a clock on the spot showed, and how far that clock was from UTC.
public struct Moment: Hashable, Sendable, CustomStringConvertible {
    public var local: LocalTime
    /// Seconds east of UTC; nil where nobody said.
    public var offset: Int?
    /// True where the offset was not recorded with the time but taken from the machine's zone. It then serves to
    /// order and to compute instants, and is never shown as a fact.
    public var isOffsetAssumed: Bool

    public init(_ local: LocalTime, offset: Int? = nil, isOffsetAssumed: Bool = false) {
        self.local = local
        self.offset = offset
        self.isOffsetAssumed = offset != nil && isOffsetAssumed
    }

    /// The offset as a fact, in seconds: nil where there is none or it was only assumed.
    public var knownOffset: Int? { isOffsetAssumed ? nil : offset }

    /// The instant; a moment without any offset counts as UTC.
    public var timestamp: Timestamp {
        Timestamp(
            milliseconds: (local.seconds - Int64(offset ?? 0)) * 1000 + Int64(local.nanosecond) / 1_000_000)
    }

    /// Orders by instant, to the nanosecond.
    public static func isEarlier(_ a: Moment, than b: Moment) -> Bool {
        let (first, second) = (a.local.seconds - Int64(a.offset ?? 0), b.local.seconds - Int64(b.offset ?? 0))
        return first != second ? first < second : a.local.nanosecond < b.local.nanosecond
    }

    /// ISO 8601 with the offset where there is one: `2026-05-03T05:48:00+09:00`.
    public var description: String { local.description + (offset.map(Self.describe(offset:)) ?? "") }

    /// `+09:00`, `-03:30`, `+00:00`.
    public static func describe(offset: Int) -> String {
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(pad(minutes / 60, 2)):\(pad(minutes % 60, 2))"
    }

    /// Reads ISO 8601: `2024-05-01`, `2024-05-01T10:11`, with seconds, a fraction (up to nine digits) and an offset
    /// (`Z`, `+09:00`, `+0900`, `+09`) or without; a space may stand for the T.
    ///
    /// - Returns: nil for anything else, and for a date or time of day that does not exist.
    public init?(iso8601 text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ digits: ClosedRange<Int>) -> Int? {
            let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(digits.upperBound)
            guard digits.contains(run.count) else { return nil }
            rest = rest.dropFirst(run.count)
            return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4...4), take("-"), let month = number(2...2), take("-"), let day = number(2...2) else {
            return nil
        }
        var (hour, minute, second, nanosecond) = (0, 0, 0, 0)
        var offset: Int?
        if take("T ") {
            guard let h = number(2...2), take(":"), let m = number(2...2) else { return nil }
            (hour, minute) = (h, m)
            if take(":") {
                guard let s = number(2...2) else { return nil }
                second = s
                if take(".,") {
                    let before = rest.count
                    guard let fraction = number(1...9) else { return nil }
                    nanosecond = (0..<(9 - (before - rest.count))).reduce(fraction) { value, _ in value * 10 }
                }
            }
            if take("Zz") {
                offset = 0
            } else if let sign = rest.first, take("+-") {
                guard let h = number(2...2) else { return nil }
                let hasColon = take(":")
                let m = rest.isEmpty && !hasColon ? 0 : number(2...2)
                guard let m, h <= 15, m <= 59 else { return nil }
                offset = (h * 3600 + m * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
            }
        }
        guard rest.isEmpty,
            let local = LocalTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        else { return nil }
        self.init(local, offset: offset)
    }
}

/// An instant, in milliseconds since 1970-01-01T00:00:00Z: Evernote's unit.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// The wall clock that is `offset` seconds east of UTC.
    public func moment(offset: Int, isAssumed: Bool = false) -> Moment {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (whole, left) = rest < 0 ? (seconds - 1, rest + 1000) : (seconds, rest)
        return Moment(
            LocalTime(seconds: whole + Int64(offset), nanosecond: Int32(left) * 1_000_000), offset: offset,
            isOffsetAssumed: isAssumed)
    }

    /// `2026-05-03T05:48:00Z`, with milliseconds only where there are some.
    public var iso8601: String { moment(offset: 0).local.description + "Z" }
}
