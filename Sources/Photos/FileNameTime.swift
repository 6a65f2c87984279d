import Notes

/// The time that a file's name holds, as phones and their programs write it: `IMG_20240501_101112.jpg`,
/// `PXL_20240501_081112345.jpg`, `Screenshot_2024-05-01-10-11-12.png`, `Screenshot 2024-05-01 at 1.11.12 PM.png`,
/// `Bildschirmfoto 2024-05-01 um 10.11.12.png`, `2024-05-01 10.11.12.jpg`, `2024-05-01_10-11-12_UTC.jpg`.
struct FileNameTime {
    let local: LocalTime
    /// Pixel phones name their files by UTC; other names may say it.
    let isUTC: Bool

    /// - Returns: nil where the name holds no date with a time of day between 1990 and 2099.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        let found = bytes.indices.lazy.compactMap { start in
            var text = NameScanner(bytes, at: start)
            return text.time()
        }
        guard let (local, isUTC) = found.first else { return nil }
        self.local = local
        self.isUTC = isUTC || name.hasPrefix("PXL_")
    }

    /// The day that a name without a time of day holds: `IMG-20240501-WA0001.jpg` of WhatsApp, `2024-05-01 Harbour.jpg`.
    static func day(_ name: String) -> PartialDate? {
        let bytes = Array(name.utf8)
        return bytes.indices.lazy.compactMap { start in
            var text = NameScanner(bytes, at: start)
            return text.day()
        }.first
    }
}

/// Reads on from one place in a file's name.
private struct NameScanner {
    private let name: [UInt8]
    private let start: Int
    private var cursor: Int

    init(_ name: [UInt8], at start: Int) {
        self.name = name
        self.start = start
        cursor = start
    }

    private var rest: ArraySlice<UInt8> { name[cursor...] }

    private mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy(DateText.isDigit) else { return nil }
        cursor += width
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ allowed: String) -> UInt8? {
        guard let next = rest.first, allowed.utf8.contains(next) else { return nil }
        cursor += 1
        return next
    }

    /// A date: digits in a row, or with one mark between them. It does not begin in the middle of a number.
    private mutating func date(_ years: ClosedRange<Int>) -> (year: Int, month: Int, day: Int, mark: UInt8?)? {
        guard DateText.isDigit(name[start]), start == 0 || !DateText.isDigit(name[start - 1]),
            let year = number(4), years.contains(year)
        else { return nil }
        let mark = skip("-_.")
        guard let month = number(2), skip("-_.") == mark, let day = number(2) else { return nil }
        return (year, month, day, mark)
    }

    mutating func day() -> PartialDate? {
        guard let date = date(1900...2099) else { return nil }
        if date.mark == nil {
            guard rest.starts(with: "-WA".utf8), rest.dropFirst(3).first.map(DateText.isDigit) == true else {
                return nil
            }
        } else {
            guard date.mark == UInt8(ascii: "-"), rest.first.map(DateText.isDigit) != true else { return nil }
        }
        return PartialDate(year: date.year, month: date.month, day: date.day)
    }

    mutating func time() -> (LocalTime, isUTC: Bool)? {
        guard let date = date(1990...2099) else { return nil }
        let between = rest.prefix { !DateText.isDigit($0) }
        let isPlain = between.count == 1 && between.allSatisfy("-_ T".utf8.contains)
        let areWords = !isPlain && !between.isEmpty
        if areWords, between.count > Self.longestWords || !between.allSatisfy(Self.isOfWords) { return nil }
        if between.isEmpty, date.mark != nil { return nil }  // only digits in a row do without: IMG20240501101112
        cursor += between.count

        let digits = rest.prefix(while: DateText.isDigit).count
        guard let hour = number(digits == 1 && !between.isEmpty ? 1 : 2) else { return nil }
        let mark = skip("-_.:")
        if mark == nil, areWords || digits == 1 { return nil }
        guard let minute = number(2), skip("-_.:") == mark, let second = number(2) else { return nil }
        // Three digits behind the seconds are milliseconds; with one more it was no time at all.
        var nanosecond = 0
        if rest.first.map(DateText.isDigit) == true {
            guard let thousandths = number(3), rest.first.map(DateText.isDigit) != true else { return nil }
            nanosecond = thousandths * 1_000_000
        }
        let half = Self.half(before: between) ?? halfBehind()
        let shift = half == .evening && hour < 12 ? 12 : half == .morning && hour == 12 ? -12 : 0
        let time = LocalTime(
            year: date.year, month: date.month, day: date.day, hour: hour + shift, minute: minute, second: second,
            nanosecond: nanosecond)
        return time.map { ($0, isUTC()) }
    }

    /// Bytes of `at`, `um`, `alle ore`, `上午` and the like, with the spaces around them.
    private static let longestWords = 24

    private static func isOfWords(_ byte: UInt8) -> Bool {
        byte >= 0x80 || isLetter(byte) || " -.,'".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    // MARK: Clocks of twelve hours

    private enum Half { case morning, evening }

    /// Chinese, Japanese and Korean say it before the hour.
    private static func half(before words: ArraySlice<UInt8>) -> Half? {
        if words.allSatisfy({ $0 < 0x80 }) { return nil }
        let words = String(decoding: words, as: UTF8.self)
        if ["下午", "午後", "오후"].contains(where: words.contains) { return .evening }
        return ["上午", "午前", "오전"].contains(where: words.contains) ? .morning : nil
    }

    /// `PM`, `p. m.`, with a space before it or none; a Mac's is narrow and does not break. `am Strand` is no time.
    private func halfBehind() -> Half? {
        let text = String(decoding: rest.prefix(32), as: UTF8.self)
        var letters = MetadataText.trim(text).lowercased()[...]
        guard let first = letters.popFirst(), first == "a" || first == "p" else { return nil }
        if letters.first == "." { letters = letters.dropFirst() }
        letters = letters.drop { $0.isWhitespace }
        guard letters.popFirst() == "m" else { return nil }
        let next = letters.drop { $0.isWhitespace }.first
        return next?.isLetter == true ? nil : first == "a" ? .morning : .evening
    }

    /// `_UTC`, or ISO 8601's `Z`.
    private func isUTC() -> Bool {
        let word =
            rest.first == UInt8(ascii: "Z")
            ? rest.dropFirst() : rest.dropFirst().starts(with: "UTC".utf8) ? rest.dropFirst(4) : nil
        guard let word, rest.first.map("Z_- ".utf8.contains) == true else { return false }
        return word.first.map { Self.isLetter($0) || DateText.isDigit($0) } != true
    }
}
