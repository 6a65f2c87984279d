import Photos
import Testing

/// Words of people, and what machines write where those belong.
struct WordsTests {
    private func description(
        _ text: String? = nil, comment: [UInt8]? = nil, make: String = "Testcam", xmp: String? = nil,
        isLittle: Bool = true
    ) -> String? {
        var exif = MadePhotos.EXIF(image: [(0x10f, .text(make))])
        exif.isLittle = isLittle
        if let text { exif.image.insert((0x10e, .text(text)), at: 0) }
        if let comment { exif.exif.append((0x9286, .raw(type: 7, count: comment.count, comment))) }
        let packet = xmp.map {
            MadePhotos.xmp(
                "", "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>\($0)</rdf:li></rdf:Alt></dc:description>")
        }
        let segments = [MadePhotos.app1(exif)] + [packet].compactMap { $0.map { MadePhotos.app1(xmp: $0) } }
        return PhotoReader().read(MadePhotos.jpeg(segments), name: "", modified: 0).description
    }

    private func ascii(_ text: String) -> [UInt8] { MadePhotos.bytes("ASCII\0\0\0" + text) }

    @Test(
        "what a machine writes is no description, however it is spelled",
        arguments: [
            "OLYMPUS DIGITAL CAMERA", "KODAK Digital Still Camera", "DCIM\\100MEDIA\\DJI_0001.JPG", "dcim\\100gopro",
            "SONY DSC", "SAMSUNG", "SAMSUNG CAMERA PICTURES", "My beautiful picture", "Exif_JPEG_PICTURE", "HELLOMOTO",
            "default", "Screenshot", "oplus_8388608", "oplus_-1", "OPPO_32", "mmexport1714529472000",
        ])
    func machines(text: String) {
        #expect(description(text) == nil)
        #expect(description(comment: ascii(text)) == nil)
        #expect(description(xmp: text) == nil)
    }

    @Test(
        "what a person may write is one",
        arguments: [
            "My first digital camera", "Samsung Street", "A screenshot", "oplus_", "oplus_1 and more", "cof", "nor",
            "Default settings",
        ])
    func people(text: String) { #expect(description(text) == text) }

    @Test("a maker's own name before it makes a digital camera no caption")
    func makers() {
        #expect(description("Minolta Digital Camera", make: "Minolta Co., Ltd.") == nil)
        #expect(description("Grandma's digital camera", make: "Minolta Co., Ltd.") == "Grandma's digital camera")
    }

    @Test("codes of Huawei's cameras are none of a person's words where such a camera took the photo")
    func huawei() {
        for code in [
            "cof", "cof_vivid", "_cuva", "hdr", "rbt", "ptr", "edf", "mde", "vsl", "nor", "oznor", "oznorCO", "sdr",
            "dav",
        ] {
            #expect(description(code, make: "HUAWEI") == nil, "\(code)")
            #expect(description(code, make: "HONOR") == nil, "\(code)")
        }
        for text in ["Normandy", "hdr of the lake", "ozone", "beach"] {
            #expect(description(text, make: "HUAWEI") == text)
        }
    }

    @Test("behind what a machine wrote, the next place is looked into")
    func next() {
        #expect(description("By the sea", xmp: "OLYMPUS DIGITAL CAMERA") == "By the sea")
        #expect(description("SAMSUNG", comment: ascii("By the sea"), xmp: "Samsung") == "By the sea")
        #expect(description("By the sea", xmp: "By the lake") == "By the lake")
    }

    // exiftool 12.57 reads the same from these.

    @Test("a comment loses its first eight bytes only where they name an encoding")
    func commentPrefix() {
        #expect(description(comment: ascii("By the sea")) == "By the sea")
        #expect(description(comment: MadePhotos.bytes("ASCII   By the sea")) == "By the sea")
        #expect(description(comment: [UInt8](repeating: 0, count: 8) + MadePhotos.bytes("By the sea")) == "By the sea")
        #expect(description(comment: [UInt8](repeating: 32, count: 8) + MadePhotos.bytes("By the sea")) == "By the sea")
        #expect(description(comment: MadePhotos.bytes("By the sea at dawn")) == "By the sea at dawn")
        #expect(description(comment: MadePhotos.bytes("ASCII art by the sea")) == "ASCII art by the sea")
        #expect(description(comment: MadePhotos.bytes("Dawn")) == "Dawn")
    }

    @Test("a comment in JIS is left out, and one that is no UTF-16 though its prefix says Unicode is read as text")
    func oddComments() {
        #expect(description(comment: MadePhotos.bytes("JIS\0\0\0\0\0$\"")) == nil)
        #expect(description(comment: MadePhotos.bytes("Unicode\0By the sea")) == "By the sea")
    }

    @Test("a comment of two-byte characters is read in the order that it was written in", arguments: [true, false])
    func commentOrder(isLittle: Bool) {
        let code = MadePhotos.bytes("UNICODE\0")
        for text in ["By the sea", "海辺の朝", "Füße"] {
            let big = text.utf16.flatMap { MadePhotos.be16(Int($0)) }
            let little = text.utf16.flatMap { MadePhotos.le16(Int($0)) }
            for comment in [big, little, [0xfe, 0xff] + big, [0xff, 0xfe] + little]
            where text != "海辺の朝" || comment.first ?? 0 > 0xfd {
                #expect(description(comment: code + comment, isLittle: isLittle) == text, "\(comment)")
            }
        }
    }

    @Test("text that is no UTF-8 is Windows-1252")
    func windows() {
        var exif = MadePhotos.EXIF()
        let text: [UInt8] = [0x93, 0x46, 0xfc, 0xdf, 0x65, 0x94, 0x20, 0x96, 0x20, 0x80, 0x35, 0]
        exif.image = [(0x10e, .raw(type: 2, count: text.count, text))]
        let reading = PhotoReader().read(MadePhotos.jpeg(exif), name: "", modified: 0)
        #expect(reading.description == "“Füße” – €5")
        exif.image = [(0x10e, .raw(type: 2, count: 4, [0x61, 0x81, 0x62, 0]))]
        #expect(PhotoReader().read(MadePhotos.jpeg(exif), name: "", modified: 0).description == "a\u{fffd}b")
    }
}
