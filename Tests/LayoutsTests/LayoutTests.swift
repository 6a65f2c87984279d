import Layouts
import Notes
import System
import Testing

@Suite("The four layouts")
struct LayoutTests {
    @Test("a note is as it was when it was last looked at", arguments: Layout.allCases)
    func golden(layout: Layout) throws {
        try expectGolden(Sample.note(layout), "\(layout.rawValue).enml")
    }

    @Test("a contact sheet is as it was when it was last looked at")
    func goldenSheets() throws {
        try expectGolden(Sample.note(.thumbs, of: Sample.sheets), "sheets.enml")
    }

    @Test("captions with number and name, in Japanese, are as they were when they were last looked at")
    func goldenCaptions() throws {
        let document = Sample.document(language: .japanese, captions: [.number, .time, .place, .name])
        try expectGolden(Sample.note(.thumbsFull, document: document), "captions.thumbs+full.enml")
        try expectGolden(Sample.note(.full, document: document), "captions.full.enml")
    }

    @Test("plain has not one style attribute and no width")
    func plain() throws {
        for draft in [Sample.draft, Sample.sheets] {
            let note = try Sample.note(.plain, of: draft)
            #expect(!note.contains("style="))
            #expect(!note.contains("width="))
        }
    }

    @Test("without its styles full is plain, but for the gaps before pictures and the width of tall ones")
    func stripped() throws {
        let full = try Sample.note(.full)
            .replacing(/<div style="font-size: 8px[^"]*"><br\/><\/div>/, with: "")
            .replacing(/\ style="[^"]*"/, with: "").replacing(" width=\"480\"", with: "")
        #expect(try full == Sample.note(.plain))
    }

    @Test("without its styles every layout still reads in order: text, then memo by memo", arguments: Layout.allCases)
    func order(layout: Layout) throws {
        let note = try Sample.note(layout).replacing(/\ style="[^"]*"/, with: "")
        let pieces = [
            "朝いちばん", "<hr", "Sunday 3 May", "05:48", "06:02", "09:15", "12:30", "15:05", "16:40", "Monday 4 May",
            "20:10",
        ]
        let positions = pieces.compactMap { note.firstRange(of: $0)?.lowerBound }
        #expect(positions.count == pieces.count)
        #expect(positions == positions.sorted())
    }

    @Test("thumbs leaves every original at home")
    func originals() throws {
        let originals = Sample.draft.photos.map(\.blob.md5.hex)
        let thumbs = try Sample.note(.thumbs)
        let both = try Sample.note(.thumbsFull)
        for hash in originals {
            #expect(!thumbs.contains(hash))
            #expect(both.contains(hash))
        }
    }

    @Test("the pictures of a memo with several follow each other in their order", arguments: Layout.allCases)
    func several(layout: Layout) throws {
        let note = try Sample.note(layout)
        let pictures = Sample.pictures(of: Sample.draft)
        let hashes = [6, 7, 8].compactMap { (id: Int64) in
            layout == .thumbs ? pictures[id]?.thumb?.blob.md5.hex : pictures[id]?.full?.blob.md5.hex
        }
        let positions = hashes.compactMap { note.firstRange(of: $0)?.lowerBound }
        #expect(positions.count == 3)
        #expect(positions == positions.sorted())
    }

    @Test("a photo that could not be made small comes as it is, with a notice", arguments: Layout.allCases)
    func undecodable(layout: Layout) throws {
        var draft = Sample.draft
        draft.memos = [Sample.memo("", nil, nil, [Sample.photo(1, "broken.heic", 9, 9)])]
        var picture = try #require(Sample.pictures(of: draft)[1])
        picture.thumb = nil
        picture.notice = "broken.heic could not be decoded."
        let document = DraftDocument(of: draft, pictures: [1: picture], layout: "x", language: .english)
        let note = try Sample.note(layout, document: document)
        #expect(note.contains("hash=\"\(draft.photos[0].blob.md5.hex)\""))
        #expect(note.contains("could not be decoded"))
    }

    @Test("a video is attached once, in a line of its own, with its name", arguments: Layout.allCases)
    func video(layout: Layout) throws {
        var draft = Sample.draft
        draft.memos = [
            Sample.memo("Hop", "2026-05-03T05:48:00+09:00", nil, [Sample.video(1, "hop.mov")]),
            Sample.memo(
                "", "2026-05-03T05:50:00+09:00", nil,
                [Sample.photo(2, "live.jpg", 40, 30), Sample.video(3, "live.mov")]),
        ]
        for captions: Captions in [.standard, [], [.number, .time, .place, .name]] {
            let note = try Sample.note(layout, document: Sample.document(draft, captions: captions))
            for (index, name) in [(0, "hop.mov"), (2, "live.mov")] {
                let media = "<en-media hash=\"\(draft.photos[index].blob.md5.hex)\" type=\"video/quicktime\"/>"
                #expect(note.ranges(of: "<div>\(media)</div>").count == 1, "\(note)")
                #expect(note.contains(name))
            }
            #expect(!note.contains("width=\"480\""))
            if captions.contains(.name) { continue }  // names stand over the words, too
            let order = try ["Hop", "hop.mov", "live.mov"].map { try #require(note.firstRange(of: $0)?.lowerBound) }
            #expect(order == order.sorted(), "\(note)")
        }
    }

    @Test("a run of Live Photos is a contact sheet, with the videos below it in thumbs")
    func sheetOfVideos() throws {
        var draft = Sample.draft
        draft.memos = (0..<5).map { index in
            Sample.memo(
                "", "2026-05-03T05:5\(index):00+09:00", nil,
                [
                    Sample.photo(Int64(2 * index), "\(index).jpg", 40, 30),
                    Sample.video(Int64(2 * index + 1), "\(index).mov"),
                ])
        }
        let note = try Sample.note(.thumbs, of: draft)
        #expect(note.contains("5 photos"))
        let places = try (0..<5).map { try #require(note.firstRange(of: "\($0).mov")?.lowerBound) }
        #expect(places == places.sorted())
        let last = try #require(note.ranges(of: "image/jpeg").last?.lowerBound)
        #expect(places.allSatisfy { $0 > last })
        let both = try Sample.note(.thumbsFull, of: draft)
        #expect(both.contains("5 photos"))
        for index in 0..<5 { #expect(both.ranges(of: "\(index).mov").count == 1) }
    }

    @Test("no layout leaves an empty element, whatever a memo lacks", arguments: Layout.allCases)
    func emptyElements(layout: Layout) throws {
        let time = "2026-05-03T05:48:00+09:00"
        let place = Place(latitude: 1, longitude: 2)
        var memos: [Memo] = []
        for bits in 1..<16 {
            let photos = bits & 8 == 0 ? [] : [Sample.photo(Int64(bits), "\(bits).jpg", 40, 30)]
            memos.append(
                Sample.memo(
                    bits & 1 == 0 ? "" : "a\n\nb", bits & 2 == 0 ? nil : time, bits & 4 == 0 ? nil : place, photos))
        }
        memos.append(Sample.memo("", nil, nil, [Sample.photo(16, "a.jpg", 40, 30), Sample.photo(17, "b.jpg", 40, 30)]))
        memos.append(Sample.memo("", nil, nil, [Sample.photo(18, "c.heic", 40, 30), Sample.video(19, "c.mov")]))
        for bits in 0..<8 {
            memos.append(
                Sample.memo(
                    bits & 1 == 0 ? "" : "a", bits & 2 == 0 ? nil : time, bits & 4 == 0 ? nil : place,
                    [Sample.video(Int64(20 + bits), "\(bits).mov")]))
        }
        for text in ["Title", "Title\ntext"] {
            for memos in [memos, []] {
                var draft = Sample.draft
                (draft.text, draft.memos) = (text, memos)
                for captions: Captions in [.standard, [], [.name], [.number], [.number, .time, .place, .name]] {
                    let note = try Sample.note(layout, document: Sample.document(draft, captions: captions))
                    let empty = note.matches(of: /<(\w+(?:-\w+)?)[^>]*\/>/).map(\.1)
                    #expect(Set(empty).isSubset(of: ["br", "hr", "en-media", "en-todo"]))
                    #expect(!note.contains("<div></div>"))
                }
            }
        }
    }

    @Test("text with every special character comes out as it went in")
    func escaping() throws {
        var draft = Sample.draft
        draft.memos = [Sample.memo("a<b>&\"' ]]> 𠮷 é", nil)]
        #expect(try Sample.note(.full, of: draft).contains("<div>a&lt;b&gt;&amp;\"' ]]&gt; 𠮷 é</div>"))
    }

    /// Compares with `Golden/<name>`. `EVERGEAR_GOLDEN=write` writes it anew: look at it before it is committed.
    private func expectGolden(_ note: String, _ name: String) throws {
        let file = FilePath(#filePath).folder / "Golden" / name
        // A line for each element of the top, so that a difference is seen.
        let lines = note.replacing("</div><", with: "</div>\n<").replacing("</h3><", with: "</h3>\n<") + "\n"
        if Environment.value("EVERGEAR_GOLDEN") == "write" {
            try Files.remove(file)
            try FileDescriptor.create(file).write(Array(lines.utf8))
        }
        #expect(lines == String(decoding: try Files.read(file, limit: 1 << 20), as: UTF8.self))
    }
}
