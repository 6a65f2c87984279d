import Notes
import Text

/// A draft as one text file, for `draft edit`.
///
/// Title and text stand on top, then one block for each memo, in order:
///
///     [12] IMG_0412.JPG 09:15
///     The view from the bridge
///
/// A block begins with the memo's number in brackets (`[new]` for one that is to be made), and what follows the bracket
/// on that line is for the reader alone. `#` with a space behind it, or alone on its line, begins a comment, which is
/// no part of anything; `#hashtag` is text. A line of a caption that would be read as either is written with a
/// backslash before it, and so is a line that begins with such backslashes already.
///
/// What is written and read back unchanged gives the very same draft, byte for byte: blank lines around a text, and its
/// kind of line ends, are kept as they were as long as nobody changes that text.
enum DraftFile {
    /// What cannot be understood, and where.
    struct Mistake: Error, Hashable {
        /// From 1.
        let line: Int
        /// Without a full stop.
        let reason: String
    }

    /// The file of a draft.
    static func write(_ draft: Draft) -> String {
        var file = escape(canonical(draft.text)).map { $0 + "\n" }.joined()
        if !file.isEmpty || !draft.memos.isEmpty { file += "\n" }
        let spansDays = Set(draft.memos.compactMap { $0.moment?.local.dayNumber }).count > 1
        for memo in draft.memos {
            file += "[\(memo.number)] \(describe(memo, withDate: spansDays))\n"
            let caption = escape(canonical(memo.text))
            // Memos without a caption stand close, one a line, so that they are dropped and moved by the line.
            if !caption.isEmpty { file += caption.map { $0 + "\n" }.joined() + "\n" }
        }
        if !file.hasSuffix("\n\n") { file += "\n" }
        // A reader takes the first byte order mark of a file for the file's own.
        let mark = file.unicodeScalars.first == "\u{feff}" ? "\u{feff}" : ""
        return mark + file + comments(on: draft)
    }

    /// What the reader is shown behind the number.
    private static func describe(_ memo: Memo, withDate: Bool) -> String {
        var words: [String] = []
        if let first = memo.photos.first {
            words.append(first.name)
            if memo.photos.count > 1 { words.append("and \(memo.photos.count - 1) more") }
        } else {
            words.append("words")
        }
        if let time = memo.moment?.local.description {
            // 2026-05-03T05:48:00
            if withDate { words.append(String(time.prefix(10))) }
            words.append(String(time.dropFirst(11).prefix(5)))
        }
        return words.joined(separator: " ").withoutControls
    }

    private static func comments(on draft: Draft) -> String {
        let number = draft.id == 0 ? "This draft" : "Draft \(draft.id)"
        return """
            # \(number): \(Words.count(draft.memos.count, "memo")), \(Words.count(draft.photos.count, "photo")).
            #
            # On top: the title on the first line, the text below it. Then the memos, in the order of the note.
            #   write below a [number] line    that memo's caption, as many lines as you like
            #   move a block                   the memo moves
            #   delete a block                 the memo is dropped; the photo's own file stays where it is
            #   [new]                          begins a memo of words; write them below
            # What follows the ] of a [number] line is for you to read and is not read back.
            # Lines that begin with "# " are left out. For a caption's own line that begins so, or that looks like a
            # [number] line, put a backslash before it: \\# or \\[
            # Delete everything, or leave the file as it is, and nothing changes.

            """
    }

    // MARK: Lines

    enum Line: Equatable {
        case comment
        /// 0: `[new]`.
        case header(Int64)
        /// Begins as a header does, and is none.
        case malformed(String)
        case text(String)
    }

    /// - Parameter line: Without its line end.
    static func read(_ line: String) -> Line {
        let scalars = Array(line.unicodeScalars)
        switch scalars.first {
        case "#" where isComment(scalars[...]): return .comment
        case "[" where looksLikeHeader(scalars[...]): return header(scalars)
        case "\\" where isEscapable(scalars[...]): return .text(unescaped(line))
        default: return .text(line)
        }
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Without the backslash that makes text of a line.
    static func unescaped(_ line: String) -> String { text(line.unicodeScalars.dropFirst()) }

    static func isComment(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
        guard line.first == "#" else { return false }
        guard let next = line.dropFirst().first else { return true }
        return next == " " || next == "\t"
    }

    /// `[`, perhaps spaces, and a digit, `new` or `]`: someone means a header.
    private static func looksLikeHeader(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
        guard line.first == "[" else { return false }
        let inside = line.dropFirst().drop { $0 == " " }
        guard let first = inside.first else { return false }
        return isDigit(first) || first == "]" || text(inside.prefix(3)).lowercased() == "new"
    }

    private static func header(_ line: [Unicode.Scalar]) -> Line {
        let advice = "if it is text, put a backslash before the ["
        guard let end = line.firstIndex(of: "]") else {
            return .malformed("this [number] has no ] behind it; \(advice)")
        }
        let inside = line[1..<end]
        if let next = line[(end + 1)...].first, next != " " && next != "\t" && next != "\r" {
            return .malformed("a [number] line has a space behind the ]; \(advice)")
        }
        if text(inside) == "new" { return .header(0) }
        if inside.isEmpty || !inside.allSatisfy(isDigit) {
            return .malformed("a memo's line begins with its number in brackets, or with [new]; \(advice)")
        }
        // Out of range is a number that no memo has.
        return .header(Int64(text(inside)).flatMap { $0 > 0 ? $0 : nil } ?? -1)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Backslashes, and then what they make text of.
    private static func isEscapable(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
        let rest = line.drop { $0 == "\\" }
        return isComment(rest) || looksLikeHeader(rest)
    }

    private static func escape(_ lines: [String]) -> [String] {
        lines.map { line in isEscapable(Array(line.unicodeScalars)[...]) ? "\\" + line : line }
    }

    /// The lines of a text as the file has them: without a CR before the line end, and without blank lines around.
    static func canonical(_ text: String) -> [String] {
        trim(split(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) })
    }

    static func trim(_ lines: [String]) -> [String] {
        guard let first = lines.firstIndex(where: { !isBlank($0) }), let last = lines.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(lines[first...last])
    }

    private static func isBlank(_ line: String) -> Bool { line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    /// Split at LF; CRs before it belong to the line end. Every other kind of line end is a part of its line.
    static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
            line.last == 0x0d ? line[..<(line.lastIndex { $0 != 0x0d }.map { $0 + 1 } ?? line.startIndex)] : line
        }
    }
}
