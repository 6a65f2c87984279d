import Foundation
import Testing
import Workbench

/// When uploads happen, how many at once, and who is told.
@Suite("when notes are uploaded") struct UploadTimeServiceTests {
    let evergear: Evergear
    let peer: EvernotePeer

    init() throws {
        evergear = try Evergear()
        peer = try EvernotePeer()
        evergear.use(peer)
    }

    @Test("manual: send queues, and queue run delivers") func manual() throws {
        evergear.environment["EVERGEAR_TRANSMIT"] = "manual"
        try evergear.run("draft", "add", "Later")
        let sent = try evergear.run("send", "last")
        #expect(sent.status == 0 && sent.output.contains("queued"), "\(sent)")
        #expect(try peer.stats().requests["createNote"] == nil)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try peer.notes().map(\.title) == ["Later"])
    }

    @Test(
        "unmetered: nothing goes over a connection that NetworkManager calls metered; where it says nothing, that is told",
        arguments: [("u 1", 75, 0), ("u 3", 75, 0), ("u 2", 0, 1), ("u 4", 0, 1), ("u 0", 0, 1)])
    func unmetered(answer: String, status: Int32, notes: Int) throws {
        let bus = try evergear.script("bin/busctl", "echo '\(answer)'")
        evergear.environment["PATH"] = "\(bus.deletingLastPathComponent().path):/usr/bin:/bin"
        try evergear.run("draft", "add", "Abroad")
        let sent = try evergear.run("send", "last", "--transmit", "unmetered")
        #expect(sent.status == status, "\(sent)")
        #expect(sent.errors.contains("metered") == (answer != "u 2" && answer != "u 4"), "\(sent)")
        #expect(try peer.notes().count == notes)
        #expect(try evergear.run("queue", "run", "--transmit", "auto").status == 0)
        #expect(try peer.notes().count == 1)
    }

    @Test("--wait stays until what had to wait is delivered") func waiting() throws {
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0.2"
        try peer.addFaults([.init("createNote", .http, times: 2, status: 503, retryAfter: "1")])
        try evergear.run("draft", "add", "Patient")
        let sent = try evergear.run("send", "last", "--wait")
        #expect(sent.status == 0, "\(sent)")
        #expect(try peer.notes().map(\.title) == ["Patient"])
    }

    @Test("several notes go at once, and a slow one does not hold up the others") func together() throws {
        for title in ["One", "Two", "Three", "Four"] { try evergear.run("draft", "add", title) }
        // Which of the first two the service gets first is chance. It stays in hand longer than the test looks.
        try peer.addFaults([.init("createNote", .delay, seconds: 600)])
        let output = evergear.home.appending(path: "streams/output")
        let ended = try evergear.interrupt(
            ["send", "1", "2", "3", "4", "--transfers", "2", "--json"], with: SIGINT
        ) { _ in
            try wait { try String(contentsOf: output, encoding: .utf8).matches(of: /"event":"sent"/).count == 3 }
        }
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
        #expect(try peer.notes().count == 3)
        #expect(try evergear.run("log", "--json").objects().count == 3)
    }

    @Test("the command onFinish gets the summary as JSON, and no token; its failure changes nothing") func onFinish()
        throws
    {
        let heard = evergear.home.appending(path: "heard.json")
        evergear.environment["EVERGEAR_ON_FINISH"] =
            "cat > \(heard.path); echo ${EVERGEAR_TOKEN-none} >> \(heard.path); exit 3"
        try evergear.run("draft", "add", "Told")
        let sent = try evergear.run("send", "last")
        #expect(sent.status == 0 && sent.errors.contains("onFinish ended with status 3"), "\(sent)")
        let lines = try String(contentsOf: heard, encoding: .utf8).split(separator: "\n")
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(summary["sent"] as? Int == 1)
        #expect(lines.last == "none")
    }

    @Test("the report has a line for every photo: those that went, and those that did not") func report() throws {
        let folder = try evergear.manyPhotos(2)
        try Data("no photo".utf8).write(to: folder.appending(path: "broken.jpg"))
        let file = evergear.home.appending(path: "report.csv")
        let run = try evergear.run("upload", folder.path, "--report", file.path)
        #expect(run.status == 3, "\(run)")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\r\n")
        #expect(lines.first?.hasPrefix("\"photo\",\"md5\",\"bytes\"") == true)
        #expect(lines.count { $0.contains("\"sent\"") } == 2)
        #expect(lines.count { $0.contains("\"failed\"") && $0.contains("broken.jpg") } == 1)
        let guid = try #require(try peer.notes().first?.guid)
        #expect(lines.count { $0.contains(guid) } == 2)
    }

    @Test(
        "after a refused note the others go, or the rest waits", arguments: [("continue", 2), ("stop", 0), ("2", 1)])
    func onErrors(tolerance: String, arrived: Int) throws {
        for title in ["a", "b", "c"] { try evergear.run("draft", "add", title) }
        try peer.addFaults([.init("createNote", .user, code: "BAD_DATA_FORMAT", parameter: "Note.title")])
        if tolerance == "2" {
            try peer.addFaults([
                .init("createNote", .user, skip: 1, code: "BAD_DATA_FORMAT", parameter: "Note.title")
            ])
        }
        let run = try evergear.run(
            "send", "1", "2", "3", "--on-errors", tolerance, "--transfers", "1", "--no-wait")
        #expect(run.status == 0, "\(run)")
        let sent = try evergear.run("queue", "run", "--on-errors", tolerance, "--transfers", "1")
        #expect(try peer.notes().count == arrived, "\(sent)")
        #expect(sent.status == (tolerance == "stop" ? 75 : 3), "\(sent)")
    }

    @Test("more tags than the account takes are refused before anything is queued") func tags() throws {
        let small = try EvernotePeer("--tags-max", "2")
        evergear.use(small)
        try evergear.run("draft", "add", "Tagged", "--tag", "one", "--tag", "two")
        #expect(try evergear.run("send", "last").status == 0)
        try evergear.run("draft", "add", "Again", "--tag", "One", "--tag", "two")
        #expect(try evergear.run("send", "last").status == 0, "tags that are there cost nothing")
        try evergear.run("draft", "add", "Third", "--tag", "three")
        let run = try evergear.run("send", "last")
        #expect(run.status == 65 && run.errors.contains("takes 2"), "\(run)")
        #expect(try small.stats().results.filter { $0.key.hasPrefix("createNote") } == ["createNote: ok": 2])
    }
}
