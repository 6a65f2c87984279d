import Foundation
import Testing

/// What the queue's commands say is so, and whoever ends with a status says why.
@Suite("what the queue says") struct QueueWordsTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    /// A file where the folder of ENEX files should be: each delivery fails.
    private func block() throws -> URL {
        let blocked = try evergear.file("blocked", "a file")
        evergear.environment["EVERGEAR_TO"] = "enex:\(blocked.path)"
        return blocked
    }

    @Test("a paused queue has what is sent queued, and says so") func paused() throws {
        try evergear.run("draft", "add", "a")
        try evergear.run("queue", "pause")
        for words in [["send", "last"], ["queue", "run"]] {
            let run = try evergear.run(words)
            #expect(run.status == 75 && run.errors.contains("paused: 1 note waits, and nothing is sent"), "\(run)")
            #expect(!run.output.contains("Nothing is due"), "\(run)")
        }
        #expect(try evergear.run("queue", "status", "--json").object()["queued"] as? Int == 1)
    }

    @Test("a sent job says what makes another note of its draft") func sentJob() throws {
        try evergear.run("draft", "add", "a")
        try evergear.run("send", "last")
        for words in [["cancel", "1"], ["redirect", "1", "--to", "enex:/x"], ["mark-sent", "1"], ["retry", "1"]] {
            let run = try evergear.run(["queue"] + words)
            #expect(run.status == 1 && run.errors.contains("--again"), "\(run)")
        }
    }

    @Test("a job whose place another took says whether that is a newer version") func replaced() throws {
        try evergear.run("draft", "add", "a")
        for _ in 1...2 { try evergear.run("send", "last", "--no-wait") }
        func reason(_ job: String) throws -> String {
            try evergear.run("queue", "show", job, "--json").object()["message"] as? String ?? ""
        }
        #expect(try reason("1").contains("queued again as it is"))
        try evergear.run("draft", "edit", "last", "--from", "-", input: "b\n")
        try evergear.run("send", "last", "--no-wait")
        #expect(try reason("2").contains("newer version"))
    }

    @Test("jobs that were parked before are named by the run that ends with 3") func parkedBefore() throws {
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
        _ = try block()
        try evergear.run("draft", "add", "a")
        try evergear.run("send", "last")
        let run = try evergear.run("queue", "run")
        #expect(run.status == 3 && run.errors.contains("1 job is parked"), "\(run)")
    }

    @Test("parts that fail for one reason are told in one sentence, and parked after eight tries") func parts() throws {
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
        let blocked = try block()
        try evergear.run("import", evergear.manyPhotos(3).path)
        let run = try evergear.run("send", "last", "--photos-per-note", "1", "--layout", "plain")
        let lines = run.errors.split(separator: "\n")
        #expect(run.status == 1 && lines.count == 2, "\(run)")
        #expect(lines.count { $0.contains(blocked.path) } == 1, "\(run)")
        #expect(lines.allSatisfy { $0.contains("(1/3) and 2 more: ") }, "\(run)")
        #expect(lines.last?.contains("parked") == true && lines.last?.contains("queue retry 1 2 3") == true, "\(run)")
        #expect(try evergear.run("queue", "status", "--json").object()["parked"] as? Int == 3)
    }

    @Test("plan says that it is the number of photos that makes parts") func plan() throws {
        try evergear.run("import", evergear.manyPhotos(3).path)
        let plan = try evergear.run("plan", "last", "--layout", "plain", "--photos-per-note", "2")
        #expect(plan.output.contains("It has 3 photos, and one note holds 2."), "\(plan)")
    }

    @Test("a report that cannot be written is refused before anything is done") func report() throws {
        try evergear.run("draft", "add", "a")
        let photos = try evergear.manyPhotos(1)
        let nowhere = evergear.home.appending(path: "nowhere/report.csv").path
        let commands = [
            ["send", "last"], ["send", "last", "-n"], ["upload", "-y", photos.path], ["queue", "run"],
            ["queue", "run", "-n"],
        ]
        for words in commands {
            let run = try evergear.run(words + ["--report", nowhere])
            #expect(run.status == 1 && run.errors.contains("the report \(nowhere) cannot be written"), "\(run)")
        }
        #expect(try evergear.run("send", "last", "--report", evergear.home.path).status == 1, "a folder")
        #expect(try evergear.run("queue", "list", "--all").output == "No jobs.\n")
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)
        let written = evergear.home.appending(path: "report.csv")
        #expect(try evergear.run("send", "last", "--report", written.path).status == 0)
        #expect(FileManager.default.fileExists(atPath: written.path))
    }

    @Test("what was counted as sent by hand is named by verify, and is no fault of anything") func byHand() throws {
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
        try evergear.run("draft", "add", "here")
        try evergear.run("send", "last")
        let to = evergear.environment["EVERGEAR_TO"]
        _ = try block()
        try evergear.run("draft", "add", "elsewhere")
        #expect(try evergear.run("send", "last").status == 1)
        #expect(try evergear.run("queue", "status").output.contains("Last error, job 2"))
        try evergear.run("queue", "mark-sent", "2")
        let verify = try evergear.run("queue", "verify")
        #expect(verify.status == 0, "\(verify)")
        #expect(
            verify.errors.contains("1 job cannot be verified, counted as sent by hand: job 2, elsewhere."), "\(verify)")
        #expect(try evergear.run("queue", "verify", "2").status == 1, "who names it wants to know")
        // The error of a job that is done is no error of what waits.
        evergear.environment["EVERGEAR_TO"] = to
        try evergear.run("draft", "add", "waits")
        try evergear.run("send", "last", "--no-wait")
        #expect(try !evergear.run("queue", "status").output.contains("Last error"))
    }

    @Test("verify looks at the notes of a file in the file's order, since it reads it once") func onePass() throws {
        for title in ["a", "b", "c", "d"] { try evergear.run("draft", "add", title) }
        try evergear.run("send", "-y", "1", "2", "3")
        try evergear.run("send", "-y", "4")
        let rows = try evergear.run("queue", "verify", "3", "4", "2", "1", "--json").objects()
        #expect(rows.map { $0["title"] as? String } == ["a", "b", "c", "d"])
        #expect(rows.allSatisfy { $0["verdict"] as? String == "same" })
        let file = try #require(try evergear.enexFiles().first { $0.lastPathComponent.hasPrefix("Notes") })
        try FileManager.default.removeItem(at: file)
        let verdicts = try evergear.run("queue", "verify", "--json").objects().map { $0["verdict"] as? String }
        #expect(verdicts == ["missing", "missing", "missing", "same"])
    }
}
