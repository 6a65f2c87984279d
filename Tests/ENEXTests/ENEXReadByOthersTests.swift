import Notes
import System
import Testing
import Workbench

@testable import ENEX

@Suite("Others read what is written")
struct ENEXReadByOthersTests {
    @Test("an independent reader gives back titles, texts, tags, times and every byte")
    func roundTrip() throws {
        let sample = try Sample()
        let (path, notes) = try sample.writeEverything()
        func manifest(tag: String) -> [UInt8] {
            let resources = notes[0].resources.map {
                "{\"md5\": \"\($0.blob.md5)\", \"size\": \($0.blob.size), \"mime\": \"\($0.mime)\", \"file_name\": \"\($0.attributes.fileName)\"}"
            }
            return Array(
                """
                {"notes": [
                    {"title": "Lake & <sea> ]]> 湖", "created": "2026-05-03T14:48:00+09:00", "updated": "20260503T054801Z",
                     "tags": ["a & b", "\(tag)"], "texts": ["Thermos & <coffee>"], "enml": \(quoted(notes[0].enml)),
                     "resources": [\(resources.joined(separator: ", "))]},
                    {"title": "Second", "tags": [], "resources": [], "enml": \(quoted(notes[1].enml))}
                ]}
                """.utf8)
        }
        func check(_ manifest: FilePath) throws -> (output: String, status: ChildProcess.Ending) {
            try run("/usr/bin/env", ["python3", script, manifest.description, path.description, "--json"])
        }
        let good = try check(try sample.folder.write(manifest(tag: "湖"), as: "good.json"))
        #expect(good.status == .status(0), "\(good.output)")
        let bad = try check(try sample.folder.write(manifest(tag: "sea"), as: "bad.json"))
        #expect(bad.status == .status(1))
        #expect(bad.output.contains("the tags are"))
    }

    private var script: String {
        let root = FilePath(#filePath).folder.folder.folder
        return (root / "acceptance/enex_roundtrip.py").description
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "\n" ? "\\n" : "\($0)" } + "\""
    }
}

extension Sample {
    /// Two notes that use everything that a note can have, and things that are hard to write.
    func writeEverything() throws -> (path: FilePath, notes: [Note]) {
        let bodies = [[UInt8]("hello".utf8), [UInt8](repeating: 9, count: 1_000_000), [0]]
        let resources = try bodies.enumerated().map { index, bytes in
            var resource = try resource(bytes, name: "写真 & \(index).jpg")
            resource.attributes = ResourceAttributes(
                fileName: "写真 & \(index).jpg", timestamp: 1_777_787_280_000,
                place: Place(latitude: -35.5, longitude: 0.00001, altitude: -3.25),
                camera: Camera(make: "Maker <1>", model: "M"))
            return resource
        }
        let media = resources.map { "<div><en-media type=\"\($0.mime)\" hash=\"\($0.blob.md5)\"/></div>" }.joined()
        var full = note(
            title: "Lake & <sea> ]]> 湖", body: "<div title=\"]]>\">Thermos &amp; <![CDATA[<coffee>]]></div>\(media)",
            resources: resources)
        full.tags = ["a & b", "湖"]
        full.attributes = NoteAttributes(
            place: Place(latitude: 35.5, longitude: 136.25, altitude: 84, name: "Biwa"),
            sourceURL: "evergear://note/01",
            sourceApplication: "evergear", subjectDate: 1_777_787_280_000)
        let notes = [full, note(title: "Second", body: "<div>plain</div>")]
        return (path: try write(notes), notes: notes)
    }
}
