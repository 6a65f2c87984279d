import Foundation
import Testing
import Workbench

/// A note whose answer was lost: what may be done about it, and when it is looked for.
@Suite("a note that may have arrived") struct UncertainServiceTests {
    let service: EvernotePeer
    let evergear: Evergear

    init() throws {
        service = try EvernotePeer()
        evergear = try Evergear(sendingTo: service)
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
    }

    /// A note that has arrived, unknown to us: the answer was lost, and no look gets one.
    private func loseAnswer() throws {
        try evergear.run("draft", "add", "Lost\ntext")
        try service.addFaults([
            EvernotePeer.Fault("createNote", .dropAfterCommit),
            EvernotePeer.Fault("findNotesMetadata", .dropBeforeRead, times: 99),
        ])
        let sent = try evergear.run("send", "last")
        #expect(sent.status == 75, "\(sent)")
        #expect(try evergear.standing(ofJob: 1).state == "uncertain")
    }

    @Test("it cannot be given up, and so its draft is not sent twice") func cancel() throws {
        try loseAnswer()
        for words in [["1"], ["1", "-n"]] {
            let refused = try evergear.run(["queue", "cancel"] + words)
            #expect(refused.status == 1, "\(refused)")
            for advice in ["queue run", "queue mark-sent 1", "queue retry 1"] {
                #expect(refused.errors.contains(advice), "\(refused)")
            }
        }
        // With one that may be given up: that one is.
        try evergear.run("draft", "add", "Other")
        try evergear.run("send", "last", "--no-wait")
        let both = try evergear.run("queue", "cancel", "1", "2")
        #expect(both.status == 3 && both.output == "Cancelled 1 job.\n", "\(both)")
        let all = try evergear.run("queue", "cancel", "--all")
        #expect(all.status == 0 && all.errors.contains("1 job that may have arrived stays as it is"), "\(all)")
        #expect(try evergear.standing(ofJob: 1).state == "uncertain")
        try service.replaceFaults([])
        #expect(try evergear.run("send", "1").status == 0)
        #expect(try service.notes().map(\.title) == ["Lost"])
        #expect(try service.stats().duplicates.isEmpty)
    }

    @Test("whoever wants to know is told when it is looked for next") func nextLook() throws {
        evergear.environment["EVERGEAR_LOOK_AGAIN"] = nil
        try evergear.run("draft", "add", "Late\ntext")
        // Carried out when the test is long over.
        try service.addFaults([EvernotePeer.Fault("createNote", .commitAfter, seconds: 3600)])
        let sent = try evergear.run("send", "last")
        let next = "next look is in 15 minutes"
        #expect(sent.status == 75 && sent.errors.contains(next), "\(sent)")
        let run = try evergear.run("queue", "run")
        #expect(run.status == 75 && run.errors.contains(next) && !run.output.contains("Nothing is due"), "\(run)")
        let shown = try evergear.run("queue", "status").output
        #expect(shown.contains("Next look in 15 minutes, by `evergear queue run`."), "\(shown)")
        for words in [["list"], ["show", "1"]] {
            let shown = try evergear.run(["queue"] + words)
            #expect(shown.output.contains("next look in 15 minutes"), "\(shown)")
        }
        let status = try evergear.run("queue", "status", "--json").object()
        let job = try evergear.run("queue", "show", "1", "--json").object()
        #expect(status["next_attempt"] as? String != nil)
        #expect(status["next_attempt"] as? String == job["not_before"] as? String)
    }

    @Test("after a kill it is looked for at once, and adopted where it is there") func killed() throws {
        try evergear.run("draft", "add", "Killed\ntext")
        try service.addFaults([EvernotePeer.Fault("createNote", .delay, seconds: 0, after: 600)])
        let ended = try evergear.interrupt(["send", "last"], with: SIGKILL) { _ in
            try wait { try !service.notes().isEmpty }
            // While it lives, another that finds nothing to do says why.
            for words in [["queue", "run"], ["send", "last"], ["send", "-y"]] {
                let other = try evergear.run(words)
                #expect(other.status == 75 && other.errors.contains("being sent"), "\(words): \(other)")
            }
        }
        #expect(ended.wasRunning, "\(ended)")
        let run = try evergear.run("queue", "run")
        #expect(run.status == 0, "\(run)")
        let job = try evergear.run("queue", "show", "1", "--json").object()
        #expect(job["state"] as? String == "sent")
        #expect(try job["guid"] as? String == service.notes().first?.guid)
        #expect(try service.notes().count == 1)
    }

    @Test("a clock that was ten years ahead holds no account back for ten years") func wrongClock() throws {
        try evergear.run("draft", "add", "First\ntext")
        try service.addFaults([
            EvernotePeer.Fault("createNote", .system, code: "RATE_LIMIT_REACHED", rateLimitDuration: 2)
        ])
        #expect(try evergear.run("send", "last").status == 75)
        // As if all that had been by such a clock.
        _ = try python(
            """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            decade = 10 * 365 * 86400 * 1000
            for table, since in (("gate", "closed"), ("job", "waits_since")):
                db.execute(f"UPDATE {table} SET not_before = not_before + ?1, {since} = {since} + ?1 WHERE not_before > 0", [decade])
            db.commit()
            """, evergear.home.appending(path: "store.sqlite").path)
        let run = try evergear.runForAWhile("queue", "run", "--wait")
        #expect(run.status == 0, "\(run)")
        #expect(try service.notes().map(\.title) == ["First"])
    }
}
