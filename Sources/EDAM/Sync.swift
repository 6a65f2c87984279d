public import Notes
public import Thrift

/// How far the account has come (`SyncState` of Evernote's IDL, the fields that are used).
public struct SyncState: ThriftStruct, Hashable {
    /// The service's clock.
    public var currentTime: Timestamp?
    /// Whoever last asked for what is new before this must ask for everything.
    public var fullSyncBefore: Timestamp?
    /// Changes that the account has seen: the highest update sequence number.
    public var updateCount: Int32?
    /// What was uploaded in the current month, counted as `AccountLimits.uploadLimit` is.
    public var uploaded: Int64?
    /// When the account's limits or plan last changed.
    public var userLastUpdated: Timestamp?

    public init() {}

    public static let fields: [Field<SyncState>] = [
        Field(1, \.currentTime), Field(2, \.fullSyncBefore), Field(3, \.updateCount), Field(4, \.uploaded),
        Field(5, \.userLastUpdated),
    ]
}

/// What a chunk is to have in it (`SyncChunkFilter` of the IDL, the fields that are used).
public struct SyncChunkFilter: ThriftStruct, Hashable {
    public var includeNotes: Bool?
    /// The resources of each note, without their bodies.
    public var includeNoteResources: Bool?
    /// The attributes of each note.
    public var includeNoteAttributes: Bool?
    public var includeNotebooks: Bool?
    public var includeTags: Bool?
    /// The GUIDs of what is gone for good, of the kinds that are included.
    public var includeExpunged: Bool?

    public init() {}

    public static let fields: [Field<SyncChunkFilter>] = [
        Field(1, \.includeNotes), Field(2, \.includeNoteResources), Field(3, \.includeNoteAttributes),
        Field(4, \.includeNotebooks), Field(5, \.includeTags), Field(9, \.includeExpunged),
    ]
}

/// A piece of what has changed, in the order of the changes (`SyncChunk` of the IDL, the fields that are used).
public struct SyncChunk: ThriftStruct, Hashable {
    /// The service's clock.
    public var currentTime: Timestamp?
    /// The highest update sequence number of what is in here; nil where nothing is. The next piece begins after it.
    public var chunkHighUSN: Int32?
    /// The account's highest: equal to `chunkHighUSN` in the last piece.
    public var updateCount: Int32?
    /// Those in the trash as well. Without content and bodies.
    public var notes: [Note]?
    public var notebooks: [Notebook]?
    public var tags: [Tag]?
    public var expungedNotes: [String]?
    public var expungedNotebooks: [String]?
    public var expungedTags: [String]?

    public init() {}

    public static let fields: [Field<SyncChunk>] = [
        Field(1, \.currentTime), Field(2, \.chunkHighUSN), Field(3, \.updateCount), Field(4, \.notes),
        Field(5, \.notebooks), Field(6, \.tags), Field(9, \.expungedNotes), Field(10, \.expungedNotebooks),
        Field(11, \.expungedTags),
    ]
}
