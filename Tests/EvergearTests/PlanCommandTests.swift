import Foundation
import Testing

/// What a note holds, what of a draft is too much for it, and how that is told.
@Suite("notes that are planned") struct PlanCommandTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    /// A JPEG of exactly so many bytes, of bytes of its own.
    private func photo(_ name: String, _ size: Int) throws -> String {
        let url = evergear.home.appending(path: name)
        let start = try Data(contentsOf: ImportCommandTests.somePhoto()) + Data(name.utf8)
        try #require(size >= start.count)
        try (start + Data(repeating: 0x2e, count: size - start.count)).write(to: url)
        return url.path
    }

    private func plan(_ draft: String = "last", noteBytes: Int) throws -> Evergear.Run {
        try evergear.run("plan", draft, "--layout", "plain", "--note-bytes", String(noteBytes))
    }

    private func notes(_ run: Evergear.Run) throws -> Int? {
        try run.output.firstMatch(of: /· ([0-9]+) notes?\n/).map { try #require(Int($0.1)) }
    }

    // MARK: Memos by their numbers

    @Test("what is too much names the memo by the number that the other commands use") func numbers() throws {
        try evergear.run("draft", "add", "Ridge")
        for words in ["one", "two"] { try evergear.run("memo", "add", "last", words) }
        try evergear.run("memo", "add", "last", "three", "--photo", photo("large.jpg", 800_000))
        try evergear.run("memo", "rm", "last", "1", "1")
        let run = try plan(noteBytes: 700_000)
        #expect(run.status == 65 && run.errors.contains("memo 3 alone"), "\(run)")
    }

    @Test("a photo that is too much is told by its memo, and not by its place in it") func photoInMemo() throws {
        try evergear.run("draft", "add", "Ridge")
        try evergear.run("memo", "add", "last", "one")
        let photos = [try photo("a.jpg", 150_000), try photo("b.jpg", 150_000), try photo("c.jpg", 800_000)]
        try evergear.run(["memo", "add", "last", "two"] + photos.flatMap { ["--photo", $0] })
        let run = try plan(noteBytes: 700_000)
        #expect(run.status == 65 && run.errors.contains("memo 2 alone"), "\(run)")
    }

    @Test("too much text of a memo with several photos is the memo's, and not the draft's") func textOfMemo() throws {
        try evergear.run("draft", "add", "Ridge")
        try evergear.run("memo", "add", "last", "one")
        let photos = [try photo("a.jpg", 150_000), try photo("b.jpg", 150_000)]
        let text = String(repeating: "many words ", count: 260_000)
        try evergear.run(["memo", "add", "last", "-"] + photos.flatMap { ["--photo", $0] }, input: text)
        let run = try plan(noteBytes: 200_000_000)
        #expect(run.status == 65 && run.errors.contains("memo 2 has too much text"), "\(run)")
    }

    @Test("of a draft without memos none is named") func noMemos() throws {
        try evergear.run("draft", "add", "Ridge")
        let run = try plan(noteBytes: 100)
        #expect(run.status == 65 && run.errors.contains("too little for any note"), "\(run)")
        #expect(!run.errors.contains("memo "), "\(run)")
    }

    @Test("remarks name the memo by the number that the other commands use") func remarks() throws {
        try evergear.run("draft", "add", "Ridge")
        for words in ["one", "two", "three", "fo\u{1}ur"] { try evergear.run("memo", "add", "last", words) }
        try evergear.run("memo", "rm", "last", "1", "1")
        let run = try plan(noteBytes: 200_000_000)
        #expect(run.errors.contains("left out of memo 4"), "\(run)")
    }

    // MARK: What can be split is split

    @Test("beside a long text of the draft its first memo is cut where it has to be, at every limit") func longText()
        throws
    {
        let text = "Ridge\n" + String(repeating: "a", count: 200_000)
        try evergear.run("draft", "add", "-", input: text)
        try evergear.run(
            "memo", "add", "last", "two", "--photo", photo("a.jpg", 480_000), "--photo", photo("b.jpg", 480_000))
        for (bytes, expected) in [(950_000, 2), (1_000_000, 2), (1_200_000, 2), (1_390_000, 1)] {
            let run = try plan(noteBytes: bytes)
            #expect(try run.status == 0 && notes(run) == expected, "\(bytes): \(run)")
        }
    }

    @Test("what stands around a memo is reckoned with for each piece of it") func pieces() throws {
        try evergear.run("draft", "add", "Ridge")
        let photos = [try photo("a.jpg", 300_000), try photo("b.jpg", 240_000), try photo("c.jpg", 240_000)]
        try evergear.run(["memo", "add", "last", "one"] + photos.flatMap { ["--photo", $0] })
        // From photo to photo in steps of half of what a piece needs beside its photos.
        for bytes in stride(from: 498_400, through: 499_600, by: 400) {
            let run = try plan(noteBytes: bytes)
            #expect(run.status == 0, "\(bytes): \(run)")
        }
    }

    // MARK: Several drafts

    @Test("a draft that is refused is named, and the others are planned", arguments: [["plan"], ["send", "-n"]])
    func refused(command: [String]) throws {
        let options = ["--layout", "plain", "--note-bytes", "700000"]
        try evergear.run("draft", "add", "Ridge", "--photo", photo("a.jpg", 150_000))
        try evergear.run("draft", "add", "Coast", "--photo", photo("b.jpg", 800_000))
        try evergear.run("draft", "add", "River", "--photo", photo("c.jpg", 150_000))
        let run = try evergear.run(command + options)
        #expect(run.status == 3, "\(run)")
        #expect(run.errors.contains("evergear: draft 2, Coast: memo 1 alone"), "\(run)")
        #expect(run.output.contains("Draft 1: Ridge") && run.output.contains("Draft 3: River"), "\(run)")
        let lines = try evergear.run(command + options + ["--json"]).objects()
        #expect(lines.map { $0["draft"] as? Int } == [1, 2, 3])
        #expect(lines.map { $0["event"] as? String } == [nil, "parked", nil])
        #expect(
            (lines.first { $0["event"] != nil }?["message"] as? String)?.contains("memo 1 alone") == true, "\(lines)")
        for drafts in [["1", "2"], ["2", "1", "3"], ["2"]] {
            let foreseen = try evergear.run(command + drafts + options).status
            #expect(foreseen == (drafts == ["2"] ? 65 : 3), "\(drafts)")
        }
        try evergear.run("draft", "rm", "-y", "1", "3")
        #expect(try evergear.run(command + options).status == 65)
        #expect(try evergear.run(["send", "-y"] + options).status == 65)
    }

    @Test("an export names each draft that is refused, and writes nothing") func export() throws {
        try evergear.run("draft", "add", "Good")
        for title in ["Large", "Larger"] { try evergear.run("draft", "add", title, "--photo", photo(title, 900_000)) }
        let file = evergear.home.appending(path: "out.enex").path
        let run = try evergear.run("export", "1", "2", "3", "-o", file, "--layout", "plain", "--note-bytes", "700000")
        #expect(run.status == 65 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("draft 2, Large: ") && run.errors.contains("draft 3, Larger: "), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("a sending that is only shown refuses a draft whose layout is gone, as the sending would") func layoutGone()
        throws
    {
        let sheet = try evergear.file(
            "mine.xsl", "<x:stylesheet version=\"1.0\" xmlns:x=\"http://www.w3.org/1999/XSL/Transform\"/>")
        try evergear.run("draft", "add", "Ridge", "--layout", sheet.path)
        try evergear.run("draft", "add", "Coast")
        try FileManager.default.removeItem(at: sheet)
        for command in [["plan"], ["send", "-n"], ["send", "-y"]] {
            let run = try evergear.run(command)
            #expect(run.status == 3 && run.errors.contains("evergear: draft 1, Ridge: "), "\(command): \(run)")
        }
    }

    // MARK: Advice

    @Test("the advice on sizes goes by the bytes that go out") func advice() throws {
        let heic = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0420.HEIC")
        // Empty boxes (ISO 14496-12, 8.1.2) make other files of the same picture.
        let other = evergear.home.appending(path: "IMG_1.HEIC")
        try (Data(contentsOf: heic) + Data([0, 0, 0, 8]) + Data("free".utf8)).write(to: other)
        try evergear.run("draft", "add", "Ridge")
        try evergear.run("import", heic.path, "--into", "last")
        try evergear.run("import", other.path, "--into", "last", "--time-shift", "+01:00")
        let originals = try [heic, other].map { try Data(contentsOf: $0).count }.reduce(0, +)
        let limit = 150_000
        #expect(originals < limit / 2)
        let run = try plan(noteBytes: limit)
        #expect(try notes(run) == 2 && !run.output.contains("One note holds it"), "\(run)")
        let size = try #require(run.output.firstMatch(of: /--photo-size ([0-9]+)/).flatMap { Int($0.1) }, "\(run)")
        // It is an estimate, and a drawn picture has other details than a taken one.
        let smaller = try evergear.run(
            "plan", "last", "--layout", "plain", "--note-bytes", String(limit), "--photo-size", String(size * 3 / 4))
        #expect(try notes(smaller) == 1 && smaller.output.contains("One note holds it"), "\(smaller)")
    }

    @Test("several notes are never called one, whatever made them several") func neverOne() throws {
        try evergear.run("draft", "add", "-", input: "Ridge\n" + String(repeating: "a", count: 200_000))
        for name in ["a.jpg", "b.jpg"] { try evergear.run("memo", "add", "last", "x", "--photo", photo(name, 150_000)) }
        for bytes in stride(from: 670_000, through: 760_000, by: 30_000) {
            let run = try plan(noteBytes: bytes)
            #expect(try run.output.contains("One note holds it") == (notes(run) == 1), "\(bytes): \(run)")
        }
    }

    @Test("who sends thumbnails is not told to send thumbnails") func thumbs() throws {
        try evergear.run("draft", "add", "Ridge", "--photo", photo("a.jpg", 150_000))
        for (layout, isAdvised) in [("full", true), ("thumbs", false)] {
            let run = try evergear.run("plan", "last", "--layout", layout, "--note-bytes", "10")
            #expect(run.status == 65 && run.errors.contains("--layout thumbs") == isAdvised, "\(run)")
        }
    }

    // MARK: The page

    @Test("a layout that makes no note says why on its page, and the others are shown") func page() throws {
        evergear.environment["EVERGEAR_NOTE_BYTES"] = "200000"
        try evergear.run("draft", "add", "Ridge", "--photo", photo("a.jpg", 800_000))
        let run = try evergear.run("preview", "last", "--layout", "thumbs", "-o", "-")
        #expect(run.status == 0 && run.output.contains("<title>Ridge"), "\(run.errors)")
        #expect(run.output.contains(/<article class="v0">\s*<p class="refused">memo 1 alone/), "\(run.errors)")
        #expect(run.output.contains(/<article class="v1">\s*<h1>Ridge/), "\(run.errors)")
        #expect(run.errors.contains("layout full: memo 1 alone"), "\(run.errors)")
        #expect(try evergear.run("preview", "last", "--layout", "full", "-o", "-").status == 65)
    }
}
