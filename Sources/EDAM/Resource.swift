public import Notes
public import System
public import Thrift

/// Bytes attached to a note (`Resource` of Evernote's IDL, the fields that are used).
public struct Resource: ThriftStruct, Hashable {
    /// Given by the service: nil in a resource that is to be created.
    public var guid: String?
    public var noteGuid: String?
    public var data: Data?
    public var mime: String?
    /// Pixels, as displayed; nil where the number is above 32,767.
    public var width: Int16?
    /// Pixels, as displayed; nil where the number is above 32,767.
    public var height: Int16?
    public var active: Bool?
    public var attributes: ResourceAttributes?
    public var updateSequenceNum: Int32?

    public init() {}

    public static let fields: [Field<Resource>] = [
        Field(1, \.guid), Field(2, \.noteGuid), Field(3, \.data), Field(4, \.mime), Field(5, \.width),
        Field(6, \.height), Field(8, \.active), Field(11, \.attributes), Field(12, \.updateSequenceNum),
    ]
}

/// A block of bytes, or only what is known of it (`Data` of the IDL).
public struct Data: ThriftStruct, Hashable {
    public var bodyHash: MD5?
    /// Bytes.
    public var size: Int32?
    /// To be sent: usually a range of a file. Received: where it was asked for.
    public var body: Binary?

    public init() {}

    /// The bytes of a whole file, which is read only while they are sent.
    ///
    /// - Parameter size: Bytes. What is longer than the protocol can say (2³¹ - 1) is refused when it is to be sent.
    public init(file: FilePath, size: Int64, hash: MD5) {
        bodyHash = hash
        self.size = Int32(clamping: size)
        body = .file(file, count: size)
    }

    /// The body that was received; it shares the memory of the reply it came in.
    public var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = body { bytes } else { nil } }

    public static let fields: [Field<Data>] = [Field(1, \.bodyHash), Field(2, \.size), Field(3, \.body)]
}

/// What is kept about a resource beside its bytes (`ResourceAttributes` of the IDL, the fields that are used).
public struct ResourceAttributes: ThriftStruct, Hashable {
    public var sourceURL: String?
    /// When the photo was taken.
    public var timestamp: Timestamp?
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres.
    public var altitude: Double?
    public var cameraMake: String?
    public var cameraModel: String?
    public var fileName: String?
    /// True for what is to be shown as an icon, false for a picture in the text.
    public var attachment: Bool?

    public init() {}

    public static let fields: [Field<ResourceAttributes>] = [
        Field(1, \.sourceURL), Field(2, \.timestamp), Field(3, \.latitude), Field(4, \.longitude), Field(5, \.altitude),
        Field(6, \.cameraMake), Field(7, \.cameraModel), Field(10, \.fileName), Field(11, \.attachment),
    ]
}
