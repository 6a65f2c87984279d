import Foundation
import Testing

/// Videos, from the folder to the note.
@Suite("import --videos") struct ImportVideoTests {
    let evergear: Evergear
    let folder: URL

    /// A Live Photo's two files, and a video by itself.
    init() throws {
        evergear = try Evergear()
        folder = evergear.home.appending(path: "trip")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let still = folder.appending(path: "IMG_1.JPG")
        try FileManager.default.copyItem(at: ImportCommandTests.somePhoto(), to: still)
        try exiftool("-all=", "-DateTimeOriginal=2024:05:01 10:11:12", "-OffsetTimeOriginal=+09:00", still.path)
        try Self.movie(brand: "qt  ").write(to: folder.appending(path: "IMG_1.MOV"))
        try Self.movie(brand: "mp42").write(to: folder.appending(path: "walk.mp4"))
        try exiftool(
            "-Keys:CreationDate=2024:05:01 10:11:12+09:00", "-Keys:GPSCoordinates=35.5, 139.25, 12",
            folder.appending(path: "IMG_1.MOV").path)
        try exiftool(
            "-Keys:CreationDate=2024:05:01 12:00:00+09:00", "-Keys:GPSCoordinates=35.75, 139.5, 3",
            folder.appending(path: "walk.mp4").path)
    }

    /// The boxes of a file with one video track of 1920 by 1080 (ISO/IEC 14496-12), and no frame in it.
    /// - Parameter handler: That of a second track.
    private static func movie(brand: String, handler second: String? = nil, userData: (String, Data)? = nil) -> Data {
        func be32(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
        func box(_ name: String, _ content: Data...) -> Data {
            let content = content.reduce(Data(), +)
            return be32(UInt32(8 + content.count)) + Data(name.utf8) + content
        }
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].map { be32($0) }.reduce(Data(), +)
        let header =
            Data(count: 12) + be32(600) + be32(600) + be32(0x10000) + Data([1, 0]) + Data(count: 10) + matrix
            + Data(count: 24) + be32(2)
        let track =
            be32(3) + Data(count: 8) + be32(1) + Data(count: 4) + be32(600) + Data(count: 16) + matrix
            + be32(1920 << 16) + be32(1080 << 16)
        let tracks = ["vide", second].compactMap(\.self).map { name in
            let handler = Data(count: 8) + Data(name.utf8) + Data(count: 13)
            return box("trak", box("tkhd", track), box("mdia", box("hdlr", handler)))
        }
        let words = userData.map { box("udta", box($0.0, $0.1)) } ?? Data()
        return box("ftyp", Data(brand.utf8), be32(0), Data(brand.utf8))
            + box("moov", box("mvhd", header), tracks.reduce(Data(), +), words) + box("mdat", Data("frames".utf8))
    }

    private struct Memo: Equatable {
        var names: [String]
        var time: String?
        var latitude: Double?
    }

    private func memos() throws -> [Memo] {
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        return try #require(draft["memos"] as? [[String: Any]]).map { memo in
            Memo(
                names: (memo["photos"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String },
                time: memo["time"] as? String, latitude: (memo["place"] as? [String: Any])?["latitude"] as? Double)
        }
    }

    private static let live = Memo(
        names: ["IMG_1.JPG", "IMG_1.MOV"], time: "2024-05-01T10:11:12+09:00", latitude: 35.5)
    private static let walk = Memo(names: ["walk.mp4"], time: "2024-05-01T12:00:00+09:00", latitude: 35.75)

    @Test("videos stay out unless they are asked for, and the summary says so") func skip() throws {
        let run = try evergear.run("import", folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("3 files found: 1 imported, 0 duplicates, 2 skipped (1 that goes with another)"))
        #expect(run.output.contains("2 videos left out; --videos attach brings what is left out."), "\(run)")
        #expect(try memos().map(\.names) == [["IMG_1.JPG"]])
        #expect(try evergear.run("import", folder.path, "--videos", "some").status == 64)
    }

    @Test("--videos attach: a Live Photo is one memo of two files, a video by itself is a memo with its time and place")
    func attach() throws {
        let dry = try evergear.run("import", "-n", "--json", folder.path, "--videos", "attach").object()
        #expect(dry["imported"] as? Int == 3)
        let summary = try evergear.run("import", "--json", folder.path, "--videos", "attach").object()
        #expect(summary["found"] as? Int == 3 && summary["imported"] as? Int == 3, "\(summary)")
        #expect((summary["skipped"] as? [Any])?.isEmpty == true)
        #expect((summary["drafts"] as? [[String: Any]])?.first?["photos"] as? Int == 3)
        #expect(try memos() == [Self.live, Self.walk])
        let again = try evergear.run("import", "--json", folder.path, "--videos", "attach").object()
        #expect(again["imported"] as? Int == 0 && (again["duplicates"] as? [Any])?.count == 3, "\(again)")
        let dryAgain = try evergear.run("import", "-n", "--json", folder.path, "--videos", "attach").object()
        #expect((dryAgain["duplicates"] as? [Any])?.count == 3)
    }

