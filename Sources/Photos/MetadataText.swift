/// Text from metadata, where one byte string is UTF-8, the next Windows-1252, padded or followed by rubbish.
enum MetadataText {
    /// Up to the first NUL, as UTF-8 where it is that, else as Windows-1252; spaces around it are dropped.
    static func decode(_ bytes: some Sequence<UInt8>) -> String {
        let used = Array(bytes.prefix { $0 != 0 })
        let text =
            String(validating: used, as: UTF8.self) ?? String(String.UnicodeScalarView(used.map(windows1252)))
        return trim(text)
    }

    /// As `decode`; nil where nothing is left.
    static func line(_ bytes: [UInt8]) -> String? {
        let text = decode(bytes)
        return text.isEmpty ? nil : text
    }

    /// UTF-16 up to the first NUL; nil where nothing is left. Without a mark in front the order is the one whose high
    /// bytes are more alike, since there are writers who keep to none.
    /// - Parameter isBig: The order that counts where either would do.
    static func utf16(_ bytes: [UInt8], isBig: Bool) -> String? {
        func units(_ isBig: Bool) -> [UInt16] {
            stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
        }
        func highs(_ units: [UInt16]) -> (kinds: Int, zeros: Int) {
            (Set(units.map { $0 >> 8 }).count, units.count { $0 < 0x100 })
        }
        var (text, other) = (units(isBig), units(!isBig))
        if other.first == 0xfeff {
            swap(&text, &other)
        } else if text.first != 0xfeff {
            let (own, turned) = (highs(text), highs(other))
            if (turned.kinds, own.zeros) < (own.kinds, turned.zeros) { swap(&text, &other) }
        }
        let trimmed = trim(String(decoding: text.prefix { $0 != 0 }.drop { $0 == 0xfeff }, as: UTF16.self))
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Without white space at both ends.
    static func trim(_ text: String) -> String {
        // Nearly all text of metadata begins and ends with a plain letter or digit.
        if let first = text.utf8.first, let last = text.utf8.last, (0x21...0x7e).contains(first),
            (0x21...0x7e).contains(last)
        {
            return text
        }
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// The one byte that stands for a character in Western Europe's Windows, and so in most metadata that is no UTF-8.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9f).contains(byte) ? high[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// 0x80 to 0x9f (Unicode's CP1252.TXT), where ISO 8859-1 has control characters; five of them are not defined.
    private static let high = Array(
        "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ".unicodeScalars)
}
