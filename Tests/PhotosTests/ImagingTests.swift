import Notes
import System
import Testing

@testable import Photos

private let red: [UInt8] = [200, 40, 40]
private let green: [UInt8] = [40, 180, 60]
private let blue: [UInt8] = [40, 60, 200]
private let sand: [UInt8] = [220, 200, 150]
private let fields = [red, green, blue, sand]

@Suite("evergear-imaging")
struct ImagingTests {
    private let client = ImagingClient(workers: 1)

    private func thumbnail(_ path: FilePath, _ mime: String, turn: Int = 1, side: Int = 24) throws -> RenderedImage {
        try client.render(path, as: .thumbnail(mime: mime, turn: turn, shortSide: side))
    }

    /// Upright, left and right on top, left and right below, for each orientation (CIPA DC-008, 4.6.4, tag 0x0112).
    static let turns: [(Int, [[UInt8]])] = [
        (1, [red, green, blue, sand]), (2, [green, red, sand, blue]), (3, [sand, blue, green, red]),
        (4, [blue, sand, red, green]), (5, [red, blue, green, sand]), (6, [blue, red, sand, green]),
        (7, [sand, green, blue, red]), (8, [green, sand, red, blue]),
    ]

    @Test("a photo is turned upright, whatever decodes it", arguments: turns)
    func upright(turn: Int, expected: [[UInt8]]) throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields)
        let jpeg = try workshop.vips("copy", png, "fields.jpg[Q=95,strip]")
        for (path, mime) in [(png, "image/png"), (jpeg, "image/jpeg")] {
            let image = try thumbnail(path, mime, turn: turn)
            #expect(image.pixels == (turn >= 5 ? PixelSize(width: 24, height: 32) : PixelSize(width: 32, height: 24)))
            let picture = try workshop.look(at: image)
            #expect(picture.width == image.pixels.width && picture.height == image.pixels.height)
            for (seen, wanted) in zip(picture.quarters, expected) { #expect(Picture.distance(seen, wanted) < 12) }
        }
    }

    @Test(
        "the short side fits, the long side too, and nothing is made larger",
        arguments: [
            (640, 480, 320, 240), (480, 640, 240, 320), (500, 500, 240, 240), (2000, 250, 720, 90), (100, 80, 100, 80),
            (3000, 3, 720, 1),
        ])
    func thumbnailSize(width: Int, height: Int, wide: Int, high: Int) throws {
        let box = ImageRequest.Box.thumbnail(shortSide: 240, longSide: 720)
        let pixels = try #require(PixelSize(width: width, height: height))
        #expect(box.size(of: pixels) == PixelSize(width: wide, height: high))
        let workshop = try Workshop()
        let png = try workshop.fields(fields, width: width, height: height)
        let jpeg = try workshop.vips("copy", png, "a.jpg")
        for (path, mime) in [(png, "image/png"), (jpeg, "image/jpeg")] {
            #expect(try thumbnail(path, mime, side: 240).pixels == PixelSize(width: wide, height: high))
        }
    }

    @Test(
        "a JPEG whose colours are stored at an uncommon share of the pixels is a picture too",
        arguments: ["4x2,1x1,1x1", "3x1,1x1,1x1", "2x2,2x1,1x1"])
    func uncommonSampling(factors: String) throws {
        let workshop = try Workshop()
        let pixels = try workshop.vips("copy", try workshop.fields(fields), "fields.ppm")
        let jpeg = try workshop.write(
            Workshop.run("/usr/bin/cjpeg", "-quality", "95", "-sample", factors, pixels.description), to: "fields.jpg")
        let picture = try workshop.look(at: try thumbnail(jpeg, "image/jpeg"))
        for (seen, wanted) in zip(picture.quarters, fields) { #expect(Picture.distance(seen, wanted) < 12) }
    }

    @Test("other kinds become JPEG at their own size")
    func otherKinds() throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields)
        for (name, mime) in [("a.tif", "image/tiff"), ("a.webp[Q=95]", "image/webp"), ("a.gif", "image/gif")] {
            let path = try workshop.vips("copy", png, name)
            let image = try client.render(path, as: ImageRequest(mime: mime, box: .original, quality: 90))
            #expect(image.pixels == PixelSize(width: 64, height: 48))
            for (seen, wanted) in zip(try workshop.look(at: image).quarters, fields) {
                #expect(Picture.distance(seen, wanted) < 16)
            }
        }
    }

    @Test("HEIC and AVIF are decoded in the sandbox", arguments: [("hevc", "image/heic"), ("av1", "image/avif")])
    func heif(compression: String, mime: String) throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields, width: 256, height: 128)
        // Not every libheif can write both.
        guard let path = try? workshop.vips("heifsave", png, "a.heic", "--compression", compression) else { return }
        let image = try thumbnail(path, mime)
        #expect(image.pixels == PixelSize(width: 48, height: 24))
        for (seen, wanted) in zip(try workshop.look(at: image).quarters, fields) {
            #expect(Picture.distance(seen, wanted) < 16)
        }
    }

    @Test("an embedded profile is applied: a photo in Display P3 shows the colours it was made of")
    func displayP3() throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields)
        let wide = try workshop.vips("icc_transform", png, "p3.jpg[Q=98]", "p3", "--input-profile", "srgb")
        // The numbers in the file differ from the colours they stand for: else this would show nothing.
        let plain = try workshop.vips("copy", wide, "plain.jpg[Q=98,strip]")
        let untouched = try workshop.look(at: thumbnail(plain, "image/jpeg"))
        #expect(zip(untouched.quarters, fields).contains { Picture.distance($0, $1) > 20 })
        for side in [24, 48] {
            let image = try workshop.look(at: thumbnail(wide, "image/jpeg", side: side))
            for (seen, wanted) in zip(image.quarters, fields) { #expect(Picture.distance(seen, wanted) < 10) }
        }
    }

    @Test("four inks, grey, 16 bits and transparency all end as plain JPEG")
    func colours() throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields)
        let inks = try workshop.vips("icc_transform", png, "inks.jpg", "cmyk", "--input-profile", "srgb")
        for (seen, wanted) in zip(try workshop.look(at: thumbnail(inks, "image/jpeg")).quarters, fields) {
            #expect(Picture.distance(seen, wanted) < 60)
        }
        let grey = try workshop.vips("colourspace", png, "grey.jpg", "b-w")
        for seen in try workshop.look(at: thumbnail(grey, "image/jpeg")).quarters {
            #expect(seen[0] == seen[1] && seen[1] == seen[2])
        }
        let deep = try workshop.fields(fields, depth: 16)
        for (seen, wanted) in zip(try workshop.look(at: thumbnail(deep, "image/png")).quarters, fields) {
            #expect(Picture.distance(seen, wanted) < 12)
        }
        let clear = try workshop.fields([red + [0], green + [255], blue + [0], sand + [255]])
        let seen = try workshop.look(at: thumbnail(clear, "image/png")).quarters
        for (seen, wanted) in zip(seen, [[255, 255, 255], green, [255, 255, 255], sand]) {
            #expect(Picture.distance(seen, wanted) < 12)
        }
    }

    @Test("no metadata comes along")
    func stripped() throws {
        let workshop = try Workshop()
        let png = try workshop.fields(fields)
        let wide = try workshop.vips("icc_transform", png, "p3.jpg", "p3", "--input-profile", "srgb")
        let image = try thumbnail(wide, "image/jpeg")
        let marks = image.jpeg.indices.dropLast().filter { image.jpeg[$0] == 0xff }.map { image.jpeg[$0 + 1] }
        // APP0 is JFIF's own; APP1 to APP15 and comments would carry something.
        #expect(marks.contains(0xd8) && !marks.contains { (0xe1...0xef).contains($0) || $0 == 0xfe })
    }

    @Test("a JPEG that was cut off gives the part that is there, and says so")
    func cutOff() throws {
        let workshop = try Workshop()
        let whole = try Files.read(
            workshop.vips("copy", workshop.fields(fields, width: 640, height: 480), "a.jpg[Q=95]"), limit: 1 << 20)
        let half = try workshop.write(Array(whole.prefix(whole.count * 2 / 3)), to: "half.jpg")
        let image = try thumbnail(half, "image/jpeg")
        #expect(image.isDamaged)
        #expect(Picture.distance(try workshop.look(at: image).quarters[0], red) < 12)
        let scan = try #require(whole.indices.dropLast().first { whole[$0] == 0xff && whole[$0 + 1] == 0xda })
        for length in [0, 2, 20, scan, scan + 14] {
            let stump = try workshop.write(Array(whole.prefix(length)), to: "stump-\(length).jpg")
            #expect(throws: ImagingError.self) { try thumbnail(stump, "image/jpeg") }
        }
        #expect(try thumbnail(half, "image/jpeg").isDamaged, "the decoder is as good as before")
    }

    @Test("what is no photo is refused with the decoder's reason")
    func noPhoto() throws {
        let workshop = try Workshop()
        let text = try workshop.write(Array("not a photo\n".utf8), to: "text.jpg")
        #expect {
            try thumbnail(text, "image/jpeg")
        } throws: { error in
            guard case .undecodable(let words)? = error as? ImagingError else { return false }
            return !words.isEmpty
        }
        #expect(throws: ImagingError.unsupported(mime: "video/mp4")) { try thumbnail(text, "video/mp4") }
        #expect {
            try thumbnail(workshop.folder, "image/jpeg")
        } throws: { error in
            guard case .unreadable(let system)? = error as? ImagingError else { return false }
            return system.reason == "Is a directory"
        }
    }

    @Test("a small file that claims to hold a million times its size is refused by its header")
    func bomb() throws {
        let workshop = try Workshop()
        var png = Workshop.png(width: 1, height: 1, channels: 3) { _, _ in [0, 0, 0] }
        let head: [UInt8] = [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0]  // 30,000 × 30,000
        png.replaceSubrange(8..<33, with: Workshop.chunk("IHDR", head))
        let first = try workshop.write(png, to: "bomb.png")
        let size = try #require(PixelSize(width: 30_000, height: 30_000))
        #expect(throws: ImagingError.tooManyPixels(size)) { try thumbnail(first, "image/png") }

        var jpeg = try Files.read(workshop.vips("copy", workshop.fields(fields), "a.jpg"), limit: 1 << 20)
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xff && jpeg[$0 + 1] == 0xc0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x75, 0x30, 0x75, 0x30])
        let second = try workshop.write(jpeg, to: "bomb.jpg")
        #expect(throws: ImagingError.tooManyPixels(size)) { try thumbnail(second, "image/jpeg") }
    }

    @Test("a process under its limits opens no file and no socket, starts no program and signals nobody")
    func sandbox() throws {
        let lines = try client.probe().split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(
            lines.map { $0[0] } == [
                "open", "create", "unlink", "stat", "socket", "socketpair", "execute-memory", "signal-parent", "trace",
                "fork", "execute",
            ])
        for line in lines { #expect(line[1] == "1", "\(line[0]): EPERM is 1") }
    }
}
