/// Goes through a JSON5 text for what the decoder does not tell: where a mistake is, and which key stands in which line.
struct JSON5Outline {
    struct Key: Hashable {
        let name: String
        /// From 1.
        let line: Int
    }

    struct Mistake: Error, Hashable {
        let line: Int
        let column: Int
        /// Without a full stop.
        let reason: String
    }

    /// Of the outermost object, in order; those before the mistake, where there is one.
    private(set) var keys: [Key] = []
    private(set) var mistake: Mistake?

    private let text: [Unicode.Scalar]
    private var place = 0

    /// Deeper than any setting goes.
    private static let deepest = 64

    init(_ text: String) {
        self.text = Array(text.unicodeScalars)
        do throws(Mistake) {
            try value(depth: 0)
            try skipBlanks()
            if next != nil { throw mistake("nothing more is expected behind the object's }") }
        } catch { mistake = error }
    }

    private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

    private func mistake(_ reason: String, at place: Int? = nil) -> Mistake {
        let before = text[..<(place ?? self.place)]
        let start = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        return Mistake(line: line(of: before.endIndex), column: before.count - start + 1, reason: reason)
    }

    private func line(of place: Int) -> Int { text[..<place].count { $0 == "\n" } + 1 }

    private mutating func value(depth: Int) throws(Mistake) {
        try skipBlanks()
        switch next {
        case "{": try object(depth: depth + 1)
        case "[": try array(depth: depth + 1)
        case "\"", "'": _ = try quoted()
        default:
            let start = place
            let word = bareWord()
            let isNumber = word.first.map { "+-.0123456789".contains($0) } ?? false
            if !isNumber, !["true", "false", "null", "NaN", "Infinity"].contains(word) {
                throw mistake("a value is expected here; a text stands in quotes", at: start)
            }
        }
    }

    private mutating func object(depth: Int) throws(Mistake) {
        try elements(until: "}", depth: depth) { outline throws(Mistake) in
            let start = outline.place
            let isQuoted = outline.next == "\"" || outline.next == "'"
            let name = isQuoted ? try outline.quoted() : outline.bareWord()
            if name.isEmpty, !isQuoted { throw outline.mistake("the name of a setting, or }, is expected here") }
            if depth == 1 { outline.keys.append(Key(name: name, line: outline.line(of: start))) }
            try outline.skipBlanks()
            guard outline.next == ":" else { throw outline.mistake("a colon is expected here, behind \(name)") }
            outline.place += 1
            try outline.value(depth: depth)
        }
    }

    private mutating func array(depth: Int) throws(Mistake) {
        try elements(until: "]", depth: depth) { outline throws(Mistake) in try outline.value(depth: depth) }
    }

    private mutating func elements(
        until end: Unicode.Scalar, depth: Int, _ element: (inout JSON5Outline) throws(Mistake) -> Void
    ) throws(Mistake) {
        if depth > Self.deepest { throw mistake("there are too many brackets in each other") }
        let start = place
        place += 1
        while true {
            try skipBlanks()
            if next == nil { throw mistake("there is no \(end) for this bracket", at: start) }
            if next != end {
                try element(&self)
                try skipBlanks()
                if next == "," {
                    place += 1
                    continue
                }
                if next == nil { throw mistake("there is no \(end) for this bracket", at: start) }
                guard next == end else { throw mistake("a comma, or \(end), is expected here") }
            }
            place += 1
            return
        }
    }

    /// What is between quotes; escapes as they are written.
    private mutating func quoted() throws(Mistake) -> String {
        let start = place
        var kept = String.UnicodeScalarView()
        place += 1
        while let scalar = next, scalar != text[start], scalar != "\n" {
            kept.append(scalar)
            place += 1
            if scalar == "\\", let escaped = next {
                kept.append(escaped)
                place += 1
            }
        }
        guard next == text[start] else { throw mistake("the text that begins here has no end in its line", at: start) }
        place += 1
        return String(kept)
    }

    private mutating func bareWord() -> String {
        let start = place
        while let scalar = next, !scalar.properties.isWhitespace, !",:{}[]\"'/".unicodeScalars.contains(scalar) {
            place += 1
        }
        var word = String.UnicodeScalarView()
        word.append(contentsOf: text[start..<place])
        return String(word)
    }

    private mutating func skipBlanks() throws(Mistake) {
        while let scalar = next {
            if scalar.properties.isWhitespace || scalar == "\u{feff}" {
                place += 1
            } else if scalar == "/", place + 1 < text.count, text[place + 1] == "/" {
                while next != nil, next != "\n" { place += 1 }
            } else if scalar == "/", place + 1 < text.count, text[place + 1] == "*" {
                let start = place
                place += 2
                while place + 1 < text.count, !(text[place] == "*" && text[place + 1] == "/") { place += 1 }
                if place + 1 >= text.count { throw mistake("the comment that begins here has no end", at: start) }
                place += 2
            } else {
                return
            }
        }
    }
}
