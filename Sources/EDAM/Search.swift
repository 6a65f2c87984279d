public import Notes
public import Thrift

/// Which notes are looked for (`NoteFilter` of Evernote's IDL, the fields that are used).
public struct NoteFilter: ThriftStruct, Hashable {
    public var order: NoteSortOrder?
    public var ascending: Bool?
    /// In Evernote's search grammar: `sourceURL:"…"`.
    public var words: String?
    public var notebookGuid: String?
    /// Notes that have all of these.
    public var tagGuids: [String]?
    /// True: those in the trash. Else: those that are not.
    public var inactive: Bool?

    public init() {}

    public static let fields: [Field<NoteFilter>] = [
        Field(1, \.order), Field(2, \.ascending), Field(3, \.words), Field(4, \.notebookGuid), Field(5, \.tagGuids),
        Field(7, \.inactive),
    ]
}

/// What notes are ordered by (`NoteSortOrder` of the IDL).
public struct NoteSortOrder: RawRepresentable, ThriftValue, Hashable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let created = NoteSortOrder(rawValue: 1)
    public static let updated = NoteSortOrder(rawValue: 2)
    public static let relevance = NoteSortOrder(rawValue: 3)
    public static let updateSequenceNumber = NoteSortOrder(rawValue: 4)
    public static let title = NoteSortOrder(rawValue: 5)
}

/// What is told of each note that was found (`NotesMetadataResultSpec` of the IDL, the fields that are used).
public struct NotesMetadataResultSpec: ThriftStruct, Hashable {
    public var includeTitle: Bool?
    public var includeContentLength: Bool?
    public var includeCreated: Bool?
    public var includeUpdated: Bool?
    public var includeDeleted: Bool?
    public var includeUpdateSequenceNum: Bool?
    public var includeNotebookGuid: Bool?
    public var includeTagGuids: Bool?
    public var includeAttributes: Bool?

    public init() {}

    public static let fields: [Field<NotesMetadataResultSpec>] = [
        Field(2, \.includeTitle), Field(5, \.includeContentLength), Field(6, \.includeCreated),
        Field(7, \.includeUpdated), Field(8, \.includeDeleted), Field(10, \.includeUpdateSequenceNum),
        Field(11, \.includeNotebookGuid), Field(12, \.includeTagGuids), Field(14, \.includeAttributes),
    ]
}

/// A page of what was found (`NotesMetadataList` of the IDL, the fields that are used).
public struct NotesMetadataList: ThriftStruct, Hashable {
    /// How many notes come before this page.
    public var startIndex: Int32?
    /// How many were found in all.
    public var totalNotes: Int32?
    public var notes: [NoteMetadata]?
    /// The account's highest update sequence number.
    public var updateCount: Int32?

    public init() {}

    public static let fields: [Field<NotesMetadataList>] = [
        Field(1, \.startIndex), Field(2, \.totalNotes), Field(3, \.notes), Field(6, \.updateCount),
    ]
}

/// What is told of a note that was found: its GUID, and what was asked for (`NoteMetadata` of the IDL, the fields that
/// are used). The units are those of `Note`.
public struct NoteMetadata: ThriftStruct, Hashable {
    public var guid: String?
    public var title: String?
    public var contentLength: Int32?
    public var created: Timestamp?
    public var updated: Timestamp?
    public var deleted: Timestamp?
    public var updateSequenceNum: Int32?
    public var notebookGuid: String?
    public var tagGuids: [String]?
    public var attributes: NoteAttributes?

    public init() {}

    public static let fields: [Field<NoteMetadata>] = [
        Field(1, \.guid), Field(2, \.title), Field(5, \.contentLength), Field(6, \.created), Field(7, \.updated),
        Field(8, \.deleted), Field(10, \.updateSequenceNum), Field(11, \.notebookGuid), Field(12, \.tagGuids),
        Field(14, \.attributes),
    ]
}
