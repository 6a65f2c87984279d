import System
import Testing
import Workbench

@testable import Photos

/// Places in videos, wherever cameras and programs write them; exiftool says where they are.
struct MoviePlacesTests {
    // MARK: Boxes

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func handler(_ name: String) -> [UInt8] {
        MadePhotos.box("hdlr", zeros(8) + MadePhotos.bytes(name) + zeros(13))
    }

    /// A track of that handler, whose samples are of that kind.
    private static func track(_ name: String, _ sample: [UInt8] = []) -> [UInt8] {
        let table = MadePhotos.box("stsd", MadePhotos.be32(0) + MadePhotos.be32(1) + sample)
        let media = MadePhotos.box("minf", MadePhotos.box("stbl", table))
        return MadePhotos.box(
            "trak", MadePhotos.box("tkhd", zeros(84)) + MadePhotos.box("mdia", handler(name) + media))
    }

    /// A movie with a video track, with something in its `moov` and something behind that.
    private static func movie(_ inside: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
        MadePhotos.box("ftyp", MadePhotos.bytes("mp42") + MadePhotos.be32(0) + MadePhotos.bytes("mp42"))
            + MadePhotos.box("moov", MadePhotos.box("mvhd", zeros(100)) + track("vide") + track("soun") + inside)
            + behind + MadePhotos.box("mdat", MadePhotos.bytes("frames"))
    }

    private static func udta(_ content: [UInt8]...) -> [UInt8] { MadePhotos.box("udta", content.flatMap(\.self)) }

    /// A name in Latin-1: `©` is one byte.
    private static func named(_ name: String, _ content: [UInt8]) -> [UInt8] {
        MadePhotos.be32(8 + content.count) + name.unicodeScalars.map { UInt8($0.value) } + content
    }

    private static func loci(_ latitude: Double, _ longitude: Double, _ altitude: Double, isWide: Bool = false)
        -> [UInt8]
    {
        let name: [UInt8] = isWide ? [0xfe, 0xff, 0x67, 0x71, 0x4e, 0xac, 0, 0] : MadePhotos.bytes("home\0")
        let numbers = [longitude, latitude, altitude].flatMap { number in
            MadePhotos.be32(Int(UInt32(bitPattern: Int32((number * 65_536).rounded()))))
        }
        return MadePhotos.box("loci", zeros(4) + [0x15, 0xc7] + name + [0] + numbers + MadePhotos.bytes("earth\0\0"))
    }

    private static func xyz(_ text: String) -> [UInt8] {
        named("©xyz", MadePhotos.be16(text.utf8.count) + [0x15, 0xc7] + MadePhotos.bytes(text))
    }

    private static func list(_ item: [UInt8]) -> [UInt8] {
        MadePhotos.box("meta", zeros(4) + handler("mdir") + MadePhotos.box("ilst", item))
    }

    private static func data(_ text: String) -> [UInt8] {
        MadePhotos.box("data", MadePhotos.be32(1) + zeros(4) + MadePhotos.bytes(text))
    }

    private static func keys(_ key: String, _ text: String) -> [UInt8] {
        let names = MadePhotos.be32(1) + MadePhotos.box("mdta", MadePhotos.bytes("com.apple.quicktime." + key))
        let value = data(text)
        return MadePhotos.box(
            "meta",
            handler("mdta") + MadePhotos.box("keys", zeros(4) + names)
                + MadePhotos.box("ilst", MadePhotos.be32(8 + value.count) + MadePhotos.be32(1) + value))
    }

