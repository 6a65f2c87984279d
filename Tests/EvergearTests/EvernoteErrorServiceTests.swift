import Foundation
import Testing
import Workbench

/// What the service refuses, and what becomes of it: the job, the account, the sentence, the exit status.
@Suite("what Evernote refuses") struct EvernoteErrorServiceTests {
    /// What a failed delivery leaves.
    enum End: String, Sendable {
        /// Parked: a person has to do something about this note.
        case parked
        /// Queued, and the account takes nothing before somebody opens it or a time has come.
        case closed
        /// Queued, for another try.
        case later
    }

    struct Case: Sendable, CustomStringConvertible {
        let fault: EvernotePeer.Fault
        let code: String
        let end: End
        let status: Int32
        /// What the sentence has to say.
        let words: [String]

        init(_ fault: EvernotePeer.Fault, _ code: String, _ end: End, _ status: Int32, _ words: String...) {
            self.fault = fault
            self.code = code
            self.end = end
            self.status = status
            self.words = words
        }

        /// The service has said how long it wants to be left alone.
        var isAskedFor: Bool { code == "rate_limit_reached" || code.hasPrefix("http_") }

        var description: String {
            "\(fault.code ?? fault.action.rawValue) \(fault.parameter ?? fault.identifier ?? "")"
        }
    }

    private static func user(_ code: String, _ parameter: String) -> EvernotePeer.Fault {
        EvernotePeer.Fault("createNote", .user, code: code, parameter: parameter)
    }

    private static func system(_ code: String, wait: Int? = nil) -> EvernotePeer.Fault {
        EvernotePeer.Fault("createNote", .system, code: code, message: "told", rateLimitDuration: wait)
    }

    static let cases: [Case] = [
        // The token: everything for the account waits for a new one.
        Case(user("INVALID_AUTH", "authenticationToken"), "invalid_auth", .closed, 77, "auth login"),
        Case(user("AUTH_EXPIRED", "authenticationToken"), "auth_expired", .closed, 77, "auth login"),
        Case(user("PERMISSION_DENIED", "authenticationToken"), "permission_denied_token", .closed, 77, "auth login"),
        Case(user("DATA_REQUIRED", "authenticationToken"), "invalid_auth", .closed, 77, "auth login"),
        Case(user("BAD_DATA_FORMAT", "authenticationToken"), "invalid_auth", .closed, 77, "auth login"),
        Case(user("SSO_AUTHENTICATION_REQUIRED", "token"), "sso_authentication_required", .closed, 77, "auth login"),
        Case(
            user("BUSINESS_SECURITY_LOGIN_REQUIRED", "token"), "business_security_login_required", .closed, 77,
            "auth login"),
        Case(user("DEVICE_LIMIT_REACHED", "token"), "device_limit_reached", .closed, 77, "auth login"),
        // The account: it waits for a time, or for a person.
        Case(user("QUOTA_REACHED", "Accounting.uploadLimit"), "quota_reached", .closed, 75, "new month", "auth status"),
        Case(user("LIMIT_REACHED", "Note"), "note_limit", .closed, 75, "queue resume"),
        Case(system("RATE_LIMIT_REACHED", wait: 1800), "rate_limit_reached", .closed, 75, "30 minutes", "by itself"),
        Case(system("RATE_LIMIT_REACHED"), "rate_limit_reached", .closed, 75, "by itself"),
        Case(EvernotePeer.Fault("createNote", .http, status: 429, retryAfter: "1800"), "http_429", .closed, 75, "429"),
        Case(EvernotePeer.Fault("createNote", .http, status: 503, retryAfter: "1800"), "http_503", .closed, 75, "503"),
        // This note alone: it needs a person.
        Case(user("LIMIT_REACHED", "Note.size"), "limit_reached", .parked, 1, "--photo-size", "--note-bytes"),
        Case(user("LIMIT_REACHED", "Resource.data.size"), "limit_reached", .parked, 1, "--photo-size"),
        Case(user("LIMIT_REACHED", "Note.resources"), "limit_reached", .parked, 1, "--photos-per-note"),
        Case(user("LIMIT_REACHED", "Note.tagGuids"), "limit_reached", .parked, 1, "draft edit"),
        Case(user("LIMIT_REACHED", "Tag"), "limit_reached", .parked, 1, "tags"),
        Case(user("BAD_DATA_FORMAT", "Note.title"), "bad_data_format", .parked, 1, "title", "draft"),
        Case(user("BAD_DATA_FORMAT", "Note.content"), "bad_data_format", .parked, 1, "text", "draft"),
        Case(user("BAD_DATA_FORMAT", "Tag.name"), "bad_data_format", .parked, 1, "tag", "draft edit"),
        Case(user("BAD_DATA_FORMAT", "Resource.mime"), "bad_data_format", .parked, 1, "Resource.mime", "report"),
        Case(user("BAD_DATA_FORMAT", "NoteAttributes.placeName"), "bad_data_format", .parked, 1, "report"),
        Case(user("LIMIT_REACHED", "ResourceAttribute.fileName"), "limit_reached", .parked, 1, "report"),
        Case(user("DATA_REQUIRED", "Resource.data"), "data_required", .parked, 1, "report"),
        Case(user("ENML_VALIDATION", "element p"), "enml_validation", .parked, 1, "layout", "element p"),
        Case(user("PERMISSION_DENIED", "Note.notebookGuid"), "permission_denied", .parked, 1, "notebook", "draft edit"),
        Case(
            EvernotePeer.Fault("createNote", .notFound, identifier: "Note.notebookGuid", key: "gone"), "not_found",
            .parked, 1, "notebook", "evergear notebooks"),
        // The service: the same again, later.
        Case(system("SHARD_UNAVAILABLE"), "shard_unavailable", .later, 75, "not available"),
    ]

