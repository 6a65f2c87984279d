import Notes
import Text

/// Figures as people say them.
enum Words {
    /// `812 B`, `12.3 MB`: decimal units, three digits at most after rounding.
    static func size(_ bytes: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        guard bytes.magnitude >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes) / 1000
        var unit = 0
        // What would round up to 1000 takes the next unit.
        while value.magnitude >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return decimal(value) + " " + units[unit]
    }

    /// One digit behind the point up to ten, none from 100 on: `4.6`, `46.1`, `461`.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.magnitude >= 1000 || tenths % 10 == 0
            ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths.magnitude % 10)"
    }

    /// A draft's title in a line for people: one of a megabyte is no help to anybody. A note's own is never longer.
    static func title(_ title: String) -> String { title.cut(toColumns: 200, keeping: .ends) }

    /// `1 photo`, `3 photos`.
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `45 seconds`, `4 minutes`, `3 hours`, `2 days`.
    static func duration(seconds: Int64) -> String {
        let seconds = max(0, seconds)
        switch seconds {
        case ..<60: return count(Int(seconds), "second")
        case ..<3570: return count(Int((seconds + 30) / 60), "minute")
        case ..<84_600: return count(Int((seconds + 1800) / 3600), "hour")
        default: return count(Int(min((seconds + 43_200) / 86_400, 1_000_000)), "day")
        }
    }

    /// `in 4 minutes`, `4 minutes ago`, `now`.
    static func relative(_ time: Timestamp, to now: Timestamp) -> String {
        let (difference, overflow) = time.milliseconds.subtractingReportingOverflow(now.milliseconds)
        let seconds = overflow ? 0 : difference / 1000
        if seconds == 0 { return "now" }
        return seconds > 0 ? "in " + duration(seconds: seconds) : duration(seconds: -seconds) + " ago"
    }

    /// `in 4 minutes`, of a time that is still to come: never `now`.
    static func later(_ time: Timestamp, from now: Timestamp) -> String {
        relative(max(time, Timestamp(milliseconds: now.milliseconds + 1000)), to: now)
    }

    /// `0:07`, `12:34`, `1:02:03`: what is left, beside a bar.
    static func clock(seconds: Int64) -> String {
        let seconds = max(0, seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// `a, b and c`.
    static func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " and " + last
    }
}
