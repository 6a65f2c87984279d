import Foundation
import Testing

@Suite("the queue's commands") struct QueueCommandTests {
    let evergear: Evergear
    /// A file stands where the folder should be, so a delivery fails.
    let blocked: URL

    init() throws {
        evergear = try Evergear()
        blocked = try evergear.file("blocked", "a file")
        evergear.environment["EVERGEAR_TO"] = "enex:\(blocked.path)"
        // All tries but the last are over in no time.
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
    }

    private func unblock() throws { try FileManager.default.removeItem(at: blocked) }

    @Test("status has exactly the documented keys") func keys() throws {
        try evergear.run("draft", "add", "a")
        try evergear.run("send", "last", "--no-wait")
        let status = try evergear.run("queue", "status", "--json").object()
        #expect(
            Set(status.keys) == [
                "queued", "sending", "uncertain", "parked", "sent", "cancelled", "bytes_waiting", "next_attempt",
                "paused", "jobs",
            ])
        #expect(status["next_attempt"] is NSNull)
        #expect(status["paused"] as? Bool == false)
        #expect((status["bytes_waiting"] as? Int ?? 0) > 100)
        let job = try #require((status["jobs"] as? [[String: Any]])?.first)
        #expect(job["state"] as? String == "queued" && job["title"] as? String == "a")
    }

    @Test("after eight tries it is parked, and says so in words with the next step") func parked() throws {
        try evergear.run("draft", "add", "Stuck")
        let run = try evergear.run("send", "last")
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains("parked, needs you") && run.errors.contains("queue retry 1"))
        let status = try evergear.run("queue", "status")
        #expect(status.output.contains("1 parked") && status.output.contains("Last error, job 1"), "\(status)")
        #expect(try evergear.run("queue", "run").status == 3)
        try unblock()
        #expect(try evergear.run("queue", "retry", "1").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: blocked.path).count == 1)
    }

    @Test("the log shows every attempt, the newest first") func log() throws {
        try evergear.run("draft", "add", "Stuck")
        #expect(try evergear.run("send", "last", "--no-wait").status == 0)
        #expect(try evergear.run("queue", "log", "1").output == "Job 1 was not tried yet.\n")
        try evergear.run("queue", "run")
        let attempts = try evergear.run("queue", "log", "1", "--json").objects()
        #expect(attempts.map { $0["number"] as? Int } == [8, 7, 6, 5, 4, 3, 2, 1])
        #expect(attempts.map { $0["outcome"] as? String } == ["parked"] + Array(repeating: "postponed", count: 7))
        #expect(attempts.allSatisfy { $0["code"] as? String == "folder_unusable" })
        let text = try evergear.run("queue", "log", "1").output
        #expect(text.hasPrefix("attempt 8, ") && text.split(separator: "\n").count == 8)
        #expect(try evergear.run("queue", "log", "9").status == 66)
    }

    @Test("a paused queue keeps what is queued, says so, and goes on when told") func pause() throws {
        evergear.environment["EVERGEAR_TO"] = nil
        try evergear.run("draft", "add", "a")
        #expect(try evergear.run("queue", "pause").status == 0)
        let run = try evergear.run("send", "last")
        #expect(run.status == 75 && run.errors.contains("evergear queue resume"), "\(run)")
        #expect(try evergear.run("queue", "run").status == 75)
        #expect(try evergear.run("queue", "status", "--json").object()["paused"] as? Bool == true)
        #expect(try evergear.run("queue", "status").output.contains("paused"))
        #expect(try evergear.enexFiles().isEmpty)
        #expect(try evergear.run("queue", "resume").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try evergear.enexFiles().count == 1)
    }

    @Test("retry and cancel take jobs by number, by address, by reason, or all they apply to") func selection() throws {
        for title in ["a", "b", "c"] { try evergear.run("draft", "add", title) }
        try evergear.run("send", "1", "2")
        try evergear.run("send", "3", "--no-wait")
        func states() throws -> [String] {
            try evergear.run("queue", "list", "--all", "--json").objects().map { $0["state"] as? String ?? "" }
        }
        #expect(try states() == ["parked", "parked", "queued"])
        #expect(try evergear.run("queue", "retry", "--reason", "disk_full").output == "There is nothing to retry.\n")
        #expect(try evergear.run("queue", "retry", "-n", "--reason", "folder_unusable").output.contains("2 jobs"))
        #expect(try states() == ["parked", "parked", "queued"])
        #expect(try evergear.run("queue", "retry", "--reason", "folder_unusable").status == 0)
        #expect(try states() == ["queued", "queued", "queued"])
        let uid = try #require(try evergear.run("queue", "show", "2", "--json").object()["uid"] as? String)
        #expect(try evergear.run("queue", "cancel", "evergear://note/\(uid)").status == 0)
        #expect(try states() == ["queued", "cancelled", "queued"])
        #expect(try evergear.run("queue", "cancel", "--all").output == "Cancelled 2 jobs.\n")
        #expect(try evergear.run("queue", "cancel", "--all").output == "There is nothing to cancel.\n")
        for words in [["retry"], ["retry", "1", "--all"], ["cancel", "--all", "--reason", "x"]] {
            #expect(try evergear.run(["queue"] + words).status == 64)
        }
        #expect(try evergear.run("queue", "retry", "9").status == 66)
    }

    @Test("status groups what is parked by reason, and says what stands in an account's way") func reasons() throws {
        for title in ["a", "b"] { try evergear.run("draft", "add", title) }
        try evergear.run("send", "-y")
        let status = try evergear.run("queue", "status")
        #expect(status.output.contains("2 jobs parked:"), "\(status)")
        #expect(status.output.contains("`evergear queue retry --reason folder_unusable`"), "\(status)")
        let json = try evergear.run("queue", "status", "--json").object()
        let reasons = try #require(json["reasons"] as? [[String: Any]])
        #expect(reasons.map { $0["code"] as? String } == ["folder_unusable"] && reasons[0]["jobs"] as? Int == 2)
        #expect(json["gates"] == nil)
        let store = evergear.home.appending(path: "store.sqlite").path
        _ = try python(
            """
            import sqlite3, sys, time
            db = sqlite3.connect(sys.argv[1])
            db.execute("INSERT INTO gate VALUES ('me', 0, ?, 'rate_limit', 'Too many calls.', 0)", [int(time.time() + 3000) * 1000])
            db.execute("INSERT INTO gate VALUES ('you', 1, NULL, 'auth', 'The token is not valid any more.', 0)")
            db.commit()
            """, store)
        let text = try evergear.run("queue", "status").output
        #expect(
            text.contains("Nothing is sent to me until 2") && text.contains("in 50 minutes: Too many calls."), "\(text)"
        )
        #expect(text.contains("Nothing is sent to you until you have done something: The token"), "\(text)")
        let gates = try evergear.run("queue", "status", "--json").object()["gates"] as? [[String: Any]]
        #expect(gates?.map { $0["account"] as? String } == ["me", "you"])
        #expect(gates?[1]["not_before"] is NSNull)
    }

    @Test("redirect sends jobs elsewhere, a parked one as if it were new") func redirect() throws {
        for title in ["a", "b", "c"] { try evergear.run("draft", "add", title) }
        try evergear.run("send", "1")
        try evergear.run("send", "2", "3", "--no-wait")
        let elsewhere = evergear.home.appending(path: "elsewhere").path
        let dry = try evergear.run("queue", "redirect", "--all", "--to", "enex:\(elsewhere)", "-n")
        #expect(dry.status == 0 && dry.output.hasPrefix("Would redirect 3 jobs"), "\(dry)")
        #expect(try evergear.run("queue", "redirect", "1", "2", "--to", "enex:\(elsewhere)").status == 0)
        #expect(try evergear.run("queue", "redirect", "--reason", "none", "--to", "enex:/x").output.contains("nothing"))
        #expect(try evergear.run("queue", "run", "--json").objects().last?["sent"] as? Int == 2)
        #expect(try evergear.delivered(in: URL(filePath: elsewhere)).map(\.title).sorted() == ["a", "b"])
        // The same note is not sent there twice.
        try evergear.run("send", "1", "--no-wait", "--again")
        let twice = try evergear.run("queue", "redirect", "4", "3", "--to", "enex:\(elsewhere)")
        #expect(twice.status == 3 && twice.errors.contains("goes there as job 1"), "\(twice)")
        #expect(try evergear.run("queue", "redirect", "1", "--to", "enex:/x").status == 1, "it is sent")
        #expect(try evergear.run("queue", "redirect", "9", "--to", "enex:/x").status == 66)
        #expect(try evergear.run("queue", "redirect", "1").status == 64)
    }

    @Test("what may have arrived is not redirected; marked as sent it counts as delivered, by hand") func markSent()
        throws
    {
        try evergear.run("draft", "add", "a")
        try evergear.run("send", "1", "--no-wait")
        let store = evergear.home.appending(path: "store.sqlite").path
        _ = try python(
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(\"UPDATE job SET state = 'uncertain'\"); db.commit()",
            store)
        let refused = try evergear.run("queue", "redirect", "1", "--to", "enex:/x")
        #expect(refused.status == 1 && refused.errors.contains("queue mark-sent 1"), "\(refused)")
        let all = try evergear.run("queue", "redirect", "--all", "--to", "enex:/x")
        #expect(all.status == 0 && all.errors.contains("1 job that may have arrived"), "\(all)")
        #expect(try evergear.run("queue", "mark-sent", "1", "-n").output.hasPrefix("Would mark 1 job"))
        #expect(try evergear.run("queue", "mark-sent", "1").output == "Marked 1 job as sent, by hand.\n")
        #expect(try evergear.run("queue", "mark-sent", "1").status == 1)
        #expect(try evergear.run("queue", "mark-sent", "7").status == 66)
        let job = try evergear.run("queue", "show", "1", "--json").object()
        #expect(job["state"] as? String == "sent" && job["by_hand"] as? Bool == true && job["path"] == nil)
        #expect(try evergear.run("draft", "show", "1").output.contains("marked by hand"))
        #expect(try evergear.run("log", "--json").objects().first?["by_hand"] as? Bool == true)
        #expect(try evergear.run("send", "1").output.contains("already delivered"))
        #expect(try evergear.run("check").status == 0)
    }

    @Test("draft show tells which parts went and which did not") func parts() throws {
        evergear.environment["EVERGEAR_TO"] = nil
        let folder = try evergear.manyPhotos(3)
        try evergear.run("import", folder.path)
        try evergear.run("send", "last", "--no-wait", "--photos-per-note", "1")
        try evergear.run("queue", "cancel", "2")
        try evergear.run("queue", "run")
        let shown = try evergear.run("draft", "show", "last").output
        #expect(
            shown.contains("partly sent") && shown.contains("Sent (1/3)") && shown.contains("Sent (3/3)"), "\(shown)")
        #expect(shown.contains("Not sent (2/3), full, to enex:") && shown.contains("cancelled (job 2)"), "\(shown)")
        let json = try evergear.run("draft", "show", "last", "--json").object()
        #expect((json["deliveries"] as? [[String: Any]])?.map { $0["part"] as? Int } == [1, 3])
    }

    @Test("show prints the note as it was fixed when it is asked for") func content() throws {
        try evergear.run("draft", "add", "Fixed\nas it was")
        try evergear.run("send", "last", "--no-wait")
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Fixed\nchanged\n")
        let text = try evergear.run("queue", "show", "1", "--content").output
        #expect(text.contains("<en-note") && text.contains("as it was") && !text.contains("changed"))
        let job = try evergear.run("queue", "show", "1", "--content", "--json").object()
        #expect((job["content"] as? String)?.hasPrefix("<?xml") == true)
        #expect(try evergear.run("queue", "show", "1", "--json").object()["content"] == nil)
    }
}
