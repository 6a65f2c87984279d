import EDAM
import HTTP
import Notes
import Testing
import Thrift
import Workbench

@Suite("Replies that are not as they should be")
struct HostileReplyTests {
    private static let note = Note()
    private static let hash = MD5(hex: "5ae0c1c8a5260bc7b6648f6fbd115c35")

    /// Each call with a good reply to it.
    private static let calls: [(String, @Sendable (ScriptedTransport) throws -> Void)] = [
        (OfficialReply.checkVersionReply, { _ = try Stores.user($0).checkVersion(clientName: "x") }),
        (OfficialReply.userReply, { _ = try Stores.user($0).getUser() }),
        (OfficialReply.urlsReply, { _ = try Stores.user($0).getUserUrls() }),
        (OfficialReply.noteReply, { _ = try Stores.note($0).getNote("", withContent: true) }),
        (OfficialReply.updatedReply, { _ = try Stores.note($0).updateNoteIfUsnMatches(note) }),
        (
            OfficialReply.resourceReply,
            { _ = try Stores.note($0).getResourceByHash(noteGuid: "", #require(hash), withData: true) }
        ),
        (
            OfficialReply.foundReply,
            { _ = try Stores.note($0).findNotesMetadata(NoteFilter(), maxNotes: 1, NotesMetadataResultSpec()) }
        ),
        (
            OfficialReply.chunkReply,
            { _ = try Stores.note($0).getFilteredSyncChunk(afterUSN: 0, maxEntries: 1, SyncChunkFilter()) }
        ),
        (OfficialReply.notebooksReply, { _ = try Stores.note($0).listNotebooks() }),
        (OfficialReply.tagsReply, { _ = try Stores.note($0).listTags() }),
        (OfficialReply.stateReply, { _ = try Stores.note($0).getSyncState() }),
        (OfficialReply.deletedReply, { _ = try Stores.note($0).deleteNote("") }),
        (OfficialReply.userErrorReply, { _ = try Stores.note($0).createNote(note) }),
        (OfficialReply.systemErrorReply, { _ = try Stores.note($0).createNote(note) }),
        (OfficialReply.applicationReply, { _ = try Stores.note($0).createNote(note) }),
    ]

    private func answer(_ bytes: [UInt8], _ call: (ScriptedTransport) throws -> Void) throws {
        try call(ScriptedTransport { _ in Reply(status: 200, body: bytes) })
    }

    @Test("a reply that ends early is noticed, wherever it ends", arguments: calls.indices)
    func truncated(index: Int) throws {
        let (digits, call) = Self.calls[index]
        let bytes = Hexadecimal.bytes(digits)
        // The end of the result comes after a refusal, which is taken at once.
        let isRefusal = index >= Self.calls.count - 3
        for count in 0..<(bytes.count - (isRefusal ? 1 : 0)) {
            do {
                try answer(Array(bytes.prefix(count)), call)
                Issue.record("\(count) bytes are no reply")
            } catch EDAMError.protocolBroken {}
        }
    }

    @Test(
        "any four bytes may be a length, a count or a number that cannot be: there is a typed error or a value",
        arguments: calls.indices)
    func mutated(index: Int) throws {
        let (digits, call) = Self.calls[index]
        let bytes = Hexadecimal.bytes(digits)
        for place in bytes.indices.dropLast(3) {
            for wrong: [UInt8] in [[0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0, 1, 0, 0]] {
                var changed = bytes
                changed.replaceSubrange(place..<(place + 4), with: wrong)
                do { try answer(changed, call) } catch is EDAMError {} catch { Issue.record("\(place): \(error)") }
            }
        }
    }

    @Test("any byte may be any other: there is a typed error or a value", arguments: calls.indices)
    func anyByte(index: Int) throws {
        let (digits, call) = Self.calls[index]
        let bytes = Hexadecimal.bytes(digits)
        for place in bytes.indices {
            for wrong: UInt8 in [0, 12, 15, 0xff] {
                var changed = bytes
                changed[place] = wrong
                do { try answer(changed, call) } catch is EDAMError {} catch { Issue.record("\(place): \(error)") }
            }
        }
    }

    @Test("a digest that has not 16 bytes is no digest")
    func shortDigest() throws {
        // Resource.data.bodyHash with two bytes.
        let digits =
            "80010002" + "00000011" + Hexadecimal.digits("getResourceByHash".utf8) + "00000001"
            + "0c0000" + "0c0003" + "0b0001" + "00000002" + "ffff" + "000000"
        #expect(throws: EDAMError.protocolBroken(.badValue)) {
            try answer(Hexadecimal.bytes(digits), Self.calls[5].1)
        }
    }
}
