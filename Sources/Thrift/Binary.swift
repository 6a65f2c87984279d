public import System

/// The bytes of a field: in memory, or in a file that is read only while it is sent.
public enum Binary: ThriftValue, Hashable {
    /// What was read shares the memory of the reply it came in.
    case bytes(ArraySlice<UInt8>)
    /// To be sent only.
    case file(FilePath, offset: Int64 = 0, count: Int64)

    public static var thriftType: ThriftType { .string }

    public init(_ bytes: [UInt8]) { self = .bytes(bytes[...]) }

    public init(from reader: inout BinaryReader) throws(ThriftError) { self = .bytes(try reader.counted()) }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) {
        switch self {
        case .bytes(let bytes): try writer.counted(bytes)
        case .file(let path, let offset, let count): try writer.file(path, offset: offset, count: count)
        }
    }
}
