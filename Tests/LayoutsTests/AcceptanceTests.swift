import Layouts
import Notes
import System
import Testing
import Workbench

/// Against the official ENML rules and the agreed look. Both are kept outside the project; `EVERGEAR_SHARED` says where.
@Suite("Notes hold against what others wrote", .enabled(if: Environment.value("EVERGEAR_SHARED") != nil))
struct AcceptanceTests {
    private let shared = FilePath(Environment.value("EVERGEAR_SHARED") ?? "")

    @Test("every layout is valid by the official document type", arguments: Layout.allCases)
    func documentType(layout: Layout) throws {
        for draft in [Sample.draft, Sample.sheets] {
            for captions: Captions in [.standard, [], [.number, .time, .place, .name]] {
                let note = try Sample.note(layout, document: Sample.document(draft, captions: captions))
                #expect(try isValid(note))
            }
        }
    }

    @Test("the judge refuses what is not valid")
    func judge() throws {
        #expect(
            try !isValid(Sample.note(.full).replacing("<h3", with: "<section").replacing("</h3", with: "</section")))
    }

    @Test("the agreed sample looks as agreed, to the last measure", arguments: Layout.allCases)
    func look(layout: Layout) throws {
        let looks = shared / "looks"
        // The one thing that the form says more of: how wide a tall picture is shown.
        let tall = "width=\"1200\" height=\"1600\"/>"
        let sample = String(decoding: try Files.read(looks / "draft.xml", limit: 1 << 20), as: UTF8.self)
            .replacing(tall, with: tall.dropLast(2) + " show-width=\"480\"/>")
        let templates = try TemplateFolder().stylesheets()
        let sheet = try #require(templates["\(layout.rawValue).xsl"])
        let note = try Stylesheet(sheet, name: "a", shipped: templates).render(Array(sample.utf8))
        let agreed = String(decoding: try Files.read(looks / "\(layout.rawValue).enml", limit: 1 << 20), as: UTF8.self)
        #expect(canonical(note) == canonical(agreed))
    }

    /// With the attributes of each element sorted, and without what stands before the root.
    private func canonical(_ enml: String) -> String {
        let body: Substring = enml[(enml.firstRange(of: "<en-note")?.lowerBound ?? enml.startIndex)...]
        return body.replacing(/<([\w-]+)((?:\ [\w-]+="[^"]*")+)/) { match in
            let attributes = match.2.matches(of: /\ [\w-]+="[^"]*"/).map { String($0.0) }
            return "<\(match.1)" + attributes.sorted().joined()
        }.trimmingLines
    }

    private func isValid(_ enml: String) throws -> Bool {
        let folder = try TemporaryFolder()
        let base = shared / "dtd"
        let system = "http://xml.evernote.com/pub/enml2.dtd"
        let entities = ["lat1", "symbol", "special"].map { name in
            "<system systemId=\"http://www.w3.org/TR/xhtml1/DTD/xhtml-\(name).ent\" uri=\"file://\(base)/xhtml-\(name).ent\"/>"
        }
        let catalogue = """
            <catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog" prefer="system">
            <system systemId="\(system)" uri="file://\(base)/enml2.dtd"/>\(entities.joined())
            </catalog>
            """
        try FileDescriptor.create(folder.path / "catalog.xml").write(Array(catalogue.utf8))
        return try Xmllint.accepts(
            Array(enml.utf8), ["--valid"], environment: ["XML_CATALOG_FILES=\(folder.path)/catalog.xml"])
    }
}

extension Substring {
    fileprivate var trimmingLines: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
