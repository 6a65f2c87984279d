import Foundation
import Testing

/// Which places leave the house, as exiftool finds them in what was attached.
@Suite("places in what is sent") struct PlaceCommandTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    private let hakone = Evergear.fixtures.appending(path: "2024-05-01 Hakone/IMG_0409.JPG")
    private let turned = Evergear.fixtures.appending(path: "2024-05-01 Hakone/IMG_0412.JPG")
    private let png = Evergear.fixtures.appending(path: "2024-05-01 Hakone/IMG_0415.PNG")
    private let kamakura = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0419.JPG")
    private let heic = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0420.HEIC")

    @Test(
        "--strip-location leaves no place anywhere, in any layout, and the rest of the facts",
        arguments: ["full", "thumbs+full", "thumbs", "plain"])
    func nowhere(layout: String) throws {
        try add(hakone, png, heic, webP())
        let before = try blobs()
        let note = try send("--strip-location", "--originals", "keep", "--layout", layout)
        #expect(
            !note.text.contains("latitude>") && !note.text.contains("longitude>") && !note.text.contains("altitude>"))
        #expect(!note.text.contains("openstreetmap"))
        for file in note.files { #expect(try placesIn(file).isEmpty) }
        if layout != "thumbs" {
            let facts = try note.files.map(exif)
            for mime in ["image/jpeg", "image/png", "image/heic", "image/webp"] {
                let file = try #require(
                    facts.first { $0["MIMEType"] as? String == mime && $0["DateTimeOriginal"] != nil })
                #expect(file["Model"] is String)
            }
            #expect(Set(note.files).isDisjoint(with: Set(try [hakone, png, heic].map { try Data(contentsOf: $0) })))
        }
        let after = try blobs()
        #expect(before.allSatisfy { after[$0.key] == $0.value }, "what was imported is as it was")
        #expect(
            try evergear.run("send", "last", "--strip-location", "--originals", "keep", "--layout", layout).output
                .contains("already delivered"))
    }

    @Test("--strip-location looks into thumbnails, comments and other vocabularies, as exiftool reads them")
    func deeper()
        throws
    {
        let photo = evergear.home.appending(path: "deep.jpg")
        let small = evergear.home.appending(path: "small.jpg")
        try tool("vips", "thumbnail", hakone.path, small.path, "96")
        try tool("exiftool", "-q", "-overwrite_original", "-tagsFromFile", hakone.path, "-gps:all", small.path)
        try #require(try !placesIn(Data(contentsOf: small)).isEmpty)
        try FileManager.default.copyItem(at: hakone, to: photo)
        try tool(
            "exiftool", "-q", "-overwrite_original", "-ThumbnailImage<=\(small.path)", "-Comment=In Zzyzx",
            "-XMP-dc:Coverage=Zzyzx", "-IPTC:City=Zzyzx", photo.path)
        #expect(try Data(contentsOf: photo).range(of: Data("Zzyzx".utf8)) != nil)
        try add(photo)
        let sent = try #require(try send("--strip-location").files.first)
        #expect(sent.range(of: Data("Zzyzx".utf8)) == nil)
        #expect(try placesIn(sent).isEmpty)
        let file = evergear.home.appending(path: "sent.jpg")
        try sent.write(to: file)
        let thumbnail = try tool("exiftool", "-b", "-ThumbnailImage", file.path)
        #expect(try thumbnail.count > 500 && placesIn(thumbnail).isEmpty)
    }

    @Test("what goes out smaller or as JPEG has a place or none, as asked each time") func copies() throws {
        try add(hakone, heic)
        for round in ["first", "again"] {
            let open = try send("--photo-size", "300", "--again")
            #expect(try open.files.allSatisfy { try !placesIn($0).isEmpty }, "\(round)")
            #expect(open.text.contains("<latitude>") && open.text.contains("openstreetmap"))
            let closed = try send("--photo-size", "300", "--again", "--strip-location")
            #expect(try closed.files.allSatisfy { try placesIn($0).isEmpty }, "\(round)")
            #expect(try closed.files.allSatisfy { try exif($0)["DateTimeOriginal"] is String })
        }
    }

    @Test("a zone takes the place of its own photos, says so, and touches nothing else") func zone() throws {
        try add(hakone, png, kamakura)
        try settings("noGoZones: [{name: 'home', latitude: 35.204, longitude: 139.025, metres: 500}]")
        let note = try send()
        #expect(note.run.errors.contains("2 photos lie in the zone home: sent without their place."), "\(note.run)")
        #expect(note.files.count == 3)
        #expect(note.files.contains(try Data(contentsOf: kamakura)))
        #expect(try note.files.filter { try !placesIn($0).isEmpty } == [Data(contentsOf: kamakura)])
        #expect(!note.text.contains("35.20"))
        #expect(note.text.components(separatedBy: "<latitude>35.3").count == 3, "of the note and of one file")
        #expect(note.text.components(separatedBy: "openstreetmap").count == 2)

        try settings("noGoZones: [{name: 'far', latitude: -35, longitude: 139, metres: 500}]")
        let open = try send()
        #expect(!open.run.errors.contains("zone"))
        for photo in [hakone, png, kamakura] { #expect(open.files.contains(try Data(contentsOf: photo))) }
    }

    @Test("a place in a photo's bytes counts for a zone, taken for the photo's or not") func hiddenPlace()
        throws
    {
        let photo = evergear.home.appending(path: "hidden.jpg")
        try FileManager.default.copyItem(at: kamakura, to: photo)
        try tool(
            "exiftool", "-q", "-overwrite_original", "-n", "-EXIF:GPSLatitude=0", "-EXIF:GPSLongitude=0",
            "-XMP:GPSLatitude=35.204", "-XMP:GPSLongitude=139.025", photo.path)
        try add(photo)
        try settings("noGoZones: [{name: 'home', latitude: 35.204, longitude: 139.025, metres: 50}]")
        let note = try send()
        #expect(note.run.errors.contains("1 photo lies in the zone home: sent without its place."), "\(note.run)")
        #expect(try placesIn(note.files[0]).isEmpty)
    }

    @Test("a zone takes the places that were given to a draft and to a memo by hand") func givenByHand() throws {
        try evergear.run("draft", "add", "Given", "--place", "35.204,139.025")
        try evergear.run("memo", "add", "last", "tea", "--place", "35.204,139.025")
        try evergear.run("memo", "add", "last", "sea", "--place", "35.3,139.48")
        try settings("noGoZones: [{name: 'home', latitude: 35.204, longitude: 139.025, metres: 50}]")
        let note = try send()
        #expect(note.run.errors.contains("1 memo lies in the zone home: sent without its place."), "\(note.run)")
        #expect(note.run.errors.contains("its own place lies in the zone home"), "\(note.run)")
        #expect(!note.text.contains("35.20") && note.text.contains("mlat=35.30000"))
    }

    @Test("a kind whose places are not known goes out as a JPEG, and a remark says why") func refusedKind() throws {
        let gif = evergear.home.appending(path: "a.gif")
        try tool("vips", "gifsave", hakone.path, gif.path)
        try add(gif)
        let note = try send("--strip-location")
        #expect(note.run.errors.contains("a.gif goes out as a JPEG"), "\(note.run)")
        #expect(try note.files.map { try exif($0)["MIMEType"] as? String } == ["image/jpeg"])
        #expect(try placesIn(note.files[0]).isEmpty)
        #expect(try send().files == [Data(contentsOf: gif)])
    }

    @Test("a photo that cannot go out without its place refuses its draft, by name, and no other") func refused() throws
    {
        let gif = evergear.home.appending(path: "b.gif")
        try Data("GIF89a\u{10}\0\u{10}\0\0\0\0;".utf8).write(to: gif)
        let other = evergear.home.appending(path: "d.gif")
        try (Data(contentsOf: gif) + Data([0])).write(to: other)
        try add(gif, hakone, other)
        let run = try evergear.run("send", "last", "--strip-location")
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("b.gif cannot go out without its place"), "\(run)")
        #expect(run.errors.contains("d.gif cannot go out without its place"), "\(run)")
        #expect(try evergear.enexFiles().isEmpty)
        try add(hakone)
        #expect(try evergear.run("send", "1", "2", "--strip-location").status == 3)
        #expect(try evergear.enexFiles().count == 1)
    }

    @Test("--places coarse shows two decimals in words and link, --places none no place; files keep theirs")
    func captions() throws {
        try add(hakone)
        let coarse = try send("--places", "coarse")
        #expect(coarse.text.contains("mlat=35.20&amp;mlon=139.03#") && coarse.text.contains("35.20,\u{a0}139.03<"))
        #expect(!coarse.content.contains("35.204") && !coarse.content.contains("139.02"))
        #expect(try coarse.files == [Data(contentsOf: hakone)])
        let none = try send("--places", "none")
        #expect(!none.text.contains("openstreetmap") && none.text.contains("<latitude>35.2044"))
        #expect(try none.files == [Data(contentsOf: hakone)])
        #expect(try send("--places", "full").text.contains("mlat=35.20440"))
    }

    @Test("the settings places and stripLocation hold, by file and by variable, and make another note") func bySetting()
        throws
    {
        try add(hakone)
        #expect(try placesIn(send().files[0]).isEmpty == false)
        try settings("places: 'none', stripLocation: true")
        #expect(try placesIn(send().files[0]).isEmpty)
        evergear.environment = ["EVERGEAR_STRIP_LOCATION": "false", "EVERGEAR_PLACES": "coarse"]
        #expect(try send().text.contains("mlat=35.20&amp;"))
        #expect(try evergear.run("send", "last").output.contains("already delivered"))
    }

    @Test("export, plan and preview do as send does; a turned photo stays upright") func others() throws {
        try add(turned)
        let file = evergear.home.appending(path: "out.enex")
        #expect(try evergear.run("export", "last", "-o", file.path, "--strip-location").status == 0)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("<latitude>") && !text.contains("openstreetmap"))
        #expect(try Sent.files(in: text).allSatisfy { try placesIn($0).isEmpty })
        #expect(try evergear.run("plan", "last", "--strip-location").status == 0)
        #expect(try !evergear.run("upload", turned.path, "--strip-location", "--duplicates", "keep").output.isEmpty)
        let uploaded = try String(contentsOf: #require(try evergear.enexFiles().first), encoding: .utf8)
        #expect(!uploaded.contains("<latitude>") && !uploaded.contains("openstreetmap"))
        #expect(try Sent.files(in: uploaded).allSatisfy { try placesIn($0).isEmpty })
        var pictures: [Set<String>] = []
        for words in [[], ["--strip-location"]] {
            let run = try evergear.run(["preview", "last", "-o", "-"] + words)
            #expect(run.output.contains("openstreetmap") == words.isEmpty)
            pictures.append(Set(run.output.matches(of: /data:image\/jpeg;base64,[^"']*/).map { String($0.0) }))
        }
        #expect(pictures[0] == pictures[1] && !pictures[0].isEmpty)
    }

    // MARK: Parts

    private struct Sent {
        let run: Evergear.Run
        /// Of the whole ENEX file.
        let text: String

        var content: String { text.components(separatedBy: "</content>")[0] }
        var files: [Data] { Self.files(in: text) }

        static func files(in text: String) -> [Data] {
            text.matches(of: /<data encoding="base64">([^<]*)</).compactMap {
                Data(base64Encoded: String($0.1), options: .ignoreUnknownCharacters)
            }
        }
    }

    private func add(_ photos: URL...) throws {
        let run = try evergear.run(["draft", "add", "Places"] + photos.flatMap { ["--photo", $0.path] })
        try #require(run.status == 0, "\(run)")
    }

    private func send(_ words: String...) throws -> Sent {
        let known = Set(try evergear.enexFiles())
        let run = try evergear.run(["send", "last"] + words)
        try #require(run.status == 0, "\(run)")
        let new = try #require(try evergear.enexFiles().first { !known.contains($0) }, "\(run)")
        return Sent(run: run, text: try String(contentsOf: new, encoding: .utf8))
    }

    private func settings(_ text: String) throws { _ = try evergear.file("config.json5", "{\(text)}") }

    private func webP() throws -> URL {
        let file = evergear.home.appending(path: "c.webp")
        try tool("vips", "webpsave", kamakura.path, file.path)
        try #require(try !placesIn(Data(contentsOf: file)).isEmpty)
        return file
    }

    /// The bytes of the store's files by their paths.
    private func blobs() throws -> [String: Data] {
        let folder = evergear.home.appending(path: "blobs")
        var blobs: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            blobs[path] = try? Data(contentsOf: folder.appending(path: path))
        }
        try #require(blobs.count > 3)
        return blobs
    }

    /// The names of all tags that tell a place.
    private func placesIn(_ photo: Data) throws -> [String] {
        try exif(photo).keys.filter { name in
            ["GPS", "Latitude", "Longitude", "Altitude", "City", "Country", "Location"].contains { name.contains($0) }
        }
    }

    private func exif(_ photo: Data) throws -> [String: Any] {
        let file = evergear.home.appending(path: "looked-at")
        try photo.write(to: file)
        let data = try tool("exiftool", "-json", "-n", "-a", "-u", "-ee", file.path)
        return try #require((try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
    }

    @discardableResult
    private func tool(_ words: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
