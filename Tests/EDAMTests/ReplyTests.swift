import EDAM
import HTTP
import Notes
import Testing
import Thrift
import Workbench

@Suite("What the service answers")
struct ReplyTests {
    private let photo = MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35")

    private func note(_ digits: String) throws -> NoteStore { try Stores.note(ScriptedTransport(reply: digits)) }
    private func user(_ digits: String) throws -> UserStore { try Stores.user(ScriptedTransport(reply: digits)) }

    @Test("the account with its plan, its limits and its month")
    func account() throws {
        #expect(try user(OfficialReply.checkVersionReply).checkVersion(clientName: "x"))
        var expected = User()
        expected.id = 5
        (expected.username, expected.email, expected.name) = ("ann", "a@b.example", "Ann É")
        expected.timezone = "Asia/Tokyo"
        (expected.created, expected.updated) = (Stores.time(), Stores.time(1))
        expected.active = true
        expected.accounting = Accounting()
        expected.accounting?.uploadLimitEnd = Stores.time(2)
        expected.accounting?.uploadLimitNextMonth = 62_914_560
        expected.serviceLevel = .personal
        var limits = AccountLimits()
        (limits.noteSizeMax, limits.resourceSizeMax) = (209_715_200, 209_715_199)
        limits.uploadLimit = 10_737_418_240
        (limits.userNoteCountMax, limits.userNotebookCountMax, limits.userTagCountMax) = (100_000, 250, 100_001)
        (limits.noteTagCountMax, limits.noteResourceCountMax) = (100, 1000)
        expected.accountLimits = limits
        let account = try user(OfficialReply.userReply).getUser()
        #expect(account == expected)
    }

