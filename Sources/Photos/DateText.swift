import Notes

/// Reads dates as EXIF, XMP, PNG and QuickTime have them: year, month, day, hour, minute, mostly second, with whatever
/// stands between them, a fraction, an offset. Nothing is guessed: what is no date is said to be none.
enum DateText {
    case date(Date)
    /// A day, a month or a year alone.
    case partial(PartialDate)
    /// Spaces, zeros and separators only: the camera's clock was not set, or the writer had nothing to say.
    case blank
    /// Month 13, hour 24, second 60, words.
    case unreadable

    struct Date {
        /// To the second.
        var local: LocalTime
        /// The digits of the fraction, as written.
        var fraction: String?
        /// Seconds east of UTC, where the text itself ends in one.
        var offset: Int?
        /// True for the form that EXIF asks for, `2026:05:03 05:48:00`.
        var isStandard: Bool
    }

    init(_ text: String) {
        let text = Array(MetadataText.trim(text).utf8)
        guard text.contains(where: { $0 > UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            // Letters between zeros are words, but for those of ISO 8601.
            self = text.allSatisfy { " 0:-/.TZ+".utf8.contains($0) } ? .blank : .unreadable
            return
        }
        let read = Self.parse(text[...]) ?? InternetDate.parse(text)
        self = read.map(Self.date) ?? Self.partial(text[...]).map(Self.partial) ?? .unreadable
    }

    /// EXIF fills what is not known with spaces, between the colons that are always there.
    private static func partial(_ text: ArraySlice<UInt8>) -> PartialDate? {
        guard text.count <= 32, let end = text.lastIndex(where: { !" :".utf8.contains($0) }) else { return nil }
        var rest = text[...end]
        guard let year = number(&rest, 4) else { return nil }
        if rest.isEmpty { return PartialDate(year: year) }
        guard let first = separator(&rest, ":-/."), let month = number(&rest, 2) else { return nil }
        // IPTC has zeros for what is not known.
        if rest.isEmpty { return PartialDate(year: year, month: month == 0 ? nil : month) }
        guard separator(&rest, ":-/.") == first, let day = number(&rest, 2), rest.isEmpty else { return nil }
        return PartialDate(year: year, month: month == 0 ? nil : month, day: day == 0 ? nil : day)
    }

    private static func parse(_ text: ArraySlice<UInt8>) -> Date? {
        guard text.count <= 64 else { return nil }
        var rest = text
        guard let year = number(&rest, 4), let first = separator(&rest, ":-/."), let month = number(&rest, 2),
            separator(&rest, ":-/.") == first, let day = number(&rest, 2), let middle = separator(&rest, " T")
        else { return nil }
        while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        guard let hour = number(&rest, 2), let colon = separator(&rest, ":."), let minute = number(&rest, 2) else {
            return nil
        }
        var second = 0
        var hasSecond = false
        if separator(&rest, String(UnicodeScalar(colon))) != nil {
            guard let read = number(&rest, 2) else { return nil }
            (second, hasSecond) = (read, true)
        }
        var fraction: String?
        if hasSecond, separator(&rest, ".,") != nil {
            let digits = rest.prefix { isDigit($0) }
            guard !digits.isEmpty else { return nil }
            fraction = String(decoding: digits, as: UTF8.self)
            rest = rest.dropFirst(digits.count)
        }
        let hasOffset = !rest.isEmpty
        let offset = hasOffset ? OffsetText.read(String(decoding: rest, as: UTF8.self)) : nil
        guard hasOffset == (offset != nil),
            let local = LocalTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        let isStandard =
            first == UInt8(ascii: ":") && middle == UInt8(ascii: " ") && colon == first && hasSecond && text.count == 19
        return Date(local: local, fraction: fraction, offset: offset, isStandard: isStandard)
    }

    /// Exactly `width` digits, or for two also one that is padded with a space.
    private static func number(_ rest: inout ArraySlice<UInt8>, _ width: Int) -> Int? {
        if width == 2, rest.first == UInt8(ascii: " ") {
            var padded = rest.dropFirst()
            guard let digit = number(&padded, 1) else { return nil }
            rest = padded
            return digit
        }
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(width)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func separator(_ rest: inout ArraySlice<UInt8>, _ allowed: String) -> UInt8? {
        guard let first = rest.first, allowed.utf8.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Reads an offset from UTC as EXIF 2.31 and ISO 8601 write it.
enum OffsetText {
    /// - Returns: Seconds east of UTC; nil for a blank one, which means unknown, and for what no clock on earth shows.
    static func read(_ text: String) -> Int? {
        var rest = Array(MetadataText.trim(text).utf8)[...]
        if rest == [UInt8(ascii: "Z")] || rest == [UInt8(ascii: "z")] { return 0 }
        guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let digits = rest.filter(DateText.isDigit)
        let others = rest.filter { !DateText.isDigit($0) }
        guard digits.count == 4 || (digits.count == 2 && others.isEmpty),
            others.isEmpty || (others == [UInt8(ascii: ":")] && rest.dropFirst(2).first == UInt8(ascii: ":"))
        else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let minutes = digits.count == 4 ? number / 100 * 60 + number % 100 : number * 60
        guard digits.count == 2 || number % 100 < 60, minutes <= 15 * 60 else { return nil }
        return (sign == UInt8(ascii: "-") ? -minutes : minutes) * 60
    }
}

/// Reads dates as PNG's text asks for them, in the form of RFC 1123: `Tue, 16 Jan 2024 21:15:29 +0100`.
private enum InternetDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The names of RFC 822, in hours.
    private static let zones = [
        "gmt": 0, "ut": 0, "utc": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
        "pdt": -7,
    ]

    static func parse(_ text: [UInt8]) -> DateText.Date? {
        guard text.count <= 64 else { return nil }
        var words = String(decoding: text, as: UTF8.self).lowercased().split { $0 == " " || $0 == "," }.map(String.init)
        if words.first.flatMap({ Int($0) }) == nil { words = Array(words.dropFirst()) }  // the weekday
        guard words.count == 4 || words.count == 5, let day = Int(words[0]),
            let month = months.firstIndex(of: String(words[1].prefix(3))), let year = Int(words[2]), year > 99
        else { return nil }
        let time = words[3].split(separator: ":").compactMap { Int($0) }
        guard time.count == 2 || time.count == 3,
            let local = LocalTime(
                year: year, month: month + 1, day: day, hour: time[0], minute: time[1],
                second: time.count == 3 ? time[2] : 0)
        else { return nil }
        let zone = words.count == 5 ? words[4] : nil
        let offset = zone.flatMap { zones[$0].map { $0 * 3600 } ?? OffsetText.read($0) }
        guard (zone == nil) == (offset == nil) else { return nil }
        return DateText.Date(local: local, fraction: nil, offset: offset, isStandard: false)
    }
}
