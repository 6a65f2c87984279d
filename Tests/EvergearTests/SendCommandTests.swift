import Foundation
import Testing

@Suite("send, export and the queue") struct SendCommandTests {
    @Test(
        "every layout becomes one ENEX file whose media are all there",
        arguments: ["thumbs+full", "thumbs", "full", "plain"])
    func layouts(_ layout: String) throws {
        let evergear = try Evergear()
        try evergear.run("import", Evergear.fixtures.path, "--title", "Four days")
        let run = try evergear.run("send", "last", "--layout", layout, "--json")
        #expect(run.status == 0, "\(run)")
        let summary = try #require(try run.objects().last)
        #expect(summary["event"] as? String == "summary")
        #expect(summary["sent"] as? Int == 1)
        let note = try #require((summary["notes"] as? [[String: Any]])?.first)
        let path = try #require(note["path"] as? String)
        let notes = try ENEXFile.notes(in: path)
        #expect(notes.count == 1)
        #expect(notes[0].title == "Four days")
        #expect(!notes[0].media.isEmpty)
        #expect(notes[0].media == notes[0].resources, "the resources stand in the order of their references, each once")
        #expect(notes[0].content.contains("style=") == (layout != "plain"))
    }

    @Test("memos whose time zone is unknown are told of in one line") func unknownZones() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Two zones")
        try evergear.run("memo", "add", "last", "Tokyo", "--at", "2024-05-01T10:00+09:00")
        try evergear.run("memo", "add", "last", "Paris", "--at", "2024-05-01T10:00+02:00")
        // This one says no zone; with other bytes at its end it is another photo.
        let photo = try Data(contentsOf: Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0423.JPG"))
        for number in 1...3 {
            let file = try evergear.file("\(number).jpg")
            try (photo + Data("\(number)".utf8)).write(to: file)
            try evergear.run("memo", "add", "last", "--photo", file.path)
        }
        let run = try evergear.run("send", "last")
        #expect(run.status == 0)
        let told = run.errors.split(separator: "\n").filter { $0.contains("time zone is unknown") }
        #expect(told.count == 1, "\(run)")
        #expect(told.first?.contains("memo 3 and 2 others") == true, "\(run)")
    }

