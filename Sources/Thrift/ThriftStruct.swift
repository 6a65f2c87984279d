/// A struct of the protocol: one table says which field is which property, and serves reading and writing alike.
///
/// Every property is optional, since every field may be left out: what is nil is not written.
public protocol ThriftStruct: ThriftValue {
    init()
    /// In ascending order of their numbers.
    static var fields: [Field<Self>] { get }
}

/// A field's number, and the property that it fills.
public struct Field<Root>: Sendable {
    let number: Int16
    let type: ThriftType
    let read: @Sendable (inout Root, inout BinaryReader) throws(ThriftError) -> Void
    let write: @Sendable (Root, inout BinaryWriter) throws(ThriftError) -> Void

    public init<Value: ThriftValue>(_ number: Int16, _ property: WritableKeyPath<Root, Value?> & Sendable) {
        self.number = number
        type = Value.thriftType
        read = { (root, reader) throws(ThriftError) in root[keyPath: property] = try Value(from: &reader) }
        write = { (root, writer) throws(ThriftError) in
            if let value = root[keyPath: property] { try writer.field(number, value) }
        }
    }
}

extension ThriftStruct {
    public static var thriftType: ThriftType { .structure }

    /// Fields that are not in the table, or have another type there, are skipped: a newer service may have them.
    public init(from reader: inout BinaryReader) throws(ThriftError) {
        self.init()
        try reader.nested { (reader) throws(ThriftError) in
            while let (number, type) = try reader.fieldHeader() {
                if let field = Self.fields.first(where: { $0.number == number }), field.type == type {
                    try field.read(&self, &reader)
                } else {
                    try reader.skip(type)
                }
            }
        }
    }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) {
        for field in Self.fields { try field.write(self, &writer) }
        writer.stop()
    }
}
