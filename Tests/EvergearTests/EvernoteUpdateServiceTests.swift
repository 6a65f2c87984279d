import Foundation
import Testing
import Workbench

/// A draft that changes after it was delivered: its note is replaced, and never one that somebody else has changed.
@Suite("replacing a note at Evernote") struct EvernoteUpdateServiceTests {
    let evergear: Evergear
    let peer: EvernotePeer
    let photos: URL

    init() throws {
        evergear = try Evergear()
        peer = try EvernotePeer("--tls")
        evergear.use(peer)
        photos = try evergear.manyPhotos(4)
    }

    private func photo(_ number: Int) -> String { photos.appending(path: "IMG_\(number).jpg").path }

    /// A delivered draft of two photos.
    private func deliver() throws -> String {
        try evergear.run("draft", "add", "Ridge", "--photo", photo(1), "--photo", photo(2))
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == 0, "\(run)")
        return try #require(try peer.notes().first?.guid)
    }

    @Test(
        "the note that is there gets the new text and photos; what it had is not sent again", arguments: [1, 1 << 30])
    func update(threshold: Int) throws {
        let guid = try deliver()
        let first = try FileManager.default.attributesOfItem(atPath: photo(3))[.size] as? Int ?? 0
        try evergear.run("memo", "add", "last", "The hut was closed.", "--photo", photo(3))
        let before = try peer.stats().bytesReceived
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = "\(threshold)"
        let run = try evergear.run("send", "last", "--layout", "full", "--update")
        #expect(run.status == 0, "\(run)")
        #expect(try peer.notes().map(\.guid) == [guid])
        let frozen = try evergear.frozen(2)
        #expect(frozen.resources.count == 3)
        let arrived = try #require(try peer.notes().first)
        #expect(frozen.differences(from: arrived) == [])
        #expect(try peer.stats().bytesReceived - before < first * 2, "only the new photo's bytes went")
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").output.contains("already delivered"))
        #expect(try evergear.run("queue", "verify").status == 0)
        #expect(try peer.stats().warnings == [])
    }

    @Test("a note that somebody else has changed is parked as a conflict; a retry makes a new one beside it")
    func conflict() throws {
        let guid = try deliver()
        try peer.official("store.updateNote(token, Note(guid='\(guid)', title='Mine now'))")
        try evergear.run("memo", "add", "last", "More.")
        let run = try evergear.run("send", "last", "--layout", "full", "--update")
        #expect(run.status == 1 && run.errors.contains("Somebody else has changed the note"), "\(run)")
        #expect(try evergear.standing(ofJob: 2).code == "conflict")
        #expect(try peer.notes().map(\.title) == ["Mine now"])
        try evergear.run("queue", "retry", "2")
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try peer.notes().map(\.title).sorted() == ["Mine now", "Ridge"])
    }

    @Test("a note that is in the trash is not written to") func gone() throws {
        let guid = try deliver()
        try peer.official("store.deleteNote(token, '\(guid)')")
        try evergear.run("memo", "add", "last", "More.")
        #expect(try evergear.run("send", "last", "--layout", "full", "--update").status == 1)
        #expect(try evergear.standing(ofJob: 2).code == "note_gone")
    }

    @Test("nothing to replace is an error, and so is an update of a file") func nothing() throws {
        try evergear.run("draft", "add", "New")
        #expect(try evergear.run("send", "last", "--update").status == 65)
        let file = try evergear.run("send", "last", "--update", "--to", "enex")
        #expect(file.status == 64 && file.errors.contains("never changed"), "\(file)")
    }

    @Test(
        "photos that come late go into the note that is there, or make one of their own", arguments: ["update", "new"])
    func late(way: String) throws {
        let folder = try evergear.manyPhotos(2, in: "ridge")
        #expect(try evergear.run("upload", folder.path).status == 0)
        try FileManager.default.copyItem(atPath: photo(4), toPath: folder.appending(path: "IMG_9.jpg").path)
        let run = try evergear.run("upload", folder.path, "--late", way)
        #expect(run.status == 0, "\(run)")
        let counts = try peer.notes().map { $0.resources?.count ?? 0 }
        #expect(counts.sorted() == (way == "update" ? [3] : [1, 2]))
    }

    @Test(
        "what the service has of a half-sent note is told, and kept or removed when its job is cancelled",
        arguments: [
            "--keep", "--remove",
        ])
    func halfSent(choice: String) throws {
        evergear.environment["EVERGEAR_STEP_THRESHOLD"] = "1"
        try evergear.run("draft", "add", "Ridge", "--photo", photo(1), "--photo", photo(2), "--photo", photo(3))
        try peer.addFaults([
            .init("updateNoteIfUsnMatches", .user, skip: 1, code: "BAD_DATA_FORMAT", parameter: "Resource.mime")
        ])
        let run = try evergear.run("send", "last", "--layout", "full")
        #expect(run.status == 1 && run.errors.contains("holds 2 of 3 files"), "\(run)")
        let cancelled = try evergear.run("queue", "cancel", "1", choice)
        #expect(cancelled.status == 0, "\(cancelled)")
        #expect(try peer.notes().map(\.active) == [choice == "--keep"])
        #expect(try evergear.standing(ofJob: 1).state == "cancelled")
    }
}
