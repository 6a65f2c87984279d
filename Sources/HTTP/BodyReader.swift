import System

/// Walks through a body as it is sent. It holds at most one open file, and no bytes of its own.
struct BodyReader: ~Copyable {
    private let segments: [Body.Segment]
    private var index = 0
    /// Bytes of the segment in hand that are gone.
    private var done: Int64 = 0
    private var file: FileDescriptor?

    enum Failure: Error {
        case unreadable(SystemError)
        /// The file ends before the range does.
        case shorter(FilePath)
    }

    init(_ body: Body) { segments = body.segments }

    /// Fills a buffer with the next bytes.
    /// - Returns: The bytes read; fewer than asked for only at the end of the body.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var filled = 0
        while filled < buffer.count, index < segments.count {
            let left = segments[index].count - done
            guard left > 0 else {
                index += 1
                done = 0
                file = nil
                continue
            }
            let count = Int(min(left, Int64(buffer.count - filled)))
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            switch segments[index] {
            case .bytes(let bytes):
                let start = Int(done)
                bytes.withUnsafeBytes {
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
                }
            case .file(let path, let offset, _): try read(path, at: offset, into: target)
            }
            done += Int64(count)
            filled += count
        }
        return filled
    }

    private mutating func read(
        _ path: FilePath, at offset: Int64, into target: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let (start, overflow) = offset.addingReportingOverflow(done)
        guard !overflow, start >= 0 else { throw .shorter(path) }
        let count: Int
        do throws(SystemError) {
            if file == nil { file = try FileDescriptor.openForReading(path) }
            count = try file?.read(into: target, at: start) ?? 0
        } catch {
            throw .unreadable(SystemError(code: error.code, call: error.call, path: path))
        }
        guard count == target.count else { throw .shorter(path) }
    }
}
