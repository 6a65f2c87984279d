import Foundation
import System
import Testing

@Suite("import") struct ImportCommandTests {
    @Test("what a person wrote below a title that the import made stays, as more photos come") func belowTheTitle()
        throws
    {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(2)
        #expect(try evergear.run("import", photos.path).status == 0)
        let text = try evergear.run("draft", "edit", "last", "--print").output
        let title = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") })
        let edited = text.replacing(title, with: "\(title)\nThe path was wet.\n\nNobody about.", maxReplacements: 1)
        #expect(try evergear.run("draft", "edit", "last", "--from", "-", input: edited).status == 0)
        let more = try evergear.manyPhotos(3, in: "more").appending(path: "IMG_3.jpg")
        try FileManager.default.copyItem(at: more, to: photos.appending(path: "IMG_3.jpg"))
        #expect(try evergear.run("import", photos.path).status == 0)
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        #expect((draft["memos"] as? [Any])?.count == 3, "\(draft)")
        #expect((draft["text"] as? String)?.contains("The path was wet.\n\nNobody about.") == true, "\(draft)")
    }

    @Test("found = imported + duplicates + skipped + failed, and every file has its reason")
    func everyFileIsAccountedFor()
        throws
    {
        let evergear = try Evergear()
        let run = try evergear.run("import", "--json", Evergear.fixtures.path)
        #expect(run.status == 3, "\(run)")
        let summary = try run.object()
        let found = try #require(summary["found"] as? Int)
        let imported = try #require(summary["imported"] as? Int)
        let duplicates = try #require(summary["duplicates"] as? [[String: Any]])
        let skipped = try #require(summary["skipped"] as? [[String: Any]])
        let failed = try #require(summary["failed"] as? [[String: Any]])
        #expect(found == imported + duplicates.count + skipped.count + failed.count)
        #expect(imported >= 10 && duplicates.count >= 1 && failed.count >= 2)
        for entry in skipped + failed {
            #expect((entry["reason"] as? String)?.isEmpty == false)
            #expect((entry["path"] as? String)?.isEmpty == false)
        }
        let draft = try #require((summary["drafts"] as? [[String: Any]])?.first)
        #expect(draft["photos"] as? Int == imported)
    }

