public import HTTP
import System

/// Writes a call in the strict binary protocol (thrift.apache.org, "Thrift Binary protocol encoding"): numbers with their
/// high byte first, each length before what it counts.
///
/// The bytes of files are not taken into memory: the body has their places, and its length is known all the same.
public struct BinaryWriter {
    private var segments: [Body.Segment] = []
    private var bytes: [UInt8] = []

    /// - Throws: `ThriftError.tooLong`.
    public init(call name: String, sequence: Int32) throws(ThriftError) {
        integer(Message.version | UInt32(Message.call))
        try name.write(to: &self)
        integer(sequence)
    }

    /// What was written.
    public var body: Body { Body(bytes.isEmpty ? segments : segments + [.bytes(bytes)]) }

    /// - Throws: `ThriftError.tooLong`.
    public mutating func field(_ number: Int16, _ value: some ThriftValue) throws(ThriftError) {
        integer(type(of: value).thriftType.rawValue)
        integer(number)
        try value.write(to: &self)
    }

    /// Ends a struct.
    public mutating func stop() { integer(ThriftType.stop.rawValue) }

    mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func counted(_ content: some Collection<UInt8>) throws(ThriftError) {
        guard let count = Int32(exactly: content.count) else { throw .tooLong }
        integer(count)
        bytes.append(contentsOf: content)
    }

    mutating func file(_ path: FilePath, offset: Int64, count: Int64) throws(ThriftError) {
        guard let length = Int32(exactly: count), length >= 0, offset >= 0 else { throw .tooLong }
        integer(length)
        if count == 0 { return }
        segments += [.bytes(bytes), .file(path, offset: offset, count: count)]
        bytes = []
    }
}

/// The first four bytes of a message, and the kinds of message.
enum Message {
    static let version: UInt32 = 0x8001_0000
    static let call: UInt8 = 1
    static let reply: UInt8 = 2
    static let exception: UInt8 = 3
}
