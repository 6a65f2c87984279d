import Notes
import Testing

@testable import Layouts

@Suite("ENML is checked before it is queued")
struct ENMLValidatorTests {
    static let head = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + documentType
    static let documentType = #"<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">"#
    static let hash = "57d09f0c82edaeaacbbf37ddc93b66fa"

    private func failure(_ enml: String, resources: Set<MD5>? = nil) -> ENMLError? {
        do {
            try ENMLValidator.check(enml, resources: resources)
            return nil
        } catch { return error }
    }

    private func rule(_ body: String) -> ENMLError.Rule? { failure(Self.head + "<en-note>\(body)</en-note>")?.rule }

    @Test("a note with text, a picture, a task and names of characters passes")
    func goodNote() throws {
        let enml =
            Self.head + """
                <en-note bgcolor="#fff"><div lang="ja" xml:lang="ja">朝&nbsp;&hellip;</div><en-todo checked="true"/>
                <en-media type="image/jpeg" hash="\(Self.hash)" alt="&euro;"/><en-crypt hint="x">abc</en-crypt></en-note>
                """
        let md5 = try #require(MD5(hex: Self.hash))
        #expect(try ENMLValidator.check(enml, resources: [md5]) == [md5])
    }

    @Test("the hashes come in the order of their first mention")
    func mediaOrder() throws {
        let (first, second) = (String(repeating: "b", count: 32), String(repeating: "a", count: 32))
        let media = [first, second, first].map { #"<en-media type="image/png" hash="\#($0)"/>"# }.joined()
        let found = try ENMLValidator.check(Self.head + "<en-note>\(media)</en-note>")
        #expect(found.map(\.hex) == [first, second])
    }

    @Test(
        "each rule of the document type is told by its name",
        arguments: [
            ("<script/>", ENMLError.Rule.element("script")),
            ("<DIV/>", .element("DIV")),
            ("<div class=\"a\"/>", .attribute("class")),
            ("<div onclick=\"a\"/>", .attribute("onclick")),
            ("<br lang=\"en\"/>", .attribute("lang")),
            ("<div xmlns=\"http://xml.evernote.com/pub/enml2.dtd\"/>", .attribute("xmlns")),
            ("<div xmlns:a=\"urn:a\"/>", .attribute("xmlns:a")),
            ("<en-note/>", .nestedNote),
            ("<en-todo checked=\"yes\"/>", .value(attribute: "checked", value: "yes", allowed: ["true", "false"])),
            (
                "<en-todo checked=\"&nbsp;true\"/>",
                .value(attribute: "checked", value: "\u{a0}true", allowed: ["true", "false"])
            ),
            ("<en-todo> </en-todo>", .notEmpty),
            ("<en-todo><!-- --></en-todo>", .notEmpty),
            ("<en-media type=\"a\" hash=\"\(ENMLValidatorTests.hash)\"><br/></en-media>", .notEmpty),
            ("<en-media type=\"image/png\"/>", .missingAttribute("hash")),
            ("<en-media hash=\"\(ENMLValidatorTests.hash)\"/>", .missingAttribute("type")),
            ("<en-crypt><b>a</b></en-crypt>", .textOnly("b")),
            ("<pre xml:space=\"default\"/>", .value(attribute: "xml:space", value: "default", allowed: ["preserve"])),
        ] as [(String, ENMLError.Rule)])
    func rules(body: String, rule: ENMLError.Rule) { #expect(self.rule(body) == rule) }

    @Test(
        "what is no XML is refused with its line and column",
        arguments: [
            ("<div>\n<b>a</div>", 3, 11), ("a & b", 2, nil), ("&nosuchname;", 2, nil), ("<div title=\"<\"/>", 2, nil),
            ("<div title=\"a\" title=\"b\"/>", 2, nil), ("a ]]> b", 2, nil), ("\u{1}", 2, nil), ("<div>", 2, nil),
        ] as [(String, Int, Int?)])
    func notXML(body: String, line: Int, column: Int?) throws {
        let error = try #require(failure(Self.head + "<en-note>\(body)</en-note>"))
        guard case .wellFormed = error.rule else {
            Issue.record("\(error.rule)")
            return
        }
        #expect(error.line == line)
        if let column { #expect(error.column == column) }
    }

    @Test("an error names line, column and path of the element")
    func place() throws {
        let enml = Self.head + "<en-note><div/>\n<div>東京<b/><b class=\"x\"/></div></en-note>"
        let error = try #require(failure(enml))
        #expect(error.line == 3)
        #expect(error.column == 12)
        #expect(error.path == "en-note/div[2]/b[2]")
        #expect(
            error.description
                == "line 3, column 12, at en-note/div[2]/b[2]: the attribute class is not allowed here")
    }

    @Test("comments, CDATA and instructions do not disturb the place of an error")
    func placeBehindComments() throws {
        let error = try #require(
            failure(Self.head + "<en-note><!-- <b> --><![CDATA[<b>]]><?p <b>?><p title='>'/><p><x/></p></en-note>"))
        #expect(error.path == "en-note/p[2]/x[1]")
    }

    @Test(
        "the document type is asked for",
        arguments: [
            "<en-note/>", "<!DOCTYPE en-note><en-note/>",
            "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml.dtd\"><en-note/>",
            "<!DOCTYPE div SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\"><div/>",
            "<!-- \(ENMLValidatorTests.documentType) --><en-note/>",
        ])
    func noDocumentType(enml: String) { #expect(failure(enml)?.rule == .documentType) }

    @Test("a root other than en-note is refused")
    func otherRoot() { #expect(failure(Self.documentType + "<div/>")?.rule == .root("div")) }

    @Test(
        "a document type with declarations of its own is refused, before one is read",
        arguments: [
            "<!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\" [<!ENTITY a \"b\">]><en-note>&a;</en-note>",
            "<!DOCTYPE en-note [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><en-note>&a;</en-note>",
        ])
    func internalSubset(enml: String) { #expect(failure(enml)?.rule == .documentType) }

    @Test("a standalone document may leave nothing to the document type")
    func standalone() {
        let head = "<?xml version=\"1.0\" standalone='yes'?>" + Self.documentType
        #expect(failure(head + "<en-note><en-todo/></en-note>")?.rule == .standalone(attribute: "checked"))
        #expect(failure(head + "<en-note><en-todo checked=\"true\"/></en-note>") == nil)
        #expect(failure(head + "<en-note>&nbsp;</en-note>")?.rule.code == "not-xml")
    }

    @Test(
        "addresses are http, https, mailto, evernote or evergear",
        arguments: [
            ("https://example.org/", true), ("HTTP://example.org", true), ("mailto:a@b", true),
            ("evernote:///view", true),
            ("evergear://draft/1", true), ("javascript:alert(1)", false), (" javascript:alert(1)", false),
            ("java&#10;script:a", false), ("file:///etc/passwd", false), ("data:text/html,a", false), ("#top", false),
            ("page.html", false), ("", false), ("htt&#9;p://a", false), ("http&nbsp;:a", false),
        ])
    func addresses(address: String, isAllowed: Bool) throws {
        let enml = Self.head + "<en-note><a href=\"\(address)\">a</a></en-note>"
        #expect((failure(enml) == nil) == isAllowed)
        try ENMLValidator.checkDocumentType(enml)  // its own verdict knows no schemes
    }

    @Test("a hash is a lower-case MD5 of one of the resources")
    func hashes() throws {
        func enml(_ hash: String) -> String {
            Self.head + "<en-note><en-media type=\"image/png\" hash=\"\(hash)\"/></en-note>"
        }
        let known = try #require(MD5(hex: Self.hash))
        #expect(failure(enml(Self.hash), resources: [known]) == nil)
        #expect(failure(enml(Self.hash), resources: [])?.rule == .resource(Self.hash))
        #expect(failure(enml(Self.hash.uppercased()))?.rule == .hash(Self.hash.uppercased()))
        #expect(failure(enml("12"))?.rule == .hash("12"))
    }

    @Test("an encoding other than UTF-8 is refused, and a note of more than 5,242,880 characters")
    func encodingAndLength() {
        let latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + Self.documentType + "<en-note/>"
        #expect(failure(latin)?.rule == .encoding("ISO-8859-1"))
        let long = Self.head + "<en-note>" + String(repeating: "あ", count: 5_242_880) + "</en-note>"
        #expect(failure(long)?.rule.code == "length")
        let fits = Self.head + "<en-note>" + String(repeating: "a", count: 5_000_000) + "</en-note>"
        #expect(failure(fits) == nil)
    }

    @Test("names of characters cannot be piled up, nor elements")
    func bombs() {
        #expect(rule(String(repeating: "&nbsp;", count: 200_000)) == nil)
        let deep = String(repeating: "<div>", count: 5_000) + String(repeating: "</div>", count: 5_000)
        #expect(rule(deep)?.code == "not-xml")
    }
}
