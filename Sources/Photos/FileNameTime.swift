import Notes

/// The time that a file's name holds, as phones and their programs write it: `IMG_20240501_101112.jpg`,
/// `PXL_20240501_081112345.jpg`, `Screenshot_2024-05-01-10-11-12.png`, `Screenshot 2024-05-01 at 10.11.12.png`,
/// `2024-05-01 10.11.12.jpg`.
struct FileNameTime {
    let local: LocalTime
    /// Pixel phones name their files by UTC.
    let isUTC: Bool

    /// - Returns: nil where the name holds no date with a time of day between 1990 and 2099.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard let local = bytes.indices.lazy.compactMap({ Self.time(in: bytes, at: $0) }).first else { return nil }
        self.local = local
        isUTC = name.hasPrefix("PXL_")
    }

    private static func time(in name: [UInt8], at start: Int) -> LocalTime? {
        guard DateText.isDigit(name[start]), start == 0 || !DateText.isDigit(name[start - 1]) else { return nil }
        var cursor = start
        func number(_ width: Int) -> Int? {
            guard cursor + width <= name.count, name[cursor..<(cursor + width)].allSatisfy(DateText.isDigit) else {
                return nil
            }
            defer { cursor += width }
            return name[cursor..<(cursor + width)].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        func skip(_ allowed: String) -> UInt8? {
            guard cursor < name.count, allowed.utf8.contains(name[cursor]) else { return nil }
            defer { cursor += 1 }
            return name[cursor]
        }
        guard let year = number(4), (1990...2099).contains(year) else { return nil }
        let mark = skip("-_.")
        guard let month = number(2), skip("-_.") == mark, let day = number(2) else { return nil }
        if name[cursor...].starts(with: " at ".utf8) {
            cursor += 4
        } else if skip("-_ T") == nil, mark != nil {
            return nil  // only digits in a row do without a separator: IMG20240501101112
        }
        guard let hour = number(2) else { return nil }
        let colon = skip("-_.:")
        guard let minute = number(2), skip("-_.:") == colon, let second = number(2) else { return nil }
        // Three digits behind the seconds are milliseconds; with one more it was no time at all.
        var nanosecond = 0
        if cursor < name.count, DateText.isDigit(name[cursor]) {
            guard let thousandths = number(3), cursor == name.count || !DateText.isDigit(name[cursor]) else {
                return nil
            }
            nanosecond = thousandths * 1_000_000
        }
        // A Mac puts a narrow no-break space before these.
        let rest = MetadataText.trim(String(decoding: name[cursor...], as: UTF8.self))
        let isEvening = rest.hasPrefix("PM") && hour < 12
        let isNight = rest.hasPrefix("AM") && hour == 12
        let shift = isEvening ? 12 : isNight ? -12 : 0
        return LocalTime(
            year: year, month: month, day: day, hour: hour + shift, minute: minute, second: second,
            nanosecond: nanosecond)
    }
}
