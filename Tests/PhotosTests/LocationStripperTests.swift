import Glibc
import Notes
import Photos
import System
import Testing
import Workbench

/// Locations out of photos that were made with one in every place.
struct LocationStripperTests {
    static let exif: MadePhotos.EXIF = {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05", offset: "+02:00")
        exif.gps = [
            (1, .text("N")), (2, .fractions([(47, 1), (30, 1), (1234, 100)])), (3, .text("E")),
            (4, .fractions([(19, 1), (2, 1), (5678, 100)])), (6, .fractions([(1234, 10)])),
        ]
        exif.thumbnail = [0xff, 0xd8, 0xff, 0xd9]
        return exif
    }()

    private static let xmp = MadePhotos.xmp(
        #"exif:GPSLatitude="33,51.59S" exif:GPSLongitude='151,12,30E' a:CreateDate="2018-03-04T05:06:07" photoshop:City="Zzyzx""#,
        """
        <exif:GPSAltitude>5/1</exif:GPSAltitude><dc:description><rdf:Alt><rdf:li xml:lang="x-default">By the &lt;sea&gt;\
        </rdf:li></rdf:Alt></dc:description><q:LocationCreated xmlns:q="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">\
        <rdf:Bag><rdf:li q:City="Zzyzx"/></rdf:Bag></q:LocationCreated>
        """)

    static let iptc =
        [0x1c, 2, 120, 0, 3] + MadePhotos.bytes("cap") + [0x1c, 2, 90, 0, 5] + MadePhotos.bytes("Zzyzx")
        + [0x1c, 2, 25, 0, 3] + MadePhotos.bytes("sea")

    private static let photoshop =
        MadePhotos.bytes("8BIM") + MadePhotos.be16(0x404) + [0, 0] + MadePhotos.be32(iptc.count) + iptc
        + (iptc.count % 2 == 1 ? [0] : [])

    func strip(_ bytes: [UInt8]) throws -> LocationStripper.Stripped { try LocationStripper.strip(bytes) }

    func reading(_ bytes: [UInt8]) -> PhotoReading { PhotoReader().read(bytes, name: "", modified: 0) }

    /// Nothing of a location is left, by this program and by exiftool; what else was said is said still.
    func expectClean(
        _ bytes: [UInt8], _ parts: Set<LocationStripper.Part>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(reading(bytes).place != nil || !parts.contains(.exif), sourceLocation: sourceLocation)
        let result = try strip(bytes)
        #expect(result.removed == parts, sourceLocation: sourceLocation)
        #expect(reading(result.bytes).place == nil, sourceLocation: sourceLocation)
        #expect(reading(result.bytes).captured == reading(bytes).captured, sourceLocation: sourceLocation)
        #expect(reading(result.bytes).description == reading(bytes).description, sourceLocation: sourceLocation)
        #expect(reading(result.bytes).pixels == reading(bytes).pixels, sourceLocation: sourceLocation)
        #expect(reading(result.bytes).hasEmbeddedThumbnail == reading(bytes).hasEmbeddedThumbnail)
        #expect(result.bytes.firstRange(of: MadePhotos.bytes("Zzyzx")) == nil, sourceLocation: sourceLocation)
        // A second time there is nothing left to do.
        #expect(try strip(result.bytes) == .init(bytes: result.bytes, removed: []), sourceLocation: sourceLocation)
        guard Files.exists("/usr/bin/exiftool") else { return }
        let folder = try TemporaryFolder()
        let path = try folder.write(result.bytes, as: "photo")
        let left = try run(
            "/usr/bin/exiftool",
            ["-q", "-q", "-a", "-G1", "-s", "-ee", "-Location:all", "-*GPS*", "-*Latitude*", path.description])
        // An emptied field of a maker note is listed, with nothing behind the colon.
        let said = left.output.split(separator: "\n").filter { !$0.hasSuffix(": ") }
        #expect(said == [], sourceLocation: sourceLocation)
    }

