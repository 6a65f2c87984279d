import Notes

/// How values are written in ENEX.
enum ENEXText {
    /// Text for an element or attribute: escaped, without the characters that XML forbids.
    static func escape(_ text: String) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars where isAllowed(scalar) {
            switch scalar {
            case "&": escaped += "&amp;".utf8
            case "<": escaped += "&lt;".utf8
            case ">": escaped += "&gt;".utf8
            case "\"": escaped += "&quot;".utf8
            case "\r": escaped += "&#13;".utf8
            default: escaped += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return escaped
    }

    /// A whole ENML document so that it can stand in one CDATA section, which importers want undivided: with no `]]>` in
    /// it. CDATA sections of its own become escaped text; elsewhere (in a quoted value, a comment) the `>` is escaped. Line
    /// ends become what every XML parser makes of them, since not all importers use one.
    static func content(_ enml: String) -> [UInt8] {
        let bytes = Array(enml.utf8)
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count)
        // Importers want the XML declaration first: no mark, no space before it.
        var place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0d).contains(bytes[place]) { place += 1 }
        var isCharacters = false
        var comment: StaticString?
        while place < bytes.count {
            let byte = bytes[place]
            func isNext(_ text: StaticString) -> Bool {
                place + text.utf8CodeUnitCount <= bytes.count
                    && text.withUTF8Buffer { $0.elementsEqual(bytes[place..<(place + $0.count)]) }
            }
            if byte == UInt8(ascii: "]"), isNext("]]>") {
                if isCharacters { isCharacters = false } else { written += "]]&gt;".utf8 }
                place += 3
                continue
            }
            if let end = comment, isNext(end) { comment = nil }
            switch byte {
            case UInt8(ascii: "<") where isCharacters: written += "&lt;".utf8
            case UInt8(ascii: ">") where isCharacters: written += "&gt;".utf8
            case UInt8(ascii: "&") where isCharacters: written += "&amp;".utf8
            case UInt8(ascii: "<") where comment == nil:
                if isNext("<![CDATA[") {
                    isCharacters = true
                    place += 9
                    continue
                }
                if isNext("<!--") { comment = "-->" } else if isNext("<?") { comment = "?>" }
                written.append(byte)
            case 0x0d: if place + 1 == bytes.count || bytes[place + 1] != 0x0a { written.append(0x0a) }
            case 0..<0x20 where byte != 0x09 && byte != 0x0a: break
            case 0xef where isNext("\u{fffe}") || isNext("\u{ffff}"): place += 2
            default: written.append(byte)
            }
            place += 1
        }
        return written
    }

    /// `20260503T054800Z`: UTC, whole seconds. nil before the year 1 and after 9999.
    static func date(_ time: Timestamp) -> String? {
        guard (-62_135_596_800_000...253_402_300_799_999).contains(time.milliseconds) else { return nil }
        let clock = time.moment(offset: 0).local
        func pad(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return pad(clock.year, 4) + pad(clock.month) + pad(clock.day) + "T" + pad(clock.hour) + pad(clock.minute)
            + pad(clock.second) + "Z"
    }

    /// The instant of `20260503T054800Z`; nil for anything else.
    static func time(_ text: String) -> Timestamp? {
        let digits = Array(text.utf8)
        guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for digit in digits[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                value = value * 10 + Int(digit - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15),
            let local = LocalTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        return Timestamp(milliseconds: local.seconds * 1000)
    }

    /// A plain decimal, never with an exponent; the shortest that reads back the same, where it is of a usual size.
    static func decimal(_ number: Double) -> String? {
        guard number.isFinite, number.magnitude < 1e15 else { return nil }
        let shortest = String(number)
        if !shortest.contains("e") { return shortest }
        // `-4.7e-05`: the point goes five places to the left.
        let parts = shortest.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return nil }
        let digits = parts[0].filter { $0 != "-" && $0 != "." }
        return (number < 0 ? "-0." : "0.") + String(repeating: "0", count: -exponent - 1) + digits
    }

    /// Whether XML 1.0 allows a character.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d: true
        case 0..<0x20, 0xfffe, 0xffff: false
        default: true
        }
    }
}
