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
