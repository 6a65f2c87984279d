/// A wall-clock time without a zone, in the Gregorian calendar, to the nanosecond.
public struct LocalTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds from 1970-01-01T00:00:00 to this time, both read off the same clock.
    public let seconds: Int64
    /// 0 to 999,999,999.
    public let nanosecond: Int32

    public init(seconds: Int64, nanosecond: Int32 = 0) {
        self.seconds = seconds
        self.nanosecond = nanosecond
    }

    /// - Returns: nil for what is no date or no time of day: month 13, 30 February, hour 24, second 60.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
    ) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (0...999_999_999).contains(nanosecond)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        self.nanosecond = Int32(nanosecond)
    }

    public var year: Int { date.year }
    /// 1 to 12.
    public var month: Int { date.month }
    /// 1 to 31.
    public var day: Int { date.day }
    /// 0 to 23.
    public var hour: Int { secondOfDay / 3600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }
    /// 0 is Sunday.
    public var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }
    /// Whole days since 1970-01-01: equal for two times of the same day.
    public var dayNumber: Int { Int((seconds - Int64(secondOfDay)) / 86_400) }

    public static func < (a: Self, b: Self) -> Bool {
        a.seconds != b.seconds ? a.seconds < b.seconds : a.nanosecond < b.nanosecond
    }

    /// `2026-05-03T05:48:00`, with the fraction only where there is one (`.178406`).
    public var description: String {
        let (date, second) = (date, secondOfDay)
        var text: [UInt8] = []
        text.reserveCapacity(32)
        func put(_ number: Int, _ width: Int, after mark: Unicode.Scalar? = nil) {
            if let mark { text.append(UInt8(ascii: mark)) }
            text += pad(number, width).utf8
        }
        put(date.year, 4)
        put(date.month, 2, after: "-")
        put(date.day, 2, after: "-")
        put(second / 3600, 2, after: "T")
        put(second / 60 % 60, 2, after: ":")
        put(second % 60, 2, after: ":")
        if nanosecond > 0 {
            put(Int(nanosecond), 9, after: ".")
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private var secondOfDay: Int {
        let rest = seconds % 86_400
        return Int(rest < 0 ? rest + 86_400 : rest)
    }

    private var date: (year: Int, month: Int, day: Int) { Self.date(daysSince1970: dayNumber) }

    // Days and dates by eras of 400 years that begin on 1 March, so that the leap day comes last.

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A number with leading zeros.
func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
