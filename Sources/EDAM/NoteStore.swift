public import HTTP
public import Notes

/// The part of the service that keeps an account's notes.
///
/// Every call throws `EDAMError`, or `Interrupted` where a person pressed Ctrl-C before the request had gone as a whole.
public struct NoteStore {
    private let callee: Callee

    public var address: WebAddress { callee.address }

    /// - Parameter address: As `Service.noteStore(_:)` let it pass: the token goes there.
    public init(at address: WebAddress, over transport: any Transport, token: AccessToken) {
        callee = Callee(at: address, over: transport, token: token)
    }

    init(at address: WebAddress, sharedBy other: Callee) {
        callee = Callee(at: address, over: other.transport, token: other.token, failed: other.failed)
    }

    // MARK: Notebooks and tags

    public func listNotebooks() throws -> [Notebook] { try callee.call("listNotebooks", refusals: [.user, .system]) }

    /// The notebook that a note goes to which names none.
    public func getDefaultNotebook() throws -> Notebook {
        try callee.call("getDefaultNotebook", refusals: [.user, .system])
    }

    /// - Returns: The notebook with its GUID.
    public func createNotebook(_ notebook: Notebook) throws -> Notebook { try callee.call("createNotebook", notebook) }

    public func listTags() throws -> [Tag] { try callee.call("listTags", refusals: [.user, .system]) }

    /// - Returns: The tag with its GUID.
    public func createTag(_ tag: Tag) throws -> Tag { try callee.call("createTag", tag) }

    // MARK: Notes

    /// Makes a note. It is not known by anything of ours: asked twice, the service makes two.
    ///
    /// - Parameter advance: Told how many bytes of the request have gone since it was last told.
    /// - Returns: The note with its GUID and those of its resources, without content and bodies.
    public func createNote(_ note: Note, advance: (Int64) -> Void = { _ in }) throws -> Note {
        try callee.call("createNote", note, advance: advance)
    }

    /// Changes the note that has this GUID. The title has to be there in any case.
    ///
    /// - Parameter advance: Told how many bytes of the request have gone since it was last told.
    /// - Returns: The note as it now is, without content and bodies.
    public func updateNote(_ note: Note, advance: (Int64) -> Void = { _ in }) throws -> Note {
        try callee.call("updateNote", note, advance: advance)
    }

    /// Changes the note that has this GUID if nobody did since: if it still has this update sequence number.
    ///
    /// - Parameter advance: Told how many bytes of the request have gone since it was last told.
    /// - Returns: The note as it now is, without content and bodies, and whether this changed it.
    public func updateNoteIfUsnMatches(
        _ note: Note, advance: (Int64) -> Void = { _ in }
    ) throws -> UpdateNoteIfUsnMatchesResult {
        try callee.call("updateNoteIfUsnMatches", note, refusals: [.user, .notFound, .system], advance: advance)
    }

    /// Moves a note to the trash.
    ///
    /// - Returns: The note's new update sequence number.
    @discardableResult
    public func deleteNote(_ guid: String) throws -> Int32 { try callee.call("deleteNote", guid) }

    /// A note, without the bodies of its resources: those are fetched one by one, so that one is in memory at a time.
    public func getNote(_ guid: String, withContent: Bool) throws -> Note {
        try callee.call("getNote", guid, withContent, false, false, false, replyLimit: ReplyLimit.content)
    }

    /// A resource of a note, by the digest of its bytes.
    public func getResourceByHash(noteGuid: String, _ hash: MD5, withData: Bool) throws -> Resource {
        try callee.call("getResourceByHash", noteGuid, hash, withData, false, false, replyLimit: ReplyLimit.resource)
    }

    // MARK: What is there, and what has changed

    /// Notes that are found, from the one after `offset` on, and at most 250 of them, whatever `maxNotes` says.
    public func findNotesMetadata(
        _ filter: NoteFilter, offset: Int32 = 0, maxNotes: Int32, _ spec: NotesMetadataResultSpec
    ) throws -> NotesMetadataList {
        try callee.call("findNotesMetadata", filter, offset, maxNotes, spec)
    }

    /// What has changed after an update sequence number, at most `maxEntries` of it.
    public func getFilteredSyncChunk(
        afterUSN: Int32, maxEntries: Int32, _ filter: SyncChunkFilter
    ) throws -> SyncChunk {
        try callee.call("getFilteredSyncChunk", afterUSN, maxEntries, filter, refusals: [.user, .system])
    }

    public func getSyncState() throws -> SyncState { try callee.call("getSyncState", refusals: [.user, .system]) }
}
