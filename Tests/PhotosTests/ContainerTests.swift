import Notes
import Photos
import System
import Testing

/// Every container gives up its metadata, size and turn. Expected values are those that went in.
struct ContainerTests {
    private let taken = MadePhotos.EXIF.taken("2021:06:15 14:30:05", offset: "+02:00", fraction: "05")

    private func read(_ bytes: [UInt8], name: String = "photo") -> PhotoReading {
        PhotoReader().read(bytes, name: name, modified: 0)
    }

    private func expectTaken(
        _ reading: PhotoReading, _ format: PhotoFormat, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reading.error == nil, sourceLocation: sourceLocation)
        #expect(reading.format == format, sourceLocation: sourceLocation)
        #expect(reading.pixels == PixelSize(width: 96, height: 64), sourceLocation: sourceLocation)
        #expect(reading.captured?.description == "2021-06-15T14:30:05", sourceLocation: sourceLocation)
        #expect(reading.capturedFrom == "EXIF DateTimeOriginal", sourceLocation: sourceLocation)
        #expect(reading.offset == 7200, sourceLocation: sourceLocation)
        #expect(reading.subsec == "05", sourceLocation: sourceLocation)
        #expect(reading.make == "Testcam", sourceLocation: sourceLocation)
    }

    @Test("each kind of container gives the EXIF block in it", arguments: [true, false])
    func everyContainer(isLittle: Bool) {
        var exif = taken
        exif.isLittle = isLittle
        let prefixed = MadePhotos.bytes("Exif\0\0") + exif.block
        let canvas: (String, [UInt8]) = ("VP8X", [8, 0, 0, 0, 95, 0, 0, 63, 0, 0])
        expectTaken(read(MadePhotos.jpeg(exif)), .jpeg)
        expectTaken(read(MadePhotos.png([("eXIf", exif.block)])), .png)
        expectTaken(read(MadePhotos.webp([canvas, ("EXIF", exif.block)])), .webp)
        expectTaken(read(MadePhotos.webp([canvas, ("EXIF", prefixed)])), .webp)
        expectTaken(read(MadePhotos.heif(exif: exif)), .heic)
        expectTaken(read(MadePhotos.heif(brand: "avif", exif: exif)), .avif)
        expectTaken(read(MadePhotos.heif(exif: exif, inItemData: true)), .heic)
        expectTaken(read(MadePhotos.heif(exif: exif, metaLast: true)), .heic)
        expectTaken(read(MadePhotos.jxl(exif)), .jxl)
        expectTaken(read(MadePhotos.tiff(exif)), .tiff)
    }

    @Test("a TIFF whose directories lie past 64 KiB is read as well")
    func farDirectories() {
        var exif = taken
        exif.gap = 200_000
        expectTaken(read(MadePhotos.tiff(exif)), .tiff)
    }

    @Test("a file is read from disk as it is from memory")
    func fromDisk() throws {
        let path = FilePath("/tmp/evergear-container-\(UInt64.random(in: 0 ... .max)).jpg")
        let file = try FileDescriptor.create(path)
        defer { try? Files.remove(path) }
        // Padding pushes the frame header out of the first window.
        let padding = MadePhotos.segment(0xe2, [UInt8](repeating: 7, count: 60_000))
        try file.write(MadePhotos.jpeg([MadePhotos.app1(taken), padding, padding, padding]))
        expectTaken(try PhotoReader().read(path), .jpeg)
    }

    @Test("EXIF is found behind any other segment, and the first of two counts")
    func segmentOrder() {
        var other = MadePhotos.EXIF.taken("2001:01:01 01:01:01")
        other.image = [(0x10f, .text("Second"))]
        let segments = [
            MadePhotos.segment(0xe0, MadePhotos.bytes("JFIF\0")), MadePhotos.segment(0xe7, [1, 2, 3]),
            MadePhotos.app1(xmp: MadePhotos.xmp(#"a:CreateDate="1999-01-01T00:00:00""#)), MadePhotos.app1(taken),
            MadePhotos.app1(other),
        ]
        expectTaken(read(MadePhotos.jpeg(segments)), .jpeg)
    }

    @Test("a JPEG cut inside its EXIF block is truncated, and half a block says nothing")
    func cutInside() {
        let whole = MadePhotos.jpeg(taken)
        let reading = read(Array(whole.prefix(60)))
        #expect(reading.error == .truncated)
        #expect(reading.format == .jpeg)
        #expect(reading.captured == nil)
        #expect(reading.make == nil)
    }

    @Test("what is empty or no photo says so with a stable code")
    func noPhoto() {
        #expect(read([]).error?.code == "empty")
        #expect(read(MadePhotos.bytes("just some words")).error?.code == "not_a_photo")
        #expect(read([0xff, 0xd8, 0xff, 0xd9]).error?.code == "damaged")
        #expect(read([0xff, 0xd8, 0xff, 0xe1, 0, 50]).error?.code == "truncated")
        #expect(throws: PhotoError.empty) {
            try read([]).photo(
                blob: BlobKey(md5: try #require(MD5(hex: String(repeating: "0", count: 32))), size: 0), name: "")
        }
    }

    @Test("HEIF: of several packets of XMP, the primary picture's own counts, then one that describes none")
    func xmpOfPictures() {
        func packet(_ year: Int) -> String { MadePhotos.xmp("a:CreateDate=\"\(year)-03-04T05:06:07\"") }
        for (packets, year) in [
            ([(packet(2001), 7), (packet(2002), 1), (packet(2003), nil)], 2002),
            ([(packet(2001), 7), (packet(2003), nil)], 2003),
            ([(packet(2001), 7)], 2001),
        ] as [([(text: String, describes: Int?)], Int)] {
            #expect(read(MadePhotos.heif(xmp: packets)).captured?.year == year)
        }
    }

    @Test("HEIF is turned by irot and imir alone, whatever EXIF says")
    func turns() {
        var exif = taken
        exif.image[2] = (0x112, .short(6))
        let plain = read(MadePhotos.heif(exif: exif))
        #expect(plain.orientation == 6)
        #expect(plain.turn == 1)
        #expect(plain.warnings == [.orientationWithoutTurn])
        #expect(plain.displaySize == PixelSize(width: 96, height: 64))
        // irot counts quarters anticlockwise: three of them are EXIF's 6, one is 8.
        #expect(read(MadePhotos.heif(exif: exif, irot: 3)).turn == 6)
        #expect(read(MadePhotos.heif(exif: exif, irot: 3)).displaySize == PixelSize(width: 64, height: 96))
        #expect(read(MadePhotos.heif(irot: 1)).turn == 8)
        #expect(read(MadePhotos.heif(irot: 2)).turn == 3)
        #expect(read(MadePhotos.heif(imir: 1)).turn == 2)
        #expect(read(MadePhotos.heif(imir: 0)).turn == 4)
        // Turned a quarter clockwise, then mirrored left to right: EXIF's 5.
        #expect(read(MadePhotos.heif(irot: 3, imir: 1)).turn == 5)
    }

    @Test("CRW: size, time, names and turn out of heaps in heaps", arguments: [true, false])
    func crw(isLittle: Bool) {
        let reading = read(MadePhotos.crw(seconds: 1_114_278_876, degrees: 270, isLittle: isLittle))
        #expect(reading.format == .crw && reading.error == nil)
        #expect(reading.captured?.description == "2005-04-23T17:54:36" && reading.offset == nil)
        #expect(reading.capturedFrom == "CanonRaw DateTimeOriginal")
        #expect([reading.make, reading.model] == ["Canon", "Canon TC-1"])
        #expect(reading.pixels == PixelSize(width: 96, height: 64) && reading.turn == 8)
        // A heap that points far outside ends the walk.
        var lying = MadePhotos.crw(seconds: 1, isLittle: isLittle)
        lying.replaceSubrange((lying.count - 4)..., with: [0xff, 0xff, 0xff, 0xff])
        #expect(read(lying).error == .damaged)
    }

    @Test("orientations 5 to 8 swap the sides of a JPEG, 0 and 9 count as 1")
    func orientation() {
        for (value, turn) in [(1, 1), (4, 4), (5, 5), (8, 8), (0, 1), (9, 1)] {
            var exif = taken
            exif.image[2] = (0x112, .short(value))
            let reading = read(MadePhotos.jpeg(exif))
            #expect(reading.orientation == value)
            #expect(reading.turn == turn)
            #expect(reading.displaySize?.width == (turn >= 5 ? 64 : 96))
            #expect(reading.warnings.contains(.orientationNotAllowed) == !(1...8).contains(value))
        }
    }

    @Test("a PNG's date is EXIF's, else XMP's, else its text, else its last change in UTC")
    func pngDates() {
        let change: (String, [UInt8]) = ("tIME", MadePhotos.be16(2020) + [5, 6, 7, 8, 9])
        let text: (String, [UInt8]) = ("tEXt", MadePhotos.bytes("Creation Time\0" + "2024:01:16 21:15:29"))
        let xmp: (String, [UInt8]) = (
            "iTXt",
            MadePhotos.bytes(
                "XML:com.adobe.xmp\0\0\0\0\0" + MadePhotos.xmp(#"a:CreateDate="2018-03-04T05:06:07.25+09:00""#))
        )
        let onlyChange = read(MadePhotos.png([change]))
        #expect(onlyChange.captured?.description == "2020-05-06T07:08:09")
        #expect(onlyChange.capturedFrom == "PNG ModifyDate")
        #expect(onlyChange.offset == 0)
        #expect(onlyChange.warnings == [.pngTimeIsLastChange])
        #expect(read(MadePhotos.png([change, text])).capturedFrom == "PNG CreationTime")
        let withXMP = read(MadePhotos.png([change, text, xmp]))
        #expect(withXMP.capturedFrom == "XMP CreateDate")
        #expect(withXMP.offset == 9 * 3600)
        #expect(withXMP.subsec == "25")
        expectTaken(read(MadePhotos.png([change, text, xmp, ("eXIf", taken.block)])), .png)
    }

    @Test(
        "a PNG's creation time is read in the form of RFC 1123 too",
        arguments: [
            ("Tue, 16 Jan 2024 21:15:29 +0100", 3600), ("16 January 2024 21:15:29 GMT", 0),
            ("Tue, 16 Jan 2024 21:15:29 PST", -28_800), ("Tue, 16 Jan 2024 21:15:29", nil),
        ])
    func internetDates(text: String, offset: Int?) {
        let reading = read(MadePhotos.png([("tEXt", MadePhotos.bytes("Creation Time\0" + text))]))
        #expect(reading.captured?.description == "2024-01-16T21:15:29")
        #expect(reading.offset == offset)
        let wrong = read(MadePhotos.png([("tEXt", MadePhotos.bytes("Creation Time\0Tue, 31 Feb 2024 21:15:29 XYZ"))]))
        #expect(wrong.captured == nil)
    }

    @Test("an old raw profile in hexadecimal is EXIF too")
    func rawProfile() {
        let block = MadePhotos.bytes("Exif\0\0") + taken.block
        let lines = "\nexif\n    \(block.count)\n" + MD5.hex(block) + "\n"
        expectTaken(read(MadePhotos.png([("tEXt", MadePhotos.bytes("Raw profile type exif\0" + lines))])), .png)
    }

    @Test("a deflated text that claims more than it may is passed over")
    func deflatedText() {
        // zlib's own stored form: header, one block of five bytes, checksum.
        let stored: [UInt8] =
            [0x78, 0x01, 0x01, 5, 0, 0xfa, 0xff] + MadePhotos.bytes("hello") + [0x06, 0x2c, 0x02, 0x15]
        let made = read(MadePhotos.png([("zTXt", MadePhotos.bytes("Description\0\0") + stored)]))
        #expect(made.description == "hello")
        let broken = read(MadePhotos.png([("zTXt", MadePhotos.bytes("Description\0\0") + stored.dropLast(6))]))
        #expect(broken.description == nil)
        #expect(broken.error == nil)
    }

    @Test("a GIF keeps XMP bare between its blocks")
    func gifXMP() {
        let packet = MadePhotos.xmp(#"a:CreateDate="2018-03-04T05:06:07""#)
        let trailer: [UInt8] = [1] + (0...255).reversed().map { UInt8($0) } + [0]
        let control: [UInt8] = [0x21, 0xf9, 4, 5, 0, 0, 0, 0]
        let extended = control + [0x21, 0xff, 11] + MadePhotos.bytes("XMP DataXMP" + packet) + trailer
        let reading = read(MadePhotos.gif.dropLast() + extended + [0x3b])
        #expect(reading.captured?.description == "2018-03-04T05:06:07")
        #expect(reading.capturedFrom == "XMP CreateDate")
    }

    @Test("a video says when, where and which way up")
    func video() {
        let made = MadePhotos.movie(
            creationDate: "2021-06-15T14:30:05+0200", position: "+48.8584+002.2945+082.090/", seconds1904: 3_706_605_005
        )
        let reading = read(made)
        #expect(reading.format == .mov)
        #expect(reading.mime == "video/quicktime")
        #expect(reading.capturedFrom == "QuickTime Keys CreationDate")
        #expect(reading.captured?.description == "2021-06-15T14:30:05")
        #expect(reading.offset == 7200)
        #expect(reading.latitude == 48.8584)
        #expect(reading.longitude == 2.2945)
        #expect(reading.altitude == 82.09)
        #expect(reading.pixels == PixelSize(width: 1920, height: 1080))
        #expect(reading.displaySize == PixelSize(width: 1080, height: 1920))
        // 3706605005 s after 1904 is 2021-06-15T12:30:05 UTC.
        let bare = read(MadePhotos.movie(creationDate: nil, seconds1904: 3_706_605_005))
        #expect(bare.captured?.description == "2021-06-15T12:30:05")
        #expect(bare.offset == 0)
    }

    @Test("the type is told by content, and an extension that says another is noted")
    func misnamed() {
        #expect(PhotoFormat.detect(MadePhotos.gif) == .gif)
        #expect(PhotoFormat.detect(MadePhotos.bytes("%PDF-1.4 of no use")) == nil)
        #expect(read(MadePhotos.png([]), name: "a.jpg").warnings == [.misnamed])
        #expect(read(MadePhotos.png([]), name: "a.PNG").warnings == [])
        #expect(read(MadePhotos.gif).pixels == PixelSize(width: 96, height: 64))
    }
}