    @Test("the same folder again continues its draft and finds only duplicates") func againIsDuplicates() throws {
        let evergear = try Evergear()
        let first = try evergear.run("import", "--json", Evergear.fixtures.path).object()
        let again = try evergear.run("import", "--json", Evergear.fixtures.path).object()
        #expect(again["imported"] as? Int == 0)
        #expect(again["found"] as? Int == first["found"] as? Int)
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)
    }

    @Test("photos come in order of capture, then by natural name") func order() throws {
        let evergear = try Evergear()
        let folder = evergear.home.appending(path: "burst")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = try Self.somePhoto()
        for (name, stamp) in [
            ("IMG_10.jpg", "2026:01:01 10:00:00"), ("IMG_9.jpg", "2026:01:01 10:00:00"),
            ("a.jpg", "2026:01:01 12:00:00"),
            ("z.jpg", "2026:01:01 08:00:00"),
        ] {
            let file = folder.appending(path: name)
            try FileManager.default.copyItem(at: source, to: file)
            try exiftool("-AllDates=\(stamp)", "-OffsetTimeOriginal=+00:00", "-ImageDescription=\(name)", file.path)
        }
        #expect(try evergear.run("import", folder.path).status == 0)
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        let names = try #require(draft["memos"] as? [[String: Any]]).compactMap {
            ($0["photos"] as? [[String: Any]])?.first?["name"] as? String
        }
        #expect(names == ["z.jpg", "IMG_9.jpg", "IMG_10.jpg", "a.jpg"])
    }

    @Test("what is never a photo is ignored, and type is decided by content") func ignoredAndMisnamed() throws {
        let evergear = try Evergear()
        let folder = evergear.home.appending(path: "mixed")
        for sub in ["@eaDir", ".hidden", "sub"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: sub), withIntermediateDirectories: true)
        }
        let source = try Self.somePhoto()
        for name in ["@eaDir/x.jpg", ".hidden/x.jpg", "._x.jpg", "sub/really-a-jpeg.txt"] {
            try FileManager.default.copyItem(at: source, to: folder.appending(path: name))
        }
        _ = try evergear.file("mixed/Thumbs.db", "x")
        _ = try evergear.file("mixed/words.jpg", "these are words")
        _ = try evergear.file("mixed/empty.jpg")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "folder.jpg"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "sub/loop"), withDestinationURL: folder)
        mkfifo(folder.appending(path: "fifo.jpg").path, 0o600)

        let run = try evergear.run("import", "--json", folder.path)
        #expect(run.status == 3, "\(run)")
        let summary = try run.object()
        #expect(summary["imported"] as? Int == 1)
        let lost = ((summary["failed"] as? [[String: Any]]) ?? []) + ((summary["skipped"] as? [[String: Any]]) ?? [])
        let names = Set(lost.compactMap { ($0["path"] as? String).map { URL(filePath: $0).lastPathComponent } })
        #expect(names.isSuperset(of: ["words.jpg", "empty.jpg", "fifo.jpg", "loop"]), "\(names)")
        #expect((summary["ignored"] as? Int ?? 0) >= 4)
    }

    @Test("a name in broken UTF-8 is imported and told apart") func brokenUTF8() throws {
        let evergear = try Evergear()
        let folder = evergear.home.appending(path: "bytes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let content = try Data(contentsOf: Self.somePhoto())
        let path = FilePath(bytes: Array(folder.path.utf8) + [0x2f, 0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67])
        try FileDescriptor.create(path).write(Array(content))
        let run = try evergear.run("import", "--json", folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(try run.object()["imported"] as? Int == 1)
    }

    @Test("--group-by day makes a draft a day, --title fills in its words") func grouping() throws {
        let evergear = try Evergear()
        let run = try evergear.run(
            "import", "--json", Evergear.fixtures.path, "--group-by", "day", "--title", "{folder} {date} ({count})")
        let drafts = try #require(try run.object()["drafts"] as? [[String: Any]])
        #expect(drafts.count >= 2)
        #expect(drafts.allSatisfy { ($0["title"] as? String)?.contains("20") == true })
    }

    @Test("a folder that is named by its day says the day once, in the title and in the file's name") func datedFolder()
        throws
    {
        let evergear = try Evergear()
        try evergear.run("import", Evergear.fixtures.appending(path: "2024-05-01 Hakone").path)
        let sent = try evergear.run("send", "last", "--layout", "thumbs")
        #expect(sent.status == 0, "\(sent)")
        #expect(try evergear.enexFiles().map(\.lastPathComponent) == ["2024-05-01 Hakone.enex"])
    }

    @Test("--dry-run writes nothing") func dryRun() throws {
        let evergear = try Evergear()
        let run = try evergear.run("import", "--json", "-n", Evergear.fixtures.path)
        #expect((try run.object()["imported"] as? Int ?? 0) > 0)
        #expect(try evergear.run("draft", "list", "--json").output.isEmpty)
    }

    @Test("a folder that is not there is status 66, one without a photo 65") func nothingToImport() throws {
        let evergear = try Evergear()
        #expect(try evergear.run("import", evergear.home.appending(path: "nowhere").path).status == 66)
        _ = try evergear.file("words/a.jpg", "words")
        #expect(try evergear.run("import", evergear.home.appending(path: "words").path).status == 65)
    }

    @Test("--files-from takes names ended by NUL or by line") func filesFrom() throws {
        let evergear = try Evergear()
        let photo = try Self.somePhoto().path
        #expect(
            try evergear.run("import", "--json", "--files-from", "-", input: photo + "\n").object()["imported"] as? Int
                == 1)
        try evergear.run("draft", "rm", "last")
        #expect(
            try evergear.run("import", "--json", "--files-from", "-", input: photo + "\0").object()["imported"] as? Int
                == 1)
    }

    /// An ordinary JPEG of the fixtures.
    static func somePhoto() throws -> URL {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Evergear.fixtures.path).sorted()
        let name = try #require(
            names.first {
                let size =
                    try? FileManager.default.attributesOfItem(
                        atPath: Evergear.fixtures.appending(path: $0).path)[.size] as? Int
                return $0.hasSuffix("09.JPG") && (size ?? 0) > 20_000
            })
        return Evergear.fixtures.appending(path: name)
    }
}

/// Writes metadata with the oracle's own tool.
func exiftool(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/exiftool")
    process.arguments = ["-q", "-overwrite_original"] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
}
