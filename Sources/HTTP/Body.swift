public import System

/// What a request carries: pieces in memory and ranges of files, which are read only while they are sent.
public struct Body: Sendable {
    public enum Segment: Sendable {
        case bytes([UInt8])
        /// `count` bytes of a file from `offset` on. The file must have them all at the time of sending.
        case file(FilePath, offset: Int64, count: Int64)

        /// Bytes.
        public var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let count): max(0, count)
            }
        }
    }

    public var segments: [Segment]

    public init(_ segments: [Segment] = []) { self.segments = segments }

    public init(_ bytes: [UInt8]) { self.init([.bytes(bytes)]) }

    /// Bytes in all: the exact Content-Length.
    public var count: Int64 {
        segments.reduce(0) { sum, segment in
            let (more, overflow) = sum.addingReportingOverflow(segment.count)
            return overflow ? .max : more
        }
    }
}
