import System
import Testing
import Workbench

@testable import Layouts

/// Evernote's own document type, as xmllint judges by it.
struct OfficialDocumentType {
    private let folder: TemporaryFolder
    private let catalog: FilePath

    init() throws {
        folder = try TemporaryFolder()
        let dtd = try SharedFolder.path() / "dtd"
        let names = [
            ("Latin 1 for XHTML", "xhtml-lat1.ent"), ("Symbols for XHTML", "xhtml-symbol.ent"),
            ("Special for XHTML", "xhtml-special.ent"),
        ]
        let entries = names.map { #"<public publicId="-//W3C//ENTITIES \#($0.0)//EN" uri="file://\#(dtd)/\#($0.1)"/>"# }
        catalog = try folder.write(
            Array(
                """
                <?xml version="1.0"?>
                <catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
                <system systemId="\(ENMLRules.documentType)" uri="file://\(dtd)/enml2.dtd"/>
                \(entries.joined(separator: "\n"))
                </catalog>
                """.utf8), as: "catalog.xml")
        // A wrong address in the catalogue would make every document invalid without a word.
        try #require(
            try verdicts(["<!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\"><en-note>&nbsp;</en-note>"]) == [true]
        )
    }

    /// Which documents are valid.
    func verdicts(_ documents: [String]) throws -> [Bool] {
        for (number, document) in documents.enumerated() {
            try Files.replace(folder.path / "\(number).enml", with: Array(document.utf8))
        }
        let script = """
            number=0
            while [ $number -lt \(documents.count) ]; do
                xmllint --nonet --valid --noout "$1/$number.enml" 2>/dev/null && echo valid || echo invalid
                number=$((number + 1))
            done
            """
        let lines = try run(
            "/bin/sh", ["-c", script, "sh", folder.path.description], environment: environment
        ).output.split(separator: "\n")
        try #require(lines.count == documents.count)
        return lines.map { $0 == "valid" }
    }

    /// The lines of a document that break a rule.
    func invalidLines(_ document: String) throws -> Set<Int> {
        let file = folder.path / "lines.enml"
        try Files.replace(file, with: Array(document.utf8))
        let script = "xmllint --nonet --valid --noout \"$1\" 2>&1"
        let messages = try run("/bin/sh", ["-c", script, "sh", file.description], environment: environment).output
        var lines: Set<Int> = []
        for message in messages.split(separator: "\n") where message.hasPrefix(file.description + ":") {
            guard message.contains("validity error") else { continue }
            if let line = Int(message.dropFirst(file.description.count + 1).prefix { $0.isNumber }) {
                lines.insert(line)
            }
        }
        return lines
    }

    private var environment: [String] { ["PATH=/usr/bin:/bin", "XML_CATALOG_FILES=\(catalog)"] }
}
