/// Finds places in the text of a document: where its type is declared, and where an element stands.
///
/// A scan for marks, no parser: what it is asked about, libxml2 has read already or will read.
struct ENMLText {
    private let bytes: [UInt8]
    /// Of the `<!DOCTYPE`.
    let startOfDocumentType: Int?
    /// Of the `>` that ends it; nil without one, and for one with declarations of its own.
    let endOfDocumentType: Int?
    /// Whether the XML declaration says so.
    let isStandalone: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start: Int?
        var end: Int?
        var isStandalone = false
        var place = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        scan: while place < bytes.count {
            switch Mark(bytes, at: place) {
            case .instruction:
                let next = bytes.end(of: "?>", from: place + 2)
                let declaration = bytes[place..<next].split {
                    $0 == 0x20 || $0 == 0x3d || $0 == 0x0a || $0 == 0x09 || $0 == 0x0d
                }
                if let key = declaration.firstIndex(where: { $0.elementsEqual("standalone".utf8) }),
                    declaration[(key + 1)...].first?.dropFirst().starts(with: "yes".utf8) == true
                {
                    isStandalone = true
                }
                place = next
            case .comment: place = bytes.end(of: "-->", from: place + 4)
            case .declaration:
                start = place
                end = bytes.endOfTag(from: place)
                if let stop = end, bytes[stop] != UInt8(ascii: ">") { end = nil }
                break scan
            case .text: place += 1
            default: break scan
            }
        }
        startOfDocumentType = start
        endOfDocumentType = end
        self.isStandalone = isStandalone
    }

    /// An error at a start tag, counted from 1; at the beginning for 0.
    func error(_ rule: ENMLError.Rule, tag number: Int) -> ENMLError {
        let found = walk { $1 == number }
        return error(rule, at: found.place, path: found.path)
    }

    /// An error at a byte.
    func error(_ rule: ENMLError.Rule, at place: Int, path: String = "") -> ENMLError {
        let before = bytes[..<min(place, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return ENMLError(
            rule, line: before.count { $0 == 0x0a } + 1,
            column: before[lineStart...].count { $0 & 0xc0 != 0x80 } + 1, path: path)
    }

    /// libxml2's error, at the place that it names; what was `added` on the line of the byte `end` is taken away again.
    func error(_ failure: ENMLReader.Failure, added: Int, at end: Int) -> ENMLError {
        guard failure.line > 0 else { return ENMLError(.wellFormed(failure.message)) }
        let insertion = error(.documentType, at: end)
        var column = failure.column
        if failure.line == insertion.line, column > insertion.column { column = max(insertion.column, column - added) }
        var start = 0
        for _ in 1..<max(failure.line, 1) { start = bytes[start...].firstIndex(of: 0x0a).map { $0 + 1 } ?? start }
        // An end tag that has no match leaves elements open: the path is as of that place.
        let path = walk { place, _ in place > start + column }.path
        return ENMLError(.wellFormed(failure.message), line: failure.line, column: max(column, 1), path: path)
    }

    /// Goes from start tag to start tag, until one (by place and number from 1) is the one looked for.
    private func walk(until isFound: (_ place: Int, _ number: Int) -> Bool) -> (place: Int, path: String) {
        var open: [(step: String, children: [String: Int])] = []
        var roots: [String: Int] = [:]
        var place = 0
        var number = 0
        while place < bytes.count {
            switch Mark(bytes, at: place) {
            case .text: place += 1
            case .instruction: place = bytes.end(of: "?>", from: place + 2)
            case .comment: place = bytes.end(of: "-->", from: place + 4)
            case .characters: place = bytes.end(of: "]]>", from: place + 9)
            case .declaration: place = (bytes.endOfTag(from: place) ?? bytes.count) + 1
            case .end:
                if isFound(place, -1) { return (place, open.map(\.step).joined(separator: "/")) }
                if !open.isEmpty { open.removeLast() }
                place = (bytes.endOfTag(from: place) ?? bytes.count) + 1
            case .start:
                number += 1
                let name = String(
                    decoding: bytes[(place + 1)...].prefix { $0 > 0x20 && $0 != 0x2f && $0 != 0x3e }, as: UTF8.self)
                let count: Int
                if open.isEmpty {
                    roots[name, default: 0] += 1
                    count = roots[name, default: 0]
                } else {
                    open[open.count - 1].children[name, default: 0] += 1
                    count = open[open.count - 1].children[name, default: 0]
                }
                let step = open.isEmpty && count == 1 ? name : "\(name)[\(count)]"
                if isFound(place, number) {
                    return (place, (open.map(\.step) + [step]).joined(separator: "/"))
                }
                let end = bytes.endOfTag(from: place) ?? bytes.count
                if end >= bytes.count || bytes[end - 1] != UInt8(ascii: "/") { open.append((step, [:])) }
                place = end + 1
            }
        }
        return (bytes.count, open.map(\.step).joined(separator: "/"))
    }

    private enum Mark {
        case text, start, end, comment, characters, instruction, declaration

        init(_ bytes: [UInt8], at place: Int) {
            func isNext(_ text: StaticString) -> Bool { bytes.has(text, at: place) }
            guard bytes[place] == UInt8(ascii: "<") else {
                self = .text
                return
            }
            self =
                if isNext("<!--") {
                    .comment
                } else if isNext("<![CDATA[") {
                    .characters
                } else if isNext("<!") {
                    .declaration
                } else if isNext("<?") {
                    .instruction
                } else if isNext("</") {
                    .end
                } else {
                    .start
                }
        }
    }
}

extension [UInt8] {
    fileprivate func has(_ text: StaticString, at place: Int) -> Bool {
        place + text.utf8CodeUnitCount <= count
            && text.withUTF8Buffer { $0.elementsEqual(self[place..<(place + $0.count)]) }
    }

    /// The place behind the next `text`, or the end.
    fileprivate func end(of text: StaticString, from start: Int) -> Int {
        var place = start
        while place < count {
            if has(text, at: place) { return place + text.utf8CodeUnitCount }
            place += 1
        }
        return count
    }

    /// The place of the `>` that ends a tag, or of a `[` before it; quoted values are passed over.
    fileprivate func endOfTag(from start: Int) -> Int? {
        var quote: UInt8?
        for place in start..<count {
            let byte = self[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "[") {
                return place
            }
        }
        return nil
    }
}