    private static let packet = MadePhotos.bytes(
        MadePhotos.xmp(#"exif:GPSLatitude="51,30.0N" exif:GPSLongitude="0,15.0W""#))

    private static func uuid(_ packet: [UInt8]) -> [UInt8] {
        let name: [UInt8] = [
            0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
        ]
        return MadePhotos.box("uuid", name + packet)
    }

    // MARK: Tests

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let latitude: Double
        let longitude: Double
        var altitude: Double?
        /// False where exiftool 12.57 reads the numbers a byte too early (a name in UTF-16), or gives a track's words undecoded.
        var isJudged = true
    }

    private static let cases = [
        Case(
            testDescription: "3GPP", bytes: movie(udta(loci(-11.25, 12.5, -3))), latitude: -11.25, longitude: 12.5,
            altitude: -3),
        Case(
            testDescription: "3GPP, the name in UTF-16", bytes: movie(udta(loci(11.25, -120.5, 3, isWide: true))),
            latitude: 11.25, longitude: -120.5, altitude: 3, isJudged: false),
        Case(
            testDescription: "user data", bytes: movie(udta(xyz("+21.5000-022.2500/"))), latitude: 21.5,
            longitude: -22.25),
        Case(
            testDescription: "user data, degrees and minutes", bytes: movie(udta(xyz("+2130.00-02215.00+5.5/"))),
            latitude: 21.5, longitude: -22.25, altitude: 5.5),
        Case(
            testDescription: "user data, with seconds", bytes: movie(udta(xyz("-213030.00+0221536.0+5CRSWGS_84/"))),
            latitude: -(21.5 + 30.0 / 3600), longitude: 22.26, altitude: 5),
        Case(
            testDescription: "a track's user data",
            bytes: movie(MadePhotos.box("trak", MadePhotos.box("mdia", handler("vide")) + udta(xyz("+21.5-022.25/")))),
            latitude: 21.5, longitude: -22.25, isJudged: false),
        Case(
            testDescription: "a text whose length counts itself in",
            bytes: movie(udta(named("©xyz", MadePhotos.be16(17) + [0x15, 0xc7] + MadePhotos.bytes("+21.5-022.25/")))),
            latitude: 21.5, longitude: -22.25),
        Case(
            testDescription: "iTunes' list", bytes: movie(udta(list(named("©xyz", data("+31.5+032.25+005/"))))),
            latitude: 31.5, longitude: 32.25, altitude: 5),
        Case(
            testDescription: "Apple's keys", bytes: movie(keys("location.ISO6709", "+41.5+042.25/")), latitude: 41.5,
            longitude: 42.25),
        Case(testDescription: "XMP", bytes: movie(behind: uuid(packet)), latitude: 51.5, longitude: -0.25),
        Case(
            testDescription: "XMP in user data", bytes: movie(udta(named("XMP_", packet))), latitude: 51.5,
            longitude: -0.25),
        Case(
            testDescription: "3GPP before every text",
            bytes: movie(udta(loci(11.25, 12.5, 3), xyz("+21.5+022.25/")) + keys("location.ISO6709", "+41.5+042.25/")),
            latitude: 11.25, longitude: 12.5, altitude: 3),
        Case(
            testDescription: "of two texts the last",
            bytes: movie(keys("location.ISO6709", "+41.5+042.25/") + udta(xyz("+21.5+022.25/"))), latitude: 21.5,
            longitude: 22.25),
        Case(
            testDescription: "of two texts the last, the other way round",
            bytes: movie(udta(xyz("+21.5+022.25/")) + keys("location.ISO6709", "+41.5+042.25/")), latitude: 41.5,
            longitude: 42.25),
        Case(
            testDescription: "XMP behind all", bytes: movie(udta(xyz("+21.5+022.25/")), behind: uuid(packet)),
            latitude: 21.5, longitude: 22.25),
    ]

    private func read(_ bytes: [UInt8]) -> PhotoReading { PhotoReader().read(bytes, name: "", modified: 0) }

    @Test("a video tells its place wherever it stands, and of several the one that exiftool takes", arguments: cases)
    func places(_ given: Case) throws {
        let reading = read(given.bytes)
        func isNear(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 0.0001 } ?? false }
        #expect(isNear(reading.latitude, given.latitude) && isNear(reading.longitude, given.longitude))
        #expect(reading.altitude == given.altitude)
        guard given.isJudged, Files.exists("/usr/bin/exiftool") else { return }
        let folder = try TemporaryFolder()
        let path = try folder.write(given.bytes, as: "walk.mp4")
        let said = try run(
            "/usr/bin/exiftool", ["-n", "-s3", "-GPSLatitude", "-GPSLongitude", path.description]
        ).output.split(separator: "\n").map { Double($0) }
        #expect(said.count == 2 && isNear(said[0], given.latitude) && isNear(said[1], given.longitude), "\(said)")
    }

