/// Photos made byte by byte, as the formats' texts ask, for tests of what reads them.
enum MadePhotos {
    // MARK: Numbers

    static func be16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
    static func be32(_ number: Int) -> [UInt8] { be16(number >> 16) + be16(number & 0xffff) }
    static func le16(_ number: Int) -> [UInt8] { be16(number).reversed() }
    static func le32(_ number: Int) -> [UInt8] { be32(number).reversed() }
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: EXIF

    enum Value {
        case text(String)
        case raw(type: Int, count: Int, [UInt8])
        case byte(Int), short(Int), long(Int)
        case fractions([(Int, Int)])
    }

    struct EXIF {
        var image: [(Int, Value)] = []
        var exif: [(Int, Value)] = []
        var gps: [(Int, Value)] = []
        var thumbnail: [UInt8] = []
        var isLittle = true
        /// Written instead of IFD0's link to IFD1.
        var next: Int?
        /// The type of IFD0's links to the other two: LONG, where a writer keeps to the standard.
        var linkType = 4
        /// Bytes between the header and IFD0, so that offsets grow.
        var gap = 0

        /// A date, the way cameras write it.
        static func taken(_ date: String, offset: String? = nil, fraction: String? = nil) -> EXIF {
            var made = EXIF(image: [(0x10f, .text("Testcam")), (0x110, .text("TC-1")), (0x112, .short(1))])
            made.exif = [(0x9003, .text(date))]
            if let offset { made.exif.append((0x9011, .text(offset))) }
            if let fraction { made.exif.append((0x9291, .text(fraction))) }
            return made
        }

        func place(latitude: (String?, Value)?, longitude: (String?, Value)?) -> EXIF {
            var made = self
            for (tag, axis) in [(1, latitude), (3, longitude)] {
                guard let axis else { continue }
                if let reference = axis.0 { made.gps.append((tag, .text(reference))) }
                made.gps.append((tag + 1, axis.1))
            }
            return made
        }

        func number(_ number: Int, _ width: Int) -> [UInt8] {
            let bytes = width == 2 ? be16(number) : be32(number)
            return isLittle ? bytes.reversed() : bytes
        }

        /// The TIFF block, without `Exif\0\0`.
        var block: [UInt8] {
            var bytes = MadePhotos.bytes(isLittle ? "II" : "MM") + number(42, 2) + number(8 + gap, 4)
            bytes += [UInt8](repeating: 0, count: gap)
            var image = image
            let sizeOfImage = 6 + 12 * (image.count + (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1))
            var below: [UInt8] = []
            let start = bytes.count + sizeOfImage
            for (tag, fields) in [(0x8769, exif), (0x8825, gps)] where !fields.isEmpty {
                image.append((tag, .raw(type: linkType, count: 1, number(start + below.count, 4))))
                below += directory(fields, at: start + below.count, next: 0)
            }
            var link = 0
            if !thumbnail.isEmpty {
                link = start + below.count
                let fields: [(Int, Value)] = [
                    (0x103, .short(6)), (0x201, .long(link + 42)), (0x202, .long(thumbnail.count)),
                ]
                below += directory(fields, at: link, next: 0) + thumbnail
            }
            // IFD0's own values come last, so that the place of everything else is known.
            return bytes
                + directory(image, at: bytes.count, next: next ?? link, valuesAt: start + below.count, between: below)
        }

        private func directory(
            _ fields: [(Int, Value)], at start: Int, next: Int, valuesAt: Int? = nil, between: [UInt8] = []
        ) -> [UInt8] {
            var table = number(fields.count, 2)
            var values: [UInt8] = []
            let valuesStart = valuesAt ?? start + 6 + 12 * fields.count
            for (tag, value) in fields {
                let (type, count, content) = encode(value)
                table += number(tag, 2) + number(type, 2) + number(count, 4)
                if content.count <= 4 {
                    table += content + [UInt8](repeating: 0, count: 4 - content.count)
                } else {
                    table += number(valuesStart + values.count, 4)
                    values += content
                }
            }
            return table + number(next, 4) + between + values
        }

        private func encode(_ value: Value) -> (Int, Int, [UInt8]) {
            switch value {
            case .text(let text): (2, text.utf8.count + 1, MadePhotos.bytes(text) + [0])
            case .raw(let type, let count, let bytes): (type, count, bytes)
            case .byte(let byte): (1, 1, [UInt8(byte)])
            case .short(let short): (3, 1, number(short, 2))
            case .long(let long): (4, 1, number(long, 4))
            case .fractions(let list): (5, list.count, list.flatMap { number($0.0, 4) + number($0.1, 4) })
            }
        }
    }

    // MARK: JPEG

