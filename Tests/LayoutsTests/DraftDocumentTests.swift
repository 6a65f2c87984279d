import Layouts
import Notes
import System
import Testing

@Suite("The draft as a layout reads it")
struct DraftDocumentTests {
    private func xml(_ document: DraftDocument) -> String { String(decoding: document.xml, as: UTF8.self) }

    /// Every value of an attribute, in order.
    private func values(_ name: String, in document: DraftDocument) -> [String] {
        xml(document).split(separator: " \(name)=\"").dropFirst().compactMap {
            $0.split(separator: "\"").first.map(String.init)
        }
    }

    @Test("a day is named where it changes, in the draft's language")
    func days() {
        #expect(values("day", in: Sample.document()) == ["Sunday 3 May 2026", "Monday 4 May 2026"])
        #expect(
            values("day", in: Sample.document(language: .japanese)) == ["2026年5月3日（日）", "2026年5月4日（月）"])
    }

    @Test("a part begins with its day again")
    func dayOfPart() {
        #expect(values("day", in: Sample.document(memos: 3..<5)) == ["Sunday 3 May 2026"])
    }

    @Test("zones are named where they change, in a draft that has several")
    func zones() {
        #expect(values("zone", in: Sample.document()) == ["UTC+9", "UTC+8"])
        var draft = Sample.draft
        draft.memos.removeLast()
        #expect(values("zone", in: Sample.document(draft)) == [])
    }

    @Test(
        "a zone is written as people write it",
        arguments: [("+05:30", "UTC+5:30"), ("-03:30", "UTC-3:30"), ("+00:00", "UTC"), ("-11:00", "UTC-11")])
    func zoneNames(offset: String, expected: String) {
        var draft = Sample.draft
        draft.memos = [
            Sample.memo("a", "2026-05-03T05:48:00+14:00"), Sample.memo("b", "2026-05-03T05:48:00\(offset)"),
        ]
        #expect(values("zone", in: Sample.document(draft)) == ["UTC+14", expected])
    }

    @Test("an offset that was assumed is no zone, and is told where zones matter")
    func assumedZone() {
        var draft = Sample.draft
        draft.memos[5].moment = draft.memos[5].moment.map { Moment($0.local, offset: 7200, isOffsetAssumed: true) }
        draft.memos[5].number = 11
        let document = Sample.document(draft)
        #expect(values("zone", in: document) == ["UTC+9", "UTC+8"])
        #expect(values("iso", in: document)[5] == "2026-05-03T16:40:00")
        #expect(document.warnings == [.unknownZone(memo: 11, clock: "16:40")])
    }

    @Test("captions show what was asked for and nothing else")
    func captions() {
        let all = Sample.document(captions: [.number, .time, .place, .name])
        #expect(values("numbers", in: all) == ["1", "2", "3", "4", "5", "6–8", "9"])
        #expect(values("names", in: all)[5] == "boat-1.jpg, boat-2.jpg, boat-3.jpg")
        #expect(values("label", in: all).contains("7 · boat-2.jpg"))
        #expect(values("caption", in: all)[0] == "1 · 3 May 06:02 · dawn.jpg")

        let bare = Sample.document(captions: [])
        for name in ["numbers", "names", "clock", "zone", "latitude"] { #expect(values(name, in: bare) == []) }
        #expect(values("caption", in: bare)[0] == "1 · dawn.jpg")
    }

    @Test("captions are read as they are written", arguments: [("number,time", 3), ("time, place", 6), ("none", 0)])
    func captionWords(text: String, expected: Int) {
        #expect(Captions(text)?.rawValue == expected)
        #expect(Captions(text + ",colour") == nil)
        #expect(Captions("") == nil)
    }

    @Test("photo numbers run on through the parts, and the text stands in the first")
    func parts() {
        let part = NotePart(number: 2, count: 3, previousTitle: "Biwa (1/3)", nextTitle: "Biwa (3/3)")
        let document = Sample.document(memos: 3..<6, part: part)
        #expect(values("number", in: document) == ["3", "4", "5"])
        #expect(xml(document).contains("<notice at=\"top\">Part 2 of 3. Continued from “Biwa (1/3)”.</notice>"))
        #expect(xml(document).contains("<notice at=\"end\">Continues in “Biwa (3/3)”.</notice>"))
        #expect(!xml(document).contains("ferry times"))
        let japanese = xml(Sample.document(memos: 3..<6, language: .japanese, part: part))
        #expect(japanese.contains("全3回の2。「Biwa (1/3)」のつづき。"))
        #expect(japanese.contains("「Biwa (3/3)」へつづく。"))
    }

    @Test("runs of photos without words become sheets; a pause of an hour, a day or a word ends one")
    func sheets() {
        let document = Sample.document(Sample.sheets)
        #expect(xml(document).components(of: "<sheet") == 2)
        #expect(xml(document).contains("<sheet clock=\"05:10–05:20\" label=\"6 photos\">"))
        #expect(xml(document).contains("<sheet clock=\"06:34–06:48\" label=\"8 photos\">"))
        #expect(xml(Sample.document(Sample.sheets, language: .japanese)).contains("label=\"写真 8 枚\""))
    }

    @Test("three photos without words are three cards")
    func noSheet() {
        var draft = Sample.sheets
        draft.memos = Array(draft.memos.prefix(3))
        #expect(xml(Sample.document(draft)).components(of: "<sheet") == 0)
    }

    @Test(
        "small pictures fit their box and are never enlarged",
        arguments: [
            (1600, 1200, "landscape", 120, 90), (1200, 1600, "portrait", 120, 160), (1000, 3000, "portrait", 53, 160),
            (1000, 1000, "square", 120, 120), (3200, 900, "panorama", 360, 101), (10_000, 1000, "panorama", 360, 36),
            (60, 40, "landscape", 60, 40),
        ])
    func boxes(width: Int, height: Int, shape: String, showWidth: Int, showHeight: Int) {
        var draft = Sample.draft
        draft.memos = [Sample.memo("", nil, nil, [Sample.photo(1, "a.jpg", width, height)])]
        let document = Sample.document(draft)
        #expect(values("shape", in: document) == [shape])
        #expect(values("show-width", in: document).last == "\(showWidth)")
        #expect(values("show-height", in: document) == ["\(showHeight)"])
    }

    @Test("a turned picture is measured as it is displayed")
    func turned() {
        var draft = Sample.draft
        var photo = Sample.photo(1, "a.jpg", 1600, 1200)
        photo.orientation = 6
        draft.memos = [Sample.memo("", nil, nil, [photo])]
        #expect(values("shape", in: Sample.document(draft)) == ["portrait"])
        #expect(values("show-width", in: Sample.document(draft)) == ["480", "120"])
    }

    @Test("coordinates are rounded to four decimals, the map gets five")
    func places() {
        var draft = Sample.draft
        draft.memos = [Sample.memo("a", nil, Place(latitude: -0.00004, longitude: -179.99996))]
        #expect(xml(Sample.document(draft)).contains("label=\"0.0000,\u{a0}-180.0000\""))
        #expect(xml(Sample.document(draft)).contains("?mlat=-0.00004&amp;mlon=-179.99996#map=16/"))
    }

    @Test("what a note cannot hold is left out and told, with its memo's number")
    func dropped() {
        var draft = Sample.draft
        draft.text = "Ti\u{1}tle\nte\u{2}\u{3}xt"
        draft.memos = [Sample.memo("a", nil), Sample.memo("b\u{0}", nil, nil, [Sample.photo(1, "c\u{1b}.jpg", 9, 9)])]
        draft.memos[1].number = 5
        let document = Sample.document(draft)
        #expect(
            document.warnings == [
                .droppedCharacters(count: 1, from: .title), .droppedCharacters(count: 2, from: .text),
                .droppedCharacters(count: 2, from: .memo(5)),
            ])
        #expect(xml(document).contains("<title>Title</title>"))
    }

    @Test("a memo with nothing to show is left out and told")
    func emptyMemo() {
        var draft = Sample.draft
        draft.memos.insert(Sample.memo(" \n", "2026-05-03T07:00:00+09:00"), at: 1)
        draft.memos[1].number = 9
        let document = Sample.document(draft)
        #expect(values("position", in: document).first == "1")
        #expect(values("position", in: document)[1] == "3")
        #expect(document.warnings.contains(.emptyMemo(9)))
    }

    @Test("markup in a draft stays text")
    func markup() {
        var draft = Sample.draft
        draft.memos = [Sample.memo("<script>\"&]]>", nil)]
        #expect(xml(Sample.document(draft)).contains("<line>&lt;script&gt;&quot;&amp;]]&gt;</line>"))
    }

    @Test("every document is as the schema says")
    func schema() throws {
        let folder = try TemplateFolder()
        let schema = folder.path / "layouts/draft.rng"
        var documents = [
            Sample.document(), Sample.document(Sample.sheets), Sample.document(captions: [.number, .name]),
            Sample.document(language: .japanese, captions: []),
            Sample.document(memos: 2..<4, part: NotePart(number: 1, count: 2, nextTitle: "b")),
        ]
        var draft = Sample.draft
        draft.text = "Only a title"
        draft.memos = []
        documents.append(Sample.document(draft))
        draft.memos = [Sample.memo("", nil, nil, [Sample.photo(1, "a.heic", 9, 9)])]
        documents.append(DraftDocument(of: draft, pictures: [:], layout: "mine", language: .english))
        for document in documents {
            #expect(try Xmllint.accepts(document.xml, ["--relaxng", schema.description]))
        }
    }
}

extension String {
    /// How often a piece occurs.
    func components(of piece: String) -> Int { split(separator: piece, omittingEmptySubsequences: false).count - 1 }
}