    @Test(
        "each documented refusal has its state, its code, its sentence and its exit status",
        arguments: [End.parked, .closed, .later])
    func refusals(end: End) throws {
        let peer = try EvernotePeer()
        for wanted in Self.cases where wanted.end == end {
            try peer.reset()
            let evergear = try Evergear()
            evergear.use(peer)
            try evergear.run("draft", "add", "Lake Biwa", "--tag", "trip")
            try peer.addFaults([wanted.fault])
            let run = try evergear.run("send", "last")
            #expect(run.status == wanted.status, "\(wanted): \(run)")
            #expect(try peer.stats().faultsUsed.count == 1, "\(wanted)")
            let job = try evergear.standing(ofJob: 1)
            #expect(job.code == wanted.code, "\(wanted)")
            #expect(job.state == (end == .parked ? "parked" : "queued"), "\(wanted)")
            for words in wanted.words { #expect(job.message?.contains(words) == true, "\(wanted): \(job)") }
            #expect(run.errors.contains("Lake Biwa") && run.errors.contains(job.message ?? "?"), "\(wanted): \(run)")

            // While the account is closed nothing is asked of it, and other notes wait with this one.
            try evergear.run("draft", "add", "Another")
            let requests = try peer.stats().requests
            let next = try evergear.run("send", "last")
            #expect(try evergear.standing(ofJob: 2).state == (end == .closed ? "queued" : "sent"), "\(wanted): \(next)")
            guard end == .closed else { continue }
            #expect(next.status == wanted.status && next.errors.contains("takes nothing now"), "\(wanted): \(next)")
            #expect(try peer.stats().requests == requests, "\(wanted)")
            // Whoever has seen to it says so; what the service asked to wait for is waited for all the same.
            #expect(try evergear.run("queue", "resume").status == 0, "\(wanted)")
            let last = try evergear.run("queue", "run")
            let states = try [1, 2].map { try evergear.standing(ofJob: $0).state }
            if wanted.isAskedFor {
                #expect(last.status == 75 && states == ["queued", "queued"], "\(wanted): \(last)")
                #expect(try peer.stats().requests == requests, "\(wanted)")
            } else {
                #expect(last.status == 0 && states == ["sent", "sent"], "\(wanted): \(last)")
                #expect(try peer.notes().count == 2, "\(wanted)")
            }
        }
    }

    @Test("what the account will never take is refused before it is queued, and says what to do")
    func refusedBefore() throws {
        let photo = try ImportCommandTests.somePhoto().path
        let cases: [(options: [String], draft: [String], words: [String])] = [
            (["--note-size-max", "2000"], ["x", "--photo", photo], ["--photo-size"]),
            (["--resource-size-max", "2000"], ["x", "--photo", photo], ["--photo-size"]),
            (["--quota", "2000"], ["x", "--photo", photo], ["a month", "--photo-size"]),
            (["--notes-max", "0"], ["x"], ["Delete some"]),
        ]
        for (options, draft, words) in cases {
            let peer = try EvernotePeer(options: options)
            let evergear = try Evergear()
            evergear.use(peer)
            try evergear.run(["draft", "add"] + draft)
            let run = try evergear.run("send", "last", "--layout", "full")
            #expect(run.status == 65, "\(options): \(run)")
            for word in words { #expect(run.errors.contains(word), "\(options): \(run)") }
            #expect(try evergear.run("queue", "list", "--all", "--json").output.isEmpty)
            #expect(try peer.stats().requests["createNote"] == nil, "nothing was uploaded to be refused")
            let plan = try evergear.run("plan", "last", "--layout", "full")
            #expect(words.contains { (plan.output + plan.errors).contains($0) }, "\(options): \(plan)")
        }
    }

    @Test("a note that this month's upload does not suffice for is held until the next, and nothing of it is uploaded")
    func held() throws {
        let photo = try ImportCommandTests.somePhoto()
        let size = try Data(contentsOf: photo).count
        let peer = try EvernotePeer(options: ["--quota", String(size * 3 / 2)])
        let evergear = try Evergear()
        evergear.use(peer)
        // Both would go at once, and each would find room.
        evergear.environment["EVERGEAR_TRANSFERS"] = "4"
        for title in ["first", "second"] { try evergear.run("draft", "add", title, "--photo", photo.path) }
        let plan = try evergear.run("plan", "1", "2", "--layout", "full", "--json").objects()
        let reasons = plan.map { ($0["notes"] as? [[String: Any]])?.first?["reason"] }
        #expect(
            reasons.first is NSNull && (reasons.last as? String)?.contains("next month begins in 30 days") == true,
            "\(plan)")
        let run = try evergear.run("send", "1", "2", "--layout", "full")
        #expect(run.status == 75 && run.errors.contains("next month"), "\(run)")
        #expect(try evergear.standing(ofJob: 1).state == "sent")
        let second = try evergear.standing(ofJob: 2)
        #expect(second.state == "queued" && second.code == "quota_reached")
        let date = try evergear.run("queue", "show", "2", "--json").object()["not_before"] as? String
        #expect(date != nil, "the date is told")
        #expect(try peer.stats().requests["createNote"] == 1)
        // What does fit goes past it.
        try evergear.run("draft", "add", "small")
        #expect(try evergear.run("send", "last").status == 0)
        #expect(try peer.notes().map(\.title).sorted() == ["first", "small"])
    }

    @Test("a draft is cut by what the account takes in a note") func split() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(4)
        let size = try Data(contentsOf: photos.appending(path: "IMG_1.jpg")).count
        let peer = try EvernotePeer(options: ["--note-size-max", String(size * 5 / 2)])
        evergear.use(peer)
        try evergear.run("import", photos.path, "--title", "Cut")
        let plan = try evergear.run("plan", "last", "--layout", "full", "--json").object()
        let parts = (plan["notes"] as? [[String: Any]])?.compactMap { $0["photos"] as? Int }
        #expect(parts?.count ?? 0 > 1 && parts?.reduce(0, +) == 4, "\(plan)")
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == 0, "\(run)")
        let notes = try peer.notes()
        #expect(notes.count == parts?.count && notes.allSatisfy { $0.size <= size * 5 / 2 })
        #expect(Set(notes.flatMap { $0.resources ?? [] }.map(\.data.bodyHash)).count == 4)
        #expect(try evergear.run("plan", "last", "--note-bytes", "1G", "--layout", "full").output.contains("note"))
    }

    @Test("a limit that only the service knows of parks the note: tags of the whole account") func tagLimit() throws {
        let peer = try EvernotePeer(options: ["--tags-max", "1"])
        let evergear = try Evergear()
        evergear.use(peer)
        try evergear.run("draft", "add", "x", "--tag", "a", "--tag", "b")
        let run = try evergear.run("send", "last")
        #expect([1, 65].contains(run.status) && run.errors.contains("tags"), "\(run)")
        #expect(try peer.notes().isEmpty)
        try evergear.run("draft", "add", "y", "--tag", "a")
        #expect(try evergear.run("send", "last").status == 0)
    }

    @Test("while nobody answers, jobs wait, and go when somebody does") func nobody() throws {
        let peer = try EvernotePeer()
        let evergear = try Evergear()
        evergear.use(peer)
        peer.stop()
        try evergear.run("draft", "add", "x", "--notebook", "First Notebook")
        let run = try evergear.run("send", "last")
        #expect(run.status == 75 && run.errors.contains("cannot be reached"), "\(run)")
        #expect(try evergear.standing(ofJob: 1).state == "queued")
        try peer.restart()
        #expect(try evergear.run("queue", "retry", "1").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try peer.notes().count == 1)
    }

    @Test("plain http goes no further than this machine") func plainHTTP() throws {
        let evergear = try Evergear()
        evergear.environment["EVERGEAR_TOKEN"] = "S=s1:U=1:secret"
        try evergear.run("draft", "add", "x")
        let run = try evergear.run("send", "last", "--to", "evernote", "--service", "http://notes.example")
        #expect([64, 78].contains(run.status) && run.errors.contains("https"), "\(run)")
        evergear.environment["EVERGEAR_SERVICE"] = "http://notes.example"
        let setting = try evergear.run("send", "last", "--to", "evernote")
        #expect(setting.status == 78 && setting.errors.contains("https"), "\(setting)")
        #expect(try evergear.run("queue", "list", "--all", "--json").output.isEmpty)
    }
}
