import Photos
import Testing

/// Locations in what lies deeper in a photo: its thumbnails, its comments, long records, and other vocabularies.
extension LocationStripperTests {
    @Test("JPEG: a comment, which may say anything, is emptied")
    func comment() throws {
        let photo = MadePhotos.jpeg([MadePhotos.segment(0xfe, MadePhotos.bytes("Zzyzx"))])
        try expectClean(photo, [.text])
        #expect(try strip(photo).bytes == MadePhotos.jpeg([MadePhotos.segment(0xfe, [0, 0, 0, 0, 0])]))
    }

    @Test("JPEG: a thumbnail loses its own location and stays, wherever it lies")
    func thumbnails() throws {
        var inner = Self.exif
        inner.thumbnail = []
        let small = MadePhotos.jpeg(inner)
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.thumbnail = small
        let left = try strip(small).bytes
        func expectStripped(_ photo: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
            let result = try strip(photo)
            #expect(result.removed == [.exif] && result.bytes.count == photo.count, sourceLocation: sourceLocation)
            #expect(result.bytes.firstRange(of: left) != nil, "as by itself", sourceLocation: sourceLocation)
            try expectSettled(photo)
        }
        try expectStripped(MadePhotos.jpeg(exif))
        // The link as a SHORT, as some software has it.
        var short = exif
        short.isLittle = false
        var made = MadePhotos.jpeg(short)
        let link = try #require(made.firstRange(of: [2, 1, 0, 4, 0, 0, 0, 1])).lowerBound
        let start = Int(made[link + 10]) << 8 | Int(made[link + 11])
        made.replaceSubrange((link + 2)..<(link + 12), with: [0, 3, 0, 0, 0, 1] + MadePhotos.be16(start) + [0, 0])
        try expectStripped(made)

        let extension10 = MadePhotos.segment(0xe0, MadePhotos.bytes("JFXX\0\u{10}") + small)
        try expectStripped(MadePhotos.jpeg([extension10]))
        let picture = [UInt8](repeating: 0, count: 28) + small
        let resource =
            MadePhotos.bytes("Photoshop 3.0\08BIM") + MadePhotos.be16(0x40c) + [0, 0] + MadePhotos.be32(picture.count)
            + picture + (picture.count % 2 == 1 ? [0] : [])
        try expectStripped(MadePhotos.jpeg([MadePhotos.segment(0xed, resource)]))
    }

    @Test("JPEG: a thumbnail that is no JPEG, that is broken, or that lies in a thumbnail is emptied")
    func uncertainThumbnails() throws {
        var deep = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        deep.thumbnail = MadePhotos.jpeg([MadePhotos.segment(0xe5, MadePhotos.bytes("Zzyzx"))])
        let broken = Array(MadePhotos.jpeg([MadePhotos.segment(0xe1, MadePhotos.bytes("Exif\0\0Zzyzx"))]))
        for thumbnail in [MadePhotos.bytes("II*\0 in Zzyzx"), broken, MadePhotos.jpeg(deep)] {
            var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
            exif.thumbnail = thumbnail
            let photo = MadePhotos.jpeg(exif)
            let result = try strip(photo)
            #expect(result.removed == [.unknown] && result.bytes.count == photo.count)
            #expect(result.bytes.firstRange(of: MadePhotos.bytes("Zzyzx")) == nil)
            #expect(reading(result.bytes).captured != nil)
            try expectSettled(photo)
        }
    }

    @Test("IPTC: what stands behind a field of over 32 KiB goes, since others read on there")
    func extendedIPTC() throws {
        // The length of the length, then the length.
        let caption: [UInt8] = [0x1c, 2, 120, 0x80, 4] + MadePhotos.be32(3) + MadePhotos.bytes("sea")
        let record = [0x1c, 2, 25, 0, 3] + MadePhotos.bytes("sea") + caption + Self.iptc
        let resource =
            MadePhotos.bytes("Photoshop 3.0\08BIM") + MadePhotos.be16(0x404) + [0, 0] + MadePhotos.be32(record.count)
            + record + (record.count % 2 == 1 ? [0] : [])
        let photo = MadePhotos.jpeg([MadePhotos.segment(0xed, resource)])
        try expectClean(photo, [.unknown])
        #expect(reading(try strip(photo).bytes).keywords == ["sea"])
    }

    @Test(
        "XMP: Dublin Core's coverage and W3C's coordinates go",
        arguments: [
            (#"dc:coverage="Zzyzx""#, ""), (#"geo:lat="35.14321" geo:long="-116.1054""#, ""),
            (#"geo:lon='-116.1054'"#, "<geo:lat>35.14321</geo:lat><geo:long>-116.1054</geo:long>"),
            ("", "<dc:coverage><rdf:Bag><rdf:li>Zzyzx</rdf:li></rdf:Bag></dc:coverage>"),
            ("", "<w:Point xmlns:w='http://www.w3.org/2003/01/geo/wgs84_pos#'><w:lat>35.14321</w:lat></w:Point>"),
        ])
    func otherVocabularies(_ attributes: String, _ elements: String) throws {
        let geo = #"xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" a:Rating="5""#
        let xmp = MadePhotos.xmp(geo + " " + attributes, elements + "<dc:format>image/jpeg</dc:format>")
        let photo = MadePhotos.jpeg([MadePhotos.app1(xmp: xmp)])
        try expectClean(photo, [.xmp])
        let text = String(decoding: try strip(photo).bytes, as: UTF8.self)
        #expect(!text.contains("35.14") && !text.contains("116.1") && text.contains("<dc:format>image/jpeg"))
        #expect(reading(try strip(photo).bytes).rating == 5)
    }
}
