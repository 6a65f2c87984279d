/// Takes the location out of a photo's bytes before they go out.
///
/// Taken out are EXIF's GPS directory, what XMP and IPTC say of places, by coordinates or by name, and the places in maker
/// notes that are known to hold any. As far as it can be, that is done in place: lengths and offsets stay, and so does every
/// other byte, above all the picture's. What cannot be understood may hold a location as well: parts that no picture needs
/// are emptied, and a file about which that leaves a doubt is refused.
public enum LocationStripper {
    /// What was taken out. The raw values are stable once released.
    public enum Part: String, CaseIterable, Sendable {
        case exif, xmp, iptc
        case makerNote = "maker_note"
        /// Text that is named as a location is, and comments, which may say anything.
        case text
        /// A block that this program does not understand.
        case unknown
        /// What follows the picture: the video of a motion photo.
        case trailer
    }

    public struct Stripped: Hashable, Sendable {
        public var bytes: [UInt8]
        /// Empty where the bytes are as they were.
        public var removed: Set<Part>

        public init(bytes: [UInt8], removed: Set<Part>) {
            self.bytes = bytes
            self.removed = removed
        }
    }

    /// Bytes. A photo that is longer is not held in memory.
    public static let longest = 512 << 20

    /// - Throws: `LocationError` where it is not sure that no location is left.
    public static func strip(_ bytes: [UInt8]) throws(LocationError) -> Stripped {
        guard bytes.count <= longest else { throw .tooLong }
        let format = PhotoFormat.detect(Region(ByteSource(Array(bytes.prefix(1 << 12)))))
        var photo = PhotoBytes(bytes)
        var removed: Set<Part> = []
        // Where directories overlap, taking one out changes another: it is done when nothing is left to do.
        for _ in 0..<4 {
            try strip(&photo, format)
            let more = photo.takeRemoved()
            if more.isEmpty {
                try check(photo.bytes)
                return Stripped(bytes: photo.bytes, removed: removed)
            }
            removed.formUnion(more)
        }
        throw .uncertain("blocks that overlap")
    }

    private static func strip(_ photo: inout PhotoBytes, _ format: PhotoFormat?) throws(LocationError) {
        switch format {
        case .jpeg: try photo.stripJPEG()
        case .png: try photo.stripPNG()
        case .webp: try photo.stripWebP()
        case .heic, .avif: try photo.stripHEIF()
        default: throw .notSupported(format)
        }
    }

    /// Reads the result as every photo is read.
    private static func check(_ bytes: [UInt8]) throws(LocationError) {
        let reading = PhotoReader().read(bytes, name: "", modified: 0)
        if reading.altitude != nil || reading.candidates.contains(where: { $0.kind == .place }) {
            throw .uncertain("a location is still in it")
        }
    }
}

/// Why the location could not be taken out of a photo.
public enum LocationError: Error, Hashable, Sendable {
    /// A kind of file in which it is not known where a location may be; nil for what is no photo.
    case notSupported(PhotoFormat?)
    /// Over `LocationStripper.longest` bytes.
    case tooLong
    /// A location may be left; where, in words.
    case uncertain(String)

    /// Stable once released.
    public var code: String {
        switch self {
        case .notSupported: "location_format"
        case .tooLong: "location_too_long"
        case .uncertain: "location_uncertain"
        }
    }

    /// In words, for a person.
    public var reason: String {
        switch self {
        case .notSupported(let format):
            "the location can be taken out of JPEG, PNG, WebP, HEIC and AVIF, not of \(format?.mime ?? "this")"
        case .tooLong: "it has over \(LocationStripper.longest >> 20) MB"
        case .uncertain(let place): "it is not sure that no location is left: \(place)"
        }
    }
}

/// A file's bytes while the location is taken out of them. Every number that it claims is checked against what is there.
struct PhotoBytes {
    private(set) var bytes: [UInt8]
    private(set) var removed: Set<LocationStripper.Part> = []
    /// True for a small picture that lies in the metadata of another.
    private let isThumbnail: Bool

    init(_ bytes: [UInt8], isThumbnail: Bool = false) {
        self.bytes = bytes
        self.isThumbnail = isThumbnail
    }

    var all: Range<Int> { bytes.indices }