    static func segment(_ marker: Int, _ content: [UInt8]) -> [UInt8] {
        [0xff, UInt8(marker)] + be16(content.count + 2) + content
    }

    static func app1(_ exif: EXIF) -> [UInt8] { segment(0xe1, bytes("Exif\0\0") + exif.block) }

    static func app1(xmp: String) -> [UInt8] { segment(0xe1, bytes("http://ns.adobe.com/xap/1.0/\0" + xmp)) }

    /// A frame header and a scan of nothing: enough for every reader of metadata.
    static func jpeg(_ segments: [[UInt8]], width: Int = 96, height: Int = 64) -> [UInt8] {
        [0xff, 0xd8] + segments.flatMap(\.self)
            + segment(0xc0, [8] + be16(height) + be16(width) + [1, 1, 0x11, 0])
            + segment(0xda, [1, 1, 0, 0, 63, 0]) + [0, 0xff, 0xd9]
    }

    static func jpeg(_ exif: EXIF) -> [UInt8] { jpeg([app1(exif)]) }

    // MARK: XMP

    static func xmp(_ attributes: String, _ elements: String = "") -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:a="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }

    // MARK: PNG, WebP, GIF

    /// Chunks without a true checksum: readers of metadata do not look at it.
    static func png(_ chunks: [(String, [UInt8])], width: Int = 96, height: Int = 64) -> [UInt8] {
        let header: [UInt8] = be32(width) + be32(height) + [8, 2, 0, 0, 0]
        let all: [(String, [UInt8])] = [("IHDR", header)] + chunks + [("IDAT", [0]), ("IEND", [])]
        var made: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        for (name, content) in all { made += be32(content.count) + bytes(name) + content + be32(0) }
        return made
    }

    static func webp(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var body = bytes("WEBP")
        for (name, content) in chunks {
            body += bytes(name) + le32(content.count) + content
            if content.count % 2 == 1 { body.append(0) }
        }
        return bytes("RIFF") + le32(body.count) + body
    }

    static let gif = bytes("GIF89a") + le16(96) + le16(64) + [0, 0, 0, 0x3b]

