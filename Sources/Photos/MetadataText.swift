/// Text from metadata, where one byte string is UTF-8, the next Latin-1, padded or followed by rubbish.
enum MetadataText {
    /// Up to the first NUL, as UTF-8 where it is that, else as Latin-1; spaces around it are dropped.
    static func decode(_ bytes: some Sequence<UInt8>) -> String {
        let used = Array(bytes.prefix { $0 != 0 })
        let text =
            String(validating: used, as: UTF8.self) ?? String(String.UnicodeScalarView(used.map(Unicode.Scalar.init)))
        return trim(text)
    }

    /// As `decode`; nil where nothing is left.
    static func line(_ bytes: [UInt8]) -> String? {
        let text = decode(bytes)
        return text.isEmpty ? nil : text
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
}