    mutating func note(_ part: LocationStripper.Part) { removed.insert(part) }

    /// What was taken out since the last call.
    mutating func takeRemoved() -> Set<LocationStripper.Part> {
        defer { removed = [] }
        return removed
    }

    // MARK: Reading

    /// - Returns: nil unless all of it lies in `range`, which is the file's.
    func part(_ offset: Int, _ length: Int, of range: Range<Int>) -> Range<Int>? {
        guard offset >= 0, length >= 0, offset <= range.count, length <= range.count - offset else { return nil }
        return (range.lowerBound + offset)..<(range.lowerBound + offset + length)
    }

    func byte(_ offset: Int, in range: Range<Int>) -> UInt8? { part(offset, 1, of: range).map { bytes[$0.lowerBound] } }

    func uint16(_ offset: Int, in range: Range<Int>, little: Bool = false) -> Int? {
        part(offset, 2, of: range).map { number($0, little) }
    }

    func uint32(_ offset: Int, in range: Range<Int>, little: Bool = false) -> Int? {
        part(offset, 4, of: range).map { number($0, little) }
    }

    private func number(_ range: Range<Int>, _ little: Bool) -> Int {
        little ? bytes[range].reversed().reduce(0) { $0 << 8 | Int($1) } : bytes[range].reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ text: String, at offset: Int = 0, in range: Range<Int>) -> Bool {
        part(offset, text.utf8.count, of: range).map { bytes[$0].elementsEqual(text.utf8) } ?? false
    }

    func isZero(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == 0 } }

    // MARK: Writing

    /// Overwrites a range.
    /// - Returns: True where that changed anything.
    @discardableResult
    mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0) -> Bool {
        guard bytes[range].contains(where: { $0 != byte }) else { return false }
        for index in range { bytes[index] = byte }
        return true
    }

    /// Empties what may hold anything.
    mutating func empty(_ range: Range<Int>) { if fill(range) { note(.unknown) } }

    /// Takes bytes out of a range: what follows them in it moves up, zeros come behind.
    mutating func close(_ gap: Range<Int>, in range: Range<Int>) {
        let tail = bytes[gap.upperBound..<range.upperBound]
        bytes.replaceSubrange(gap.lowerBound..<(gap.lowerBound + tail.count), with: Array(tail))
        fill((range.upperBound - gap.count)..<range.upperBound)
    }

    mutating func put(_ number: Int, at offset: Int, width: Int, little: Bool) {
        for index in 0..<width {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * (little ? index : width - 1 - index)))
        }
    }

    mutating func put(_ replacement: some Collection<UInt8>, at offset: Int) {
        bytes.replaceSubrange(offset..<(offset + replacement.count), with: replacement)
    }

    mutating func cut(at end: Int) { bytes.removeLast(bytes.count - end) }

    /// Takes over bytes that were made anew, and what was taken out on the way.
    mutating func replaceAll(_ new: [UInt8]) { bytes = new }

    /// Strips a block that is packed up in the file, in a copy of its own.
    mutating func strip(
        _ block: [UInt8], _ body: (inout PhotoBytes) throws(LocationError) -> Void
    ) throws(LocationError) -> [UInt8] {
        var inner = PhotoBytes(block)
        try body(&inner)
        removed.formUnion(inner.removed)
        return inner.bytes
    }
    /// Strips a small picture that lies in the file's metadata, where it lies. One that is no JPEG, that cannot be sure to
    /// be clean, or that lies in another such is emptied.
    /// - Parameter kept: What of it belongs to others as well, and is not to be emptied.
    mutating func stripThumbnail(_ range: Range<Int>, except kept: [Range<Int>] = []) {
        var inner = PhotoBytes(Array(bytes[range]), isThumbnail: true)
        let isJPEG = inner.bytes.starts(with: [0xff, 0xd8, 0xff]) && !isThumbnail
        do throws(LocationError) {
            guard isJPEG else { throw .notSupported(nil) }
            try inner.stripJPEG()
            put(inner.bytes, at: range.lowerBound)
            fill((range.lowerBound + inner.bytes.count)..<range.upperBound)
            removed.formUnion(inner.removed)
        } catch {
            for rest in Self.subtract(kept, from: [range]) { empty(rest) }
        }
    }
}
