import Notes

/// HEIC, HIF and AVIF (ISO/IEC 23008-12): items and their properties in a `meta` box.
enum HEIFContainer {
    static func read(_ file: Region, _ format: PhotoFormat) -> Contents {
        var found = Contents(format)
        guard let meta = file.box("meta")?.rest(from: 4) else {
            found.isDamaged = true
            return found
        }
        let parts = Dictionary(
            Boxes(in: meta).prefix(64).map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
        let primary = parts["pitm"].flatMap { $0.byte(0) == 0 ? $0.uint16(4) : $0.uint32(4) }
        if let primary, let properties = parts["iprp"] { describe(primary, properties, &found) }
        found.isDamaged = found.pixels == nil

        guard let items = parts["iinf"], let places = parts["iloc"] else { return found }
        // Depth maps and the other pictures of a file have XMP of their own, which is none of the photo's: what describes
        // the primary item comes first, then what describes none.
        let isAbout = parts["iref"].map { Self.references($0, to: primary) } ?? [:]
        let inOrder = metadataItems(items).enumerated().sorted { one, other in
            let ranks = [one, other].map { item in isAbout[item.element.id].map { $0 ? 0 : 2 } ?? 1 }
            return (ranks[0], one.offset) < (ranks[1], other.offset)
        }
        for (_, item) in inOrder {
            switch item.kind {
            case .exif where found.exif == nil:
                guard let block = location(of: item.id, places, file, parts["idat"]) else { continue }
                // Four bytes say how far behind them the TIFF header stands; 0 is not always true.
                let skip = block.uint32(0) ?? 0
                found.exif =
                    EXIFBlock(block.rest(from: 4 + skip)) ?? EXIFBlock(block.rest(from: 4)) ?? EXIFBlock(block)
            case .xmp where found.xmp == nil:
                found.xmp = location(of: item.id, places, file, parts["idat"])
            default: continue
            }
        }
        return found
    }

    // MARK: Items

    enum Kind { case exif, xmp }

    /// The items that hold metadata, all of them.
    /// - Returns: Each with its bytes, nil where they are not found, and whether they are packed by an encoding; nil for a
    ///   file whose items cannot be found.
    static func metadata(in file: Region) -> [(kind: Kind, region: Region?, isPacked: Bool)]? {
        guard let meta = file.box("meta")?.rest(from: 4) else { return nil }
        guard let items = meta.box("iinf"), let places = meta.box("iloc") else { return [] }
        let data = meta.box("idat")
        return metadataItems(items).map { item in
            (item.kind, location(of: item.id, places, file, data), item.isPacked)
        }
    }

    private static func metadataItems(_ items: Region) -> [(id: Int, kind: Kind, isPacked: Bool)] {
        let entries = items.rest(from: items.byte(0) == 0 ? 6 : 8)
        return Boxes(in: entries).compactMap { entry in
            guard entry.name == "infe", let version = entry.content.byte(0), version == 2 || version == 3 else {
                return nil
            }
            let info = entry.content
            let wide = version == 3
            guard let id = wide ? info.uint32(4) : info.uint16(4) else { return nil }
            let type = wide ? 10 : 8
            if info.name(type) == "Exif" { return (id, .exif, false) }
            guard info.name(type) == "mime", let end = info.index(of: 0, from: type + 4, within: 1024),
                info.has("application/rdf+xml", at: end + 1)
            else { return nil }
            let encoding = info.index(of: 0, from: end + 1, within: 1024).flatMap { info.byte($0 + 1) }
            return (id, .xmp, encoding ?? 0 != 0)
        }
    }

    /// Whether it is `wanted` that each item of metadata describes, by the `cdsc` references; those without one are left out.
    private static func references(_ references: Region, to wanted: Int?) -> [Int: Bool] {
        let width = references.byte(0) == 0 ? 2 : 4
        var found: [Int: Bool] = [:]
        for reference in Boxes(in: references.rest(from: 4)) where reference.name == "cdsc" {
            let content = reference.content
            func number(_ offset: Int) -> Int? { width == 2 ? content.uint16(offset) : content.uint32(offset) }
            guard let from = number(0), let count = content.uint16(width) else { continue }
            let isAbout = (0..<count).contains { number(width + 2 + $0 * width) == wanted }
            found[from] = found[from] == true || isAbout
        }
        return found
    }

    /// Where an item's bytes are, by `iloc`: in the file (construction method 0) or in `idat` (1).
    private static func location(of wanted: Int, _ places: Region, _ file: Region, _ data: Region?) -> Region? {
        guard let version = places.byte(0), version <= 2, let sizes = places.uint16(4) else { return nil }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        var cursor = 6
        func number(_ size: Int) -> Int? {
            defer { cursor += size }
            switch size {
            case 0: return 0
            case 2: return places.uint16(cursor)
            case 4: return places.uint32(cursor)
            case 8: return places.uint64(cursor)
            default: return nil
            }
        }
        guard let count = number(version == 2 ? 4 : 2) else { return nil }
        // Extents of no bytes could be claimed by the thousand million.
        var left = 1 << 20
        for _ in 0..<min(count, 65_536) {
            guard let id = number(version == 2 ? 4 : 2), let method = version == 0 ? 0 : number(2), number(2) != nil,
                let base = number(baseSize), let extents = number(2)
            else { return nil }
            left -= extents
            guard left >= 0 else { return nil }
            var parts: [Region] = []
            for _ in 0..<extents {
                guard number(indexSize) != nil, let offset = number(offsetSize), let length = number(lengthSize) else {
                    return nil
                }
                guard id == wanted, parts.count < 64 else { continue }
                let (start, overflow) = base.addingReportingOverflow(offset)
                guard !overflow, let whole = method & 15 == 1 ? data : method & 15 == 0 ? file : nil else { return nil }
                let part = length == 0 ? whole.rest(from: start) : whole.part(start, length)
                guard let part else { return nil }
                parts.append(part)
            }
            if id == wanted { return joined(parts) }
        }
        return nil
    }

    private static func joined(_ parts: [Region]) -> Region? {
        if parts.count <= 1 { return parts.first }
        var bytes: [UInt8] = []
        for part in parts {
            guard let more = part.bytes(limit: 1 << 20), bytes.count + more.count <= 1 << 20 else { return nil }
            bytes += more
        }
        return Region(ByteSource(bytes))
    }

    // MARK: Properties

    /// Size and turn of the primary item; of a grid it is the size of the whole.
    private static func describe(_ item: Int, _ properties: Region, _ found: inout Contents) {
        guard let list = properties.box("ipco") else { return }
        let boxes = Array(Boxes(in: list))
        var turn = Turn()
        for index in associations(of: item, properties) where index >= 1 && index <= boxes.count {
            let (name, content) = (boxes[index - 1].name, boxes[index - 1].content)
            switch name {
            case "ispe" where found.pixels == nil:
                guard let width = content.uint32(4), let height = content.uint32(8) else { continue }
                found.pixels = PixelSize(width: width, height: height)
            case "irot":
                guard let angle = content.byte(0) else { continue }
                found.hasTurnBox = true
                turn.rotate(quarters: 4 - Int(angle & 3))  // the box counts anticlockwise
            case "imir":
                guard let axis = content.byte(0) else { continue }
                found.hasTurnBox = true
                if axis & 1 == 0 { turn.mirrorTopBottom() } else { turn.mirrorLeftRight() }
            default: continue
            }
        }
        found.turn = turn.orientation
    }

    /// The properties of an item, in the order in which they apply, counted from 1.
    private static func associations(of wanted: Int, _ properties: Region) -> [Int] {
        for box in Boxes(in: properties).prefix(64) where box.name == "ipma" {
            let map = box.content
            guard let version = map.byte(0), let flags = map.byte(3), let entries = map.uint32(4) else { continue }
            var cursor = 8
            for _ in 0..<min(entries, 65_536) {
                guard let id = version == 0 ? map.uint16(cursor) : map.uint32(cursor) else { break }
                cursor += version == 0 ? 2 : 4
                guard let count = map.byte(cursor).map(Int.init) else { break }
                cursor += 1
                let width = flags & 1 == 1 ? 2 : 1
                if id == wanted {
                    return (0..<count).compactMap { index in
                        width == 2
                            ? map.uint16(cursor + index * 2).map { $0 & 0x7fff }
                            : map.byte(cursor + index).map { Int($0 & 0x7f) }
                    }
                }
                cursor += count * width
            }
        }
        return []
    }
}

/// A turn by quarters and mirrorings, one after the other: what to do to the stored pixels to see them upright.
struct Turn {
    /// Mirrored left to right first, then turned clockwise.
    private var quarters = 0
    private var isMirrored = false

    mutating func rotate(quarters more: Int) { quarters = (quarters + more) & 3 }

    mutating func mirrorLeftRight() {
        quarters = -quarters & 3
        isMirrored.toggle()
    }

    mutating func mirrorTopBottom() {
        mirrorLeftRight()
        rotate(quarters: 2)
    }

    /// As an EXIF orientation.
    var orientation: Int { isMirrored ? [2, 7, 4, 5][quarters] : [1, 6, 3, 8][quarters] }
}
