import Layouts
import Notes
import System
import Testing

@Suite("Any draft at all")
struct RandomDraftTests {
    /// The same numbers for the same seed, everywhere (SplitMix64).
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    private static let pieces = [
        "a", " ", "  ", "\n", "\n\n", "\r\n", "\t", "- b\n", "* c\n", "1. d\n", "2. e\n", "[ ] f\n", "[x] g\n",
        "https://example.org/?a=1&b=\"2\"", "http://[::1]/)", "<b>", "&amp;", "]]>", "\u{0}", "\u{1b}[31m", "\u{fffe}",
        "\u{1fffe}", "\u{feff}", "\u{202e}", "東京", "👩‍👧‍👦", "\u{301}", "\u{2028}", "\u{85}", "\u{3000}", "'", "--", "?>",
    ]

    private static func text(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func draft(_ random: inout Seeded) -> Draft {
        var photos: Int64 = 0
        let memos = (0..<Int.random(in: 0...14, using: &random)).map { _ -> Memo in
            var memo = Memo(text: Bool.random(using: &random) ? "" : text(&random))
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                photos += 1
                var photo = Sample.photo(
                    photos, text(&random), Int.random(in: 1...5000, using: &random),
                    Int.random(in: 1...5000, using: &random))
                photo.blob = Sample.blob("\(photos)", size: 1)
                if Bool.random(using: &random) { photo.pixels = nil }
                if Int.random(in: 0...4, using: &random) == 0 { photo.mime = "video/mp4" }
                memo.photos.append(photo)
            }
            if Int.random(in: 0...3, using: &random) > 0 {
                memo.moment = Moment(
                    LocalTime(seconds: Int64.random(in: 0...300_000, using: &random)),
                    offset: [nil, 0, 32_400, -12_600].randomElement(using: &random) ?? nil,
                    isOffsetAssumed: Bool.random(using: &random))
            }
            if Bool.random(using: &random) {
                memo.place = Place(
                    latitude: Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random),
                    name: Bool.random(using: &random) ? nil : text(&random))
            }
            return memo
        }
        return Draft(
            uid: Sample.uid, text: text(&random), created: Timestamp(milliseconds: 0),
            updated: Timestamp(milliseconds: 0), memos: memos)
    }

    @Test("any draft, in any layout, gives a valid note with every photo that it should have", arguments: 0..<8)
    func valid(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let composers = try Layout.allCases.flatMap { layout in
            try [Captions.standard, [], [.number, .time, .place, .name]].map { captions in
                (
                    layout,
                    NoteComposer(
                        sheet: try LayoutSheet(layout, in: TemplateFolder()),
                        language: seed % 2 == 0 ? .english : .japanese,
                        captions: captions)
                )
            }
        }
        for round in 0..<6 {
            let draft = Self.draft(&random)
            let pictures = Sample.pictures(of: draft)
            let full = Set(pictures.values.compactMap(\.full?.blob))
            let thumbs = Set(pictures.values.compactMap(\.thumb?.blob))
            let videos = Set(pictures.values.compactMap(\.full).filter { $0.mime == "video/mp4" }.map(\.blob))
            for (layout, composer) in composers {
                let (note, _) = try composer.compose(draft, uid: "u", title: "T", pictures: pictures)
                let expected =
                    switch layout {
                    case .thumbsFull: full.union(thumbs)
                    case .thumbs: thumbs.union(videos)
                    case .full, .plain: full
                    }
                #expect(Set(note.resources.map(\.blob)) == expected, "seed \(seed), round \(round)")
            }
        }
    }
}
