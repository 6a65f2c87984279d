/// IPTC-IIM (version 4.2), the older home of captions and keywords.
enum IPTCReader {
    /// The record inside Photoshop's image resources: the one numbered 0x0404.
    static func record(inPhotoshop resources: Region) -> Region? {
        var offset = 0
        for _ in 0..<512 {
            guard resources.has("8BIM", at: offset), let kind = resources.uint16(offset + 4),
                let nameLength = resources.byte(offset + 6)
            else { return nil }
            let sizeAt = offset + 6 + (Int(nameLength) + 2) / 2 * 2
            guard let size = resources.uint32(sizeAt) else { return nil }
            if kind == 0x0404 { return resources.part(sizeAt + 4, size) }
            offset = sizeAt + 4 + size + (size & 1)
        }
        return nil
    }

    /// What people wrote into a record.
    struct Words {
        /// 2:120
        var caption: String?
        /// 2:25
        var keywords: [String] = []
        /// When the picture was made: 2:55, and 2:60 where there is a time of day.
        var created: StoredDate?
    }

    static func words(_ record: Region) -> Words {
        var words = Words()
        var texts: [UInt8: String] = [:]
        var offset = 0
        while record.byte(offset) == 0x1c, words.keywords.count < 256 {
            guard let number = record.byte(offset + 1), let set = record.byte(offset + 2),
                let size = record.uint16(offset + 3), size < 0x8000
            else { break }
            let isWord = set == 25 || set == 120
            if number == 2, isWord || set == 55 || set == 60,
                let text = record.part(offset + 5, size)?.bytes(limit: isWord ? 16_384 : 64).flatMap(MetadataText.line)
            {
                if set == 25 { words.keywords.append(text) } else { texts[set] = texts[set] ?? text }
            }
            offset += 5 + size
        }
        words.caption = texts[120]
        words.created = texts[55].map { StoredDate(source: "IPTC DateCreated", text: date($0, texts[60])) }
        return words
    }

    /// `CCYYMMDD` and `HHMMSS±HHMM` as one text that dates are read from; a time in any other form is none.
    private static func date(_ date: String, _ time: String?) -> String {
        func pairs(_ digits: some Collection<UInt8>) -> [String]? {
            guard digits.allSatisfy(DateText.isDigit) else { return nil }
            let text = String(decoding: digits, as: UTF8.self)
            return stride(from: 0, to: text.count, by: 2).map { String(text.dropFirst($0).prefix(2)) }
        }
        guard date.utf8.count == 8, let day = pairs(date.utf8) else { return date }
        let text = "\(day[0])\(day[1])-\(day[2])-\(day[3])"
        guard let time, time.utf8.count == 6 || time.utf8.count == 11, let clock = pairs(time.utf8.prefix(6)) else {
            return text
        }
        return text + "T" + clock.joined(separator: ":") + String(decoding: time.utf8.dropFirst(6), as: UTF8.self)
    }
}
