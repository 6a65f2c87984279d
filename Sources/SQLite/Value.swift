/// What a column or a parameter holds: SQLite's five kinds.
public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public init(_ value: Int64?) { self = value.map(Value.integer) ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Bool) { self = .integer(value ? 1 : 0) }
    public init(_ value: Double?) { self = value.map(Value.real) ?? .null }
    public init(_ value: String?) { self = value.map(Value.text) ?? .null }
    public init(_ value: [UInt8]?) { self = value.map(Value.blob) ?? .null }
}
