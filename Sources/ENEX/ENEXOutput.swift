import Hashing
import System

/// The file that is being written: a few buffers, filled in turn, hashed beside the writing. Memory stays flat.
final class ENEXOutput {
    private struct Buffer {
        let bytes: UnsafeMutableRawBufferPointer
        /// When its bytes have been hashed it may be filled again.
        var ticket = 0
    }

    /// Bytes written or waiting in the buffer.
    private(set) var count: Int64 = 0
    private let hashing = DigestThread()
    private let file: FileDescriptor
    private let sha256 = Digest(.sha256)
    private var buffers: [Buffer]
    private var current = 0
    private var filled = 0
    /// Bytes that are on their way to the disk.
    private var started: Int64 = 0

    init(_ file: consuming FileDescriptor) {
        self.file = file
        buffers = (0..<4).map { _ in Buffer(bytes: .allocate(byteCount: 1 << 19, alignment: 64)) }
    }

    deinit {
        hashing.end()
        for buffer in buffers { buffer.bytes.deallocate() }
    }

    func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let room = buffers[current].bytes.count - filled
            let piece = rest.prefix(room)
            UnsafeMutableRawBufferPointer(rebasing: buffers[current].bytes[filled...]).copyBytes(from: piece)
            filled += piece.count
            count += Int64(piece.count)
            rest = rest.dropFirst(piece.count)
            if filled == buffers[current].bytes.count { try flush() }
        }
    }

    /// Lets the bytes be written in place.
    /// - Parameter size: How much room is needed, at most the size of a buffer.
    func write(room size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) throws(SystemError) {
        if buffers[current].bytes.count - filled < size { try flush() }
        let written = body(UnsafeMutableRawBufferPointer(rebasing: buffers[current].bytes[filled...]))
        filled += written
        count += Int64(written)
    }

    /// The digest of the whole file, which is on the disk then.
    func finish(syncing: Bool) throws(SystemError) -> [UInt8] {
        try flush()
        hashing.end()
        if syncing { try file.sync() }
        return sha256.finish()
    }

    private func flush() throws(SystemError) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffers[current].bytes[..<filled])
        buffers[current].ticket = hashing.feed(sha256, bytes)
        try file.write(bytes)
        if count - started >= 1 << 24 {
            file.startWriting(from: started, count: count - started)
            started = count
        }
        current = (current + 1) % buffers.count
        filled = 0
        hashing.wait(buffers[current].ticket)
    }
}
