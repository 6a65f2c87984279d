import Text

/// Names of files that the program makes up: of ENEX files, and of the resources in a note (`<file-name>`).
public enum FileNames {
    /// Bytes of UTF-8, at most.
    public static let longest = 200

    /// A name within the rule: NFC; no slash of either kind, no NUL, no controls, no marks that change the direction of
    /// writing; no `.` or `-` and no space at the beginning, no space at the end; at most 200 bytes, cut between two
    /// characters.
    ///
    /// - Parameters:
    ///   - name: Without its extension.
    ///   - fileExtension: With or without a dot; the name keeps it whatever happens. Empty: none.
    ///   - fallback: The name where nothing is left.
    public static func fit(_ name: String, fileExtension: String = "", fallback: String = "photo") -> String {
        let ending = ending(fileExtension)
        var stem = clean(name)
        if stem.isEmpty { stem = clean(fallback) }
        if stem.isEmpty { stem = "photo" }
        return cut(stem, to: longest - ending.utf8.count) + ending
    }

    /// The name of a photo without its extension: `IMG_0412` of `IMG_0412.JPG`.
    public static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        let ending = name[name.index(after: dot)...]
        let isExtension =
            (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isExtension ? String(name[..<dot]) : name
    }

    /// Names that differ from each other also where a file system takes upper and lower case for the same.
    public struct Unique: Sendable {
        private var taken: Set<String> = []
        /// The number to try next, by name.
        private var next: [String: Int] = [:]

        public init() {}

        /// A name within the rule that was not given before: `IMG_0412.jpg`, then `IMG_0412 2.jpg`.
        public mutating func name(
            _ name: String, fileExtension: String = "", fallback: String = "photo"
        ) -> String {
            let first = FileNames.fit(name, fileExtension: fileExtension, fallback: fallback)
            if taken.insert(Self.folded(first)).inserted { return first }
            let ending = FileNames.ending(fileExtension)
            let stem = String(first.dropLast(ending.count))
            var number = next[Self.folded(first), default: 2]
            while true {
                let mark = " \(number)"
                let candidate =
                    FileNames.cut(stem, to: longest - ending.utf8.count - mark.utf8.count) + mark + ending
                number += 1
                if taken.insert(Self.folded(candidate)).inserted {
                    next[Self.folded(first)] = number
                    return candidate
                }
            }
        }

        private static func folded(_ name: String) -> String { name.lowercased() }
    }

    /// The extension with its dot, made of letters and digits only, at most 16.
    fileprivate static func ending(_ fileExtension: String) -> String {
        let kept = fileExtension.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16)
        return kept.isEmpty ? "" : "." + kept
    }

    private static func clean(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "/", "\\": kept.append("_")
            case "\t", "\n", "\r", "\u{2028}", "\u{2029}": kept.append(" ")
            default:
                if !scalar.isControlOrBidirectional && scalar.value & 0xfffe != 0xfffe { kept.append(scalar) }
            }
        }
        let text = String(kept).nfc.unicodeScalars.drop { ".- \u{a0}\u{3000}".unicodeScalars.contains($0) }
        return NameRule.trim(String(text))
    }

    /// Whole characters up to a number of bytes, without spaces at the end.
    fileprivate static func cut(_ text: String, to limit: Int) -> String {
        var kept = ""
        var left = limit
        for character in text {
            left -= character.utf8.count
            if left < 0 { break }
            kept.append(character)
        }
        if kept.isEmpty, !text.isEmpty {  // one character of many marks
            left = limit
            for scalar in text.unicodeScalars {
                left -= UTF8.width(scalar)
                if left < 0 { break }
                kept.unicodeScalars.append(scalar)
            }
        }
        return NameRule.trim(kept)
    }
}
