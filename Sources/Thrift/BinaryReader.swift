/// Reads a reply in the strict binary protocol.
///
/// It trusts nothing: each length and each number of elements is held against the bytes that are left before anything is
/// taken for it, and what a reply makes grow in memory is bounded as a whole (`greatestElements`).
public struct BinaryReader {
    /// How deep structs and collections may lie in each other.
    public static let greatestDepth = 32
    /// Bytes that the elements of all lists together may take as values: an empty struct has one byte in a reply, and
    /// a note that was not filled in has hundreds.
    static let greatestElements = 64 << 20

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private var elements = 0

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var left: Int { bytes.count - position }

    /// Takes the head of the reply to a call; what follows is its result.
    ///
    /// - Throws: `ThriftError.application` where the service answers that it could not make the call. It may not even have
    ///   understood which: name and number are not looked at then.
    public mutating func reply(to name: String, sequence: Int32) throws(ThriftError) {
        let head = try integer(UInt32.self)
        guard head & 0xffff_0000 == Message.version else { throw .notStrict(head) }
        let kind = UInt8(truncatingIfNeeded: head)
        let itsName = try String(from: &self)
        let itsSequence = try integer(Int32.self)
        if kind == Message.exception { throw .application(try ApplicationError(from: &self)) }
        guard kind == Message.reply else { throw .unexpectedMessage(kind: kind) }
        guard Array(itsName.utf8) == Array(name.utf8) else { throw .wrongName }
        guard itsSequence == sequence else { throw .wrongSequence(itsSequence) }
    }

    /// The next field of a struct.
    ///
    /// - Returns: nil at the struct's end.
    public mutating func fieldHeader() throws(ThriftError) -> (number: Int16, type: ThriftType)? {
        let type = try type()
        return type == .stop ? nil : (try integer(), type)
    }

    /// Passes over a value of whatever type.
    public mutating func skip(_ type: ThriftType) throws(ThriftError) {
        if let size = type.fixedSize { return try advance(size) }
        switch type {
        case .string: _ = try counted()
        case .structure:
            try nested { (reader) throws(ThriftError) in
                while let (_, type) = try reader.fieldHeader() { try reader.skip(type) }
            }
        case .list, .set: try skipElements([try self.type()])
        case .map: try skipElements([try self.type(), try self.type()])
        default: throw .badType(type.rawValue)
        }
    }

    private mutating func skipElements(_ types: [ThriftType]) throws(ThriftError) {
        let count = try count(leastSize: types.reduce(0) { $0 + $1.leastSize })
        if count == 0 { return }
        try nested { (reader) throws(ThriftError) in
            for _ in 0..<count {
                for type in types { try reader.skip(type) }
            }
        }
    }

    /// Reads something that can hold others of its kind.
    mutating func nested<Value>(
        _ body: (inout BinaryReader) throws(ThriftError) -> Value
    ) throws(ThriftError) -> Value {
        guard depth < Self.greatestDepth else { throw .tooDeep }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// How many elements follow, each of which becomes a value of this type.
    mutating func count<Element: ThriftValue>(ofElementsLike type: Element.Type) throws(ThriftError) -> Int {
        let count = try count(leastSize: Element.thriftType.leastSize)
        let (room, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !isTooMuch, room <= Self.greatestElements - elements else {
            throw .badCount(Int32(truncatingIfNeeded: count))
        }
        elements += room
        return count
    }

    private mutating func count(leastSize: Int) throws(ThriftError) -> Int {
        let count = try integer(Int32.self)
        guard count >= 0, Int(count) <= left / leastSize else { throw .badCount(count) }
        return Int(count)
    }

    /// A length and so many bytes. They share the memory of the reply.
    mutating func counted() throws(ThriftError) -> ArraySlice<UInt8> {
        let count = try integer(Int32.self)
        guard count >= 0, count <= left else { throw .badLength(count) }
        let start = position
        try advance(Int(count))
        return bytes[start..<position]
    }

    private mutating func type() throws(ThriftError) -> ThriftType {
        let number = try integer(UInt8.self)
        guard let type = ThriftType(rawValue: number) else { throw .badType(number) }
        return type
    }

    mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(ThriftError) -> Number {
        let start = position
        try advance(Number.bitWidth / 8)
        return bytes[start..<position].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private mutating func advance(_ count: Int) throws(ThriftError) {
        guard count <= left else { throw .truncated }
        position += count
    }
}
