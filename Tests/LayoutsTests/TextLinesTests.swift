import Testing

@testable import Layouts

@Suite("Text to lines")
struct TextLinesTests {
    typealias Block = TextLines.Block

    @Test(
        "every kind of line end ends a line, and blank lines stay as many as they were",
        arguments: [
            "a\n\n\nb", "a\r\n\r\n\r\nb", "a\r\r\rb", "a\u{2028}\u{2029}\u{2028}b", "a\u{b}\u{c}\u{85}b",
            "\n \na\n\n\nb\n\u{3000}\n\n",
        ])
    func lineEnds(text: String) {
        #expect(TextLines(text).blocks == [.line([.text("a")]), .blank, .blank, .line([.text("b")])])
    }

    @Test("control characters are dropped and counted; emoji and their joiners are not")
    func controls() {
        let lines = TextLines("a\u{0}b\u{1b}[1mc\u{7f}\u{86}d\u{ffff}\u{8}e 👩‍👧 ก็")
        #expect(lines.blocks == [.line([.text("ab[1mcde 👩‍👧 ก็")])])
        #expect(lines.dropped == 6)
    }

    @Test(
        "leading spaces, runs of spaces and tabs keep their width",
        arguments: [
            ("  a", "\u{a0}\u{a0}a"), ("a   b", "a\u{a0}\u{a0} b"), ("\ta", "\u{a0}\u{a0}\u{a0}\u{a0}a"),
            ("a\tb", "a\u{a0}\u{a0}\u{a0} b"), ("\u{3000}a b", "\u{3000}a b"),
        ])
    func spaces(text: String, expected: String) {
        #expect(TextLines(text).blocks == [.line([.text(expected)])])
    }

    @Test(
        "a URL is a link, without the punctuation around it",
        arguments: [
            ("https://example.org/a", "", "https://example.org/a", ""),
            ("see http://example.org/a?b=1&c=2.", "see ", "http://example.org/a?b=1&c=2", "."),
            ("地図はhttps://example.org/地図です。", "地図は", "https://example.org/", "地図です。"),
            ("(https://example.org/a_(b))", "(", "https://example.org/a_(b)", ")"),
            ("[https://example.org/x]…", "[", "https://example.org/x", "]…"),
            ("'https://example.org/'!?", "'", "https://example.org/", "'!?"),
            ("HTTPS://EXAMPLE.org \"q\"", "", "HTTPS://EXAMPLE.org", " \"q\""),
        ])
    func links(text: String, before: String, url: String, after: String) {
        let spans: [TextLines.Span] =
            (before.isEmpty ? [] : [.text(before)]) + [.link(url)] + (after.isEmpty ? [] : [.text(after)])
        #expect(TextLines(text).blocks == [.line(spans)])
    }

    @Test(
        "what is no http or https address is no link",
        arguments: ["http://", "https://...", "javascript:alert(1)", "ftp://example.org", "example.org"])
    func noLinks(text: String) {
        #expect(TextLines(text).blocks == [.line([.text(text)])])
    }

    @Test("two lines or more with a mark are a list; one is not")
    func bullets() {
        #expect(
            TextLines("- a\n* b\n• c\n- \nd").blocks == [
                .list(.bullet, [[.text("a")], [.text("b")], [.text("c")]]), .line([.text("- ")]), .line([.text("d")]),
            ])
        #expect(TextLines("- a\nb").blocks == [.line([.text("- a")]), .line([.text("b")])])
        #expect(TextLines("・a\n・b").blocks == [.line([.text("・a")]), .line([.text("・b")])])
    }

    @Test("lines that count up from one are a numbered list, as far as they do")
    func numbers() {
        #expect(
            TextLines("1. a\n2. b\n4. c").blocks == [
                .list(.number, [[.text("a")], [.text("b")]]), .line([.text("4. c")]),
            ])
        #expect(TextLines("1) a\n2) b").blocks == [.list(.number, [[.text("a")], [.text("b")]])])
        #expect(TextLines("2. a\n3. b").blocks == [.line([.text("2. a")]), .line([.text("3. b")])])
        #expect(TextLines("1. a\n2) b").blocks == [.line([.text("1. a")]), .line([.text("2) b")])])
    }

    @Test("a line with a box is a to-do")
    func todos() {
        #expect(
            TextLines("[ ] milk\n[x] https://example.org\n[y] no").blocks == [
                .todo(isChecked: false, [.text("milk")]), .todo(isChecked: true, [.link("https://example.org")]),
                .line([.text("[y] no")]),
            ])
    }

    @Test("nothing else is markup")
    func noMarkup() {
        #expect(TextLines("# **a** <b>&amp;</b>").blocks == [.line([.text("# **a** <b>&amp;</b>")])])
    }

    @Test("a long run of brackets takes no longer than its length", .timeLimit(.minutes(1)))
    func brackets() {
        let text = "https://example.org/" + String(repeating: ")", count: 200_000)
        guard case .line(let spans) = TextLines(text).blocks.first else {
            Issue.record("no line")
            return
        }
        #expect(spans.first == .link("https://example.org/"))
    }
}
