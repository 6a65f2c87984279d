import Layouts
import Notes
import System
import Testing
import Workbench

/// Against the official ENML rules and the agreed look.
@Suite("Notes hold against what others wrote")
struct LayoutsAcceptanceTests {
    @Test("every layout is valid by the official document type", arguments: Layout.allCases)
    func documentType(layout: Layout) throws {
        var notes: [String] = []
        for draft in [Sample.draft, Sample.sheets] {
            for captions: Captions in [.standard, [], [.number, .time, .place, .name]] {
                notes.append(try Sample.note(layout, document: Sample.document(draft, captions: captions)))
            }
        }
        #expect(try OfficialDocumentType().verdicts(notes) == notes.map { _ in true })
    }

    @Test("the judge refuses what is not valid")
    func judge() throws {
        let note = try Sample.note(.full).replacing("<h3", with: "<section").replacing("</h3", with: "</section")
        #expect(try OfficialDocumentType().verdicts([note]) == [false])
    }

    @Test("the agreed sample looks as agreed, to the last measure", arguments: Layout.allCases)
    func look(layout: Layout) throws {
        let looks = try SharedFolder.path() / "looks"
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
}

extension Substring {
    fileprivate var trimmingLines: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
