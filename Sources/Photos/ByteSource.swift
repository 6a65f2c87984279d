import Glibc
import System

/// The bytes that a container walk looks at: an open file through a small window, or a block in memory.
///
/// Every offset and length that a file claims is checked here against what is there, so that a walk asks freely and
/// gets nil for what lies outside. A failed read looks like the end of the file and is kept in `failure`.
final class ByteSource {
    /// Bytes, as the file system said when the file was opened. There may be fewer by now.
    let count: Int
    /// The first read that failed.
    private(set) var failure: SystemError?
    /// True once something was asked for that should be inside the file and is not there.
    private(set) var isCutShort = false

    /// Borrowed: whoever made this source keeps it open. nil for a block in memory.
    private let descriptor: Int32?
    private let window: UnsafeMutableRawBufferPointer
    /// Offset of the window's first byte, and how many of its bytes are filled.
    private var start = 0
    private var filled = 0

    /// The directories of nearly every photo lie in its first 16 KiB; what lies further in is fetched in smaller steps.
    private static let firstWindow = 16_384
    private static let laterWindow = 8_192

    /// - Parameter descriptor: Stays open, and owned by the caller, for as long as this source is used.
    init(descriptor: Int32, count: Int) {
        self.descriptor = descriptor
        self.count = count
        window = .allocate(byteCount: Self.firstWindow, alignment: 8)
    }

    init(_ bytes: [UInt8]) {
        descriptor = nil
        count = bytes.count
        filled = bytes.count
        window = .allocate(byteCount: max(1, bytes.count), alignment: 8)
        window.copyBytes(from: bytes)
    }

    deinit { window.deallocate() }

    /// `length` bytes at `offset`, valid until the next call; nil where they are not all there.
    fileprivate func pointer(at offset: Int, _ length: Int) -> UnsafeRawPointer? {
        guard offset >= 0, length >= 0, length <= count - offset, let base = window.baseAddress else { return nil }
        if offset < start || offset - start > filled - length {
            guard length <= window.count, fill(at: offset, length) else { return nil }
        }
        return UnsafeRawPointer(base + (offset - start))
    }

    private func fill(at offset: Int, _ length: Int) -> Bool {
        guard descriptor != nil else { return false }
        let step = offset == 0 ? Self.firstWindow : max(length, Self.laterWindow)
        start = offset
        filled = read(into: UnsafeMutableRawBufferPointer(rebasing: window[..<step]), at: offset)
        if filled < length { isCutShort = true }
        return filled >= length
    }

    /// Bytes past the window's size go straight into their array.
    fileprivate func copy(at offset: Int, _ length: Int) -> [UInt8]? {
        if length <= window.count || descriptor == nil {
            return pointer(at: offset, length).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) }
        }
        guard offset >= 0, length <= count - offset else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        if bytes.count < length { isCutShort = true }
        return bytes.count == length ? bytes : nil
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        guard let descriptor else { return 0 }
        var got = 0
        do throws(SystemError) {
            while got < buffer.count {
                let more = try systemCall("read") {
                    pread(descriptor, buffer.baseAddress.map { $0 + got }, buffer.count - got, off_t(offset + got))
                }
                if more == 0 { break }
                got += more
            }
        } catch { failure = failure ?? error }
        return got
    }
}

/// A stretch of a byte source: the whole file, a box in it, an EXIF block. Offsets count from its start.
struct Region {
    let source: ByteSource
    let start: Int
    let count: Int

    init(_ source: ByteSource) {
        self.source = source
        start = 0
        count = source.count
    }

    private init(_ source: ByteSource, _ start: Int, _ count: Int) {
        self.source = source
        self.start = start
        self.count = count
    }

    /// - Returns: nil unless all of it lies in this region.
    func part(_ offset: Int, _ length: Int) -> Region? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        return Region(source, start + offset, length)
    }

    /// What is there of a stretch that may claim more than there is.
    func clipped(_ offset: Int, _ length: Int) -> Region {
        let offset = min(max(0, offset), count)
        return Region(source, start + offset, min(max(0, length), count - offset))
    }

    func rest(from offset: Int) -> Region { clipped(offset, count) }

    private func pointer(_ offset: Int, _ length: Int) -> UnsafeRawPointer? {
        guard offset >= 0, offset <= count, length <= count - offset else { return nil }
        return source.pointer(at: start + offset, length)
    }

    func byte(_ offset: Int) -> UInt8? { pointer(offset, 1)?.load(as: UInt8.self) }

    func uint16(_ offset: Int, little: Bool = false) -> Int? {
        pointer(offset, 2).map { Int(ordered($0.loadUnaligned(as: UInt16.self), little)) }
    }

    func uint24(_ offset: Int, little: Bool = false) -> Int? {
        guard let low = uint16(offset + (little ? 0 : 1), little: little), let high = byte(offset + (little ? 2 : 0))
        else { return nil }
        return Int(high) << 16 | low
    }

    func uint32(_ offset: Int, little: Bool = false) -> Int? {
        pointer(offset, 4).map { Int(ordered($0.loadUnaligned(as: UInt32.self), little)) }
    }

    /// - Returns: nil too for what no file can be as long as (2^63 and above).
    func uint64(_ offset: Int, little: Bool = false) -> Int? {
        pointer(offset, 8).flatMap { Int(exactly: ordered($0.loadUnaligned(as: UInt64.self), little)) }
    }

    private func ordered<Number: FixedWidthInteger>(_ number: Number, _ little: Bool) -> Number {
        little ? Number(littleEndian: number) : Number(bigEndian: number)
    }

    /// - Returns: nil where they are not all there. The caller bounds `length`.
    func bytes(_ offset: Int, _ length: Int) -> [UInt8]? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        return source.copy(at: start + offset, length)
    }

    /// All of its bytes, unless there are more than `limit`.
    func bytes(limit: Int) -> [UInt8]? { count <= limit ? bytes(0, count) : nil }

    /// True where the bytes of `text` stand at `offset`.
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard let found = pointer(offset, text.utf8CodeUnitCount) else { return false }
        return memcmp(found, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Four bytes as the name of a box or chunk.
    func name(_ offset: Int) -> FourCC? {
        pointer(offset, 4).map { FourCC(value: UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))) }
    }

    /// Where `wanted` comes first at or after `offset`.
    func index(of wanted: UInt8, from offset: Int, within limit: Int) -> Int? {
        for index in offset..<max(offset, min(offset + limit, count)) where byte(index) == wanted { return index }
        return nil
    }

    /// Where something else than `padding` comes first at or after `offset`.
    func index(past padding: UInt8, from offset: Int, within limit: Int) -> Int? {
        for index in offset..<max(offset, min(offset + limit, count)) where byte(index) != padding { return index }
        return nil
    }
}

/// The name of a box or chunk: four bytes, mostly letters.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(value: UInt32) { self.value = value }

    /// Each character stands for one byte, so that `"©xyz"` is A9 78 79 7A.
    init(stringLiteral text: String) {
        value = text.unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xff }
    }
}
