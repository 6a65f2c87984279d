/// A text cut into what a note is made of: lines, links, lists and to-dos.
///
/// - Every line is a line and every blank one a blank, as many as were typed; blank ones at both ends go. Each line end
///   of Unicode counts, as in the title: word processors write U+000B within a paragraph.
/// - Leading spaces and all but the last of a run become U+00A0, a tab four of them. The wide space U+3000 stays.
/// - `http://` and `https://` become links over the ASCII characters that a URL may have, so 。 ends one.
/// - Two lines or more that begin `- `, `* ` or `• ` are a list, and so are two or more that count up from `1. ` or
///   `1) `. `[ ] ` and `[x] ` begin a to-do. Nothing else is read as markup.
struct TextLines: Equatable {
    enum Block: Equatable {
        case line([Span])
        case blank
        case list(Kind, [[Span]])
        case todo(isChecked: Bool, [Span])
    }

    enum Kind: String {
        case bullet, number
    }

    enum Span: Equatable {
        case text(String)
        /// The URL is its own text.
        case link(String)
    }

    private(set) var blocks: [Block] = []
    /// How many control characters were left out: a note cannot hold them.
    let dropped: Int

    init(_ text: String) {
        var (lines, dropped) = Self.split(text)
        self.dropped = dropped
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        var rest = lines.drop { $0.allSatisfy(\.isWhitespace) }
        while let line = rest.first {
            let bullets = rest.prefix { Self.bullet($0) != nil }
            let numbers = Self.countingRun(rest)
            if bullets.count > 1 {
                blocks.append(.list(.bullet, bullets.compactMap(Self.bullet).map(Self.spans)))
                rest = rest.dropFirst(bullets.count)
            } else if numbers.count > 1 {
                blocks.append(.list(.number, numbers.map(Self.spans)))
                rest = rest.dropFirst(numbers.count)
            } else {
                blocks.append(Self.single(line))
                rest = rest.dropFirst()
            }
        }
    }

    var isEmpty: Bool { blocks.isEmpty }

    /// The first line, without any mark of a list, for a picture's alternative text.
    var firstLine: String? {
        for block in blocks {
            let spans: [Span]? =
                switch block {
                case .line(let spans), .todo(_, let spans): spans
                case .list(_, let items): items.first
                case .blank: nil
                }
            if let spans {
                return spans.map { span in
                    switch span {
                    case .text(let text), .link(let text): text
                    }
                }.joined()
            }
        }
        return nil
    }

    // MARK: - Lines

    /// The lines without their ends, cleaned of what XML cannot hold and of the other control characters.
    private static func split(_ text: String) -> (lines: [String], dropped: Int) {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var dropped = 0
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}":
                lines.append(String(line))
                line = .init()
            case "\t": line.append(scalar)
            case _ where scalar.isDroppedFromNotes: dropped += 1
            default: line.append(scalar)
            }
            previous = scalar
        }
        return (lines + [String(line)], dropped)
    }

    private static func single(_ line: String) -> Block {
        if line.allSatisfy(\.isWhitespace) { return .blank }
        for (mark, isChecked) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)] {
            if let words = rest(of: line, after: mark) { return .todo(isChecked: isChecked, spans(words)) }
        }
        return .line(spans(line))
    }

    private static func bullet(_ line: String) -> String? {
        rest(of: line, after: "- ") ?? rest(of: line, after: "* ") ?? rest(of: line, after: "• ")
    }

    /// What follows a mark; nil where the line does not begin with it or nothing follows.
    private static func rest(of line: String, after mark: String) -> String? {
        guard line.hasPrefix(mark), !line.dropFirst(mark.count).allSatisfy(\.isWhitespace) else { return nil }
        return String(line.dropFirst(mark.count))
    }

    /// The items of the lines that count up from 1, with one kind of mark.
    private static func countingRun(_ lines: ArraySlice<String>) -> [String] {
        for mark in [". ", ") "] {
            var items: [String] = []
            for line in lines {
                guard let item = rest(of: line, after: "\(items.count + 1)\(mark)") else { break }
                items.append(item)
            }
            if !items.isEmpty { return items }
        }
        return []
    }

    // MARK: - Within a line

    /// Cuts a line at its links.
    private static func spans(_ line: String) -> [Span] {
        var spans: [Span] = []
        let scalars = Array(spaced(line).unicodeScalars)
        var plain = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if let url = url(in: scalars[index...]) {
                if !plain.isEmpty { spans.append(.text(String(plain))) }
                plain = .init()
                spans.append(.link(String(String.UnicodeScalarView(url))))
                index += url.count
            } else {
                plain.append(scalars[index])
                index += 1
            }
        }
        if !plain.isEmpty { spans.append(.text(String(plain))) }
        return spans
    }

    /// HTML makes one of a run of spaces: all but the last become U+00A0, at the start of a line the last as well.
    private static func spaced(_ line: String) -> String {
        var result = String.UnicodeScalarView()
        var isStart = true
        var run = 0
        for scalar in line.unicodeScalars {
            if scalar == " " || scalar == "\t" {
                run += scalar == "\t" ? 4 : 1
                continue
            }
            append(run, isStart)
            (isStart, run) = (false, 0)
            result.append(scalar)
        }
        append(run, isStart)
        return String(result)

        func append(_ run: Int, _ isStart: Bool) {
            guard run > 0 else { return }
            result.append(contentsOf: String(repeating: "\u{a0}", count: run - 1).unicodeScalars)
            result.append(isStart ? "\u{a0}" : " ")
        }
    }

    /// The URL at the very start, without the punctuation that belongs to the sentence around it.
    private static func url(in scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar>? {
        guard scalars.first == "h" || scalars.first == "H" else { return nil }
        let start = String(String.UnicodeScalarView(scalars.prefix(8))).lowercased()
        guard let scheme = ["https://", "http://"].first(where: { start.hasPrefix($0) }) else { return nil }
        var url = scalars.prefix { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
        }
        var surplus = (round: url.surplus(of: ")", over: "("), square: url.surplus(of: "]", over: "["))
        trimming: while let last = url.last {
            switch last {
            case ")" where surplus.round > 0: surplus.round -= 1
            case "]" where surplus.square > 0: surplus.square -= 1
            case ".", ",", ";", ":", "!", "?", "'": break
            default: break trimming
            }
            url = url.dropLast()
        }
        return url.count > scheme.count ? url : nil
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// How many more closing brackets there are than opening ones.
    fileprivate func surplus(of close: Unicode.Scalar, over open: Unicode.Scalar) -> Int {
        reduce(0) { $0 + ($1 == close ? 1 : $1 == open ? -1 : 0) }
    }
}

extension Unicode.Scalar {
    /// The controls C0, DEL and C1, and the two characters that XML 1.0 forbids beside them (section 2.2).
    var isDroppedFromNotes: Bool {
        switch value {
        case 0...0x1f, 0x7f...0x9f, 0xfffe, 0xffff: true
        default: false
        }
    }
}
