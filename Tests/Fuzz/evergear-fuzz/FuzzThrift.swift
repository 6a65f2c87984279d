import EDAM
import HTTP
import Notes
import Thrift
import Workbench

/// A call, and the reply that the official library has for it, which libFuzzer starts from. A file's first byte chooses
/// the call, the others are the reply.
struct FuzzCall: Sendable {
    let reply: String
    let run: @Sendable (NoteStore, UserStore) throws -> any ThriftValue

    static let all: [FuzzCall] = [
        FuzzCall(reply: OfficialReply.checkVersionReply) { try $1.checkVersion(clientName: "") },
        FuzzCall(reply: OfficialReply.userReply) { try $1.getUser() },
        FuzzCall(reply: OfficialReply.urlsReply) { _, store in
            let address = try store.noteStore().address
            require(address.isSecure && address.isWithin(domain: "evernote.com"), "a note store of somebody else")
            return true
        },
        FuzzCall(reply: OfficialReply.noteReply) { store, _ in try store.getNote("", withContent: true) },
        FuzzCall(reply: OfficialReply.createdReply) { store, _ in try store.createNote(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.updatedReply) { store, _ in try store.updateNoteIfUsnMatches(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.foundReply) { store, _ in
            try store.findNotesMetadata(NoteFilter(), maxNotes: 1, NotesMetadataResultSpec())
        },
        FuzzCall(reply: OfficialReply.chunkReply) { store, _ in
            try store.getFilteredSyncChunk(afterUSN: 0, maxEntries: 1, SyncChunkFilter())
        },
        FuzzCall(reply: OfficialReply.notebooksReply) { store, _ in try store.listNotebooks() },
        FuzzCall(reply: OfficialReply.tagsReply) { store, _ in try store.listTags() },
        FuzzCall(reply: OfficialReply.stateReply) { store, _ in try store.getSyncState() },
        FuzzCall(reply: OfficialReply.deletedReply) { store, _ in try store.deleteNote("") },
        FuzzCall(reply: OfficialReply.resourceReply) { store, _ in
            guard let hash = MD5(bytes: [UInt8](repeating: 0, count: 16)) else { fatalError("no digest") }
            return try store.getResourceByHash(noteGuid: "", hash, withData: true)
        },
        FuzzCall(reply: OfficialReply.userErrorReply) { store, _ in try store.createNote(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.systemErrorReply) { store, _ in try store.createNote(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.notFoundReply) { store, _ in try store.createNote(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.applicationReply) { store, _ in try store.createNote(EDAM.Note()) },
        FuzzCall(reply: OfficialReply.emptyReply) { store, _ in try store.createNote(EDAM.Note()) },
    ]

    static var seeds: [[UInt8]] { all.indices.map { [UInt8($0)] + Hexadecimal.bytes(all[$0].reply) } }

    /// - Returns: false for a first byte that stands for no call.
    static func run(_ bytes: [UInt8]) -> Bool {
        guard let number = bytes.first.map(Int.init), all.indices.contains(number) else { return false }
        let transport = Answer(bytes: Array(bytes.dropFirst()))
        guard let address = WebAddress("https://www.evernote.com/"), let token = AccessToken("S=s1:U=1") else {
            fatalError("no address, no token")
        }
        do {
            let userStore = try UserStore(of: .production, over: transport, token: token)
            let value = try all[number].run(NoteStore(at: address, over: transport, token: token), userStore)
            check(value)
        } catch let error as EDAMError {
            require(!"\(error)".contains(token.secret), "the token in an error")
            require((error.wait ?? 0) >= 0, "a wait below zero")
        } catch {
            fatalError("an error that is none of the module's: \(error)")
        }
        return true
    }

    /// What was read is written and read again as the same.
    private static func check<Value: ThriftValue>(_ value: Value) {
        let written = write(value)
        var reader = BinaryReader(written)
        guard let again = try? Value(from: &reader) else { fatalError("what was written is not read") }
        require(write(again) == written, "read, written and read again it is another")
    }

    private static func write(_ value: some ThriftValue) -> [UInt8] {
        guard var writer = try? BinaryWriter(call: "", sequence: 0), (try? value.write(to: &writer)) != nil else {
            fatalError("what was read is not written")
        }
        return writer.body.segments.flatMap { segment in
            if case .bytes(let bytes) = segment { Array(bytes.dropFirst(12)) } else { fatalError("a file was read") }
        }
    }
}

private struct Answer: Transport {
    let bytes: [UInt8]

    func send(_ request: Request, advance: (Int64) -> Void) -> Reply { Reply(status: 200, body: bytes) }
}
