import EDAM
import HTTP
import Notes
import System
import Testing
import Thrift
import Workbench

@Suite("What is sent to the service")
struct RequestTests {
    /// What a call sends. That no reply comes is its end.
    private func sent(by call: (NoteStore) throws -> Void) throws -> String {
        let transport = ScriptedTransport { _ in Reply(status: 404, body: []) }
        let store = try Stores.note(transport)
        #expect(throws: EDAMError.status(404, retryAfter: nil)) { try call(store) }
        return Hexadecimal.digits(try #require(transport.sent.first))
    }

    @Test("a note with a photo in a file is the official client's, byte for byte")
    func createNote() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("--photo--".utf8), as: "photo")
        var resource = Resource()
        resource.data = Data()
        resource.data?.bodyHash = MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35")
        resource.data?.size = 5
        resource.data?.body = .file(path, offset: 2, count: 5)
        resource.mime = "image/jpeg"
        (resource.width, resource.height) = (4032, 3024)
        var about = ResourceAttributes()
        about.timestamp = Stores.time(1000)
        (about.latitude, about.longitude, about.altitude) = (35.3606, 138.7274, 3776.24)
        (about.cameraMake, about.cameraModel) = ("Testcam", "TC-1")
        about.fileName = "富士.jpg"
        about.attachment = false
        resource.attributes = about
        var attributes = NoteAttributes()
        attributes.subjectDate = Stores.time()
        (attributes.latitude, attributes.longitude, attributes.altitude) = (-33.8, 151.2, 12.5)
        attributes.source = "evergear"
        attributes.sourceURL = "evergear://note/0190"
        attributes.sourceApplication = "evergear"
        attributes.placeName = "Home"
        attributes.noteTitleQuality = 1
        var note = Note()
        note.title = "日本 🗻 Fuji"
        note.content = "<en-note>é</en-note>"
        note.created = Stores.time()
        note.updated = Stores.time(5000)
        note.notebookGuid = Stores.guid
        note.resources = [resource]
        note.attributes = attributes
        note.tagNames = ["旅", "rain"]
        #expect(try sent { _ = try $0.createNote(note) } == OfficialRequest.createNote)
    }

    @Test("a change that leaves the rest as it is is the official client's, byte for byte")
    func updateNote() throws {
        var resource = Resource()
        resource.guid = Stores.guid
        resource.data = Data()
        resource.data?.bodyHash = MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35")
        resource.data?.size = 5
        resource.mime = "image/jpeg"
        var note = Note()
        note.guid = Stores.guid
        note.title = "t"
        note.updateSequenceNum = 7
        note.tagGuids = []
        note.resources = [resource]
        #expect(try sent { _ = try $0.updateNoteIfUsnMatches(note) } == OfficialRequest.updateNote)
    }

    @Test("what is looked for is the official client's, byte for byte")
    func search() throws {
        var filter = NoteFilter()
        filter.order = .updated
        filter.ascending = false
        filter.words = #"sourceURL:"evergear://note/0190""#
        filter.notebookGuid = Stores.guid
        filter.tagGuids = [Stores.guid]
        filter.inactive = false
        var spec = NotesMetadataResultSpec()
        spec.includeTitle = true
        spec.includeContentLength = true
        spec.includeCreated = true
        spec.includeUpdated = true
        spec.includeDeleted = true
        spec.includeUpdateSequenceNum = true
        spec.includeNotebookGuid = true
        spec.includeTagGuids = true
        spec.includeAttributes = true
        #expect(
            try sent { _ = try $0.findNotesMetadata(filter, offset: 0, maxNotes: 10, spec) }
                == OfficialRequest.findNotesMetadata)
        var kinds = SyncChunkFilter()
        kinds.includeNotes = true
        kinds.includeNoteResources = true
        kinds.includeNoteAttributes = true
        kinds.includeNotebooks = true
        kinds.includeTags = true
        kinds.includeExpunged = false
        #expect(
            try sent { _ = try $0.getFilteredSyncChunk(afterUSN: 40, maxEntries: 100, kinds) }
                == OfficialRequest.getFilteredSyncChunk)
    }

    @Test("every other call to the note store is the official client's, byte for byte")
    func noteStore() throws {
        let hash = try #require(MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35"))
        var notebook = Notebook()
        notebook.name = "Trips"
        notebook.defaultNotebook = false
        notebook.stack = "Years"
        var tag = Tag()
        tag.name = "rain"
        tag.parentGuid = Stores.guid
        #expect(try sent { _ = try $0.getNote(Stores.guid, withContent: true) } == OfficialRequest.getNote)
        #expect(
            try sent { _ = try $0.getResourceByHash(noteGuid: Stores.guid, hash, withData: true) }
                == OfficialRequest.getResourceByHash)
        #expect(try sent { _ = try $0.createNotebook(notebook) } == OfficialRequest.createNotebook)
        #expect(try sent { _ = try $0.createTag(tag) } == OfficialRequest.createTag)
        #expect(try sent { _ = try $0.deleteNote(Stores.guid) } == OfficialRequest.deleteNote)
        #expect(try sent { _ = try $0.listNotebooks() } == OfficialRequest.listNotebooks)
        #expect(try sent { _ = try $0.getDefaultNotebook() } == OfficialRequest.getDefaultNotebook)
        #expect(try sent { _ = try $0.listTags() } == OfficialRequest.listTags)
        #expect(try sent { _ = try $0.getSyncState() } == OfficialRequest.getSyncState)
    }

    @Test("every call to the user store is the official client's, byte for byte")
    func userStore() throws {
        for (call, expected) in [
            ({ _ = try $0.checkVersion(clientName: Stores.clientName) }, OfficialRequest.checkVersion),
            ({ _ = try $0.getUser() }, OfficialRequest.getUser),
            ({ _ = try $0.noteStore() }, OfficialRequest.getUserUrls),
        ] as [((UserStore) throws -> Void, String)] {
            let transport = ScriptedTransport { _ in Reply(status: 404, body: []) }
            let store = try Stores.user(transport)
            #expect(throws: EDAMError.status(404, retryAfter: nil)) { try call(store) }
            #expect(Hexadecimal.digits(try #require(transport.sent.first)) == expected)
            #expect(transport.requests.first?.address.text == "https://www.evernote.com/edam/user")
        }
    }

    @Test("a request says what it is, and every next one has the next number")
    func headers() throws {
        let transport = ScriptedTransport { _ in Reply(status: 404, body: []) }
        let store = try Stores.note(transport)
        for _ in 1...2 { #expect(throws: EDAMError.self) { try store.listTags() } }
        let headers = try #require(transport.requests.first).headers
        #expect(headers.contains { $0 == ("Content-Type", "application/x-thrift") })
        #expect(!headers.contains { $0.value.contains(Stores.token) })
        #expect(transport.sent[0].count == transport.sent[1].count)
        #expect(transport.sent.map { $0[19] } == [1, 2])
    }

    @Test("what has no length in the protocol is refused before anything is sent")
    func tooLong() throws {
        let transport = ScriptedTransport { _ in Reply(status: 404, body: []) }
        var note = Note()
        note.resources = [Resource()]
        note.resources?[0].data = Data(
            file: "/nowhere", size: 1 << 31, hash: try #require(MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35")))
        #expect(throws: EDAMError.tooLong) { try Stores.note(transport).createNote(note) }
        #expect(transport.requests.isEmpty)
    }
}
