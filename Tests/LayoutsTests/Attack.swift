import System

/// A stylesheet that tries to get out, and what has to come of it.
struct Attack: Sendable, CustomStringConvertible {
    enum Outcome: Sendable {
        /// Refused, with this in the message.
        case refused(String = "")
        /// A note comes out, with this in it, and without the secret.
        case note(String)
    }

    let description: String
    let sheet: String
    let outcome: Outcome

    /// What is in a file that no stylesheet may read.
    static let secret = "xyzzy-4711"

    /// - Parameter folder: Holds `secret.txt`, and `evil.xsl`, which is a layout that would work.
    static func all(in folder: FilePath) -> [Attack] {
        reading(folder) + declaring(folder) + forging() + writing(folder) + exhausting()
    }

    /// A whole sheet whose one template gives a note with `body` in it.
    static func sheet(_ body: String, top: String = "", attributes: String = "") -> String {
        """
        <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" \(attributes)>\(top)
        <xsl:template match="/"><en-note>\(body)</en-note></xsl:template></xsl:stylesheet>
        """
    }

    private static func reading(_ folder: FilePath) -> [Attack] {
        let value = { (call: String) in sheet("<xsl:copy-of select=\"\(call)\"/>") }
        let imports = [
            "\(folder)/evil.xsl", "file://\(folder)/evil.xsl", "../evil.xsl", "./common.xsl", "layouts/common.xsl",
            "http://127.0.0.1:9/evil.xsl", "ftp://127.0.0.1:9/evil.xsl", "/dev/zero", "draft.rng", "nothing.xsl",
        ]
        return imports.flatMap { href in
            ["import", "include"].map { way in
                Attack(
                    description: "xsl:\(way) of \(href)", sheet: sheet("a", top: "<xsl:\(way) href=\"\(href)\"/>"),
                    outcome: .refused())
            }
        } + [
            Attack(
                description: "xsl:import of a shipped name in another folder, by xml:base",
                sheet: sheet(
                    "a", top: "<xsl:import href=\"common.xsl\"/>", attributes: "xml:base=\"file://\(folder)/\""),
                outcome: .refused()),
            Attack(
                description: "xsl:import by xml:base",
                sheet: sheet("a", top: "<xsl:import href=\"evil.xsl\"/>", attributes: "xml:base=\"file://\(folder)/\""),
                outcome: .refused()),
            Attack(
                description: "document() of a file", sheet: value("document('file://\(folder)/evil.xsl')"),
                outcome: .refused()),
            Attack(
                description: "document() over http", sheet: value("document('http://127.0.0.1:9/a')"),
                outcome: .refused()),
            Attack(
                description: "document() of a shipped sheet", sheet: value("document('common.xsl')"),
                outcome: .refused()),
            Attack(
                description: "document() of the sheet itself", sheet: value("document('')"), outcome: .refused()),
            Attack(
                description: "XInclude",
                sheet: sheet(
                    "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"\(folder)/secret.txt\" parse=\"text\"/>"
                ),
                outcome: .note("xi:include")),
            Attack(
                description: "an xml-stylesheet instruction",
                sheet: "<?xml-stylesheet type=\"text/xsl\" href=\"\(folder)/evil.xsl\"?>" + sheet("a"),
                outcome: .note("<en-note>a</en-note>")),
            Attack(
                description: "unparsed-entity-uri and system-property",
                sheet: sheet("[<xsl:value-of select=\"unparsed-entity-uri('x')\"/>]"), outcome: .note("[]")),
        ]
    }

