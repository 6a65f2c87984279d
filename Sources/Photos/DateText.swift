import Notes

/// Reads dates as EXIF, XMP, PNG and QuickTime have them: year, month, day, hour, minute, mostly second, with whatever
/// stands between them, a fraction, an offset. Nothing is guessed: what is no date is said to be none.
enum DateText {
    case date(Date)
    /// Spaces, zeros and separators only: the camera's clock was not set, or the writer had nothing to say.
    case blank
    /// Month 13, hour 24, second 60, a day without a time, words.
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
        self = Self.parse(text[...]).map(Self.date) ?? .unreadable
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
