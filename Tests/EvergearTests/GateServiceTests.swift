import Foundation
import System
import Testing
import Workbench

/// While an account is to be left alone, no call of any kind is made: counted by the service itself.
@Suite("a closed gate") struct GateServiceTests {
    let service: EvernotePeer
    let evergear: Evergear

    init() throws {
        service = try EvernotePeer()
        evergear = try Evergear(sendingTo: service)
    }

    private func calls() throws -> Int { try service.stats().requests.values.reduce(0, +) }

    /// Runs everything that talks to the service, and the service is not called.
    /// - Parameter waitsForPerson: Then `auth status` may ask: it is how a person finds out what is to be done.
    private func nothingIsAsked(_ status: Int32, waitsForPerson: Bool = false) throws {
        let before = try calls()
        var commands = [["queue", "run"], ["send", "-y"], ["notebooks", "--refresh"], ["queue", "verify"]]
        if !waitsForPerson { commands.append(["auth", "status"]) }
        for words in commands {
            let run = try evergear.run(words)
            #expect(try calls() == before, "\(words): \(run)")
            if words[1] == "run" || words[0] == "send" { #expect(run.status == status, "\(words): \(run)") }
        }
    }

    /// When attempts at the first job began, in seconds since 1970.
    private func attempts() throws -> [Double] {
        let job = try evergear.run("queue", "show", "1", "--json").object()
        let times = try #require(job["attempts"] as? [[String: Any]])
        return try times.map {
            try Date.ISO8601FormatStyle().parse(#require($0["started"] as? String)).timeIntervalSince1970
        }
    }

    /// An hour, of which this sees the first seconds.
    private func staysClosed(_ fault: EvernotePeer.Fault) throws {
        try evergear.run("draft", "add", "First\ntext")
        try service.addFaults([fault])
        let run = try evergear.run("send", "-y")
        #expect(run.status == 75, "\(run)")
        #expect(run.errors.contains("takes nothing now"), "\(run)")
        #expect(try service.stats().faultsLeft == 0)
        try nothingIsAsked(75)
        // A draft that comes meanwhile is queued, and the service is not asked about it.
        try evergear.run("draft", "add", "Second\ntext")
        // The service has its own restart, after which it has counted nothing.
        try service.restart()
        try nothingIsAsked(75)
        #expect(try calls() == 0)
        // Neither a word of the user's nor a new token ends what the service ordered.
        #expect(try evergear.run("queue", "resume").status == 0)
        #expect(try evergear.run("auth", "login", input: service.token).status == 75)
        try nothingIsAsked(75)
        #expect(try service.notes().count <= 1)
        #expect(try calls() == 0)
    }

    private static let hour = 3600

    @Test("a rate limit: nothing is asked, across restarts of both") func rateLimit() throws {
        try staysClosed(
            EvernotePeer.Fault("createNote", .system, code: "RATE_LIMIT_REACHED", rateLimitDuration: Self.hour))
    }

    @Test("Retry-After: the same") func retryAfter() throws {
        try staysClosed(EvernotePeer.Fault("createNote", .http, status: 503, retryAfter: "\(Self.hour)"))
    }

    @Test("a rate limit that the first question met holds back the notes as well") func questionMetIt() throws {
        try staysClosed(
            EvernotePeer.Fault("getUser", .system, code: "RATE_LIMIT_REACHED", rateLimitDuration: Self.hour))
        #expect(try service.notes().isEmpty)
    }

    @Test("one that a look met holds back the look and the notes") func lookMetIt() throws {
        try service.addFaults([EvernotePeer.Fault("createNote", .dropAfterCommit)])
        try staysClosed(
            EvernotePeer.Fault(
                "findNotesMetadata", .system, skip: 1, code: "RATE_LIMIT_REACHED", rateLimitDuration: Self.hour))
    }

    @Test("what the service ordered is obeyed to the second, and costs no try", arguments: [true, false])
    func opens(isRateLimit: Bool) throws {
        try evergear.run("draft", "add", "First\ntext")
        // Longer than what a busy machine takes to come from the failure to the end of the run.
        let seconds = 5
        try service.addFaults([
            isRateLimit
                ? EvernotePeer.Fault("createNote", .system, code: "RATE_LIMIT_REACHED", rateLimitDuration: seconds)
                : EvernotePeer.Fault("createNote", .http, status: 429, retryAfter: "\(seconds)")
        ])
        #expect(try evergear.run("send", "-y").status == 75)
        let run = try evergear.runForAWhile("queue", "run", "--wait")
        #expect(run.status == 0, "\(run)")
        #expect(try service.notes().map(\.title) == ["First"])
        let attempts = try attempts()
        // Its word came after the first attempt had begun.
        let wait = try #require(attempts.last) - attempts[0]
        #expect(attempts.count == 2 && wait >= Double(seconds), "\(attempts)")
        #expect(try service.stats().requests["createNote"] == 2)
    }

    @Test("a token that has expired: nothing is asked before a new one is there") func expired() throws {
        try evergear.run("draft", "add", "First\ntext")
        try service.addFaults([
            EvernotePeer.Fault("createNote", .user, code: "AUTH_EXPIRED", parameter: "authenticationToken")
        ])
        let run = try evergear.run("send", "-y")
        #expect(run.status == 77 && run.errors.contains("auth login"), "\(run)")
        try nothingIsAsked(77, waitsForPerson: true)
        try evergear.run("draft", "add", "Second\ntext")
        try service.restart()
        try nothingIsAsked(77, waitsForPerson: true)
        #expect(try calls() == 0)
        #expect(try evergear.run("auth", "login", input: service.token).status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try service.notes().map(\.title).sorted() == ["First", "Second"])
    }

    @Test("a month that is used up, an account that is full: nothing is asked before somebody resumes the queue")
    func quota() throws {
        try evergear.run("draft", "add", "First\ntext")
        try service.addFaults([
            EvernotePeer.Fault("createNote", .user, code: "QUOTA_REACHED", parameter: "Accounting.uploadLimit"),
            EvernotePeer.Fault("createNote", .user, code: "LIMIT_REACHED", parameter: "Note"),
        ])
        #expect(try evergear.run("send", "-y").status == 75)
        for notes in [0, 1] {
            try nothingIsAsked(75, waitsForPerson: notes == 1)
            #expect(try service.notes().isEmpty)
            let resumed = try evergear.run("queue", "resume")
            #expect(resumed.status == 0, "\(resumed)")
            #expect(try evergear.run("queue", "run").status == (notes == 1 ? 0 : 75))
            #expect(try service.notes().count == notes)
        }
    }

    @Test("a step that is carried out late is no change by somebody else") func lateStep() throws {
        let folder = try Evergear()
        let album = try Album(in: folder.home, drafts: 1, sizes: [60_000, 60_000, 60_000])
        let evergear = try album.copy(sendingTo: service)
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = "60000"
        // While the step is sent again, slowly, the first request for it is carried out.
        try service.addFaults([
            EvernotePeer.Fault("updateNoteIfUsnMatches", .commitAfter, seconds: 0.5),
            EvernotePeer.Fault("updateNoteIfUsnMatches", .throttle, bytesPerSecond: 20_000),
        ])
        let run = try evergear.runForAWhile("send", "-y")
        #expect(run.status == 0, "\(run)")
        #expect(try album.wrongs(at: service).isEmpty)
    }
}
