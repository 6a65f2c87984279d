import Foundation
import Testing

/// What `send` promises about which drafts go, and what it says of it.
@Suite("which drafts are sent, and what is said of it") struct DeliveryCommandTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    @Test("without a draft, every unsent one that is not held goes, listed first; then there is nothing to send")
    func all() throws {
        for title in ["one", "two", "three"] { try evergear.run("draft", "add", title) }
        try evergear.run("draft", "hold", "2")
        let run = try evergear.run("send", "--json")
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("1  one") && run.errors.contains("3  three") && !run.errors.contains("two"))
        #expect(try titles() == ["one", "three"])
        let summary = try #require(try run.objects().last)
        #expect(summary["sent"] as? Int == 2)
        #expect((summary["notes"] as? [[String: Any]])?.map { $0["draft"] as? Int } == [1, 3])
        let again = try evergear.run("send")
        #expect(again.status == 0 && again.output == "There is nothing to send.\n", "\(again)")
        #expect(try evergear.run("send", "2").status == 0, "one that is named goes")
        #expect(try evergear.run("send", "-q").output.isEmpty)
    }

    @Test("what was delivered and has not changed is not sent again, and counts as nothing sent") func unchanged()
        throws
    {
        try evergear.run("draft", "add", "Once")
        try evergear.run("send", "last")
        let run = try evergear.run("send", "last", "--json")
        #expect(run.status == 0)
        let (event, summary) = (try run.objects()[0], try #require(try run.objects().last))
        #expect(event["event"] as? String == "already_delivered")
        #expect((event["path"] as? String)?.hasSuffix(" Once.enex") == true)
        #expect([summary["sent"], summary["waiting"], summary["parked"]].map { $0 as? Int } == [0, 0, 0])
        #expect(try evergear.enexFiles().count == 1)
        let dry = try evergear.run("send", "last", "-n")
        #expect(dry.status == 0 && dry.output.contains("already delivered") && !dry.output.contains("layout"), "\(dry)")
        // Neither another language of the terminal nor another way to cut is a wish for a new note.
        evergear.environment["LANG"] = "ja_JP.UTF-8"
        #expect(try evergear.run("send", "last", "--photos-per-note", "7").status == 0)
        #expect(try evergear.enexFiles().count == 1)
    }

    @Test("another layout, look or destination is a new note") func otherwise() throws {
        try evergear.run("draft", "add", "Once")
        try evergear.run("send", "last")
        let elsewhere = evergear.home.appending(path: "elsewhere").path
        for (count, words) in [
            (2, ["--layout", "plain"]), (3, ["--caption", "number"]), (4, ["--again"]),
            (4, ["--to", "enex:\(elsewhere)"]),
        ] {
            #expect(try evergear.run(["send", "last"] + words).status == 0)
            #expect(try evergear.enexFiles().count == count, "\(words)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).count == 1)
    }

    @Test("a changed stylesheet of one's own makes a new note, an unchanged one does not") func ownStylesheet() throws {
        let sheet = { (word: String) in
            """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
            <xsl:template match="/"><en-note><div>\(word)</div></en-note></xsl:template></xsl:stylesheet>
            """
        }
        try evergear.run("draft", "add", "Own")
        let path = try evergear.file("mine.xsl", sheet("a")).path
        for (text, count) in [("a", 1), ("a", 1), ("b", 2)] {
            _ = try evergear.file("mine.xsl", sheet(text))
            let run = try evergear.run("send", "last", "--layout", path)
            #expect(run.status == 0, "\(run)")
            #expect(try evergear.enexFiles().count == count)
        }
    }

    @Test("sending anew replaces what is queued, and is refused while that may have arrived") func anew() throws {
        try evergear.run("draft", "add", "First")
        try evergear.run("send", "last", "--no-wait")
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Second\n")
        try evergear.run("send", "last", "--no-wait")
        let states = try evergear.run("queue", "list", "--all", "--json").objects().map { $0["state"] as? String }
        #expect(states == ["cancelled", "queued"])
        // An answer that was lost: only a look may settle it, and nothing can look there.
        try sql("UPDATE job SET state = 'uncertain', destination = 'enex:/dev/null' WHERE id = 2")
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Third\n")
        let run = try evergear.run("send", "last", "--no-wait", "--json", "--to", "enex:/dev/null")
        #expect(run.status == 75, "\(run)")
        #expect(run.errors.contains("may have arrived"))
        #expect(try run.objects().map { $0["event"] as? String } == ["parked", "summary"])
    }

    @Test("what a dead process was sending is found out before anything is queued anew") func afterACrash() throws {
        try evergear.run("draft", "add", "First")
        try evergear.run("send", "last", "--no-wait")
        try sql("UPDATE job SET state = 'sending', worker = 'dead' WHERE id = 1")
        #expect(try evergear.run("queue", "status", "--json").object()["uncertain"] as? Int == 1)
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Second\n")
        let run = try evergear.run("send", "last")
        #expect(run.status == 0, "\(run)")
        #expect(try titles() == ["Second"], "the first had not arrived, and is replaced")
        // The same once more, with the note in its place.
        let file = try #require(try evergear.enexFiles().first).path
        try sql(
            "DELETE FROM receipt; UPDATE job SET state = 'sending', worker = 'dead', target = CAST('\(file)' AS BLOB) "
                + "WHERE id = 2")
        let again = try evergear.run("send", "last")
        #expect(again.status == 0 && again.output.contains("already delivered"), "\(again)")
        #expect(try titles() == ["Second"])
    }

    @Test("of a draft whose parts went in part, only the others are sent") func restOfParts() throws {
        try evergear.run("import", Evergear.fixtures.path, "--title", "Parts")
        #expect(try evergear.run("send", "last", "--photos-per-note", "8").status == 0)
        #expect(try titles() == ["Parts (1/2)", "Parts (2/2)"])
        try sql(
            "DELETE FROM receipt WHERE job = 2; UPDATE job SET state = 'parked', code = 'x', message = '' WHERE id = 2")
        #expect(try evergear.run("send", "last", "--photos-per-note", "8").status == 0)
        #expect(
            try titles().sorted() == ["Parts (1/2)", "Parts (2/2)", "Parts (2/2)"], "the second, lost by hand, anew")
        #expect(try evergear.run("queue", "status", "--json").object()["sent"] as? Int == 2)
    }

    @Test("a draft that cannot fit is refused before anything is queued: 65, with others 3") func limits() throws {
        try evergear.run("draft", "add", "Photo", "--photo", ImportCommandTests.somePhoto().path)
        let run = try evergear.run("send", "last", "--note-bytes", "20000", "--json")
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("--photo-size"), "it says what to do")
        #expect(try #require(try run.objects().last)["parked"] as? Int == 1)
        #expect(try evergear.run("queue", "status", "--json").object()["queued"] as? Int == 0)
        try evergear.run("draft", "add", "Words")
        let both = try evergear.run("send", "-y", "--note-bytes", "20000", "--json")
        #expect(both.status == 3, "\(both)")
        let summary = try #require(try both.objects().last)
        #expect([summary["sent"], summary["parked"]].map { $0 as? Int } == [1, 1])
        #expect(try titles() == ["Words"])
    }

    @Test("an unknown layout is a usage error, and nothing is queued", arguments: [["send"], ["send", "1"], ["plan"]])
    func unknownLayout(words: [String]) throws {
        try evergear.run("draft", "add", "a")
        let run = try evergear.run(words + ["--layout", "nope"])
        #expect(run.status == 64 && run.errors.contains("thumbs+full"), "\(run)")
        #expect(try evergear.run("queue", "status", "--json").object()["queued"] as? Int == 0)
    }

    @Test("a stylesheet of one draft that is gone keeps no other from going") func lostStylesheet() throws {
        let sheet = try evergear.file("lost.xsl").path
        try evergear.run("draft", "add", "a", "--layout", sheet)
        try evergear.run("draft", "add", "b")
        try FileManager.default.removeItem(atPath: sheet)
        let run = try evergear.run("send", "-y")
        #expect(run.status == 3, "\(run)")
        #expect(try titles() == ["b"])
        #expect(try evergear.run("send", "1").status == 66)
    }

    @Test("a draft that is not there is 66, and none goes") func unknownDraft() throws {
        try evergear.run("draft", "add", "a")
        #expect(try evergear.run("send", "1", "9").status == 66)
        #expect(try evergear.enexFiles().isEmpty)
    }

    @Test("events come while it goes, at most a few a second, and the summary last") func events() throws {
        try evergear.run("import", Evergear.fixtures.path)
        let events = try evergear.run("send", "last", "--json").objects()
        #expect(events.first?["event"] as? String == "progress")
        let total = try #require(events.first?["total"] as? Int)
        let bytes = events.filter { $0["event"] as? String == "progress" }.compactMap { $0["bytes"] as? Int }
        #expect(bytes == bytes.sorted() && bytes.allSatisfy { $0 > 0 && $0 <= total })
        #expect(events.dropLast().last?["event"] as? String == "sent")
        let summary = try #require(events.last)
        #expect(Set(summary.keys).isSuperset(of: ["event", "sent", "waiting", "parked", "notes"]))
        let note = try #require((summary["notes"] as? [[String: Any]])?.first)
        #expect(Set(note.keys) == ["draft", "part", "parts", "title", "destination", "state", "path"])
    }

    @Test("a folder that cannot be written lets it wait: 75, and later it goes") func waits() throws {
        try evergear.run("draft", "add", "Later")
        _ = try evergear.file("taken", "a file where the folder should be")
        let address = "enex:\(evergear.home.appending(path: "taken").path)"
        let run = try evergear.run("send", "last", "--to", address, "--json")
        #expect(run.status == 75, "\(run)")
        #expect(run.errors.contains("`evergear queue run` tries it again"))
        #expect(try run.objects().map { $0["event"] as? String } == ["waiting", "summary"])
        let status = try evergear.run("queue", "status", "--json").object()
        #expect(status["next_attempt"] is String)
        try FileManager.default.removeItem(at: evergear.home.appending(path: "taken"))
        #expect(try evergear.run("queue", "retry", "--all").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: evergear.home.appending(path: "taken").path).count == 1)
    }

    @Test("the name of a file has the day on the clock of the place") func day() throws {
        try evergear.run("draft", "add", "Morning")
        try evergear.run("memo", "add", "last", "tea", "--at", "2024-05-01T05:12+09:00")
        #expect(try evergear.run("send", "last").status == 0)
        #expect(try evergear.enexFiles().map(\.lastPathComponent) == ["2024-05-01 Morning.enex"])
    }

    @Test("a preview says what became of the draft") func preview() throws {
        try evergear.run("draft", "add", "Shown", "--notebook", "Travel", "--tag", "sea")
        func page() throws -> String { try evergear.run("preview", "last", "-o", "-").output }
        let first = try page()
        #expect(first.contains("Notebook <b>Travel</b> · tags <b>sea</b> · not sent yet"))
        try evergear.run("send", "last", "--no-wait")
        #expect(try page().contains("waits to be sent"))
        try evergear.run("queue", "run")
        #expect(try page().contains("· sent 2"))
        #expect(try !page().contains("changed since"))
        try evergear.run("memo", "add", "last", "more")
        #expect(try page().contains("full, and changed since"))
    }

    private func titles() throws -> [String] {
        try evergear.enexFiles().flatMap { try ENEXFile.notes(in: $0.path).map(\.title) }
    }

    private func sql(_ statement: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", evergear.home.appending(path: "store.sqlite").path, statement]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
