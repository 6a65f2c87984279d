import Foundation
import Testing
import Workbench

/// Notes on which somebody else works too, and notes of which a part is there: what evergear takes for its own.
@Suite("whose a note at Evernote is") struct EvernoteOwnershipServiceTests {
    let evergear: Evergear
    let peer: EvernotePeer
    let photos: URL

    init() throws {
        peer = try EvernotePeer()
        evergear = try Evergear(sendingTo: peer)
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = "1"
        photos = try evergear.manyPhotos(4)
    }

    private func photo(_ number: Int) -> String { photos.appending(path: "IMG_\(number).jpg").path }

    private func addDraft() throws {
        try evergear.run(
            "draft", "add", "Ridge", "--tag", "walks", "--photo", photo(1), "--photo", photo(2), "--photo", photo(3))
    }

    /// A note of three photos of which one is there.
    private func sendInPart(_ fault: EvernotePeer.Fault, status: Int32) throws {
        // What is to be tried again is not tried before the test is over.
        evergear.environment["EVERGEAR_RETRY_BASE"] = "86400"
        try addDraft()
        try peer.addFaults([fault])
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == status, "\(run)")
        #expect(try peer.notes().map { $0.resources?.count } == [1])
    }

    /// A delivered note of three photos that is to get two more, of which one is there.
    private func updateInPart() throws {
        try addDraft()
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        try evergear.run("memo", "add", "last", "More.", "--photo", photo(4))
        try evergear.run("memo", "add", "last", "Still more.", "--photo", ImportCommandTests.somePhoto().path)
        evergear.environment["EVERGEAR_RETRY_BASE"] = "86400"
        try peer.addFaults([.init("updateNoteIfUsnMatches", .system, times: 99, skip: 1, code: "SHARD_UNAVAILABLE")])
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").status == 75)
    }

    private static let unavailable = EvernotePeer.Fault(
        "updateNoteIfUsnMatches", .system, times: 99, code: "SHARD_UNAVAILABLE")
    private static let refused = EvernotePeer.Fault(
        "updateNoteIfUsnMatches", .user, code: "BAD_DATA_FORMAT", parameter: "Resource.mime")

    /// Another client gives the note a title and words of its own, and takes its tags away.
    private func workElsewhere() throws {
        let guid = try #require(try peer.notes().first?.guid)
        try peer.official(
            """
            content = store.getNote(token, "\(guid)", True, False, False, False).content
            changed = content.replace("</en-note>", "<div>theirs</div></en-note>")
            store.updateNote(token, Note(guid="\(guid)", title="Theirs", content=changed))
            """)
    }

    /// The first answer is lost, and before anybody can look, somebody else has changed what had arrived.
    private func workElsewhereBeforeTheLook() throws -> Evergear.Run {
        try peer.addFaults([
            .init("createNote", .dropAfterCommit), .init("findNotesMetadata", .dropBeforeRead, times: 99),
        ])
        #expect(try evergear.run("send", "last", "--layout", "full").status == 75)
        try workElsewhere()
        try peer.replaceFaults([])
        return try evergear.runForAWhile("queue", "run", "--wait")
    }

    @Test("a retried note is not taken for the one that somebody else has changed, which has its address")
    func sameAddress() throws {
        try sendInPart(Self.refused, status: 1)
        try workElsewhere()
        try evergear.run("queue", "retry", "1")
        #expect(try evergear.run("queue", "run").status == 3)
        #expect(try evergear.standing(ofJob: 1).code == "conflict")
        try evergear.run("queue", "retry", "1")
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
        try peer.addFaults([.init("createNote", .http, status: 502)])
        let run = try evergear.runForAWhile("queue", "run", "--wait")
        #expect(run.status == 0, "\(run)")
        let notes = try peer.notes().map { [$0.title, "\($0.resources?.count ?? 0)"] }
        #expect(Set(notes) == [["Theirs", "1"], ["Ridge", "3"]])
        #expect(try evergear.run("queue", "verify").status == 0)
    }

    @Test("a note whose first step's answer was lost, and that somebody else has changed since, is not written over")
    func changedBeforeTheLook() throws {
        try addDraft()
        let run = try workElsewhereBeforeTheLook()
        #expect(run.status == 3, "\(run)")
        #expect(try evergear.standing(ofJob: 1).code == "conflict")
        #expect(try peer.notes().map(\.title) == ["Theirs"])
    }

    @Test("one that had arrived whole has arrived, and what was changed about it is not replaced unasked")
    func changedAfterItArrived() throws {
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = nil
        try addDraft()
        let run = try workElsewhereBeforeTheLook()
        #expect(run.status == 0, "\(run)")
        try evergear.run("memo", "add", "last", "More.")
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").status == 1)
        #expect(try evergear.standing(ofJob: 2).code == "conflict")
        #expect(try peer.notes().map(\.title) == ["Theirs"])
    }

    @Test("a title that somebody else gave is a change too, where the text is the same") func onlyTheTitle() throws {
        try addDraft()
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        let guid = try #require(try peer.notes().first?.guid)
        try peer.official("store.updateNote(token, Note(guid='\(guid)', title='Mine now'))")
        try evergear.run("draft", "edit", "last", "--tag", "other")
        let run = try evergear.run("send", "last", "--layout", "full", "--update")
        #expect(run.status == 1, "\(run)")
        #expect(try evergear.standing(ofJob: 2).code == "conflict")
        #expect(try peer.notes().map(\.title) == ["Mine now"])
    }

    @Test("tags that a draft does not have any more leave its note") func tagsGo() throws {
        try addDraft()
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        #expect(try peer.notes().first?.tagGuids?.count == 1)
        try evergear.run("draft", "edit", "last", "--tag", "")
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").status == 0)
        #expect(try peer.notes().map { $0.tagGuids ?? [] } == [[]])
        #expect(try peer.stats().warnings == [])
    }

    @Test(
        "a draft that is sent again goes on with the note of which a part is there", arguments: ["as it is", "changed"])
    func sentAgain(how: String) throws {
        try sendInPart(Self.unavailable, status: 75)
        try peer.replaceFaults([])
        if how == "changed" { try evergear.run("memo", "add", "last", "More.", "--photo", photo(4)) }
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == 0, "\(run)")
        #expect(try peer.notes().map { $0.resources?.count } == [how == "changed" ? 4 : 3])
        #expect(try evergear.run("queue", "verify").status == 0)
        #expect(try peer.stats().warnings == [])
    }

    @Test("an update that is given again goes on with what it has changed already") func updatedAgain() throws {
        try updateInPart()
        #expect(try peer.notes().map { $0.resources?.count } == [4])
        try peer.replaceFaults([])
        let run = try evergear.run("send", "last", "--layout", "full", "--update")
        #expect(run.status == 0, "\(run)")
        #expect(try peer.notes().map { $0.resources?.count } == [5])
        #expect(try evergear.run("queue", "verify", "3").status == 0)
    }

    @Test("cancelling an update never moves the note to the trash that was delivered before") func cancelledUpdate()
        throws
    {
        try updateInPart()
        // What the receipt says is not so any more: nothing is freed by it.
        #expect(try evergear.run("sent", "--paths").output == "")
        let cancelled = try evergear.run("queue", "cancel", "2", "--remove")
        #expect(cancelled.status == 0 && cancelled.errors.contains("changed in part and stays"), "\(cancelled)")
        #expect(try peer.notes().map(\.active) == [true])
        #expect(try evergear.run("sent", "--paths").output == "")
    }

    @Test("a note that is gone vouches for nothing, also when a new one is on its way") func goneVouchesForNothing()
        throws
    {
        try addDraft()
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        #expect(try evergear.run("sent", "--paths").output.split(separator: "\n").count == 3)
        let guid = try #require(try peer.notes().first?.guid)
        try peer.official("store.deleteNote(token, '\(guid)')")
        try evergear.run("memo", "rm", "last", "2")
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").status == 1)
        #expect(try evergear.run("sent", "--paths").output == "")
        try evergear.run("queue", "retry", "2")
        #expect(try evergear.run("sent", "--paths").output == "")
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try evergear.run("sent", "--paths").output == [photo(1), photo(3)].joined(separator: "\n") + "\n")
    }

    @Test("a look that is refused is no refusal of the note") func refusedLook() throws {
        try addDraft()
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = nil
        try peer.addFaults([
            .init("createNote", .dropAfterCommit),
            .init("findNotesMetadata", .user, times: 99, code: "UNSUPPORTED_OPERATION"),
        ])
        #expect(try evergear.run("send", "last", "--layout", "full").status == 75)
        #expect(try evergear.standing(ofJob: 1).state == "uncertain")
        try evergear.run("queue", "retry", "--all")
        #expect(try evergear.standing(ofJob: 1).state == "uncertain")
        try peer.replaceFaults([])
        #expect(try evergear.runForAWhile("queue", "run", "--wait").status == 0)
        #expect(try peer.notes().count == 1 && peer.stats().duplicates.isEmpty)
    }

    @Test("a gateway's failure says nothing of the note, whenever it wants to be asked again") func gateway() throws {
        try addDraft()
        try peer.addFaults([.init("createNote", .http, status: 504, retryAfter: "1")])
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == 75, "\(run)")
        #expect(try evergear.standing(ofJob: 1).state == "uncertain")
        #expect(try evergear.runForAWhile("queue", "run", "--wait").status == 0)
        #expect(try peer.stats().requests["findNotesMetadata"] ?? 0 > 0, "it is looked for first")
        #expect(try peer.notes().count == 1)
    }

    @Test(
        "a service that says no time to wait is left alone all the same",
        arguments: ["0", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func noTime(retryAfter: String) throws {
        try addDraft()
        try peer.addFaults([.init("createNote", .http, times: 99, status: 503, retryAfter: retryAfter)])
        #expect(try evergear.run("send", "last", "--layout", "full").status == 75)
        #expect(try peer.stats().requests["createNote"] == 1)
    }

    @Test("a run that stays asks for the notebooks again when it has more to do") func watch() throws {
        for title in ["first", "second"] {
            try evergear.run("draft", "add", title, "--notebook", "First Notebook")
            try evergear.run("send", "last", "--no-wait")
            let ended = try evergear.interrupt(["queue", "run", "--watch"], with: SIGINT) { _ in
                try wait { try peer.notes().contains { $0.title == title } }
                let asked = try peer.stats().requests["listNotebooks"] ?? 0
                try evergear.run("draft", "add", "\(title), later", "--notebook", "First Notebook")
                try evergear.run("send", "last", "--no-wait")
                try wait { try peer.notes().contains { $0.title == "\(title), later" } }
                #expect(try peer.stats().requests["listNotebooks"] == asked + 2, "once by `send`, once by the run")
            }
            #expect(ended.wasRunning, "\(ended)")
        }
    }
}
