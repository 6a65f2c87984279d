import System
import Testing
import Workbench

@testable import ENEX

@Suite("The official document type of exports")
struct ENEXAcceptanceTests {
    @Test("the file is valid against Evernote's document type for exports")
    func documentType() throws {
        let sample = try Sample()
        let path = try sample.writeEverything().path
        let dtd = try SharedFolder.path() / "dtd/evernote-export3.dtd"
        func isValid(_ path: FilePath) throws -> Bool {
            let script = "xmllint --nonet --noout --huge --dtdvalid \"$1\" \"$2\" 2>/dev/null"
            return try run("/bin/sh", ["-c", script, "sh", dtd.description, path.description]).status == .status(0)
        }
        #expect(try isValid(path))
        // The check itself notices an element out of its order.
        let text = try sample.text(path)
        let wrong = text.replacingFirst("<created>20260503T054800Z</created>\n", with: "")
            .replacingFirst("<tag>", with: "<created>20260503T054800Z</created>\n<tag>")
        #expect(wrong.utf8.count == text.utf8.count && wrong != text)
        #expect(try !isValid(try sample.folder.write(Array(wrong.utf8), as: "wrong.enex")))
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        let (all, part) = (Array(utf8), Array(text.utf8))
        guard
            let place = (0...(all.count - part.count)).first(where: { all[$0..<($0 + part.count)].elementsEqual(part) })
        else { return self }
        return String(decoding: all[..<place] + Array(other.utf8) + all[(place + part.count)...], as: UTF8.self)
    }
}
