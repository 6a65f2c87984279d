public import Notes
public import Thrift

/// A notebook (`Notebook` of Evernote's IDL, the fields that are used).
public struct Notebook: ThriftStruct, Hashable {
    /// Given by the service: nil in a notebook that is to be created.
    public var guid: String?
    /// Unique in the account, whatever the case of its letters.
    public var name: String?
    public var updateSequenceNum: Int32?
    /// Whether notes that name no notebook go here.
    public var defaultNotebook: Bool?
    public var serviceCreated: Timestamp?
    public var serviceUpdated: Timestamp?
    /// The stack that it lies in.
    public var stack: String?
    public var restrictions: NotebookRestrictions?

    public init() {}

    public static let fields: [Field<Notebook>] = [
        Field(1, \.guid), Field(2, \.name), Field(5, \.updateSequenceNum), Field(6, \.defaultNotebook),
        Field(7, \.serviceCreated), Field(8, \.serviceUpdated), Field(12, \.stack), Field(17, \.restrictions),
    ]
}

/// What this account may not do in a notebook (`NotebookRestrictions` of the IDL, the fields that are used).
public struct NotebookRestrictions: ThriftStruct, Hashable {
    public var noCreateNotes: Bool?
    public var noUpdateNotes: Bool?
    public var noCreateTags: Bool?

    public init() {}

    public static let fields: [Field<NotebookRestrictions>] = [
        Field(2, \.noCreateNotes), Field(3, \.noUpdateNotes), Field(14, \.noCreateTags),
    ]
}

/// A tag (`Tag` of Evernote's IDL).
public struct Tag: ThriftStruct, Hashable {
    /// Given by the service: nil in a tag that is to be created.
    public var guid: String?
    /// Unique in the account, whatever the case of its letters.
    public var name: String?
    /// The tag that it stands under, where it does.
    public var parentGuid: String?
    public var updateSequenceNum: Int32?

    public init() {}

    public static let fields: [Field<Tag>] = [
        Field(1, \.guid), Field(2, \.name), Field(3, \.parentGuid), Field(4, \.updateSequenceNum),
    ]
}
