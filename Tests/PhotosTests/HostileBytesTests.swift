import Notes
import Photos
import System
import Testing

/// Files that lie. Every mutation of a good file must be read to an end, whatever it says then.
struct HostileBytesTests {
    /// One of each kind, with all that a reader looks at.
    private static var seeds: [[UInt8]] {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05", offset: "+02:00", fraction: "05")
        exif.gps = [
            (1, .text("N")), (2, .fractions([(47, 1), (30, 1), (1234, 100)])), (3, .text("E")),
            (4, .fractions([(19, 1), (2, 1), (5678, 100)])), (5, .byte(0)), (6, .fractions([(1234, 10)])),
            (7, .fractions([(12, 1), (30, 1), (5, 1)])), (0x1d, .text("2021:06:15")),
        ]
        exif.thumbnail = [0xff, 0xd8, 0xff, 0xd9]
        let maker =
            MadePhotos.bytes("Apple iOS\0\0\u{1}MM") + MadePhotos.be16(1) + MadePhotos.be16(0x11) + MadePhotos.be16(2)
            + MadePhotos.be32(4) + MadePhotos.bytes("abc\0") + MadePhotos.be32(0)
        exif.exif.append((0x927c, .raw(type: 7, count: maker.count, maker)))
        let xmp = MadePhotos.xmp(
            #"exif:GPSLatitude="33,51.59S" exif:GPSLongitude="151,12,30E" a:CreateDate="2018-03-04T05:06:07.25+09:00""#,
            "<dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>")
        let caption: [UInt8] = [0x1c, 2, 120, 0, 3] + MadePhotos.bytes("cap")
        let photoshop =
            MadePhotos.bytes("Photoshop 3.0\08BIM") + MadePhotos.be16(0x404) + [0, 0] + MadePhotos.be32(caption.count)
        let profile = MadePhotos.bytes("Raw profile type exif\0\nexif\n 8\n4d4d002a00000008\n")
        let canon = MadePhotos.box("CMT1", MadePhotos.tiff(exif)) + MadePhotos.box("CMT2", exif.block)
        let identifier = MadePhotos.be32(0x85c0_b687) + [UInt8](repeating: 1, count: 12)
        var raf = MadePhotos.bytes("FUJIFILMCCD-RAW ") + [UInt8](repeating: 0, count: 92)
        let inner = MadePhotos.jpeg(exif)
        raf.replaceSubrange(84..<92, with: MadePhotos.be32(108) + MadePhotos.be32(inner.count))
        raf.replaceSubrange(92..<100, with: MadePhotos.be32(108 + inner.count) + MadePhotos.be32(12))
        raf +=
            inner + MadePhotos.be32(1) + MadePhotos.be16(0x111) + MadePhotos.be16(4) + MadePhotos.be16(64)
            + MadePhotos.be16(96)
        return [
            MadePhotos.jpeg([
                MadePhotos.app1(exif), MadePhotos.app1(xmp: xmp), MadePhotos.segment(0xed, photoshop + caption),
            ]),
            MadePhotos.png([
                ("eXIf", exif.block), ("tEXt", profile), ("tIME", MadePhotos.be16(2020) + [5, 6, 7, 8, 9]),
                ("iTXt", MadePhotos.bytes("XML:com.adobe.xmp\0\0\0\0\0" + xmp)),
                ("zTXt", MadePhotos.bytes("Description\0\0") + [0x78, 0x01, 0x01, 5, 0, 0xfa, 0xff, 1, 2, 3, 4, 5]),
            ]),
            MadePhotos.webp([
                ("VP8X", [8, 0, 0, 0, 95, 0, 0, 63, 0, 0]), ("VP8L", [0x2f, 1, 2, 3, 4]), ("EXIF", exif.block),
                ("XMP ", MadePhotos.bytes(xmp)),
            ]),
            MadePhotos.heif(exif: exif, irot: 3, imir: 1), MadePhotos.heif(brand: "avif", exif: exif, inItemData: true),
            MadePhotos.jxl(exif), MadePhotos.tiff(exif), MadePhotos.gif,
            MadePhotos.bytes("GIF89a") + MadePhotos.le16(96) + MadePhotos.le16(64) + [0, 0, 0, 0x21, 0xff, 11]
                + MadePhotos.bytes("XMP DataXMP" + xmp) + [1, 0xff, 0xfe, 0, 0x3b],
            MadePhotos.movie(
                creationDate: "2021-06-15T14:30:05+0200", position: "+48.8584+002.2945+082.090/",
                seconds1904: 3_706_605_005),
            MadePhotos.box("ftyp", MadePhotos.bytes("crx ") + MadePhotos.be32(0))
                + MadePhotos.box("moov", MadePhotos.box("uuid", identifier + canon)),
            raf,
            MadePhotos.bytes("II") + MadePhotos.le16(43) + MadePhotos.le16(8) + MadePhotos.le16(0) + MadePhotos.le32(16)
                + MadePhotos.le32(0) + MadePhotos.le32(1) + MadePhotos.le32(0) + MadePhotos.le16(0x100)
                + MadePhotos.le16(3)
                + MadePhotos.le32(1) + MadePhotos.le32(0) + MadePhotos.le32(96) + MadePhotos.le32(0),
        ]
    }

    /// Numbers that break arithmetic.
    private static let edges: [[UInt8]] = [
        [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0],
        [0xff, 0xff], [0, 0], [0xff], [0], [0, 0, 0, 8],
        [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ]

    @Test("six thousand lying files are read to an end, and nothing read of them is longer than they are")
    func mutations() {
        var random = SeededNumbers(seed: 20_261_130)
        let seeds = Self.seeds
        let reader = PhotoReader()
        for seed in seeds { #expect(reader.read(seed, name: "IMG_1", modified: 0).format != nil) }
        for round in 0..<6000 {
            let bytes = Self.mutated(seeds[round % seeds.count], &random)
            let reading = reader.read(bytes, name: "IMG_1", modified: 0)
            #expect(reading.size == Int64(bytes.count))
            // A text comes from the file's bytes, and grows at most by what Latin-1 and hexadecimal do.
            let words =
                (reading.description ?? "") + (reading.make ?? "") + (reading.model ?? "")
                + reading.keywords.joined() + reading.candidates.map(\.value).joined()
            #expect(words.utf8.count <= bytes.count * 8 + 1000)
            #expect(reading.place.map { abs($0.latitude) <= 90 } ?? true)
            #expect((1...8).contains(reading.turn))
            #expect(Explanation(reading, path: "x", md5: nil).json.hasSuffix("}"))
        }
    }

    static func mutated(_ seed: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeLast(bytes.count - place)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default:
                let edge = edges.randomElement(using: &random) ?? [0]
                let end = min(bytes.count, place + edge.count)
                bytes.replaceSubrange(place..<end, with: edge.prefix(end - place))
            }
        }
        return bytes
    }
}

/// The same numbers every time (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