    @Test("an unchanged draft is delivered once") func alreadyDelivered() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Once")
        #expect(try evergear.run("send", "last").status == 0)
        let again = try evergear.run("send", "last")
        #expect(again.status == 0)
        #expect((again.output + again.errors).contains("lready delivered"), "\(again)")
        #expect(try evergear.enexFiles().count == 1)
        #expect(try evergear.run("send", "last", "--again").status == 0)
        #expect(try evergear.enexFiles().count == 2)
        try evergear.run("memo", "add", "last", "something new")
        #expect(try evergear.run("send", "last").status == 0)
        #expect(try evergear.enexFiles().count == 3)
    }

    @Test("drafts of one notebook share a file, of two have two") func oneFileANotebook() throws {
        let evergear = try Evergear()
        for (title, notebook) in [("a", "Travel"), ("b", "Travel"), ("c", "Work")] {
            try evergear.run("draft", "add", title, "--notebook", notebook)
        }
        let run = try evergear.run("send", "-y")
        #expect(run.status == 0, "\(run)")
        let files = try evergear.enexFiles()
        #expect(files.map(\.lastPathComponent).sorted() == ["Travel.enex", "Work.enex"])
        let travel = try #require(files.first { $0.lastPathComponent == "Travel.enex" })
        #expect(try ENEXFile.notes(in: travel.path).map(\.title) == ["a", "b"])
        try evergear.run("draft", "add", "d", "--notebook", "Travel")
        try evergear.run("send", "-y")
        #expect(
            try evergear.enexFiles().map(\.lastPathComponent).sorted() == ["Travel 2.enex", "Travel.enex", "Work.enex"])
    }

    @Test("a hundred and one photos become two parts, balanced and in order") func parts() throws {
        let evergear = try Evergear()
        let folder = evergear.home.appending(path: "many")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let photo = try Data(contentsOf: ImportCommandTests.somePhoto())
        for index in 1...101 {
            // Bytes behind the end of a JPEG make another file of the same picture.
            try (photo + Data("\(index)".utf8)).write(to: folder.appending(path: "IMG_\(index).jpg"))
        }
        #expect(try evergear.run("import", folder.path, "--title", "Many").status == 0)
        let plan = try evergear.run("plan", "last", "--json")
        #expect(plan.status == 0, "\(plan)")
        let run = try evergear.run("send", "last", "--json", "--layout", "plain")
        #expect(run.status == 0, "\(run)")
        let file = try #require(try evergear.enexFiles().first)
        let notes = try ENEXFile.notes(in: file.path)
        #expect(notes.map(\.title) == ["Many (1/2)", "Many (2/2)"])
        #expect(notes.map(\.resources.count).sorted() == [50, 51])
    }

    @Test("special characters survive: markup, CDATA's end, Japanese, emoji") func specialCharacters() throws {
        let evergear = try Evergear()
        let text = "琵琶湖 <b>&amp; ]]> 🏔\nline one\n  indented \u{1}and\u{8} controls\nhttps://example.org/?a=1&b=2"
        #expect(try evergear.run("draft", "add", "-", input: text).status == 0)
        let run = try evergear.run("send", "last")
        #expect(run.status == 0, "\(run)")
        let note = try evergear.deliveredNote()
        #expect(note.title == "琵琶湖 <b>&amp; ]]> 🏔")
        #expect(note.content.contains("href=\"https://example.org/?a=1&amp;b=2\""))
    }

    @Test("a hundred tags are sent, a hundred and one are refused with a sentence") func tags() throws {
        let evergear = try Evergear()
        for count in [100, 101] {
            try evergear.run(["draft", "add", "Tagged"] + (1...count).flatMap { ["--tag", "tag \($0)"] })
            let run = try evergear.run("send", "last")
            #expect(run.status == (count == 100 ? 0 : 65), "\(run)")
            #expect(run.errors.contains("101 tags") == (count == 101), "\(run)")
        }
        #expect(try evergear.enexFiles().count == 1)
    }

    @Test("export writes a file without the queue, and never over another") func export() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Out")
        let target = evergear.home.appending(path: "out.enex").path
        #expect(try evergear.run("export", "last", "-o", target).status == 0)
        #expect(try ENEXFile.notes(in: target).map(\.title) == ["Out"])
        let before = try Data(contentsOf: URL(filePath: target))
        #expect(try evergear.run("export", "last", "-o", target).status != 0)
        #expect(try Data(contentsOf: URL(filePath: target)) == before)
        #expect(try evergear.run("queue", "status", "--json").object()["sent"] as? Int == 0)
    }

    @Test("--no-wait queues, the job is frozen, and queue run delivers it") func queued() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Frozen\nas it was")
        #expect(try evergear.run("send", "last", "--no-wait").status == 0)
        let status = try evergear.run("queue", "status", "--json").object()
        #expect(status["queued"] as? Int == 1)
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Frozen\nchanged since\n")
        #expect(try evergear.run("queue", "run").status == 0)
        let note = try evergear.deliveredNote()
        #expect(note.content.contains("as it was") && !note.content.contains("changed since"))
        let job = try evergear.run("queue", "show", "1", "--json").object()
        #expect(job["state"] as? String == "sent")
        #expect((job["attempts"] as? [[String: Any]])?.count == 1)
    }

    @Test("a cancelled job is not delivered, and stays cancelled") func cancel() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Maybe")
        try evergear.run("send", "last", "--no-wait")
        #expect(try evergear.run("queue", "cancel", "1").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try evergear.enexFiles().isEmpty)
        let retry = try evergear.run("queue", "retry", "1")
        #expect(retry.status == 1 && retry.errors.contains("cancelled"), "\(retry)")
        #expect(try evergear.run("send", "last").status == 0)
        #expect(try evergear.enexFiles().count == 1)
        #expect(try evergear.run("queue", "show", "99").status == 66)
    }

    @Test("the preview is one page with every picture in it and no script") func preview() throws {
        let evergear = try Evergear()
        try evergear.run("import", Evergear.fixtures.path)
        let page = evergear.home.appending(path: "page.html")
        let run = try evergear.run("preview", "last", "-o", page.path)
        #expect(run.status == 0, "\(run)")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains("data:image/jpeg;base64,"))
        #expect(html.contains("Content-Security-Policy"))
        #expect(!html.contains("<script"))
        #expect(!html.contains("src=\"http"))
    }

    @Test("upload sends the good ones and names the rest with status 3") func upload() throws {
        let evergear = try Evergear()
        let run = try evergear.run("upload", Evergear.fixtures.path)
        #expect(run.status == 3, "\(run)")
        #expect(try evergear.enexFiles().count == 1)
    }
}

extension Evergear {
    /// The one note of the one file of the default destination.
    func deliveredNote() throws -> ENEXFile.Note {
        let file = try #require(try enexFiles().first)
        return try #require(try ENEXFile.notes(in: file.path).first)
    }

    /// The files of the default destination.
    func enexFiles() throws -> [URL] {
        let folder = home.appending(path: "notes")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted {
            $0.path < $1.path
        }
    }
}

/// An ENEX file as Python's own XML parser reads it: independent of the program.
enum ENEXFile {
    struct Note {
        var title: String
        var content: String
        /// MD5 of the decoded bytes, in order.
        var resources: [String]
        /// The hashes that the content refers to, in order of first reference.
        var media: [String]
    }

    static func notes(in path: String) throws -> [Note] {
        let script = """
            import base64, hashlib, json, re, sys, xml.etree.ElementTree as ET
            out = []
            for note in ET.parse(sys.argv[1]).getroot().iter("note"):
                content = note.findtext("content")
                ET.fromstring(content.encode())
                media = list(dict.fromkeys(re.findall(r'<en-media [^>]*hash="([0-9a-f]{32})"', content)))
                out.append({"title": note.findtext("title"), "content": content, "media": media, "resources":
                    [hashlib.md5(base64.b64decode(r.findtext("data"))).hexdigest() for r in note.iter("resource")]})
            json.dump(out, sys.stdout)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(path) is no ENEX file")
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.map {
            Note(
                title: $0["title"] as? String ?? "", content: $0["content"] as? String ?? "",
                resources: $0["resources"] as? [String] ?? [], media: $0["media"] as? [String] ?? [])
        }
    }
}
