public import Notes
public import Thrift

/// 16 bytes.
extension MD5: ThriftValue {
    public static var thriftType: ThriftType { .string }

    public init(from reader: inout BinaryReader) throws(ThriftError) {
        guard case .bytes(let bytes) = try Binary(from: &reader), let digest = MD5(bytes: Array(bytes)) else {
            throw .badValue
        }
        self = digest
    }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) { try Binary(bytes).write(to: &writer) }
}

/// Milliseconds since 1970. The service keeps whole seconds.
extension Timestamp: ThriftValue {
    public static var thriftType: ThriftType { .i64 }

    public init(from reader: inout BinaryReader) throws(ThriftError) {
        self.init(milliseconds: try Int64(from: &reader))
    }

    public func write(to writer: inout BinaryWriter) { milliseconds.write(to: &writer) }
}