    @Test("each place that a video tells is a candidate")
    func candidates() {
        let all = Self.movie(
            Self.udta(
                Self.xyz("+21.5+022.25/"), Self.loci(11.25, 12.5, 3), Self.list(Self.named("©xyz", Self.data("+1+2/"))))
                + Self.keys("location.ISO6709", "+41.5+042.25/"), behind: Self.uuid(Self.packet))
        let places = read(all).candidates.filter { $0.kind == .place }.map { "\($0.source) \($0.value)" }
        #expect(
            places == [
                "3GPP location 11.25,12.5", "QuickTime location 41.5,42.25", "QuickTime location 1.0,2.0",
                "QuickTime location 21.5,22.25", "XMP GPS 51.5,-0.25",
            ])
    }

    private static func timed(_ key: String) -> [UInt8] {
        let name = MadePhotos.box("keyd", MadePhotos.bytes("mdtacom.apple.quicktime." + key))
        let keys = MadePhotos.box("keys", MadePhotos.be32(8 + name.count) + MadePhotos.be32(1) + name)
        return MadePhotos.box("mebx", zeros(8) + keys)
    }

    private static let nothing = [
        ("a plain video", movie()), ("a time code", movie(track("tmcd"))),
        ("an iPhone's orientation", movie(track("meta", timed("video-orientation")))),
        ("empty space", movie(behind: MadePhotos.box("free", zeros(64)))),
        ("words", movie(udta(named("©too", [0, 3, 0x15, 0xc7] + MadePhotos.bytes("Lav")), zeros(4)))),
        ("a list of words", movie(udta(list(named("©too", data("Lavf")))))),
        ("keys of words", movie(keys("make", "Apple"))),
        ("XMP without a place", movie(behind: uuid(MadePhotos.bytes(MadePhotos.xmp(#"a:Rating="5""#))))),
        (
            "fragments",
            movie(
                MadePhotos.box("mvex", zeros(8)),
                behind: MadePhotos.box("moof", zeros(8)) + MadePhotos.box("mfra", zeros(8)))
        ),
    ]

    private static let hidden = [
        ("GoPro", movie(track("meta", MadePhotos.box("gpmd", zeros(8))))), ("Street View", movie(track("camm"))),
        ("Sony", movie(track("meta", MadePhotos.box("rtmd", zeros(8))))), ("subtitles", movie(track("text"))),
        ("an iPhone's track of places", movie(track("meta", timed("location.ISO6709")))),
        ("a track without samples", movie(track("meta"))),
        ("a track without a handler", movie(MadePhotos.box("trak", MadePhotos.box("mdia", zeros(8))))),
        ("a maker's box", movie(behind: MadePhotos.box("uuid", zeros(24)))),
        ("a maker's box in the movie", movie(MadePhotos.box("gps ", zeros(24)))),
        ("a maker's user data", movie(udta(MadePhotos.box("GPMF", zeros(24))))),
        (
            "Sony's XML",
            movie(behind: MadePhotos.box("meta", zeros(4) + handler("nrtm") + MadePhotos.box("xml ", zeros(24))))
        ),
        ("space that is none", movie(behind: MadePhotos.box("free", MadePhotos.bytes("GPS +35.5")))),
        ("what is no box", movie() + MadePhotos.bytes("8db42d694ccc418790edff439fe026bf")),
        ("a packed movie", movie(MadePhotos.box("cmov", zeros(8)))),
        ("a text that cannot be read", movie(udta(xyz("at home")))),
        ("a key that cannot be read", movie(keys("location.name", "home"))),
        ("3GPP cut short", movie(udta(MadePhotos.box("loci", zeros(9))))),
        ("XMP of a city", movie(behind: uuid(MadePhotos.bytes(MadePhotos.xmp(#"photoshop:City="Zzyzx""#))))),
        ("XMP that is none", movie(behind: uuid([0xfe, 0xff, 0, 0x3c]))),
    ]

    @Test("a video with nothing but pictures, sound and words hides no place", arguments: nothing)
    func plain(_ what: String, _ bytes: [UInt8]) {
        let reading = read(bytes)
        #expect(!reading.mayHidePlace && reading.place == nil && reading.error == nil)
    }

    @Test("a track or a box that is not understood may hide a place", arguments: hidden)
    func mayHide(_ what: String, _ bytes: [UInt8]) {
        let reading = read(bytes)
        #expect(reading.mayHidePlace && reading.place == nil && reading.error == nil)
    }

    @Test("two thousand lying videos are read to an end")
    func mutations() {
        var random = SeededNumbers(seed: 7)
        let seeds = Self.cases.map(\.bytes) + Self.hidden.map(\.1)
        for round in 0..<2000 { _ = read(HostileBytesTests.mutated(seeds[round % seeds.count], &random)) }
    }
}