    private static func declaring(_ folder: FilePath) -> [Attack] {
        let nested = (1..<10).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);\">" }.joined()
        let types = [
            ("an external entity", "<!DOCTYPE x [<!ENTITY e9 SYSTEM \"file://\(folder)/secret.txt\">]>"),
            ("an external subset", "<!DOCTYPE x SYSTEM \"file://\(folder)/secret.txt\"[<!ENTITY e9 \"a\">]>"),
            ("a parameter entity", "<!DOCTYPE x [<!ENTITY % p SYSTEM \"file://\(folder)/secret.txt\">%p;]>"),
            ("entities in entities", "<!DOCTYPE x [<!ENTITY e0 \"aaaaaaaaaa\">\(nested)]>"),
            ("a document type behind a comment", "<!-- a --><!DOCTYPE x [<!ENTITY e9 \"a\">]>"),
        ]
        return types.map { name, type in
            Attack(
                description: name, sheet: type + sheet("&e9;"),
                outcome: .refused("a document type declaration is not allowed"))
        } + [
            Attack(description: "an entity that was never declared", sheet: sheet("&e9;"), outcome: .refused("e9")),
            Attack(
                description: "5000 nested elements",
                sheet: sheet(String(repeating: "<div>", count: 5000) + String(repeating: "</div>", count: 5000)),
                outcome: .refused("depth")),
            Attack(description: "no XML", sheet: "body { color: red }", outcome: .refused()),
            Attack(description: "nothing", sheet: "", outcome: .refused()),
            Attack(description: "XML that is no stylesheet", sheet: "<a><b/></a>", outcome: .refused()),
            Attack(
                description: "300 KB", sheet: sheet("a", top: "<!--\(String(repeating: "a", count: 300_000))-->"),
                outcome: .refused("larger than 256 KiB")),
            Attack(
                description: "an import that fails, behind one that works",
                sheet: sheet("a", top: "<xsl:import href=\"common.xsl\"/><xsl:import href=\"evil.xsl\"/>"),
                outcome: .refused()),
        ]
    }

    private static func forging() -> [Attack] {
        let xsl = "xmlns:y=\"http://www.w3.org/1999/XSL/Transform\""
        let refused = Outcome.refused("disable-output-escaping is not allowed")
        let template = "<xsl:template match=\"/\">"
        let bare = { (content: String, top: String) in
            """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">\(top)\(template)\(content)\
            </xsl:template></xsl:stylesheet>
            """
        }
        let one = "one en-note element"
        return [
            Attack(
                description: "disable-output-escaping on text",
                sheet: sheet("<xsl:text disable-output-escaping=\"yes\">&lt;/en-note></xsl:text>"), outcome: refused),
            Attack(
                description: "disable-output-escaping on value-of",
                sheet: sheet("<xsl:value-of select=\"'&lt;b>'\" disable-output-escaping=\"yes\"/>"), outcome: refused),
            Attack(
                description: "disable-output-escaping by another prefix",
                sheet: sheet("<y:text \(xsl) disable-output-escaping=\"yes\">&lt;b></y:text>"), outcome: refused),
            Attack(
                description: "disable-output-escaping as an attribute of the xsl namespace",
                sheet: sheet("<xsl:text xsl:disable-output-escaping=\"yes\">&lt;b></xsl:text>"), outcome: refused),
            Attack(
                description: "the output method text", sheet: sheet("<b>a</b>", top: "<xsl:output method=\"text\"/>"),
                outcome: .note("<en-note><b>a</b></en-note>")),
            Attack(
                description: "the output method html", sheet: sheet("<br/>", top: "<xsl:output method=\"html\"/>"),
                outcome: .note("<br/>")),
            Attack(
                description: "another encoding", sheet: sheet("é", top: "<xsl:output encoding=\"UTF-16\"/>"),
                outcome: .note("<en-note>é</en-note>")),
            Attack(
                description: "another document type",
                sheet: sheet("a", top: "<xsl:output doctype-system=\"http://127.0.0.1/x.dtd\" doctype-public=\"x\"/>"),
                outcome: .note("SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\">\n<en-note>a")),
            Attack(
                description: "CDATA sections",
                sheet: sheet(
                    "<b>]]></b>".replacing("]]>", with: "]]&gt;"), top: "<xsl:output cdata-section-elements=\"b\"/>"),
                outcome: .note("<en-note")),
            Attack(description: "two roots", sheet: bare("<en-note/><en-note/>", ""), outcome: .refused(one)),
            Attack(description: "text beside the root", sheet: bare("a<en-note/>", ""), outcome: .refused(one)),
            Attack(description: "text instead of a root", sheet: bare("a", ""), outcome: .refused(one)),
            Attack(description: "nothing instead of a root", sheet: bare("", ""), outcome: .refused()),
            Attack(
                description: "a comment beside the root", sheet: bare("<xsl:comment>a</xsl:comment><en-note/>", ""),
                outcome: .refused(one)),
            Attack(description: "another root", sheet: bare("<html/>", ""), outcome: .refused(one)),
        ]
    }

    private static func writing(_ folder: FilePath) -> [Attack] {
        let target = "\(folder)/written"
        let elements = [
            ("xsl:document", "href", ""), ("saxon:output", "href", "xmlns:saxon=\"http://icl.com/saxon\""),
            ("redirect:write", "file", "xmlns:redirect=\"org.apache.xalan.xslt.extensions.Redirect\""),
            ("xt:document", "href", "xmlns:xt=\"http://www.jclark.com/xt\""),
            ("exsl:document", "href", "xmlns:exsl=\"http://exslt.org/common\""),
        ]
        return elements.map { name, attribute, namespace in
            let prefix = name.prefix { $0 != ":" }
            let extends = prefix == "xsl" ? "" : "extension-element-prefixes=\"\(prefix)\""
            return Attack(
                description: name,
                sheet: sheet(
                    "<\(name) \(attribute)=\"\(target)\">\(secret)</\(name)>", attributes: "\(namespace) \(extends)"),
                outcome: .refused())
        } + [
            Attack(
                description: "a PHP function",
                sheet: sheet(
                    "<xsl:value-of select=\"php:function('system','id')\"/>",
                    attributes: "xmlns:php=\"http://php.net/xsl\""),
                outcome: .refused("function")),
            Attack(
                description: "xsl:message that terminates",
                sheet: sheet("<xsl:message terminate=\"yes\">so it ends</xsl:message>"), outcome: .refused("so it ends")
            ),
        ]
    }

    private static func exhausting() -> [Attack] {
        let xsl = "xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\""
        let templates = { (content: String, others: String) in
            "<xsl:stylesheet version=\"1.0\" \(xsl)><xsl:template match=\"/\"><en-note>\(content)</en-note></xsl:template>\(others)</xsl:stylesheet>"
        }
        let call = "<xsl:call-template name=\"a\"/>"
        let nested = (0..<6).reduce("a") { body, _ in "<xsl:for-each select=\"//node()|//@*\">\(body)</xsl:for-each>" }
        let doubling = (1...40).map {
            "<xsl:template name=\"a\($0)\"><xsl:call-template name=\"a\($0 - 1)\"/><xsl:call-template name=\"a\($0 - 1)\"/></xsl:template>"
        }.joined()
        let value = { (expression: String) in sheet("<xsl:value-of select=\"\(expression)\"/>") }
        return [
            Attack(
                description: "a template that calls itself",
                sheet: templates(call, "<xsl:template name=\"a\">\(call)</xsl:template>"), outcome: .refused()),
            Attack(
                description: "a template that applies itself",
                sheet: templates(
                    "<xsl:apply-templates/>",
                    "<xsl:template match=\"*\"><xsl:apply-templates select=\".\"/></xsl:template>"),
                outcome: .refused()),
            Attack(
                description: "a template that calls itself inside elements",
                sheet: templates(call, "<xsl:template name=\"a\"><div>\(call)</div></xsl:template>"),
                outcome: .refused()),
            Attack(
                description: "a template that calls itself inside variables",
                sheet: templates(
                    call, "<xsl:template name=\"a\"><xsl:variable name=\"v\">\(call)</xsl:variable></xsl:template>"),
                outcome: .refused()),
            Attack(
                description: "variables in a circle",
                sheet: sheet(
                    "<xsl:value-of select=\"$a\"/>",
                    top: "<xsl:variable name=\"a\" select=\"$b\"/><xsl:variable name=\"b\" select=\"$a\"/>"),
                outcome: .refused()),
            Attack(
                description: "attribute sets in a circle",
                sheet: sheet(
                    "a",
                    top: """
                        <xsl:attribute-set name="a" use-attribute-sets="b"/><xsl:attribute-set name="b" use-attribute-sets="a"/>
                        """), outcome: .refused()),
            Attack(
                description: "2^40 calls",
                sheet: templates(
                    "<xsl:call-template name=\"a40\"/>", doubling + "<xsl:template name=\"a0\">a</xsl:template>"),
                outcome: .refused()),
            Attack(description: "six nested loops over everything", sheet: sheet(nested), outcome: .refused()),
            Attack(
                description: "predicates that count everything",
                sheet: value(
                    "count(//node()[count(//node()[count(//node()[count(//node()) > 0]) > 0]) > 0])"
                ),
                outcome: .refused()),
            Attack(
                description: "5000 parentheses",
                sheet: value(String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000)),
                outcome: .refused()),
            Attack(
                description: "9000 predicates",
                sheet: value("count(/" + "*" + String(repeating: "[1]", count: 9000) + ")"),
                outcome: .refused()),
            Attack(
                description: "great numbers",
                sheet: sheet("[<xsl:number value=\"1e300\"/>|<xsl:value-of select=\"format-number(1e300,'0')\"/>]"),
                outcome: .note("<en-note")),
        ]
    }
}