    @Test("a video that is asked for later joins the memo of its still") func later() throws {
        #expect(try evergear.run("import", folder.path).status == 0)
        let summary = try evergear.run("import", "--json", folder.path, "--videos", "attach").object()
        #expect(summary["imported"] as? Int == 2 && (summary["duplicates"] as? [Any])?.count == 1, "\(summary)")
        var live = Self.live
        live.latitude = nil  // the memo is as it was
        #expect(try memos() == [live, Self.walk])
    }

    @Test("what cannot be read of a pair is named, and the other is a memo") func broken() throws {
        let video = folder.appending(path: "IMG_1.MOV")
        try FileManager.default.copyItem(at: video, to: folder.appending(path: "IMG_2.MOV"))
        try Data("no photo".utf8).write(to: folder.appending(path: "IMG_2.JPG"))
        let run = try evergear.run("import", "--json", folder.path, "--videos", "attach")
        #expect(run.status == 3, "\(run)")
        let summary = try run.object()
        #expect(summary["found"] as? Int == 5 && summary["imported"] as? Int == 3)
        #expect((summary["failed"] as? [[String: Any]])?.first?["path"] as? String == folder.path + "/IMG_2.JPG")
        #expect((summary["duplicates"] as? [[String: Any]])?.count == 1, "the same bytes")
    }

