import Glibc
import Layouts
import Notes
import System
import Testing
import Workbench

/// A folder with a secret and a stylesheet that would work.
private struct Bait {
    let folder: TemporaryFolder
    let shipped: [String: [UInt8]]

    init() throws {
        signal(SIGPIPE, SIG_IGN)
        folder = try TemporaryFolder()
        shipped = try TemplateFolder().stylesheets()
        try FileDescriptor.create(folder.path / "secret.txt").write(Array(Attack.secret.utf8))
        let evil = Attack.sheet(Attack.secret)
        try FileDescriptor.create(folder.path / "evil.xsl").write(Array(evil.utf8))
    }

    /// Checks what came of an attack, and that nothing was written.
    func expect(_ attack: Attack, _ result: Result<String, StylesheetError>) {
        switch (attack.outcome, result) {
        case (.refused(let words), .failure(let error)):
            #expect(error.message.contains(words), "\(attack)")
            #expect(!error.message.isEmpty && !"\(error)".contains(Attack.secret), "\(attack): \(error)")
        case (.note(let piece), .success(let note)):
            #expect(note.contains(piece), "\(attack): \(note)")
            #expect(!note.contains(Attack.secret), "\(attack)")
        case (_, let result): Issue.record("\(attack): \(result)")
        }
        #expect(!Files.exists(folder.path / "written"), "\(attack)")
    }
}

@Suite("Stylesheets are closed")
struct StylesheetTests {
    @Test("every attack fails in this process, whose threads have little stack")
    func attacks() throws {
        let bait = try Bait()
        for attack in Attack.all(in: bait.folder.path) {
            bait.expect(
                attack,
                Result { () throws(StylesheetError) in
                    try Stylesheet(Array(attack.sheet.utf8), name: "mine.xsl", shipped: bait.shipped)
                        .render(Sample.document().xml)
                })
        }
    }

    @Test("every attack fails in the process that runs a user's own sheet")
    func attacksApart() throws {
        let bait = try Bait()
        let program = try BuiltProgram.path()
        for attack in Attack.all(in: bait.folder.path) {
            bait.expect(
                attack,
                Result { () throws(StylesheetError) in
                    try StylesheetProcess(
                        Array(attack.sheet.utf8), name: "mine.xsl", shipped: bait.shipped, program: program
                    ).render(Sample.document().xml)
                })
        }
    }

    @Test("a sheet that doubles a string for ever ends for lack of memory, and only its own process")
    func memory() throws {
        let doubling = """
            <xsl:template name="a"><xsl:param name="s" select="'0123456789abcdef'"/><xsl:param name="n" select="0"/>
            <xsl:choose><xsl:when test="$n &lt; 40"><xsl:call-template name="a"><xsl:with-param name="s" select="concat($s,$s)"/>
            <xsl:with-param name="n" select="$n + 1"/></xsl:call-template></xsl:when>
            <xsl:otherwise><xsl:value-of select="string-length($s)"/></xsl:otherwise></xsl:choose></xsl:template>
            """
        let sheet = Attack.sheet("<xsl:call-template name=\"a\"/>", top: doubling)
        let process = try StylesheetProcess(
            Array(sheet.utf8), name: "mine.xsl", shipped: [:], program: BuiltProgram.path())
        let error = #expect(throws: StylesheetError.self) { try process.render(Sample.document().xml) }
        #expect(error?.file == "mine.xsl")
    }

