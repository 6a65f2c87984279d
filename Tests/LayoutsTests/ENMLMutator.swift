import System

@testable import Layouts

/// Makes changed notes out of real ones: the same ones for the same seed.
struct ENMLMutator {
    struct Mutation {
        let enml: String
        let what: String
        /// The row of the rules that it is meant to break; empty for one that is meant to stay valid.
        let rule: String
    }

    private let bases: [String]
    private var random: Seeded
    private let names = ENMLRules.elements.keys.sorted()

    init(_ bases: [String], seed: UInt64) {
        self.bases = bases
        random = Seeded(seed)
    }

    /// Even numbers are meant to stay valid, odd ones to break a rule; what they are, the official document type says.
    mutating func mutation(_ number: Int) -> Mutation {
        var note = Text(bases[number / 2 % bases.count])
        return number % 2 == 0 ? valid(number / 2, &note) : invalid(number / 2, &note)
    }

    // MARK: Changes meant to stay valid

    private mutating func valid(_ turn: Int, _ note: inout Text) -> Mutation {
        var what = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1, 2:
                let name = names[(turn * 3 + Int.random(in: 0..<3, using: &random)) % names.count]
                if name == ENMLRules.root { continue }
                what += "a new \(name); "
                insert(element(name, attributes: Int.random(in: 0...4, using: &random)), into: &note)
            case 3:
                let texts = [
                    "&nbsp;", "<!-- a - b -->", "<?p q?>", "<![CDATA[<b>&]]>", "&#x6771;&#20140;", "&hearts;]]",
                    "\r\n\t",
                ]
                what += "text; "
                insert(pick(texts), into: &note)
            case 4:
                what += "a wrapper; "
                let tags = note.tags.filter { !$0.isEnd && $0.isEmpty }
                guard let tag = pick(tags) else { continue }
                let name = pick(["div", "p", "span", "a", "table", "td", "li", "center", "map", "area", "col", "br"])
                note.replace(tag.range, with: "<\(name)>\(note.string(tag.range))</\(name)>")
            case 5:
                what += "crypt; "
                insert("<en-crypt hint=\"&quot;\">a<!-- b --><?c d?><![CDATA[e]]>&eacute;</en-crypt>", into: &note)
            case 6:
                what += "space in a tag; "
                guard let tag = pick(note.tags.filter { !$0.isEnd }) else { continue }
                let end = tag.range.upperBound - (tag.isEmpty ? 2 : 1)
                note.replace(end..<end, with: pick([" ", "\n", "\t "]))
            case 7:
                what += "a value of a list; "
                insert(
                    pick([
                        "<en-todo checked='true'/>", "<en-todo checked=\" false  \"/>", "<en-todo></en-todo>",
                        "<pre xml:space=\"preserve\">a</pre>", "<pre xml:space=\"&#32;preserve\"/>",
                    ]), into: &note)
            default:
                what += "an attribute with odd text; "
                insert("<div title='\"&lt;&gt;&amp;]]> &thetasym;\n' style=\"\" dir='auto'/>", into: &note)
            }
        }
        if turn % 7 == 3 {
            what += "another head"
            note.head = pick([
                "<!DOCTYPE en-note SYSTEM '\(ENMLRules.documentType)'>",
                "<?xml version='1.0' encoding='utf-8' ?>\n<!-- a --> <?b?>\n<!DOCTYPE  en-note\nSYSTEM \"\(ENMLRules.documentType)\" >\n",
                "<?xml version=\"1.0\" standalone=\"no\"?><!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\">",
                "<!DOCTYPE en-note PUBLIC \"-//X//Y (z)\" \"\(ENMLRules.documentType)\">",
            ])
            note.body += pick(["", "\n", "<!-- end -->", "<?end?>"])
        }
        if turn % 11 == 5, !note.body.contains("xmlns") {
            note.replace(note.tags[0].nameEnd..<note.tags[0].nameEnd, with: " xmlns=\"\(ENMLRules.documentType)\"")
        }
        return Mutation(enml: note.head + note.body, what: what, rule: "")
    }

    // MARK: Changes meant to break a rule

    private mutating func invalid(_ turn: Int, _ note: inout Text) -> Mutation {
        // First each element with an attribute that is not its own, then the other rules in turn.
        if turn < names.count { return foreignAttribute(names[turn], &note) }
        let turn = turn - names.count
        let variant = turn / 13
        var rule = ""
        switch turn % 13 {
        case 0:
            let name = variant % 2 == 0 ? "type" : "hash"
            rule = "missing \(name)"
            insert("<en-media \(name == "type" ? "hash" : "type")=\"a\"/>", into: &note)
        case 1:
            insert("<\(pick(["script", "video", "DIV", "svg", "o:p", "label", "h7", "en-notes", "_"]))/>", into: &note)
        case 2: insert("<en-note>a</en-note>", into: &note)
        case 3:
            let inside = pick([" ", "a", "<br/>", "<!-- -->", "<?a?>", "<![CDATA[]]>", "&nbsp;", "\n"])
            insert(
                pick(["<en-todo>\(inside)</en-todo>", "<en-media type='a' hash='b'>\(inside)</en-media>"]), into: &note)
        case 4: insert("<en-crypt>a<\(pick(["b", "br", "en-todo checked='true'", "div"]))/></en-crypt>", into: &note)
        case 5:
            rule = "checked"
            insert(
                "<en-todo checked=\"\(pick(["", "TRUE", "1", "true false", "&nbsp;true", "&#10;true"]))\"/>",
                into: &note)
        case 6:
            rule = "xml:space"
            insert("<pre xml:space=\"\(pick(["default", "", "preserve&#9;", "Preserve"]))\">a</pre>", into: &note)
        case 7:
            rule = "xmlns"
            let value = pick([
                "", "http://www.w3.org/1999/xhtml", ENMLRules.documentType + "#", " " + ENMLRules.documentType,
            ])
            if note.body.contains("xmlns") {
                insert("<div xmlns=\"\(value)\"/>", into: &note)
            } else {
                note.replace(note.tags[0].nameEnd..<note.tags[0].nameEnd, with: " xmlns=\"\(value)\"")
            }
        case 8: insert("<b title=\"a\">&\(pick(["nbsq", "Nbsp", "colon", "x41"]));</b>", into: &note)
        case 9:
            note.head = pick([
                "", "<!DOCTYPE en-note>", "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml.dtd\">",
                "<!DOCTYPE html SYSTEM \"\(ENMLRules.documentType)\">",
            ])
        case 10:
            note.head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n" + Text.documentType
            insert(pick(["<en-todo/>", "<pre>a</pre>", "<en-crypt cipher='a'>a</en-crypt>", "&copy;"]), into: &note)
        case 11:
            let name = pick(["div", "html", "EN-NOTE", "en-export", "body"])
            note.body = "<\(name)>a</\(name)>"
        default: malform(variant, &note)
        }
        return Mutation(enml: note.head + note.body, what: "rule \(turn % 13), \(variant)", rule: rule)
    }

    private mutating func foreignAttribute(_ name: String, _ note: inout Text) -> Mutation {
        let own = ENMLRules.elements[name]?.attributes.keys.map(\.self) ?? []
        let others = Set(ENMLRules.elements.values.flatMap(\.attributes.keys)).union([
            "id", "class", "onload", "data-a",
        ])
        let foreign = pick(others.subtracting(own).sorted())
        if name == ENMLRules.root {
            note.replace(note.tags[0].nameEnd..<note.tags[0].nameEnd, with: " \(foreign)=\"a\"")
        } else {
            let tag = element(name, attributes: 1)
            let cut = tag.index(tag.startIndex, offsetBy: name.count + 1)
            insert(tag[..<cut] + " \(foreign)=\"a\"" + tag[cut...], into: &note)
        }
        return Mutation(enml: note.head + note.body, what: "\(foreign) on \(name)", rule: "attribute of \(name)")
    }

    /// Makes it no XML.
    private mutating func malform(_ variant: Int, _ note: inout Text) {
        switch variant % 10 {
        case 0: insert("<b>a</i>", into: &note)
        case 1: insert("a & b", into: &note)
        case 2: insert("<b title=\"<\"/>", into: &note)
        case 3: insert("<b title=\"a\" title=\"b\"/>", into: &note)
        case 4: insert("a ]]> b", into: &note)
        case 5: insert("<b title=a/>", into: &note)
        case 6: insert("&#0;", into: &note)
        case 7: note.body += "a"
        case 8: note.body.removeLast(3)
        default: insert("<!-- a -- b -->", into: &note)
        }
    }

    // MARK: Parts

    /// An element with some of its own attributes, the required ones among them.
    private mutating func element(_ name: String, attributes count: Int) -> String {
        let rules = ENMLRules.elements[name]?.attributes ?? [:]
        var chosen = rules.filter { $0.value == .required }.keys.sorted()
        chosen += rules.keys.sorted().filter { !chosen.contains($0) }.shuffled(using: &random).prefix(count)
        let values = chosen.map { attribute -> String in
            switch rules[attribute] {
            case .oneOf(let allowed): " \(attribute)=\"\(pick(allowed))\""
            case .exactly(let only): " \(attribute)=\"\(only)\""
            default: " \(attribute)=\"\(pick(["", "1", "a b", "&#233;", "en", "\u{6771}"]))\""
            }
        }
        return "<\(name)\(values.joined())/>"
    }

    /// Puts something between two tags, where anything may stand.
    private mutating func insert(_ text: some StringProtocol, into note: inout Text) {
        guard let place = pick(note.places) else { return }
        note.replace(place..<place, with: String(text))
    }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    private mutating func pick<Element>(_ choices: [Element]) -> Element? { choices.randomElement(using: &random) }

    /// A note's head and its tags.
    private struct Text {
        static let documentType = "<!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\">"

        struct Tag {
            let range: Range<Int>
            let name: String
            let isEnd: Bool
            let isEmpty: Bool
            var nameEnd: Int { range.lowerBound + 1 + name.utf8.count }
        }

        var head: String
        private var bytes: [UInt8]

        var body: String {
            get { String(decoding: bytes, as: UTF8.self) }
            set { bytes = Array(newValue.utf8) }
        }

        /// - Parameter enml: One that begins with a head and has neither comments nor `>` in values behind it.
        init(_ enml: String) {
            let all = Array(enml.utf8)
            let root = Array("<en-note".utf8)
            let start = all.indices.first { all[$0...].starts(with: root) } ?? 0
            head = String(decoding: all[..<start], as: UTF8.self)
            bytes = Array(all[start...])
        }

        var tags: [Tag] {
            var tags: [Tag] = []
            var place = 0
            while let start = bytes[place...].firstIndex(of: 0x3c), let end = bytes[start...].firstIndex(of: 0x3e) {
                let isEnd = bytes[start + 1] == 0x2f
                let name = bytes[(start + (isEnd ? 2 : 1))..<end].prefix { $0 > 0x20 && $0 != 0x2f }
                if bytes[start + 1] != 0x21, bytes[start + 1] != 0x3f {
                    tags.append(
                        Tag(
                            range: start..<(end + 1), name: String(decoding: name, as: UTF8.self), isEnd: isEnd,
                            isEmpty: bytes[end - 1] == 0x2f))
                }
                place = end + 1
            }
            return tags
        }

        /// Behind the root's start tag and every tag that ends an element.
        var places: [Int] {
            tags.dropLast().filter { $0.name == "en-note" || $0.name == "div" || $0.name == "br" && $0.isEmpty }.map(
                \.range.upperBound)
        }

        func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        mutating func replace(_ range: Range<Int>, with text: String) {
            bytes.replaceSubrange(range, with: Array(text.utf8))
        }
    }

    // MARK: Notes to begin with

    static func looks(in shared: FilePath) throws -> [String] {
        try ["full", "plain", "thumbs", "thumbs+full"].map {
            String(decoding: try Files.read(shared / "looks/\($0).enml", limit: 1 << 20), as: UTF8.self)
        }
    }

    /// Notes such as people have: a table, tasks, a clipped page, an encrypted line.
    static let notes = [
        """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        \(Text.documentType)
        <en-note style="word-wrap: break-word;"><div><en-todo/>Passport</div><div><en-todo checked="true"/>Tickets &amp; maps</div>\
        <ul><li><div>one</div></li><li><div>two<br/></div></li></ul><div><b>Wi-Fi</b>: <en-crypt cipher="AES" length="128">cGFzcw==</en-crypt></div>\
        <hr/><div>&copy; 2026&nbsp;&mdash; caf&eacute;</div></en-note>
        """,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        \(Text.documentType)<en-note lang="en" xml:lang="en" bgcolor="white"><h1 align="center">Minutes</h1>
        <table width="100%" border="1" cellpadding="2"><tbody><tr bgcolor="#eee"><th colspan="2">Who</th><td nowrap="nowrap" valign="top"><div>What</div></td></tr></tbody></table>
        <blockquote cite="https://example.org/"><p align="left">Quoted <q>text</q></p></blockquote><div>a<br clear="all"/>b</div>
        <en-media type="application/pdf" hash="0123456789abcdef0123456789abcdef" width="100" height="50"/><pre width="80">  x</pre></en-note>
        """,
        """
        <!DOCTYPE en-note SYSTEM "\(ENMLRules.documentType)"><en-note xmlns="\(ENMLRules.documentType)"><div><font color="red" size="2" face="serif">A</font>\
        <a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="nofollow"><img src="https://example.org/a.png" alt="a" width="1" height="1"/></a></div>\
        <div><map name="m" title="t"><area shape="rect" coords="0,0,1,1" href="https://example.org/"/></map><dl compact="compact"><dt>a</dt><dd>b</dd></dl>\
        <ol start="3" type="a"><li value="4">c</li></ol><del datetime="2026-05-03">d</del><ins cite="https://example.org/">e</ins></div></en-note>
        """,
    ]
}
