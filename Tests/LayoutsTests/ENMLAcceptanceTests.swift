import System
import Testing
import Workbench

@testable import Layouts

@Suite("The verdict equals that of the official document type")
struct ENMLAcceptanceTests {
    private func verdict(_ document: String) -> ENMLError? {
        do {
            try ENMLValidator.checkDocumentType(document)
            return nil
        } catch { return error }
    }

    @Test("500 changed notes: the same verdict on each, about half of them valid, each rule broken")
    func mutations() throws {
        let bases = try ENMLMutator.looks(in: SharedFolder.path()) + ENMLMutator.notes
        var mutator = ENMLMutator(bases, seed: 20_260_503)
        let mutations = (0..<500).map { mutator.mutation($0) }
        let official = try OfficialDocumentType().verdicts(mutations.map(\.enml))
        var broken: Set<String> = []
        for (mutation, isValid) in zip(mutations, official) {
            let error = verdict(mutation.enml)
            #expect(
                (error == nil) == isValid,
                "\(mutation.what): \(error.map(\.description) ?? "valid")\n\(mutation.enml.prefix(3_000))")
            if let error { broken.formUnion([error.rule.code, mutation.rule]) }
        }
        let share = Double(official.count { $0 }) / Double(official.count)
        #expect((0.4...0.6).contains(share), "\(share) valid")
        let codes = [
            "not-xml", "document-type", "root", "element", "nested-note", "attribute", "missing-attribute", "value",
            "not-empty", "text-only", "standalone",
        ]
        let rows = ENMLRules.elements.keys.map { "attribute of \($0)" } + ["type", "hash"].map { "missing \($0)" }
        #expect(Set(codes + rows + ["checked", "xml:space", "xmlns"]).subtracting(broken) == [])
    }

    @Test("every element with every attribute")
    func everyAttribute() throws {
        let attributes = Set(ENMLRules.elements.values.flatMap(\.attributes.keys)).union([
            "id", "class", "onclick", "xml:id", "xml:base",
        ])
        var lines: [String] = []
        for (name, element) in ENMLRules.elements.sorted(by: { $0.key < $1.key }) where name != ENMLRules.root {
            for attribute in attributes.sorted() {
                let value = name == "en-todo" ? "true" : attribute == "xml:space" ? "preserve" : "1"
                let others = element.attributes.filter { $0.value == .required && $0.key != attribute }.keys.sorted()
                lines.append("<\(name)\(others.map { " \($0)=\"a\"" }.joined()) \(attribute)=\"\(value)\"/>")
            }
        }
        #expect(lines.count > 3_000)
        try compare(lines)
    }

    @Test("every element in every other")
    func everyChild() throws {
        let whole = ENMLRules.elements.keys.sorted().map { name in
            let required = name == "en-media" ? " type=\"a\" hash=\"b\"" : ""
            return (name, "<\(name)\(required)", "</\(name)>")
        }
        var lines: [String] = []
        for (parent, start, end) in whole where parent != ENMLRules.root {
            for (_, child, _) in whole { lines.append("\(start)>\(child)/>\(end)") }
            lines += [
                "\(start)> \(end)", "\(start)>a\(end)", "\(start)><!-- -->\(end)", "\(start)>&euro;\(end)",
                "\(start)>\(end)",
            ]
        }
        #expect(lines.count > 3_500)
        try compare(lines)
    }

    @Test("every name of a character, in text and in a value")
    func everyName() throws {
        let names = ENMLRules.namedCharacters.keys.sorted() + ["amp", "lt", "gt", "quot", "apos"]
        #expect(names.count == 253)
        let head = "<!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\">"
        let all = head + "<en-note>" + names.map { "<div title=\"&\($0);\">&\($0);</div>" }.joined() + "</en-note>"
        let none = ["Tab", "colon", "nbsq", "NBSP", "hellip1"].map { head + "<en-note>&\($0);</en-note>" }
        #expect(verdict(all) == nil)
        #expect(none.allSatisfy { verdict($0) != nil })
        #expect(try OfficialDocumentType().verdicts([all] + none) == [true, false, false, false, false, false])
    }

    @Test("400 notes with bytes cut, doubled and exchanged anywhere")
    func noise() throws {
        let bases = try ENMLMutator.looks(in: SharedFolder.path()) + ENMLMutator.notes
        var random = Seeded(77)
        let marks = Array("<>&;\"'/!-[]=? \n:ax")
        let documents = (0..<400).map { _ -> String in
            var text = Array((bases.randomElement(using: &random) ?? "").prefix(4_000))
            if Bool.random(using: &random), let end = bases[0].range(of: "</en-note>") { text += Array(bases[0][end]) }
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(marks.randomElement(using: &random) ?? "a", at: place)
                default: text[place] = marks.randomElement(using: &random) ?? "a"
                }
            }
            return String(text)
        }
        let official = try OfficialDocumentType().verdicts(documents)
        for (document, isValid) in zip(documents, official) {
            let error = verdict(document)
            // The one point in which this program is narrower: declarations in the document itself.
            if error?.rule == .documentType, document.hasDeclarations { continue }
            #expect((error == nil) == isValid, "\(error.map(\.description) ?? "valid")\n\(document)")
        }
    }

    /// One note with each of the lines, each line judged alone here.
    private func compare(_ lines: [String]) throws {
        let head = "<!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\"><en-note>"
        let official = try OfficialDocumentType().invalidLines(
            head + "\n" + lines.joined(separator: "\n") + "\n</en-note>")
        for (number, line) in lines.enumerated() {
            let error = verdict(head + line + "</en-note>")
            #expect((error != nil) == official.contains(number + 2), "\(line): \(error.map(\.description) ?? "valid")")
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
            place = index(after: place)
        }
        return nil
    }

    fileprivate var hasDeclarations: Bool {
        guard let start = range(of: "<!DOCTYPE"),
            let end = self[start.upperBound...].firstIndex(where: { $0 == ">" || $0 == "[" })
        else { return false }
        return self[end] == "["
    }
}