    @Test("a sheet that computes for ever inside one step ends for lack of time")
    func time() throws {
        // Each step of the sort compares long strings, which the limits on steps do not see.
        let long =
            String(repeating: "translate(", count: 60) + "concat(., $s, $s)"
            + String(repeating: ",'abcdefghijklmnopqrstuvwxyz','zyxwvutsrqponmlkjihgfedcba')", count: 60)
        let sheet = Attack.sheet(
            "<xsl:for-each select=\"//node()|//@*\"><xsl:sort select=\"\(long)\"/>a</xsl:for-each>",
            top: "<xsl:variable name=\"s\" select=\"concat(/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/,/)\"/>")
        let process = try StylesheetProcess(
            Array(sheet.utf8), name: "mine.xsl", shipped: [:], program: BuiltProgram.path())
        #expect(throws: StylesheetError(file: "mine.xsl", message: "took more than 5 seconds")) {
            try process.render(Sample.document().xml)
        }
    }

    @Test("a sheet that imports a shipped one gives the same note here and apart", arguments: Layout.allCases)
    func imports(layout: Layout) throws {
        let shipped = try TemplateFolder().stylesheets()
        let sheet = """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
            <xsl:import href="\(layout.rawValue).xsl"/></xsl:stylesheet>
            """
        let expected = try Sample.note(layout)
        let document = Sample.document().xml
        #expect(try Stylesheet(Array(sheet.utf8), name: "a", shipped: shipped).render(document) == expected)
        let process = try StylesheetProcess(
            Array(sheet.utf8), name: "a", shipped: shipped, program: BuiltProgram.path())
        #expect(try process.render(document) == expected)
    }

    @Test("a user's sheet changes one colour, or one measure, in two lines")
    func ownColours() throws {
        let sheet = """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
            <xsl:import href="full.xsl"/>
            <xsl:variable name="grey" select="'#3d6b8c'"/>
            <xsl:attribute-set name="gap"><xsl:attribute name="style">line-height: 40px;</xsl:attribute></xsl:attribute-set>
            </xsl:stylesheet>
            """
        let own = try Stylesheet(Array(sheet.utf8), name: "mine.xsl", shipped: TemplateFolder().stylesheets())
        let expected = try Sample.note(.full).replacing("#757575", with: "#3d6b8c")
            .replacing("font-size: 13px; line-height: 28px;", with: "line-height: 40px;")
        #expect(try own.render(Sample.document().xml) == expected)
    }

    @Test("a mistake is told with file, line and words")
    func mistakes() throws {
        let shipped = try TemplateFolder().stylesheets()
        func error(_ sheet: String) -> StylesheetError? {
            do throws(StylesheetError) {
                _ = try Stylesheet(Array(sheet.utf8), name: "mine.xsl", shipped: shipped).render(Sample.document().xml)
                return nil
            } catch { return error }
        }
        let unclosed = error(
            "<xsl:stylesheet version=\"1.0\"\nxmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">\n<a>")
        #expect(unclosed?.line == 3)
        let badPath = error(Attack.sheet("\n<xsl:value-of select=\"((\"/>"))
        #expect(badPath?.line == 3)
        #expect(badPath?.file == "mine.xsl")
        let unknownTemplate = error(Attack.sheet("\n\n<xsl:call-template name=\"nosuch\"/>"))
        #expect(unknownTemplate?.message.contains("nosuch") == true)
        #expect(unknownTemplate?.line == 4)
        let badVariable = error(Attack.sheet("<xsl:value-of select=\"$nosuch\"/>"))
        #expect(badVariable?.message.contains("nosuch") == true)
    }

    @Test("a mistake in a sheet that is imported is told by that sheet's name, line and words")
    func mistakeInImport() throws {
        let full = Array(
            """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
            <xsl:import href="plain.xsl"/></xsl:stylesheet>
            """.utf8)
        let plain = Array("<xsl:stylesheet>\n<!-- two -- hyphens --></xsl:stylesheet>".utf8)
        do throws(StylesheetError) {
            _ = try Stylesheet(full, name: "full.xsl", shipped: ["plain.xsl": plain])
            Issue.record("no error")
        } catch {
            #expect(error.file == "plain.xsl")
            #expect(error.line == 2)
            #expect(error.message.contains("hyphen"), "\(error)")
        }
    }

    @Test("a program that is not there, or is another, is an error and not a hang")
    func wrongProgram() {
        signal(SIGPIPE, SIG_IGN)
        for program: FilePath in ["/nonexistent", "/bin/true", "/bin/cat"] {
            #expect(throws: StylesheetError.self) {
                try StylesheetProcess(Array(Attack.sheet("a").utf8), name: "a", shipped: [:], program: program)
                    .render(Sample.document().xml)
            }
        }
    }

    @Test("a request that is none ends the process that renders, with the status for bad data")
    func badRequest() throws {
        signal(SIGPIPE, SIG_IGN)
        for request: [UInt8] in [
            [0xff, 0xff, 0xff, 0xff], [1, 0, 0, 0, 0xff], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0],
        ] {
            var child = try ChildProcess(BuiltProgram.path(), [StylesheetProcess.argument])
            try child.input.write(request + [UInt8](repeating: 0, count: 16))
            #expect(child.wait() == .status(65))
        }
    }

    @Test("a thousand photos are within the limits on steps", arguments: Layout.allCases)
    func large(layout: Layout) throws {
        var draft = Sample.draft
        draft.memos = (0..<1000).map { index in
            Sample.memo(
                index % 3 == 0 ? "Line one\nhttps://example.org/\(index)\n\n- a\n- b" : "", "2026-05-03T05:48:00+09:00",
                Place(latitude: 1, longitude: 2), [Sample.photo(Int64(index + 1), "\(index).jpg", 1600, 1200)])
        }
        let note = try Sample.note(layout, of: draft)
        #expect(note.components(of: "<en-media") == (layout == .thumbsFull ? 2000 : 1000))
    }
}
