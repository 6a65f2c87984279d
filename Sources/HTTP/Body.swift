public import System

/// What a request sends: bytes in memory and ranges of files, which are read only while they are sent.
public struct Body: Hashable, Sendable {
    public enum Segment: Hashable, Sendable {
        case bytes([UInt8])
        case file(FilePath, offset: Int64, count: Int64)

        public var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, offset: _, let count): count
            }
        }
    }

    public var segments: [Segment]

    public init(_ segments: [Segment] = []) { self.segments = segments }

    /// Bytes, known before any is sent.
    public var count: Int64 { segments.reduce(0) { $0 + $1.count } }
}
