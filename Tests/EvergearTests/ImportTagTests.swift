import Foundation
import Testing

/// Keywords that become tags, from outside.
@Suite("import, tags") struct ImportTagTests {
    private func tags(_ evergear: Evergear) throws -> [String] {
        try #require(try evergear.run("draft", "show", "last", "--json").object()["tags"] as? [String])
    }

    private func keyword(_ folder: URL, _ number: Int, _ words: [String], tag: String = "XMP-dc:Subject") throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/exiftool")
        process.arguments =
            ["-q", "-overwrite_original", "-AllDates=2024:05:01 10:00:0\(number)"] + words.map { "-\(tag)=\($0)" }
            + [folder.appending(path: "IMG_\(number).jpg").path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("--tags-from keywords: each once, in order of first use, behind the tags that were given") func order() throws
    {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(3)
        try keyword(folder, 1, ["sea", "Lake Biwa"])
        try keyword(folder, 2, ["SEA", "sun, moon", "山"])
        try keyword(folder, 3, ["old"], tag: "IPTC:Keywords")
        let run = try evergear.run("import", folder.path, "--tags-from", "keywords", "--tag", "trip")
        #expect(run.status == 0, "\(run)")
        #expect(try tags(evergear) == ["trip", "sea", "Lake Biwa", "山", "old"])
        #expect(
            run.errors.contains("its keyword \"sun, moon\" cannot be a tag: it contains a comma."), "\(run)")

        // Those of photos that come late join them; without the option, keywords are left alone.
        let late = try evergear.manyPhotos(4, in: "late")
        try keyword(late, 4, ["late", "sea"])
        try FileManager.default.moveItem(at: late.appending(path: "IMG_4.jpg"), to: folder.appending(path: "IMG_4.jpg"))
        #expect(try evergear.run("import", folder.path, "--tags-from", "keywords").status == 0)
        #expect(try tags(evergear) == ["trip", "sea", "Lake Biwa", "山", "old", "late"])
        #expect(try evergear.run("send", "last", "--layout", "plain").status == 0)
        let plain = try evergear.run("import", folder.path, "--duplicates", "keep")
        #expect(plain.status == 0, "\(plain)")
        #expect(try tags(evergear).isEmpty)
        #expect(try evergear.run("import", folder.path, "--tags-from", "stars").status == 64)
    }

    @Test("a draft gets a hundred tags at most, and what found no room is told") func most() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(1)
        try keyword(folder, 1, (1...103).map { "word \($0)" })
        let run = try evergear.run("import", "--json", folder.path, "--tags-from", "keywords", "--tag", "trip")
        let tags = try tags(evergear)
        #expect(tags.count == 100 && tags.first == "trip" && tags.last == "word 99")
        let warnings = try #require(try run.object()["warnings"] as? [[String: Any]])
        #expect(
            warnings.map { $0["reason"] as? String } == [
                "a note has at most 100 tags: from \"word 100\" on, 4 keywords did not become tags"
            ])
        #expect(try evergear.run("send", "last").status == 0)
    }
}