    @Test("JPEG: two EXIF blocks, XMP and IPTC, in place", arguments: [true, false])
    func jpeg(isLittle: Bool) throws {
        var exif = Self.exif
        exif.isLittle = isLittle
        let photo = MadePhotos.jpeg([
            MadePhotos.app1(exif), MadePhotos.app1(xmp: Self.xmp), MadePhotos.app1(exif),
            MadePhotos.segment(0xed, MadePhotos.bytes("Photoshop 3.0\0") + Self.photoshop),
        ])
        try expectClean(photo, [.exif, .xmp, .iptc])
        let result = try strip(photo)
        #expect(result.bytes.count == photo.count)
        #expect(reading(result.bytes).description == "By the <sea>")
        #expect(reading(result.bytes).make == "Testcam")
        // From the first marker of the picture on, every byte is as it was.
        let picture = MadePhotos.jpeg([]).dropFirst(2)
        #expect(result.bytes.suffix(picture.count) == picture)
    }

    @Test("JPEG: extended XMP is stripped across its pieces, and named by its new digest")
    func extendedXMP() throws {
        let digest = "0123456789ABCDEF0123456789ABCDEF"
        let long = Array(MadePhotos.xmp(#"exif:GPSLatitude="33,51.59S" exif:GPSLongitude="151,12,30E""#).utf8)
        let cut = (long.firstRange(of: MadePhotos.bytes("GPSLatitude"))?.lowerBound ?? 0) + 3
        func piece(_ range: Range<Int>) -> [UInt8] {
            MadePhotos.segment(
                0xe1,
                MadePhotos.bytes("http://ns.adobe.com/xmp/extension/\0" + digest) + MadePhotos.be32(long.count)
                    + MadePhotos.be32(range.lowerBound) + long[range])
        }
        let main = MadePhotos.xmp(#"xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="\#(digest)""#)
        let photo = MadePhotos.jpeg([MadePhotos.app1(xmp: main), piece(cut..<long.count), piece(0..<cut)])
        try expectClean(photo, [.xmp])
        let result = try strip(photo).bytes
        #expect(result.count == photo.count)
        #expect(result.firstRange(of: MadePhotos.bytes(digest)) == nil)
        let names = String(decoding: result, as: UTF8.self).split(separator: "extension/\0").dropFirst().map {
            $0.prefix(32)
        }
        #expect(Set(names).count == 1)
        #expect(String(decoding: result, as: UTF8.self).contains("HasExtendedXMP=\"\(names.first ?? "")\""))
        // With a piece missing it says nothing for sure: it is emptied.
        let broken = MadePhotos.jpeg([MadePhotos.app1(xmp: main), piece(cut..<long.count)])
        try expectClean(broken, [.unknown])
    }

    @Test("JPEG: what is not known is emptied, what a picture needs stays")
    func segments() throws {
        let kept = [
            MadePhotos.segment(0xe0, MadePhotos.bytes("JFIF\0\u{1}\u{2}\0\0\u{1}\0\u{1}\0\0")),
            MadePhotos.segment(0xe2, MadePhotos.bytes("ICC_PROFILE\0\u{1}\u{1}abc")),
            MadePhotos.segment(0xe2, MadePhotos.bytes("MPF\0abc")),
            MadePhotos.segment(0xee, MadePhotos.bytes("Adobe\0d")),
        ]
        let plain = MadePhotos.jpeg(kept)
        #expect(try strip(plain) == .init(bytes: plain, removed: []))
        let gopro = MadePhotos.segment(0xe6, MadePhotos.bytes("GoPro\0Zzyzx"))
        let result = try strip(MadePhotos.jpeg(kept + [gopro]))
        #expect(result.removed == [.unknown])
        #expect(result.bytes == MadePhotos.jpeg(kept + [MadePhotos.segment(0xe6, [UInt8](repeating: 0, count: 11))]))
    }

    @Test("JPEG: a second picture behind the first stays without its location, a video goes")
    func trailer() throws {
        let first = MadePhotos.jpeg(Self.exif)
        let video = MadePhotos.movie(creationDate: "2021-06-15T14:30:05+0200", position: "+48.8584+002.2945/")
        try expectClean(first + video, [.exif, .trailer])
        #expect(try strip(first + video).bytes.count == first.count)
        let both = try strip(first + [0, 0] + first)
        #expect(both.bytes.count == first.count * 2 + 2)
        #expect(both.removed == [.exif])
        #expect(reading(Array(both.bytes.suffix(first.count))).place == nil)
        #expect(reading(Array(both.bytes.suffix(first.count))).captured != nil)
    }

    @Test("the names of places in maker notes go")
    func makerNotes() throws {
        func entry(_ tag: Int, _ text: String, at place: Int) -> [UInt8] {
            MadePhotos.le16(tag) + MadePhotos.le16(2) + MadePhotos.le32(text.utf8.count + 1) + MadePhotos.le32(place)
        }
        // The maker note's values lie outside of the note, as Panasonic's do: here in the block's gap.
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.gap = 32
        let note =
            MadePhotos.bytes("Panasonic\0\0\0") + MadePhotos.le16(2) + entry(0x51, "LUMIX", at: 8)
            + entry(0x6d, "Zzyzx", at: 20) + MadePhotos.le32(0)
        exif.exif.append((0x927c, .raw(type: 7, count: note.count, note)))
        var photo = MadePhotos.jpeg(exif)
        let start = try #require(photo.firstRange(of: MadePhotos.bytes("II*\0"))).lowerBound
        photo.replaceSubrange((start + 8)..<(start + 14), with: MadePhotos.bytes("LUMIX\0"))
        photo.replaceSubrange((start + 20)..<(start + 26), with: MadePhotos.bytes("Zzyzx\0"))
        try expectClean(photo, [.makerNote])
        #expect(try strip(photo).bytes.firstRange(of: MadePhotos.bytes("LUMIX")) != nil)
    }

    @Test("values that GPS shares with other fields stay")
    func sharedValues() throws {
        // Latitude's value lies where the camera's name does.
        var exif = MadePhotos.EXIF(image: [(0x10f, .text("Testcam, the very best"))])
        exif.gps = [(1, .text("N")), (2, .long(0)), (3, .text("E")), (4, .fractions([(19, 1), (2, 1), (5678, 100)]))]
        var photo = MadePhotos.jpeg(exif)
        let start = try #require(photo.firstRange(of: MadePhotos.bytes("II*\0"))).lowerBound
        let name = try #require(photo.firstRange(of: MadePhotos.bytes("Testcam"))).lowerBound
        let entry = try #require(photo.firstRange(of: MadePhotos.le16(2) + MadePhotos.le16(4) + MadePhotos.le32(1)))
        photo.replaceSubrange(
            entry.lowerBound..<(entry.lowerBound + 12),
            with: MadePhotos.le16(2) + MadePhotos.le16(5) + MadePhotos.le32(2) + MadePhotos.le32(name - start))
        let result = try strip(photo)
        #expect(result.removed == [.exif])
        #expect(reading(result.bytes).make == "Testcam, the very best")
        #expect(reading(result.bytes).candidates.contains { $0.kind == .place } == false)
    }

    // MARK: PNG

    /// zlib's frame around bytes that are stored as they are.
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return [0x78, 0x01, 0x01] + MadePhotos.le16(bytes.count) + MadePhotos.le16(~bytes.count & 0xffff) + bytes
            + MadePhotos.be32(b << 16 | a)
    }

    @Test("PNG: eXIf, XMP and raw profiles, packed or not")
    func png() throws {
        let text = MadePhotos.bytes("XML:com.adobe.xmp\0")
        try expectClean(MadePhotos.png([("eXIf", Self.exif.block)]), [.exif])
        try expectClean(MadePhotos.png([("iTXt", text + [0, 0, 0, 0] + Array(Self.xmp.utf8))]), [.xmp])
        try expectClean(MadePhotos.png([("iTXt", text + [1, 0, 0, 0] + stored(Array(Self.xmp.utf8)))]), [.xmp])
        func profile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            MadePhotos.bytes("\n\(name)\n      \(bytes.count)\n" + MD5.hex(bytes) + "\n")
        }
        let exif = profile("exif", MadePhotos.bytes("Exif\0\0") + Self.exif.block)
        try expectClean(MadePhotos.png([("tEXt", MadePhotos.bytes("Raw profile type exif\0") + exif)]), [.exif])
        try expectClean(
            MadePhotos.png([("zTXt", MadePhotos.bytes("Raw profile type exif\0\0") + stored(exif))]), [.exif])
        let packet = profile("xmp", Array(Self.xmp.utf8))
        try expectClean(
            MadePhotos.png([("zTXt", MadePhotos.bytes("Raw profile type xmp\0\0") + stored(packet))]), [.xmp])
        let iptc = profile("iptc", Self.photoshop)
        try expectClean(
            MadePhotos.png([("zTXt", MadePhotos.bytes("Raw profile type iptc\0\0") + stored(iptc))]), [.iptc])
    }

    @Test("PNG: text that is named as a location goes, other text stays; unknown chunks and what follows the end go")
    func pngText() throws {
        let comment = ("tEXt", MadePhotos.bytes("Comment\0By the sea"))
        let plain = MadePhotos.png([comment, ("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0])])
        #expect(try strip(plain) == .init(bytes: plain, removed: []))
        let result = try strip(MadePhotos.png([comment, ("tEXt", MadePhotos.bytes("exif:GPSLatitude\047/1"))]))
        #expect(result == .init(bytes: MadePhotos.png([comment]), removed: [.text]))
        let unknown = try strip(MadePhotos.png([comment, ("caBX", [1, 2, 3])]) + [1, 2, 3])
        #expect(unknown == .init(bytes: MadePhotos.png([comment]), removed: [.unknown, .trailer]))
    }

    // MARK: WebP, HEIF

    @Test("WebP: EXIF and XMP in place, unknown chunks emptied")
    func webp() throws {
        let canvas: (String, [UInt8]) = ("VP8X", [12, 0, 0, 0, 95, 0, 0, 63, 0, 0])
        let photo = MadePhotos.webp([
            canvas, ("VP8L", [0x2f, 95, 0, 16, 0]), ("EXIF", Self.exif.block), ("XMP ", Array(Self.xmp.utf8)),
        ])
        try expectClean(photo, [.exif, .xmp])
        #expect(try strip(photo).bytes.count == photo.count)
        let prefixed = MadePhotos.webp([canvas, ("EXIF", MadePhotos.bytes("Exif\0\0") + Self.exif.block)])
        try expectClean(prefixed, [.exif])
        try expectClean(
            MadePhotos.webp([canvas, ("C2PA", MadePhotos.bytes("Zzyzx"))]) + [1, 2, 3], [.unknown, .trailer])
    }

    @Test("HEIC and AVIF: EXIF where it lies, lengths unchanged", arguments: ["heic", "avif"])
    func heif(brand: String) throws {
        for photo in [
            MadePhotos.heif(brand: brand, exif: Self.exif),
            MadePhotos.heif(brand: brand, exif: Self.exif, inItemData: true),
            MadePhotos.heif(brand: brand, exif: Self.exif, irot: 3, metaLast: true),
        ] {
            try expectClean(photo, [.exif])
            #expect(try strip(photo).bytes.count == photo.count)
        }
        let video = MadePhotos.box("mpvd", MadePhotos.movie(creationDate: nil, position: "+48.8584+002.2945/"))
        let result = try strip(MadePhotos.heif(brand: brand) + video)
        #expect(result.removed == [.unknown])
        let free = MadePhotos.box("free", [UInt8](repeating: 0, count: video.count - 8))
        #expect(result.bytes == MadePhotos.heif(brand: brand) + free)
    }

    // MARK: Refusals

    @Test("a photo without a location is not touched")
    func untouched() throws {
        for photo in [
            MadePhotos.jpeg(.taken("2021:06:15 14:30:05")),
            MadePhotos.png([("eXIf", MadePhotos.EXIF.taken("2021:06:15 14:30:05").block)]),
            MadePhotos.heif(exif: .taken("2021:06:15 14:30:05")),
        ] {
            #expect(try strip(photo) == .init(bytes: photo, removed: []))
        }
    }

    @Test("what cannot be sure to be clean is refused")
    func refusals() throws {
        func error(_ bytes: [UInt8]) -> LocationError? {
            do throws(LocationError) {
                _ = try LocationStripper.strip(bytes)
                return nil
            } catch { return error }
        }
        #expect(error(MadePhotos.gif) == .notSupported(.gif))
        #expect(error(MadePhotos.tiff(Self.exif)) == .notSupported(.tiff))
        #expect(error(MadePhotos.bytes("hello")) == .notSupported(nil))
        #expect(error([]) == .notSupported(nil))
        let utf16 = Self.xmp.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let wide = MadePhotos.segment(0xe1, MadePhotos.bytes("http://ns.adobe.com/xap/1.0/\0") + utf16)
        #expect(error(MadePhotos.jpeg([wide])) == .uncertain("XMP that is not UTF-8"))
        #expect(error(MadePhotos.jpeg([MadePhotos.app1(xmp: "<!DOCTYPE x><x/>")]))?.code == "location_uncertain")
        #expect(error(MadePhotos.jpeg([MadePhotos.app1(xmp: "<a><b></a></b>")]))?.code == "location_uncertain")
        #expect(error(Array(MadePhotos.jpeg(Self.exif).prefix(60)))?.code == "location_uncertain")
        #expect(
            error(MadePhotos.jpeg([MadePhotos.segment(0xe1, MadePhotos.bytes("Exif\0\0XX"))]))?.code
                == "location_uncertain")
    }

    @Test("what was stripped can be stripped again, though the length in front of a HEIF's block lies")
    func twice() throws {
        var photo = MadePhotos.heif(brand: "avif", exif: Self.exif, inItemData: true)
        let data = try #require(photo.firstRange(of: MadePhotos.bytes("idat"))).upperBound
        photo.replaceSubrange(data..<(data + 4), with: MadePhotos.be32(0x49))
        // A directory that cannot be read empties the block behind the length.
        for damage in (data + 4)..<photo.count {
            var photo = photo
            photo[damage] ^= 0xff
            try expectSettled(photo)
        }
    }

    @Test("a directory that overlaps others is taken out for good, wherever it lies")
    func overlaps() throws {
        let photo = MadePhotos.jpeg(Self.exif)
        let pointer = try #require(photo.firstRange(of: [0x69, 0x87, 4, 0, 1, 0, 0, 0])).upperBound
        for place in 0..<400 {
            var photo = photo
            photo.replaceSubrange(pointer..<(pointer + 4), with: MadePhotos.le32(place))
            try expectSettled(photo)
        }
    }

    /// The photo is refused, or what comes of it has nothing left to be taken out.
    func expectSettled(_ photo: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard let once = try? strip(photo) else { return }
        #expect(try strip(once.bytes) == .init(bytes: once.bytes, removed: []), sourceLocation: sourceLocation)
    }

    @Test("four thousand lying files are refused or have no location any more")
    func mutations() throws {
        var random = SeededNumbers(seed: 11)
        let text = MadePhotos.bytes("XML:com.adobe.xmp\0")
        let seeds = [
            MadePhotos.jpeg([
                MadePhotos.app1(Self.exif), MadePhotos.app1(xmp: Self.xmp),
                MadePhotos.segment(0xed, MadePhotos.bytes("Photoshop 3.0\0") + Self.photoshop),
            ]),
            MadePhotos.png([
                ("eXIf", Self.exif.block), ("iTXt", text + [0, 0, 0, 0] + Array(Self.xmp.utf8)),
                ("iTXt", text + [1, 0, 0, 0] + stored(Array(Self.xmp.utf8))),
            ]),
            MadePhotos.webp([("EXIF", Self.exif.block), ("XMP ", Array(Self.xmp.utf8))]),
            MadePhotos.heif(exif: Self.exif), MadePhotos.heif(brand: "avif", exif: Self.exif, inItemData: true),
        ]
        var clean = 0
        for round in 0..<4000 {
            let bytes = HostileBytesTests.mutated(seeds[round % seeds.count], &random)
            guard let result = try? LocationStripper.strip(bytes) else { continue }
            clean += 1
            #expect(reading(result.bytes).place == nil)
            #expect(result.bytes.count <= bytes.count + 64)
            try expectSettled(bytes)
        }
        #expect(clean > 1000)
    }
}
