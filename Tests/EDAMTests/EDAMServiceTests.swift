import EDAM
import HTTP
import Hashing
import Notes
import System
import Testing
import Workbench

@Suite("Calls to a service that runs on the official library")
struct EDAMServiceTests {
    private let peer: EvernotePeer
    private let user: UserStore
    private let store: NoteStore
    private let folder: TemporaryFolder

    init() throws {
        peer = try EvernotePeer()
        folder = try TemporaryFolder()
        user = try UserStore(
            of: Service(peer.address), over: CurlTransport(userAgent: "evergear-tests"),
            token: try #require(AccessToken(peer.token)))
        store = try user.noteStore()
    }

    /// A resource in a file.
    private func resource(_ bytes: [UInt8], named name: String) throws -> EDAM.Resource {
        var resource = EDAM.Resource()
        resource.data = EDAM.Data(
            file: try folder.write(bytes, as: name), size: Int64(bytes.count), hash: try #require(MD5(of: bytes)))
        resource.mime = "image/jpeg"
        (resource.width, resource.height) = (96, 64)
        resource.attributes = EDAM.ResourceAttributes()
        resource.attributes?.fileName = name
        resource.attributes?.timestamp = Stores.time()
        return resource
    }

    private func note(of resources: [EDAM.Resource] = []) -> EDAM.Note {
        let media = resources.compactMap { $0.data?.bodyHash }.map { #"<en-media type="image/jpeg" hash="\#($0)"/>"# }
        var note = EDAM.Note()
        note.title = "日本 🗻 Fuji"
        note.content = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>é\(media.joined())</en-note>
            """
        note.created = Stores.time()
        note.resources = resources
        note.attributes = EDAM.NoteAttributes()
        note.attributes?.sourceURL = "evergear://note/0190"
        return note
    }

    @Test("a note with photos is made, found, read back, changed and thrown away, without a warning")
    func wholeLife() throws {
        #expect(try user.checkVersion(clientName: "evergear-tests; Linux"))
        #expect(try user.getUser().accountLimits?.noteResourceCountMax == 1000)
        #expect(try store.getDefaultNotebook() == store.listNotebooks().first)
        let before = try #require(try store.getSyncState().updateCount)
        var notebook = Notebook()
        notebook.name = "Trips é"
        var tag = Tag()
        tag.name = "東京"

        let bodies = (0..<20).map { number in (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) } }
        var note = note(of: try bodies.enumerated().map { try resource($0.element, named: "富士 \($0.offset).jpg") })
        note.notebookGuid = try store.createNotebook(notebook).guid
        note.tagGuids = [try #require(try store.createTag(tag).guid)]
        note.tagNames = ["rain"]
        let made = try store.createNote(note)
        let guid = try #require(made.guid)
        #expect(try Set(store.listTags().map(\.name)) == ["東京", "rain"])

        let read = try store.getNote(guid, withContent: true)
        #expect(read.title == note.title && read.content == note.content && read.notebookGuid == note.notebookGuid)
        #expect(read.created == note.created && read.attributes == note.attributes && read.tagGuids?.count == 2)
        #expect(read.resources?.map(\.attributes) == note.resources?.map(\.attributes))
        for body in bodies {
            let hash = try #require(MD5(of: body))
            let resource = try store.getResourceByHash(noteGuid: guid, hash, withData: true)
            #expect(resource.data?.bytes.map(Array.init) == body)
        }

        var filter = NoteFilter()
        filter.words = #"sourceURL:"evergear://note/0190""#
        var spec = NotesMetadataResultSpec()
        spec.includeTitle = true
        let found = try store.findNotesMetadata(filter, maxNotes: 10, spec)
        #expect(found.notes?.map(\.guid) == [guid] && found.notes?.first?.title == note.title)
        var kinds = SyncChunkFilter()
        kinds.includeNotes = true
        kinds.includeNoteAttributes = true
        let chunk = try store.getFilteredSyncChunk(afterUSN: before, maxEntries: 100, kinds)
        #expect(chunk.notes?.map(\.attributes?.sourceURL) == ["evergear://note/0190"])

        // What the service has already goes without its bytes.
        var step = EDAM.Note()
        (step.guid, step.title, step.updateSequenceNum) = (guid, "Later", made.updateSequenceNum)
        step.resources = try (made.resources ?? []) + [resource([1, 2, 3], named: "new.jpg")]
        let changed = try store.updateNoteIfUsnMatches(step)
        #expect(changed.updated == true && changed.note?.resources?.count == 21)
        #expect(try store.updateNoteIfUsnMatches(step).updated == false)

        try store.deleteNote(guid)
        #expect(try store.getNote(guid, withContent: false).active == false)
        let stats = try peer.stats()
        #expect(stats.warnings == [] && stats.malformed == 0)
    }

    @Test("what goes wrong has a type, and says whether the note may be there")
    func faults() throws {
        let faults: [(EvernotePeer.Fault, mayHaveArrived: Bool)] = [
            (EvernotePeer.Fault("createNote", .dropAfterCommit), true),
            (EvernotePeer.Fault("createNote", .garbage, bytes: 100), true),
            (EvernotePeer.Fault("createNote", .truncate, bytes: 20), true),
            (EvernotePeer.Fault("createNote", .wrongSequenceID), true),
            (EvernotePeer.Fault("createNote", .wrongName), true),
            (EvernotePeer.Fault("createNote", .applicationException), true),
            (EvernotePeer.Fault("createNote", .http, status: 500), true),
            (EvernotePeer.Fault("createNote", .http, status: 503, retryAfter: "7"), false),
            (EvernotePeer.Fault("createNote", .system, code: "RATE_LIMIT_REACHED", rateLimitDuration: 5), false),
            (EvernotePeer.Fault("createNote", .system, code: "INTERNAL_ERROR"), true),
            (EvernotePeer.Fault("createNote", .user, code: "QUOTA_REACHED", parameter: "x"), false),
            (EvernotePeer.Fault("createNote", .notFound, identifier: "Note.notebookGuid", key: "k"), false),
        ]
        for (fault, mayHaveArrived) in faults {
            try peer.replaceFaults([fault])
            let notes = try peer.stats().notes
            do {
                _ = try store.createNote(note())
                Issue.record("\(fault.action) went well")
            } catch let error as EDAMError {
                #expect(error.mayHaveArrived == mayHaveArrived, "\(fault.action): \(error)")
                // Whoever is told that nothing was done may send it again.
                #expect(try error.mayHaveArrived || peer.stats().notes == notes, "\(fault.action): \(error)")
            }
        }
    }

    @Test("the service's own refusals arrive with their words")
    func refusals() throws {
        var untitled = note()
        untitled.title = " x"
        #expect(throws: EDAMError.user(.badDataFormat, parameter: "Note.title")) { try store.createNote(untitled) }
        #expect(throws: EDAMError.notFound(identifier: "Note.guid", key: Stores.guid)) {
            try store.getNote(Stores.guid, withContent: false)
        }
        let stranger = NoteStore(
            at: store.address, over: try CurlTransport(userAgent: "evergear-tests"),
            token: try #require(AccessToken("S=s1:U=2:E=0")))
        #expect(throws: EDAMError.user(.invalidAuth, parameter: "authenticationToken")) { try stranger.listTags() }
    }
}
