/// Why bytes are no message of the strict binary protocol, or not the one that was waited for.
public enum ThriftError: Error, Hashable, Sendable {
    /// The bytes end in the middle of a value.
    case truncated
    /// The first four bytes are not those of a strict message of version 1.
    case notStrict(UInt32)
    /// A message that is neither a reply nor an exception.
    case unexpectedMessage(kind: UInt8)
    /// The reply to another call.
    case wrongName
    /// The reply to another call: its sequence number.
    case wrongSequence(Int32)
    /// A length below zero, or above the bytes that are left.
    case badLength(Int32)
    /// A number of elements below zero, above what the bytes that are left can hold, or above what is worth the memory.
    case badCount(Int32)
    /// A type that the protocol does not have, or not in this place.
    case badType(UInt8)
    /// Structs or collections nested deeper than `BinaryReader.greatestDepth`.
    case tooDeep
    /// Text that is not UTF-8.
    case badText
    /// A value of the right type that cannot be: a digest of the wrong length.
    case badValue
    /// The reply ended without what it had to hold: the field's name.
    case missing(String)
    /// Something to be written has over 2³¹ - 1 bytes or elements, for which the protocol has no length.
    case tooLong
    /// The service could not or would not make the call (`TApplicationException`).
    case application(ApplicationError)
}

/// What the service's Thrift layer says when it could not make a call, or its handler broke down.
public struct ApplicationError: Hashable, Sendable {
    public struct Kind: RawRepresentable, ThriftValue, Hashable {
        public let rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        public static let unknown = Kind(rawValue: 0)
        public static let unknownMethod = Kind(rawValue: 1)
        public static let invalidMessageType = Kind(rawValue: 2)
        public static let wrongMethodName = Kind(rawValue: 3)
        public static let badSequence = Kind(rawValue: 4)
        public static let missingResult = Kind(rawValue: 5)
        public static let internalError = Kind(rawValue: 6)
        public static let protocolError = Kind(rawValue: 7)
        public static let invalidTransform = Kind(rawValue: 8)
        public static let invalidProtocol = Kind(rawValue: 9)
        public static let unsupportedClientType = Kind(rawValue: 10)
    }

    /// In the service's words.
    public var message: String?
    public var kind: Kind?

    public init() {}
}

extension ApplicationError: ThriftStruct {
    public static let fields: [Field<ApplicationError>] = [Field(1, \.message), Field(2, \.kind)]
}
