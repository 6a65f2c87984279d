/// The types of the binary protocol, by their numbers (thrift.apache.org, "Thrift Binary protocol encoding").
public enum ThriftType: UInt8, Sendable {
    /// No type of a value: the end of a struct.
    case stop = 0
    case bool = 2
    case byte = 3
    case double = 4
    case i16 = 6
    case i32 = 8
    case i64 = 10
    /// Text, or bytes.
    case string = 11
    case structure = 12
    case map = 13
    case set = 14
    case list = 15
    case uuid = 16

    /// The fewest bytes that a value of this type has.
    var leastSize: Int { fixedSize ?? leastOpenSize }

    /// Bytes of each value of this type, where all have the same number.
    var fixedSize: Int? {
        switch self {
        case .bool, .byte: 1
        case .i16: 2
        case .i32: 4
        case .i64, .double: 8
        case .uuid: 16
        case .stop, .string, .structure, .map, .set, .list: nil
        }
    }

    private var leastOpenSize: Int {
        switch self {
        case .string: 4
        case .map: 6
        case .set, .list: 5
        default: 1
        }
    }
}
