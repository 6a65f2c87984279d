import Notes
import Photos
import System
import Testing

/// Files that lie. Every mutation of a good file must be read to an end, whatever it says then.
struct HostileBytesTests {
    /// Numbers that break arithmetic.
    private static let edges: [[UInt8]] = [
        [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0],
        [0xff, 0xff], [0, 0], [0xff], [0], [0, 0, 0, 8],
        [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ]

    @Test("six thousand lying files are read to an end, and nothing read of them is longer than they are")
    func mutations() {
        var random = SeededNumbers(seed: 20_261_130)
        let seeds = MadePhotos.ofEachKind
        let reader = PhotoReader()
        for seed in seeds { #expect(reader.read(seed, name: "IMG_1", modified: 0).format != nil) }
        for round in 0..<6000 {
            let bytes = Self.mutated(seeds[round % seeds.count], &random)
            let reading = reader.read(bytes, name: "IMG_1", modified: 0)
            #expect(reading.size == Int64(bytes.count))
            // A text comes from the file's bytes, and grows at most by what Latin-1 and hexadecimal do.
            let words =
                (reading.description ?? "") + (reading.make ?? "") + (reading.model ?? "")
                + reading.keywords.joined() + reading.candidates.map(\.value).joined()
            #expect(words.utf8.count <= bytes.count * 8 + 1000)
            #expect(reading.place.map { abs($0.latitude) <= 90 } ?? true)
            #expect((1...8).contains(reading.turn))
            #expect(Explanation(reading, path: "x", md5: nil).json.hasSuffix("}"))
        }
    }

    @Test(
        "boxes in boxes, a hundred thousand deep, are read to an end",
        arguments: [
            "moov", "trak", "mdia", "minf", "stbl", "udta", "meta", "ilst", "keys", "iprp", "ipco", "iinf", "infe",
            "iref",
            "grpl", "dinf", "uuid", "free", "jxlc", "brob",
        ])
    func deepBoxes(name: String) {
        for extra in [0, 4] {
            var nest: [UInt8] = []
            for level in 0..<100_000 {
                nest += MadePhotos.be32((100_000 - level) * (8 + extra)) + MadePhotos.bytes(name)
                nest += [UInt8](repeating: 0, count: extra)
            }
            for brand in ["isom", "qt  ", "heic", "avif", "crx "] {
                let type = MadePhotos.box("ftyp", MadePhotos.bytes(brand) + MadePhotos.be32(0))
                for content in [nest, MadePhotos.box("moov", nest), MadePhotos.box("meta", MadePhotos.be32(0) + nest)] {
                    let reading = PhotoReader().read(type + content, name: "IMG_1", modified: 0)
                    #expect(reading.format != nil)
                }
            }
        }
    }

    @Test("texts in texts, a hundred thousand deep, are read to an end")
    func deepTexts() {
        func nest(_ begin: String, _ end: String) -> [UInt8] {
            MadePhotos.bytes(String(repeating: begin, count: 100_000) + String(repeating: end, count: 100_000))
        }
        var sidecars = Sidecars()
        sidecars.xmp = [
            MadePhotos.bytes("<x:xmpmeta xmlns:x='adobe:ns:meta/'>") + nest("<rdf:Bag>", "</rdf:Bag>"),
            nest("<a>", "</a>"),
        ]
        #expect(PhotoReader().read(MadePhotos.gif, name: "IMG_1", modified: 0, sidecars: sidecars).place == nil)
        #expect(TakeoutSidecar(MadePhotos.bytes("{\"a\":") + nest("[", "]")) == nil)
        var track = GPXTrack()
        _ = try? track.add(nest("<trk>", "</trk>"))
        #expect(track.points.isEmpty)
    }

    static func mutated(_ seed: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeLast(bytes.count - place)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default:
                let edge = edges.randomElement(using: &random) ?? [0]
                let end = min(bytes.count, place + edge.count)
                bytes.replaceSubrange(place..<end, with: edge.prefix(end - place))
            }
        }
        return bytes
    }
}

/// The same numbers every time (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
