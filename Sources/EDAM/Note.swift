public import Notes
public import Thrift

/// A note as the service has it (`Note` of Evernote's IDL, the fields that are used).
///
/// To the service a field that is nil is one that is left as it is.
public struct Note: ThriftStruct, Hashable {
    /// Given by the service: nil in a note that is to be created.
    public var guid: String?
    public var title: String?
    /// ENML. Only where it was asked for.
    public var content: String?
    /// Of the ENML in UTF-8.
    public var contentHash: MD5?
    /// Unicode characters of the ENML.
    public var contentLength: Int32?
    public var created: Timestamp?
    public var updated: Timestamp?
    /// When it was moved to the trash, where it was.
    public var deleted: Timestamp?
    /// False in the trash.
    public var active: Bool?
    /// The account's count of changes when this note was last changed.
    public var updateSequenceNum: Int32?
    /// nil in a note that is to be created: the default notebook.
    public var notebookGuid: String?
    public var tagGuids: [String]?
    /// The whole list: what is not in it, the service takes off the note. What the service has already needs no body.
    public var resources: [Resource]?
    public var attributes: NoteAttributes?
    /// Tags by name, to be sent only: those that the account does not have yet, the service makes.
    public var tagNames: [String]?

    public init() {}

    public static let fields: [Field<Note>] = [
        Field(1, \.guid), Field(2, \.title), Field(3, \.content), Field(4, \.contentHash), Field(5, \.contentLength),
        Field(6, \.created), Field(7, \.updated), Field(8, \.deleted), Field(9, \.active),
        Field(10, \.updateSequenceNum), Field(11, \.notebookGuid), Field(12, \.tagGuids), Field(13, \.resources),
        Field(14, \.attributes), Field(15, \.tagNames),
    ]
}

/// What is kept about a note beside its content (`NoteAttributes` of the IDL, the fields that are used).
public struct NoteAttributes: ThriftStruct, Hashable {
    /// What the note is about in time.
    public var subjectDate: Timestamp?
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres.
    public var altitude: Double?
    public var author: String?
    /// How the note came into the account: `mobile.android`, `web.clip`.
    public var source: String?
    public var sourceURL: String?
    public var sourceApplication: String?
    /// A name that the user gave, never one made up from the coordinates.
    public var placeName: String?
    /// Set by a program that alone may change the note's content: for every other it is read only.
    public var contentClass: String?
    /// 0, 1 or 2 where the title was generated (`NOTE_TITLE_QUALITY_UNTITLED`, `_LOW`, `_MEDIUM`), 3 (`_HIGH`), or nil
    /// where a person wrote it.
    public var noteTitleQuality: Int32?

    public init() {}

    public static let fields: [Field<NoteAttributes>] = [
        Field(1, \.subjectDate), Field(10, \.latitude), Field(11, \.longitude), Field(12, \.altitude),
        Field(13, \.author), Field(14, \.source), Field(15, \.sourceURL), Field(16, \.sourceApplication),
        Field(21, \.placeName), Field(22, \.contentClass), Field(31, \.noteTitleQuality),
    ]
}

/// What became of a change that was to be made only if nobody else had made one (`UpdateNoteIfUsnMatchesResult` of the IDL).
public struct UpdateNoteIfUsnMatchesResult: ThriftStruct, Hashable {
    /// As the service has it now, without content and bodies.
    public var note: Note?
    /// Whether this changed it.
    public var updated: Bool?

    public init() {}

    public static let fields: [Field<UpdateNoteIfUsnMatchesResult>] = [Field(1, \.note), Field(2, \.updated)]
}
