public import Notes
public import Thrift

/// The account that a token belongs to (`User` of Evernote's IDL, the fields that are used).
public struct User: ThriftStruct, Hashable {
    /// Never changes while the account lives.
    public var id: Int32?
    /// The name to sign in with.
    public var username: String?
    /// The service tells it to few.
    public var email: String?
    /// The person's name.
    public var name: String?
    /// `Asia/Tokyo`, `GMT+08:00`.
    public var timezone: String?
    public var created: Timestamp?
    public var updated: Timestamp?
    public var deleted: Timestamp?
    /// Whether the account may sign in and synchronise.
    public var active: Bool?
    public var accounting: Accounting?
    public var serviceLevel: ServiceLevel?
    /// What holds for this account, whatever its plan usually has.
    public var accountLimits: AccountLimits?

    public init() {}

    public static let fields: [Field<User>] = [
        Field(1, \.id), Field(2, \.username), Field(3, \.email), Field(4, \.name), Field(6, \.timezone),
        Field(9, \.created), Field(10, \.updated), Field(11, \.deleted), Field(13, \.active), Field(16, \.accounting),
        Field(21, \.serviceLevel), Field(22, \.accountLimits),
    ]
}

/// The plan (`ServiceLevel` of the IDL). A newer service may have others.
public struct ServiceLevel: RawRepresentable, ThriftValue, Hashable, CustomStringConvertible {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let basic = ServiceLevel(rawValue: 1)
    public static let plus = ServiceLevel(rawValue: 2)
    public static let premium = ServiceLevel(rawValue: 3)
    public static let business = ServiceLevel(rawValue: 4)
    public static let free = ServiceLevel(rawValue: 10)
    public static let personal = ServiceLevel(rawValue: 20)
    public static let professional = ServiceLevel(rawValue: 30)
    public static let teams = ServiceLevel(rawValue: 40)

    /// The plan's name, or its number where that is all that is known.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .plus: "Plus"
        case .premium: "Premium"
        case .business: "Business"
        case .free: "Free"
        case .personal: "Personal"
        case .professional: "Professional"
        case .teams: "Teams"
        default: "plan \(rawValue)"
        }
    }
}

/// How the account's month runs (`Accounting` of the IDL, the fields that are used).
public struct Accounting: ThriftStruct, Hashable {
    /// When what was uploaded counts from 0 again: the first instant of the new month.
    public var uploadLimitEnd: Timestamp?
    /// Bytes that may be uploaded in the month after.
    public var uploadLimitNextMonth: Int64?

    public init() {}

    public static let fields: [Field<Accounting>] = [Field(2, \.uploadLimitEnd), Field(3, \.uploadLimitNextMonth)]
}

/// What the account may hold (`AccountLimits` of the IDL, the fields that are used).
public struct AccountLimits: ThriftStruct, Hashable {
    /// The size of a note: its ENML in Unicode characters plus its resources in bytes.
    public var noteSizeMax: Int64?
    /// Bytes.
    public var resourceSizeMax: Int64?
    /// What may be uploaded in the current month, counted as the size of notes is. Of a note that is changed only what
    /// it grew by counts, and each new resource. `SyncState.uploaded` says how much was.
    public var uploadLimit: Int64?
    public var userNoteCountMax: Int32?
    public var userNotebookCountMax: Int32?
    public var userTagCountMax: Int32?
    public var noteTagCountMax: Int32?
    public var noteResourceCountMax: Int32?

    public init() {}

    public static let fields: [Field<AccountLimits>] = [
        Field(2, \.noteSizeMax), Field(3, \.resourceSizeMax), Field(5, \.uploadLimit), Field(6, \.userNoteCountMax),
        Field(7, \.userNotebookCountMax), Field(8, \.userTagCountMax), Field(9, \.noteTagCountMax),
        Field(11, \.noteResourceCountMax),
    ]
}

/// Where the account's services are (`UserUrls` of the IDL, the fields that are used).
public struct UserUrls: ThriftStruct, Hashable {
    /// To be checked before anything is sent there: `Service.noteStore(_:)`.
    public var noteStoreUrl: String?
    public var webApiUrlPrefix: String?
    public var userStoreUrl: String?

    public init() {}

    public static let fields: [Field<UserUrls>] = [
        Field(1, \.noteStoreUrl), Field(2, \.webApiUrlPrefix), Field(3, \.userStoreUrl),
    ]
}
