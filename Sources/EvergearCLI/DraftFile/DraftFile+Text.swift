extension DraftFile {
    /// A file for one text alone: what `draft add` and `memo edit` open.
    /// - Parameter comments: What stands below it, each a line without its `#`.
    static func write(text: String, comments: [String]) -> String {
        let lines = canonical(text).map { line in isEscapedInText(line) ? "\\" + line : line }
        return (lines + [""] + comments.map { $0.isEmpty ? "#" : "# " + $0 }).map { $0 + "\n" }.joined()
    }

    /// Reads such a file, without its comments and the blank lines around. `[12]` is nothing special in it.
    static func parse(text bytes: [UInt8]) throws(Mistake) -> String {
        var lines: [String] = []
        for (index, bytes) in split(withoutMark(bytes)).enumerated() {
            guard let line = String(validating: bytes, as: UTF8.self) else {
                throw Mistake(line: index + 1, reason: "this is not UTF-8 text; save the file as UTF-8")
            }
            if isComment(Array(line.unicodeScalars)[...]) { continue }
            lines.append(line.hasPrefix("\\") && isEscapedInText(line) ? unescaped(line) : line)
        }
        return trim(lines).joined(separator: "\n")
    }

    /// A comment, or one behind backslashes.
    private static func isEscapedInText(_ line: String) -> Bool {
        isComment(Array(line.unicodeScalars).drop { $0 == "\\" })
    }
}
