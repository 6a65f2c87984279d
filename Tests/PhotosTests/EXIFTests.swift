import FoundationEssentials
import Notes
import Photos
import System
import Testing

/// What EXIF blocks of odd shapes give, and how it is printed.
struct EXIFTests {
    private func read(_ exif: MadePhotos.EXIF) -> PhotoReading {
        PhotoReader().read(MadePhotos.jpeg(exif), name: "photo.jpg", modified: 0)
    }

    @Test("a camera's name ends at its first NUL, loses its padding, and is valid text")
    func cameraNames() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.image[0] = (0x10f, .text("OM Digital Solutions      "))
        exif.image[1] = (0x110, .text("YHDC5170\0rubbish"))
        #expect(read(exif).make == "OM Digital Solutions")
        #expect(read(exif).model == "YHDC5170")
        exif.image[0] = (0x10f, .text("写真機"))
        exif.image[1] = (0x110, .raw(type: 2, count: 6, [0x46, 0x6f, 0x74, 0xf3, 0x21, 0]))  // Fotó! in Latin-1
        #expect(read(exif).make == "写真機")
        #expect(read(exif).model == "Fotó!")
    }

    @Test("the directories are found by links of any type of whole number", arguments: [4, 9, 13])
    func links(type: Int) {
        let degrees = MadePhotos.Value.fractions([(36, 1), (26, 1), (54, 1)])
        var exif = MadePhotos.EXIF.taken("2008:05:08 09:54:28", fraction: "07")
            .place(latitude: ("N", degrees), longitude: ("W", degrees))
        (exif.isLittle, exif.linkType) = (false, type)
        #expect(read(exif).subsec == "07")
        #expect(read(exif).latitude == 36.448333333333333 && read(exif).longitude == -36.448333333333333)
    }

    @Test("a directory that points at itself, or far outside, ends the walk")
    func loops() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.next = 8
        #expect(read(exif).captured != nil)
        exif.next = 0x7fff_ffff
        #expect(read(exif).captured != nil)
        exif.image.append((0x8825, .long(8)))
        #expect(read(exif).captured != nil)
    }

    @Test("a field that claims two gigabytes is left out, the others stay")
    func hugeClaims() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.image[0] = (0x10f, .raw(type: 2, count: 0x7fff_ffff, [0, 0, 0, 8]))
        exif.image[1] = (0x110, .raw(type: 5, count: 0xffff_ffff, [0, 0, 0, 8]))
        let reading = read(exif)
        #expect(reading.make == nil)
        #expect(reading.model == nil)
        #expect(reading.captured != nil)
    }

    @Test("a thumbnail counts where it is a JPEG")
    func thumbnails() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        #expect(!read(exif).hasEmbeddedThumbnail)
        exif.thumbnail = [0xff, 0xd8, 0xff, 0xd9]
        #expect(read(exif).hasEmbeddedThumbnail)
        exif.thumbnail = [1, 2, 3, 4]
        #expect(!read(exif).hasEmbeddedThumbnail)
        #expect(read(exif).warnings == [.thumbnailNotAPicture])
    }

    @Test("words come along, but not those that the camera fills in by itself")
    func words() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.image.append((0x10e, .text("OLYMPUS DIGITAL CAMERA         ")))
        #expect(read(exif).description == nil)
        let comment = MadePhotos.bytes("UNICODE\0") + [0x53, 0x30, 0x93, 0x30]  // こん, little-endian
        exif.exif.append((0x9286, .raw(type: 7, count: comment.count, comment)))
        #expect(read(exif).description == "こん")
        exif.image[3] = (0x10e, .text("On the beach"))
        #expect(read(exif).description == "On the beach")
    }

    @Test("explain's line is JSON with every key in its place")
    func explanation() throws {
        let exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05", offset: "-03:30", fraction: "05")
        let path = FilePath(bytes: [0x61, 0xff, 0x22, 0x0a])
        let line = Explanation(read(exif), path: path, md5: nil).json
        let object = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        #expect(object.path == "a\u{fffd}\"\n")
        #expect(object.path_hex == "61ff220a")
        #expect(object.captured == "2021-06-15T14:30:05")
        #expect(object.offset == "-03:30")
        #expect(object.subsec == "05")
        #expect(object.moment.time == "2021-06-15T14:30:05.05")
        #expect(object.moment.offset_source == "tag")
        #expect(object.candidates.first?.taken == true)
        #expect(!line.contains("\n"))
        let keys = [
            "path", "mime", "size", "md5", "width", "height", "display_width", "display_height", "orientation",
            "captured", "captured_from", "offset", "offset_from", "subsec", "latitude", "longitude", "altitude",
            "make", "model", "has_embedded_thumbnail", "moment", "candidates", "warnings",
        ]
        for key in keys { #expect(line.contains("\"\(key)\":"), "\(key)") }
        #expect(!Explanation(read(exif), path: path, md5: nil, isHashed: false).json.contains("\"md5\""))
        let empty = Explanation(PhotoReader().read([], name: "", modified: 0), path: "e", md5: nil).json
        #expect(empty.contains(#""error":{"code":"empty""#))
    }

    private struct Line: Decodable {
        struct Time: Decodable { var time, offset_source: String }
        struct Found: Decodable { var taken: Bool }
        var path, path_hex, captured, offset, subsec: String
        var moment: Time
        var candidates: [Found]
    }
}
