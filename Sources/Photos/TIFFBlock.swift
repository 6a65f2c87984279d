/// The structure of TIFF 6.0, which EXIF and most RAW files share: directories of fields, in either byte order, found
/// by offsets from the block's start. BigTIFF's wide offsets are read too.
struct TIFFBlock {
    let region: Region
    let isLittle: Bool
    private let isBig: Bool
    /// Offset of the first directory.
    let first: Int

    /// - Returns: nil where no TIFF header stands at the start.
    init?(_ region: Region) {
        guard region.has("II") || region.has("MM") else { return nil }
        let little = region.has("II")
        switch region.uint16(2, little: little) {
        case 43:
            guard region.uint16(4, little: little) == 8, let first = region.uint64(8, little: little) else {
                return nil
            }
            (isBig, self.first) = (true, first)
        case 42, 0x55, 0x4f52, 0x5352:  // TIFF, and the spellings of Panasonic and Olympus
            guard let first = region.uint32(4, little: little) else { return nil }
            (isBig, self.first) = (false, first)
        default: return nil
        }
        self.region = region
        isLittle = little
    }

    /// A block without a header, as some maker notes are.
    init(bare region: Region, isLittle: Bool, first: Int) {
        self.region = region
        self.isLittle = isLittle
        self.first = first
        isBig = false
    }

    struct Field {
        let tag: UInt16
        /// BYTE 1, ASCII 2, SHORT 3, LONG 4, RATIONAL 5 …
        let type: Int
        let count: Int
        /// Where the values stand, all of them inside the block.
        let offset: Int
        /// Bytes of all values.
        let size: Int
    }

    struct Directory {
        let fields: [Field]
        /// Offset of the directory that follows, 0 where there is none.
        let next: Int

        /// Of a tag that comes twice, the first counts.
        subscript(tag: UInt16) -> Field? { fields.first { $0.tag == tag } }
    }

    /// Reads a directory's fields, those with a tag in `wanted` only.
    ///
    /// - Returns: nil unless the whole directory lies inside the block. Fields whose type is unknown or whose values lie
    ///   outside are left out.
    func directory(at offset: Int, wanted: (UInt16) -> Bool = { _ in true }) -> Directory? {
        let count = isBig ? region.uint64(offset, little: isLittle) : region.uint16(offset, little: isLittle)
        let (head, step) = isBig ? (8, 20) : (2, 12)
        guard let count, count > 0, count <= 65_535, region.part(offset, head + count * step) != nil else { return nil }
        var fields: [Field] = []
        for index in 0..<count {
            let entry = offset + head + index * step
            guard let tag = region.uint16(entry, little: isLittle).flatMap(UInt16.init(exactly:)), wanted(tag),
                let type = region.uint16(entry + 2, little: isLittle), let field = field(tag, type, at: entry + 4)
            else { continue }
            fields.append(field)
        }
        let end = offset + head + count * step
        let next = (isBig ? region.uint64(end, little: isLittle) : region.uint32(end, little: isLittle)) ?? 0
        return Directory(fields: fields, next: next)
    }

    private func field(_ tag: UInt16, _ type: Int, at place: Int) -> Field? {
        guard let width = Self.width(of: type) else { return nil }
        let room = isBig ? 8 : 4
        let count = isBig ? region.uint64(place, little: isLittle) : region.uint32(place, little: isLittle)
        guard let count, count > 0 else { return nil }
        let (size, overflow) = count.multipliedReportingOverflow(by: width)
        guard !overflow else { return nil }
        var offset = place + room
        if size > room {
            let pointer = isBig ? region.uint64(offset, little: isLittle) : region.uint32(offset, little: isLittle)
            guard let pointer else { return nil }
            offset = pointer
        }
        guard region.part(offset, size) != nil else { return nil }
        return Field(tag: tag, type: type, count: count, offset: offset, size: size)
    }

    /// Bytes of one value.
    private static func width(of type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: nil
        }
    }

    /// The whole numbers of a field, at most `limit`, without those below zero; empty where it holds something else.
    func numbers(_ field: Field?, limit: Int = 16) -> [Int] {
        guard let field else { return [] }
        return (0..<min(field.count, limit)).compactMap { index in
            // Some writers take the signed types, even for pointers to directories.
            switch field.type {
            case 1, 7: region.byte(field.offset + index).map(Int.init)
            case 6: region.byte(field.offset + index).flatMap { $0 < 1 << 7 ? Int($0) : nil }
            case 3: region.uint16(field.offset + index * 2, little: isLittle)
            case 8: region.uint16(field.offset + index * 2, little: isLittle).flatMap { $0 < 1 << 15 ? $0 : nil }
            case 4, 13: region.uint32(field.offset + index * 4, little: isLittle)
            case 9: region.uint32(field.offset + index * 4, little: isLittle).flatMap { $0 < 1 << 31 ? $0 : nil }
            case 16, 17, 18: region.uint64(field.offset + index * 8, little: isLittle)
            default: nil
            }
        }
    }

    func number(_ field: Field?) -> Int? { numbers(field, limit: 1).first }

    /// The bytes of a field as a region of their own.
    func content(_ field: Field?) -> Region? { field.flatMap { region.part($0.offset, $0.size) } }
}
