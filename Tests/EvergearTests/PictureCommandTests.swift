import Foundation
import Testing

/// What goes out for a photo: as it is, as a copy, or as it is because no copy could be made.
@Suite("the pictures of a sent note") struct PictureCommandTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    private let heic = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0420.HEIC")

    @Test(
        "HEIC goes out as JPEG that tells time, place and camera, upright", arguments: ["full", "thumbs+full", "plain"])
    func converted(layout: String) throws {
        let facts = try sent(heic, "--layout", layout)
        let original = try exif(heic)
        #expect(facts["MIMEType"] as? String == "image/jpeg")
        for name in ["DateTimeOriginal", "OffsetTimeOriginal", "Make", "Model"] {
            #expect(facts[name] as? String == original[name] as? String, "\(name)")
        }
        for name in ["GPSLatitude", "GPSLongitude"] {
            let (a, b) = (try #require(facts[name] as? Double), try #require(original[name] as? Double))
            #expect(abs(a - b) < 0.000_001, "\(name)")
        }
        #expect(facts["Orientation"] as? Int == 1)
    }

    @Test("the same photo in two drafts with another time each is told with its own time in both") func twoTimes()
        throws
    {
        var times: [String] = []
        for shift in ["+00:00", "+01:00"] {
            try evergear.run("draft", "add", "Shifted by \(shift)")
            try evergear.run("import", heic.path, "--into", "last", "--time-shift", shift)
            #expect(try evergear.run("send", "last").status == 0)
            let file = evergear.home.appending(path: "attached \(shift)")
            try delivered().write(to: file)
            times.append(try #require(try exif(file)["DateTimeOriginal"] as? String))
        }
        #expect(times == ["2024:05:02 12:04:44", "2024:05:02 13:04:44"])
    }

    @Test("--originals keep attaches the HEIC, byte for byte") func kept() throws {
        let facts = try sent(heic, "--originals", "keep")
        #expect(facts["MIMEType"] as? String == "image/heic")
        #expect(try delivered() == Data(contentsOf: heic))
    }

    @Test("--photo-size makes a smaller copy with the same facts, and never a larger one") func smaller() throws {
        let photo = try ImportCommandTests.somePhoto()
        let original = try exif(photo)
        let facts = try sent(photo, "--photo-size", "200")
        let sides = [facts["ImageWidth"], facts["ImageHeight"]].compactMap { $0 as? Int }
        #expect(sides.max() == 200)
        for name in ["DateTimeOriginal", "Make", "Model", "SubSecTimeOriginal"] {
            #expect(facts[name] as? String == original[name] as? String, "\(name)")
        }
        _ = try sent(photo, "--photo-size", "30000", "--again")
        #expect(try delivered() == Data(contentsOf: photo))
    }

    @Test(
        "a photo that cannot be decoded goes out as it is, with a notice",
        arguments: ["full", "thumbs+full", "thumbs", "plain"])
    func undecodable(layout: String) throws {
        // The container and its facts stay, the pixels are noise.
        var bytes = try Data(contentsOf: heic)
        let start = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        for index in start..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        let broken = evergear.home.appending(path: "IMG_1.HEIC")
        try bytes.write(to: broken)
        try evergear.run("draft", "add", "Broken", "--photo", broken.path)
        let run = try evergear.run("send", "last", "--layout", layout)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("IMG_1.HEIC is attached as it is"), "\(run)")
        #expect(try delivered() == bytes)
    }

    @Test("a damaged JPEG goes out with a notice, each time that it is sent", arguments: ["thumbs+full", "thumbs"])
    func damaged(layout: String) throws {
        // A hole in the middle of the scan, its end in place.
        var bytes = try Data(contentsOf: ImportCommandTests.somePhoto())
        bytes.removeSubrange(bytes.count / 2..<(bytes.count / 2 + bytes.count / 4))
        let broken = evergear.home.appending(path: "IMG_2.JPG")
        try bytes.write(to: broken)
        try evergear.run("draft", "add", "Damaged", "--photo", broken.path)
        for again in [[], ["--again"]] {
            let run = try evergear.run(["send", "last", "--layout", layout] + again)
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("IMG_2.JPG is damaged"), "\(run)")
        }
        let note = try evergear.run("queue", "show", "1", "--content").output
        #expect(note.components(separatedBy: "IMG_2.JPG is damaged").count == 2, "once, for the reader of the note")
        if layout == "thumbs+full" { #expect(try delivered() == bytes) }
    }

    /// Sends a photo alone, and says what exiftool finds in what was attached.
    private func sent(_ photo: URL, _ words: String...) throws -> [String: Any] {
        try evergear.run("draft", "add", "Picture", "--photo", photo.path)
        let run = try evergear.run(["send", "last"] + words)
        try #require(run.status == 0, "\(run)")
        let file = evergear.home.appending(path: "attached")
        try delivered().write(to: file)
        return try exif(file)
    }

    /// The bytes of the largest resource of the file that came last: a file system's clock may not tell which that is.
    private func delivered() throws -> Data {
        let last = try evergear.run("log", "--json", "--limit", "1").objects().first?["path"] as? String
        let text = try String(contentsOfFile: try #require(last), encoding: .utf8)
        let bodies = text.matches(of: /<data encoding="base64">([^<]*)</).compactMap {
            Data(base64Encoded: String($0.1), options: .ignoreUnknownCharacters)
        }
        return try #require(bodies.max { $0.count < $1.count })
    }

    private func exif(_ file: URL) throws -> [String: Any] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["exiftool", "-json", "-n", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try #require((try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
    }
}
