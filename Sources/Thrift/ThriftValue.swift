/// A value that has a form in the binary protocol.
public protocol ThriftValue: Sendable {
    static var thriftType: ThriftType { get }
    init(from reader: inout BinaryReader) throws(ThriftError)
    /// - Throws: `ThriftError.tooLong`.
    func write(to writer: inout BinaryWriter) throws(ThriftError)
}

extension Bool: ThriftValue {
    public static var thriftType: ThriftType { .bool }
    public init(from reader: inout BinaryReader) throws(ThriftError) { self = try reader.integer(UInt8.self) != 0 }
    public func write(to writer: inout BinaryWriter) { writer.integer(self ? UInt8(1) : 0) }
}

extension Int16: ThriftValue {
    public static var thriftType: ThriftType { .i16 }
    public init(from reader: inout BinaryReader) throws(ThriftError) { self = try reader.integer() }
    public func write(to writer: inout BinaryWriter) { writer.integer(self) }
}

extension Int32: ThriftValue {
    public static var thriftType: ThriftType { .i32 }
    public init(from reader: inout BinaryReader) throws(ThriftError) { self = try reader.integer() }
    public func write(to writer: inout BinaryWriter) { writer.integer(self) }
}

extension Int64: ThriftValue {
    public static var thriftType: ThriftType { .i64 }
    public init(from reader: inout BinaryReader) throws(ThriftError) { self = try reader.integer() }
    public func write(to writer: inout BinaryWriter) { writer.integer(self) }
}

extension Double: ThriftValue {
    public static var thriftType: ThriftType { .double }
    public init(from reader: inout BinaryReader) throws(ThriftError) { self.init(bitPattern: try reader.integer()) }
    public func write(to writer: inout BinaryWriter) { writer.integer(bitPattern) }
}

extension String: ThriftValue {
    public static var thriftType: ThriftType { .string }

    public init(from reader: inout BinaryReader) throws(ThriftError) {
        guard let text = String(validating: try reader.counted(), as: UTF8.self) else { throw .badText }
        self = text
    }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) { try writer.counted(utf8) }
}

/// Elements of one type in order.
extension Array: ThriftValue where Element: ThriftValue {
    public static var thriftType: ThriftType { .list }

    public init(from reader: inout BinaryReader) throws(ThriftError) {
        self = try reader.nested { (reader) throws(ThriftError) in
            let type = try reader.integer(UInt8.self)
            let count = try reader.count(ofElementsLike: Element.self)
            // What an empty list is a list of, writers are at odds about.
            guard count == 0 || type == Element.thriftType.rawValue else { throw .badType(type) }
            var elements: [Element] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(try Element(from: &reader)) }
            return elements
        }
    }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) {
        guard let count = Int32(exactly: count) else { throw .tooLong }
        writer.integer(Element.thriftType.rawValue)
        writer.integer(count)
        for element in self { try element.write(to: &writer) }
    }
}

/// Numbers with names travel as their numbers.
extension ThriftValue where Self: RawRepresentable, RawValue: ThriftValue {
    public static var thriftType: ThriftType { RawValue.thriftType }

    public init(from reader: inout BinaryReader) throws(ThriftError) {
        guard let value = Self(rawValue: try RawValue(from: &reader)) else { throw .badValue }
        self = value
    }

    public func write(to writer: inout BinaryWriter) throws(ThriftError) { try rawValue.write(to: &writer) }
}