    @Test(
        "a sent note has each video as it is, once, and its content shows it",
        arguments: ["full", "thumbs+full", "thumbs", "plain"])
    func sent(layout: String) throws {
        #expect(try evergear.run("import", folder.path, "--videos", "attach").status == 0)
        let run = try evergear.run("send", "last", "--layout", layout)
        #expect(run.status == 0 && !run.errors.contains("attached as it is"), "\(run)")
        let text = try String(contentsOf: #require(try evergear.enexFiles().first), encoding: .utf8)
        for (name, mime) in [("IMG_1.MOV", "video/quicktime"), ("walk.mp4", "video/mp4")] {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            let files = text.matches(of: /<data encoding="base64">([^<]*)</).compactMap {
                Data(base64Encoded: String($0.1), options: .ignoreUnknownCharacters)
            }
            #expect(files.count { $0 == bytes } == 1)
            #expect(text.contains("<mime>\(mime)</mime>") && text.contains("<file-name>\(name)</file-name>"))
            #expect(text.components(separatedBy: "type=\"\(mime)\"").count == 2)
        }
        #expect(try evergear.run("preview", "last", "-o", "-").output.contains("walk.mp4"))
    }

    @Test("a video counts with all its bytes") func sizes() throws {
        let video = folder.appending(path: "walk.mp4")
        try (Data(contentsOf: video) + Data(count: 3_000_000)).write(to: video)
        #expect(try evergear.run("import", folder.path, "--videos", "attach").status == 0)
        let run = try evergear.run("send", "last", "--layout", "thumbs", "--note-bytes", "1M")
        #expect(run.status == 65, "\(run)")
        #expect(try evergear.run("send", "last", "--layout", "thumbs", "--note-bytes", "4M").status == 0)
    }

    @Test("without its place no video goes out: it is named, and can be taken out of its memo") func place() throws {
        #expect(try evergear.run("import", folder.path, "--videos", "attach").status == 0)
        for layout in ["full", "thumbs"] {
            let run = try evergear.run("send", "last", "--layout", layout, "--strip-location")
            #expect(run.status == 65, "\(run)")
            for name in ["IMG_1.MOV", "walk.mp4"] {
                #expect(run.errors.contains("\(name) cannot go out without its place"), "\(run)")
            }
        }
        _ = try evergear.file(
            "config.json5", "{noGoZones: [{name: 'home', latitude: 35.5, longitude: 139.25, metres: 50}]}")
        let zone = try evergear.run("send", "last")
        #expect(zone.status == 65 && zone.errors.contains("IMG_1.MOV") && !zone.errors.contains("walk.mp4"), "\(zone)")
        #expect(try evergear.enexFiles().isEmpty)

        #expect(try evergear.run("memo", "edit", "last", "1", "--without", "IMG_9.MOV").status == 66)
        #expect(try evergear.run("memo", "edit", "last", "1", "--without", "IMG_1.MOV").status == 0)
        #expect(try evergear.run("memo", "edit", "last", "2", "--without", "walk.mp4").status == 65, "nothing is left")
        #expect(try evergear.run("memo", "rm", "last", "2").status == 0)
        #expect(try evergear.run("send", "last", "--strip-location").status == 0)
        let text = try String(contentsOf: #require(try evergear.enexFiles().first), encoding: .utf8)
        #expect(!text.contains("<latitude>") && !text.contains("video/"))
        let again = try evergear.run("import", "--json", folder.path, "--videos", "attach").object()
        #expect(again["imported"] as? Int == 0, "what was taken out does not come back")
    }

    @Test("a zone sees the place of a video wherever it stands in it") func placesInVideos() throws {
        // 3GPP TS 26.244, 8.10: longitude, latitude, altitude in 16.16 fixed point.
        func fixed(_ degrees: Double) -> Data { withUnsafeBytes(of: Int32(degrees * 65_536).bigEndian) { Data($0) } }
        let loci = Data([0, 0, 0, 0, 0x15, 0xc7, 0, 0]) + fixed(139.25) + fixed(35.5) + fixed(0) + Data([0, 0])
        let trip = evergear.home.appending(path: "zone")
        try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
        func file(_ name: String) -> URL { trip.appending(path: name) }
        try Self.movie(brand: "3gp4", userData: ("loci", loci)).write(to: file("loci.mp4"))
        for name in ["list.mp4", "xmp.mp4", "xmp.mov"] {
            try Self.movie(brand: name.hasSuffix("v") ? "qt  " : "mp42").write(to: file(name))
        }
        try exiftool("-ItemList:GPSCoordinates=35.5, 139.25, 12", file("list.mp4").path)
        try exiftool("-n", "-XMP:GPSLatitude=35.5", "-XMP:GPSLongitude=139.25", file("xmp.mp4").path)
        try exiftool("-n", "-XMP:GPSLatitude=35.5", "-XMP:GPSLongitude=139.25", "-XMP:Rating=1", file("xmp.mov").path)
        #expect(try evergear.run("import", trip.path, "--videos", "attach").status == 0)
        _ = try evergear.file(
            "config.json5", "{noGoZones: [{name: 'home', latitude: 35.5, longitude: 139.25, metres: 50}]}")
        let run = try evergear.run("send", "last")
        #expect(run.status == 65, "\(run)")
        for name in ["loci.mp4", "list.mp4", "xmp.mp4", "xmp.mov"] {
            #expect(run.errors.contains("\(name) cannot go out without its place"), "\(run)")
        }
        #expect(try evergear.enexFiles().isEmpty)
        _ = try evergear.file(
            "config.json5", "{noGoZones: [{name: 'far', latitude: -35.5, longitude: 139.25, metres: 50}]}")
        #expect(try evergear.run("send", "last").status == 0)
    }

    @Test("with zones a video of which no place is known stays at home where it may hide one, and says why")
    func hiddenPlaces() throws {
        let trip = evergear.home.appending(path: "zone")
        try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
        let (gopro, plain) = (trip.appending(path: "gopro.mp4"), trip.appending(path: "plain.mp4"))
        try Self.movie(brand: "mp41", handler: "meta").write(to: gopro)
        try Self.movie(brand: "mp41", handler: "soun").write(to: plain)
        #expect(try evergear.run("import", trip.path, "--videos", "attach").status == 0)
        _ = try evergear.file(
            "config.json5", "{noGoZones: [{name: 'home', latitude: 35.5, longitude: 139.25, metres: 50}]}")
        let run = try evergear.run("send", "last")
        #expect(run.status == 65 && run.errors.contains("gopro.mp4 cannot go out without its place: it tells no place"))
        #expect(!run.errors.contains("plain.mp4"), "\(run)")
        #expect(try evergear.enexFiles().isEmpty)
        // Who says where it was answers for it; so does who has no zones.
        for (index, words) in [["--place", "48.5,2.25"], ["--place", ""]].enumerated() {
            let number = try #require(try memos().firstIndex { $0.names == ["gopro.mp4"] }) + 1
            #expect(try evergear.run(["memo", "edit", "last", "\(number)"] + words).status == 0)
            #expect(try evergear.run("send", "last").status == [0, 65][index])
        }
        _ = try evergear.file("config.json5", "{}")
        #expect(try evergear.run("send", "last").status == 0)
    }

    @Test("what cameras draw for their own screens is not imported, and is accounted for") func previews() throws {
        let card = evergear.home.appending(path: "card")
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        for (index, name) in ["GX010001.MP4", "GL010001.LRV", "DJI_0002.LRF"].enumerated() {
            try (Self.movie(brand: "mp41") + Data(count: index)).write(to: card.appending(path: name))
        }
        for name in ["GX010001.THM", "GX010003.THM"] {
            try FileManager.default.copyItem(
                at: folder.appending(path: "IMG_1.JPG"), to: card.appending(path: name))
        }
        let summary = try evergear.run("import", "--json", card.path, "--videos", "attach").object()
        #expect(summary["found"] as? Int == 5 && summary["imported"] as? Int == 1, "\(summary)")
        let skipped = try #require(summary["skipped"] as? [[String: String]])
        #expect(skipped.allSatisfy { $0["code"] == "preview" }, "\(skipped)")
        let reasons = skipped.compactMap { skip in
            skip["path"].flatMap { path in skip["reason"].map { "\(URL(filePath: path).lastPathComponent): \($0)" } }
        }
        #expect(
            Set(reasons) == [
                "GL010001.LRV: a small preview of GX010001.MP4, for the camera's own screen",
                "GX010001.THM: a small preview of GX010001.MP4, for the camera's own screen",
                "DJI_0002.LRF: a camera's preview of what is not here",
                "GX010003.THM: a camera's preview of what is not here",
            ])
        #expect(try memos().map(\.names) == [["GX010001.MP4"]])
        let without = try evergear.run("import", card.path, "--into", "last")
        #expect(without.status == 0 && without.output.contains("1 video left out"), "\(without)")
    }

    @Test("a file that only its last change dates does not leave its pair") func undated() throws {
        let pair = evergear.home.appending(path: "pair")
        try FileManager.default.createDirectory(at: pair, withIntermediateDirectories: true)
        let still = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0420.HEIC")
        try FileManager.default.copyItem(at: still, to: pair.appending(path: "IMG_9.HEIC"))
        try exiftool("-EXIF:all=", pair.appending(path: "IMG_9.HEIC").path)
        try FileManager.default.copyItem(at: folder.appending(path: "IMG_1.JPG"), to: pair.appending(path: "IMG_8.JPG"))
        for name in ["IMG_8.MP4", "IMG_9.MP4"] {
            try Self.movie(brand: "mp42").write(to: pair.appending(path: name))
        }
        try exiftool("-Keys:CreationDate=2023:05:01 10:11:12+09:00", pair.appending(path: "IMG_9.MP4").path)
        let run = try evergear.run("import", pair.path, "--videos", "attach")
        #expect(run.status == 0, "\(run)")
        #expect(
            try memos().map(\.names).sorted { $0[0] < $1[0] } == [
                ["IMG_8.JPG", "IMG_8.MP4"], ["IMG_9.HEIC", "IMG_9.MP4"],
            ])
    }

