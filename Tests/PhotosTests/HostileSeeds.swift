extension MadePhotos {
    /// One of each kind, with all that a reader looks at.
    static var ofEachKind: [[UInt8]] {
        var exif = EXIF.taken("2021:06:15 14:30:05", offset: "+02:00", fraction: "05")
        exif.gps = [
            (1, .text("N")), (2, .fractions([(47, 1), (30, 1), (1234, 100)])), (3, .text("E")),
            (4, .fractions([(19, 1), (2, 1), (5678, 100)])), (5, .byte(0)), (6, .fractions([(1234, 10)])),
            (7, .fractions([(12, 1), (30, 1), (5, 1)])), (0x1d, .text("2021:06:15")),
        ]
        exif.thumbnail = [0xff, 0xd8, 0xff, 0xd9]
        let maker =
            bytes("Apple iOS\0\0\u{1}MM") + be16(1) + be16(0x11) + be16(2)
            + be32(4) + bytes("abc\0") + be32(0)
        exif.exif.append((0x927c, .raw(type: 7, count: maker.count, maker)))
        let xmp = xmp(
            #"exif:GPSLatitude="33,51.59S" exif:GPSLongitude="151,12,30E" a:CreateDate="2018-03-04T05:06:07.25+09:00""#,
            "<dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>")
        let caption: [UInt8] = [0x1c, 2, 120, 0, 3] + bytes("cap")
        let photoshop =
            bytes("Photoshop 3.0\08BIM") + be16(0x404) + [0, 0] + be32(caption.count)
        let profile = bytes("Raw profile type exif\0\nexif\n 8\n4d4d002a00000008\n")
        let canon = box("CMT1", tiff(exif)) + box("CMT2", exif.block)
        let identifier = be32(0x85c0_b687) + [UInt8](repeating: 1, count: 12)
        var raf = bytes("FUJIFILMCCD-RAW ") + [UInt8](repeating: 0, count: 92)
        let inner = jpeg(exif)
        raf.replaceSubrange(84..<92, with: be32(108) + be32(inner.count))
        raf.replaceSubrange(92..<100, with: be32(108 + inner.count) + be32(12))
        raf +=
            inner + be32(1) + be16(0x111) + be16(4) + be16(64)
            + be16(96)
        return [
            jpeg([
                app1(exif), app1(xmp: xmp), segment(0xed, photoshop + caption),
            ]),
            png([
                ("eXIf", exif.block), ("tEXt", profile), ("tIME", be16(2020) + [5, 6, 7, 8, 9]),
                ("iTXt", bytes("XML:com.adobe.xmp\0\0\0\0\0" + xmp)),
                ("zTXt", bytes("Description\0\0") + [0x78, 0x01, 0x01, 5, 0, 0xfa, 0xff, 1, 2, 3, 4, 5]),
            ]),
            webp([
                ("VP8X", [8, 0, 0, 0, 95, 0, 0, 63, 0, 0]), ("VP8L", [0x2f, 1, 2, 3, 4]), ("EXIF", exif.block),
                ("XMP ", bytes(xmp)),
            ]),
            heif(exif: exif, irot: 3, imir: 1), heif(brand: "avif", exif: exif, inItemData: true),
            jxl(exif), tiff(exif), gif,
            bytes("GIF89a") + le16(96) + le16(64) + [0, 0, 0, 0x21, 0xff, 11]
                + bytes("XMP DataXMP" + xmp) + [1, 0xff, 0xfe, 0, 0x3b],
            movie(
                creationDate: "2021-06-15T14:30:05+0200", position: "+48.8584+002.2945+082.090/",
                seconds1904: 3_706_605_005),
            box("ftyp", bytes("crx ") + be32(0))
                + box("moov", box("uuid", identifier + canon)),
            raf, crw(seconds: 1_114_278_876, degrees: 90), crw(seconds: 1_114_278_876, isLittle: false),
            bytes("II") + le16(43) + le16(8) + le16(0) + le32(16)
                + le32(0) + le32(1) + le32(0) + le16(0x100)
                + le16(3)
                + le32(1) + le32(0) + le32(96) + le32(0),
        ]
    }
}