    // MARK: ISO boxes

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        be32(content.count + 8) + name.unicodeScalars.map { UInt8($0.value) } + content
    }

    /// A HEIF file whose EXIF item lies in `mdat` (construction method 0) or in `idat` (1).
    /// - Parameters:
    ///   - exif: Item 2.
    ///   - xmp: Items from 3 on, each with the item that it describes; item 1 is the picture.
    static func heif(
        brand: String = "heic", exif: EXIF? = nil, xmp: [(text: String, describes: Int?)] = [], irot: UInt8? = nil,
        imir: UInt8? = nil, inItemData: Bool = false, metaLast: Bool = false
    ) -> [UInt8] {
        var items: [(id: Int, type: [UInt8], content: [UInt8], describes: Int?)] = []
        if let exif { items.append((2, bytes("Exif") + [0], be32(0) + exif.block, nil)) }
        for (index, packet) in xmp.enumerated() {
            let type = bytes("mime") + [0] + bytes("application/rdf+xml") + [0]
            items.append((3 + index, type, bytes(packet.text), packet.describes))
        }
        var properties = [box("ispe", be32(0) + be32(96) + be32(64))]
        if let irot { properties.append(box("irot", [irot])) }
        if let imir { properties.append(box("imir", [imir])) }
        let map: [UInt8] = [0, 1, UInt8(properties.count)] + (1...properties.count).map { UInt8($0) }
        let data = items.flatMap(\.content)
        func meta(at offset: Int) -> [UInt8] {
            var parts = box("hdlr", be32(0) + be32(0) + bytes("pict") + [UInt8](repeating: 0, count: 13))
            parts += box("pitm", be32(0) + be16(1))
            let infos = ([(1, bytes("hvc1") + [0])] + items.map { ($0.id, $0.type) }).map { id, type in
                box("infe", be32(0x0200_0000) + be16(id) + be16(0) + type)
            }
            parts += box("iinf", be32(0) + be16(infos.count) + infos.flatMap(\.self))
            let references = items.compactMap { item in
                item.describes.map { box("cdsc", be16(item.id) + be16(1) + be16($0)) }
            }
            if !references.isEmpty { parts += box("iref", be32(0) + references.flatMap(\.self)) }
            parts += box("iprp", box("ipco", properties.flatMap(\.self)) + box("ipma", be32(0) + be32(1) + map))
            if !items.isEmpty {
                var place = offset
                let places = items.map { item in
                    defer { place += item.content.count }
                    return be16(item.id) + be16(inItemData ? 1 : 0) + be16(0) + be16(1) + be32(place)
                        + be32(item.content.count)
                }
                parts += box("iloc", be32(0x0100_0000) + [0x44, 0] + be16(items.count) + places.flatMap(\.self))
            }
            if inItemData { parts += box("idat", data) }
            return box("meta", be32(0) + parts)
        }
        let head = box("ftyp", bytes(brand) + be32(0) + bytes("mif1") + bytes(brand))
        if inItemData { return head + meta(at: 0) }
        let media = box("mdat", data)
        if metaLast { return head + media + meta(at: head.count + 8) }
        return head + meta(at: head.count + meta(at: 0).count + 8) + media
    }

    /// Canon's heap of heaps. Sizes, time and names are where cameras write them.
    static func crw(seconds: Int, degrees: Int = 0, isLittle: Bool = true) -> [UInt8] {
        func number(_ number: Int, _ width: Int) -> [UInt8] {
            let bytes = width == 2 ? be16(number) : be32(number)
            return isLittle ? bytes.reversed() : bytes
        }
        func heap(_ records: [(tag: Int, value: [UInt8])]) -> [UInt8] {
            var (values, entries): ([UInt8], [UInt8]) = ([], number(records.count, 2))
            for (tag, value) in records {
                entries += number(tag, 2)
                if tag & 0x4000 != 0 {
                    entries += value
                } else {
                    entries += number(value.count, 4) + number(values.count, 4)
                    values += value
                }
            }
            return values + entries + number(values.count, 4)
        }
        let camera = heap([(0x080a, bytes("Canon\0Canon TC-1\0rubbish"))])
        let size = number(96, 4) + number(64, 4) + number(0x3f80_0000, 4) + number(degrees, 4)
        let properties = heap([
            (0x5013, number(0, 4) + number(0, 4)), (0x1810, size),
            (0x180e, number(seconds, 4) + number(0, 4) + number(0, 4)), (0x2807, camera),
        ])
        return bytes(isLittle ? "II" : "MM") + number(26, 4) + bytes("HEAPCCDR") + number(0x0001_0002, 4)
            + [UInt8](repeating: 0, count: 8) + heap([(0x2005, bytes("sensor")), (0x300a, properties)])
    }

    /// - Parameter length: Seconds, by mvhd's own scale of one.
    static func movie(
        creationDate: String?, position: String? = nil, seconds1904: Int = 0, length: Int = 0
    ) -> [UInt8] {
        var keys: [String] = []
        var values: [UInt8] = []
        for (key, value) in [("creationdate", creationDate), ("location.ISO6709", position)] {
            guard let value else { continue }
            keys.append("com.apple.quicktime." + key)
            values += be32(24 + value.utf8.count) + be32(keys.count) + box("data", be32(1) + be32(0) + bytes(value))
        }
        let meta =
            box("hdlr", be32(0) + be32(0) + bytes("mdta") + [UInt8](repeating: 0, count: 13))
            + box("keys", be32(0) + be32(keys.count) + keys.flatMap { box("mdta", bytes($0)) }) + box("ilst", values)
        let matrix = [0, 0x10000, 0, 0xffff_0000, 0, 0, 0, 0, 0x4000_0000].flatMap { be32($0) }
        let track =
            box(
                "tkhd", [UInt8](repeating: 0, count: 40) + matrix + be32(1920 << 16) + be32(1080 << 16))
            + box("mdia", box("hdlr", be32(0) + be32(0) + bytes("vide") + [UInt8](repeating: 0, count: 13)))
        let header = box(
            "mvhd", be32(0) + be32(seconds1904) + be32(0) + be32(1) + be32(length) + [UInt8](repeating: 0, count: 80))
        return box("ftyp", bytes("qt  ") + be32(0) + bytes("qt  "))
            + box("moov", header + box("trak", track) + box("meta", meta)) + box("mdat", [0])
    }

    /// The size header of a bare JPEG XL codestream: 96 by 64 as multiples of eight, ratio 3:2.
    static func jxl(_ exif: EXIF) -> [UInt8] {
        let signature: [UInt8] = be32(12) + bytes("JXL ") + [0x0d, 0x0a, 0x87, 0x0a]
        // small = 1, height = 7 + 1 eights, ratio = 4 (3:2), from the lowest bit up
        let bits = 1 | 7 << 1 | 4 << 6
        return signature + box("ftyp", bytes("jxl ") + be32(0) + bytes("jxl "))
            + box("Exif", be32(0) + exif.block)
            + box("jxlc", [0xff, 0x0a, UInt8(bits & 255), UInt8(bits >> 8), 0, 0])
    }

    /// A TIFF of nothing but its directories.
    static func tiff(_ exif: EXIF) -> [UInt8] {
        var exif = exif
        exif.image = [(0x100, .short(96)), (0x101, .short(64))] + exif.image
        return exif.block
    }
}