    @Test("an edited copy that comes after its original is a memo beside it, and is named") func edited() throws {
        #expect(try evergear.run("import", folder.path).status == 0)
        let copy = folder.appending(path: "IMG_E1.JPG")
        try FileManager.default.copyItem(at: folder.appending(path: "IMG_1.JPG"), to: copy)
        try exiftool("-Comment=edited", copy.path)
        let summary = try evergear.run("import", "--json", folder.path).object()
        let warning = try #require((summary["warnings"] as? [[String: Any]])?.first, "\(summary)")
        #expect(warning["code"] as? String == "other_version")
        #expect(warning["path"] as? String == copy.path)
        #expect(try memos().map(\.names) == [["IMG_1.JPG"], ["IMG_E1.JPG"]])
    }

    @Test("photos of a burst are counted") func burst() throws {
        for number in 1...3 {
            let file = folder.appending(path: "IMG_20240501_101112_BURST00\(number).jpg")
            try FileManager.default.copyItem(at: folder.appending(path: "IMG_1.JPG"), to: file)
            try exiftool("-Comment=\(number)", file.path)
        }
        let run = try evergear.run("import", folder.path)
        #expect(run.output.contains("3 photos of 1 burst, each a memo of its own."), "\(run)")
        let summary = try evergear.run("import", "-n", "--json", folder.path).object()
        let burst = try #require((summary["bursts"] as? [[String: Any]])?.first)
        #expect(burst["name"] as? String == "IMG_20240501_101112" && burst["photos"] as? Int == 3)
    }
}