    @Test("the address of the note store, which is then called")
    func urls() throws {
        #expect(
            try user(OfficialReply.urlsReply).noteStore().address.text
                == "https://www.evernote.com/shard/s1/notestore")
    }

    @Test("a note store somewhere else is not called")
    func foreignNoteStore() throws {
        let digits = OfficialReply.urlsReply.replacing(
            Hexadecimal.digits("www.evernote.com/shard/s1/n".utf8),
            with: Hexadecimal.digits("www.evernote.org/shard/s1/n".utf8))
        #expect(throws: EDAMError.addressRefused("https://www.evernote.org/shard/s1/notestore")) {
            try user(digits).noteStore()
        }
    }

    @Test("a note with all that is known of it, and past what is not")
    func wholeNote() throws {
        var about = ResourceAttributes()
        about.sourceURL = "x"
        about.timestamp = Stores.time(1000)
        (about.latitude, about.longitude, about.altitude) = (35.3606, 138.7274, 3776.24)
        (about.cameraMake, about.cameraModel) = ("Testcam", "TC-1")
        about.fileName = "富士.jpg"
        about.attachment = true
        var resource = Resource()
        (resource.guid, resource.noteGuid) = (Stores.guid, Stores.guid)
        resource.data = Data()
        resource.data?.bodyHash = photo
        resource.data?.size = 5
        resource.mime = "image/jpeg"
        (resource.width, resource.height) = (4032, 3024)
        resource.active = true
        resource.attributes = about
        resource.updateSequenceNum = 41
        var attributes = NoteAttributes()
        attributes.subjectDate = Stores.time()
        (attributes.latitude, attributes.longitude, attributes.altitude) = (-33.8, 151.2, 12.5)
        (attributes.author, attributes.source, attributes.sourceURL) = ("Ann", "evergear", "evergear://note/0190")
        (attributes.sourceApplication, attributes.placeName, attributes.contentClass) = ("evergear", "Home", "c")
        attributes.noteTitleQuality = 1
        var note = Note()
        (note.guid, note.title, note.content) = (Stores.guid, "日本 🗻 Fuji", "<en-note>é</en-note>")
        (note.contentHash, note.contentLength) = (MD5(hex: "dfba4ae17ce457d22805ffec988891d2"), 20)
        (note.created, note.updated, note.deleted) = (Stores.time(), Stores.time(5000), Stores.time(6000))
        (note.active, note.updateSequenceNum, note.notebookGuid) = (false, 41, Stores.guid)
        note.tagGuids = [Stores.guid, "b"]
        note.resources = [resource]
        note.attributes = attributes
        #expect(try self.note(OfficialReply.noteReply).getNote(Stores.guid, withContent: true) == note)
    }

    @Test("what became of a note that was made, changed or thrown away")
    func changes() throws {
        let created = try note(OfficialReply.createdReply).createNote(Note())
        #expect(created.guid == Stores.guid && created.updateSequenceNum == 41 && created.active == true)
        let updated = try note(OfficialReply.updatedReply).updateNoteIfUsnMatches(Note())
        #expect(updated.updated == false && updated.note?.updateSequenceNum == 41)
        #expect(try note(OfficialReply.deletedReply).deleteNote(Stores.guid) == 43)
    }

    @Test("the bytes of a resource")
    func resource() throws {
        let hash = try #require(photo)
        let resource = try note(OfficialReply.resourceReply)
            .getResourceByHash(noteGuid: Stores.guid, hash, withData: true)
        #expect(resource.data?.bytes.map(Array.init) == Array("photo".utf8))
        #expect(resource.data?.bodyHash == hash && resource.data?.size == 5)
    }

    @Test("notes that were found")
    func found() throws {
        let list = try note(OfficialReply.foundReply)
            .findNotesMetadata(NoteFilter(), maxNotes: 10, NotesMetadataResultSpec())
        #expect(list.startIndex == 0 && list.totalNotes == 1 && list.updateCount == 42)
        var expected = NoteMetadata()
        (expected.guid, expected.title, expected.contentLength) = (Stores.guid, "t", 20)
        (expected.created, expected.updated, expected.deleted) = (Stores.time(), Stores.time(5000), Stores.time(6000))
        (expected.updateSequenceNum, expected.notebookGuid, expected.tagGuids) = (41, Stores.guid, ["b"])
        expected.attributes = NoteAttributes()
        expected.attributes?.sourceURL = "evergear://note/0190"
        #expect(list.notes == [expected])
    }

    @Test("notebooks and tags, and what has changed")
    func notebooksAndTags() throws {
        var notebook = Notebook()
        (notebook.guid, notebook.name, notebook.stack) = (Stores.guid, "Trips", "Years")
        (notebook.updateSequenceNum, notebook.defaultNotebook) = (3, true)
        (notebook.serviceCreated, notebook.serviceUpdated) = (Stores.time(), Stores.time(1))
        notebook.restrictions = NotebookRestrictions()
        notebook.restrictions?.noCreateNotes = true
        notebook.restrictions?.noUpdateNotes = false
        notebook.restrictions?.noCreateTags = true
        var tag = Tag()
        (tag.guid, tag.name, tag.parentGuid, tag.updateSequenceNum) = (Stores.guid, "rain", "b", 4)

        let notebooks = try note(OfficialReply.notebooksReply).listNotebooks()
        #expect(notebooks.map(\.name) == ["Trips", "N"] && notebooks.first == notebook)
        #expect(try note(OfficialReply.notebookReply).getDefaultNotebook() == notebook)
        #expect(try note(OfficialReply.tagsReply).listTags() == [tag])
        #expect(try note(OfficialReply.noTagsReply).listTags() == [])

        let chunk = try note(OfficialReply.chunkReply)
            .getFilteredSyncChunk(afterUSN: 0, maxEntries: 10, SyncChunkFilter())
        #expect(chunk.currentTime == Stores.time() && chunk.chunkHighUSN == 41 && chunk.updateCount == 42)
        #expect(chunk.notes?.map(\.title) == ["t"] && chunk.notebooks == [notebook] && chunk.tags == [tag])
        #expect(chunk.expungedNotes == ["x"] && chunk.expungedNotebooks == ["y"] && chunk.expungedTags == ["z"])

        let state = try note(OfficialReply.stateReply).getSyncState()
        #expect(state.currentTime == Stores.time() && state.fullSyncBefore == Timestamp(milliseconds: 1))
        #expect(state.updateCount == 42 && state.uploaded == 123_456_789_012)
        #expect(state.userLastUpdated == Stores.time(1))
    }

    @Test("a reply to a second call is held against the second number")
    func secondCall() throws {
        let store = try note(OfficialReply.createdReply)
        #expect(throws: Never.self) { try store.createNote(Note()) }
        #expect(throws: EDAMError.protocolBroken(.wrongSequence(1))) { try store.createNote(Note()) }
    }

    @Test("a reply may have so many bytes as its call can need")
    func limits() throws {
        let transport = ScriptedTransport { _ in Reply(status: 404) }
        let store = try Stores.note(transport)
        let hash = try #require(photo)
        #expect(throws: EDAMError.self) { try store.createNote(Note()) }
        #expect(throws: EDAMError.self) { try store.getNote(Stores.guid, withContent: true) }
        #expect(throws: EDAMError.self) {
            try store.getResourceByHash(noteGuid: Stores.guid, hash, withData: true)
        }
        #expect(transport.requests.map(\.replyLimit) == [16 << 20, 32 << 20, 210 << 20])
    }
}
