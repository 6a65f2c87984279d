import Glibc
import Layouts
import Notes
import System
import Testing
import Workbench

@Suite("A draft becomes a note")
struct ComposerTests {
    private func compose(
        _ draft: Draft = Sample.draft, _ layout: Layout = .full, memos: Range<Int>? = nil,
        pictures: [Int64: Picture]? = nil
    ) throws -> Note {
        let composer = NoteComposer(
            sheet: try LayoutSheet(layout, in: TemplateFolder()), language: .english)
        return try composer.compose(
            draft, memos: memos, uid: "u-1", title: "T", pictures: pictures ?? Sample.pictures(of: draft)
        ).note
    }

    @Test("the resources are those that the content refers to, in its order, each once", arguments: Layout.allCases)
    func resources(layout: Layout) throws {
        let note = try compose(Sample.draft, layout)
        var seen: Set<String> = []
        let hashes = note.enml.matches(of: /hash="([0-9a-f]{32})"/).map { String($0.1) }.filter {
            seen.insert($0).inserted
        }
        #expect(note.resources.map(\.blob.md5.hex) == hashes)
        #expect(hashes.count == (layout == .thumbsFull ? 18 : 9))
    }

    @Test("a photo that comes twice is one resource")
    func twice() throws {
        var draft = Sample.draft
        draft.memos.append(Sample.memo("again", nil, nil, [Sample.photo(1, "dawn.jpg", 1600, 1200)]))
        let pictures = Sample.pictures(of: Sample.draft)
        #expect(try compose(draft, pictures: pictures).resources.count == 9)
    }

    @Test("two files of the same MD5 in one note are refused by name")
    func sameHash() throws {
        var pictures = Sample.pictures(of: Sample.draft)
        let first = try #require(pictures[1]?.full?.blob)
        pictures[2]?.full?.blob = BlobKey(md5: first.md5, size: first.size, serial: 1)
        #expect(throws: NoteComposer.Failure.sameHash(["dawn.jpg", "ferry.jpg"])) { try compose(pictures: pictures) }
    }

    @Test("file names are unique and have the extension of their type")
    func names() throws {
        var draft = Sample.draft
        draft.memos = (1...4).map { Sample.memo("", nil, nil, [Sample.photo($0, "p\($0)", 9, 9)]) }
        var pictures = Sample.pictures(of: draft)
        for (id, name) in [(1, "IMG.HEIC"), (2, "img.jpg"), (3, "../a/b\u{202e}.JPEG"), (4, ".")] {
            pictures[Int64(id)]?.full?.attributes.fileName = name
        }
        #expect(
            try compose(draft, pictures: pictures).resources.map(\.attributes.fileName)
                == ["IMG.jpg", "img 2.jpg", "_a_b.JPEG", "photo.jpg"])
    }

    @Test("what a note knows of itself")
    func attributes() throws {
        let note = try compose()
        #expect(note.attributes.sourceURL == "evergear://note/u-1")
        #expect(note.attributes.sourceApplication == "evergear")
        #expect(note.attributes.titleQuality == nil)
        #expect(note.attributes.latitude == 34.40851)
        #expect(note.attributes.subjectDate == 1_777_754_880_000)  // date -d 2026-05-03T05:48+09:00 +%s
        #expect(note.notebook == "Travel")
        #expect(note.tags == ["onomichi", "ferry"])
    }

    @Test("the draft's own place and a generated title are told")
    func ownPlace() throws {
        var draft = Sample.draft
        draft.place = Place(latitude: 1, longitude: 2, name: "home")
        draft.isTitleGenerated = true
        let attributes = try compose(draft).attributes
        #expect(attributes.latitude == 1)
        #expect(attributes.placeName == "home")
        #expect(attributes.titleQuality == 2)
    }

    @Test("a part has its own place and photos")
    func part() throws {
        let note = try compose(memos: 2..<4)
        #expect(note.attributes.placeName == "向島")
        #expect(note.resources.map(\.attributes.fileName) == ["ferry.jpg", "tower.jpg"])
    }

    @Test("a note that breaks a rule of ENML is not made")
    func validation() throws {
        signal(SIGPIPE, SIG_IGN)
        let own = try TemporaryFolder()
        let program = try BuiltProgram.path()
        for body in [
            "<section/>", "<div class='a'>a</div>", "<a href='javascript:a'>a</a>",
            "<en-media hash='\(Sample.uid)' type='image/jpeg'/>",
        ] {
            try Files.remove(own.path / "mine.xsl")
            try FileDescriptor.create(own.path / "mine.xsl").write(Array(Attack.sheet(body).utf8))
            let sheet = try LayoutSheet(file: own.path / "mine.xsl", in: TemplateFolder(), program: program)
            #expect(throws: ENMLError.self, "\(body)") {
                try NoteComposer(sheet: sheet, language: .english).compose(
                    Sample.draft, uid: "u", title: "T", pictures: Sample.pictures(of: Sample.draft))
            }
        }
    }

    @Test("a missing folder of templates says where it was looked for")
    func missingTemplates() throws {
        let error = #expect(throws: TemplateFolder.Missing.self) {
            try TemplateFolder(beside: "/opt/x/bin/evergear")
        }
        #expect(error?.lookedIn.first == "/opt/x/share/evergear/templates")
        #expect(error?.lookedIn.contains("/opt/templates") == true)
        #expect(throws: TemplateFolder.Missing(lookedIn: ["/nonexistent"])) { try TemplateFolder("/nonexistent") }
    }

    @Test("a layout is found by name, by path, or in the user's folder")
    func asking() throws {
        let own = try TemporaryFolder()
        try FileDescriptor.create(own.path / "mine.xsl").write(Array(Attack.sheet("a").utf8))
        let templates = try TemplateFolder()
        #expect(try LayoutSheet(asked: "thumbs-full", in: templates, ownFolder: own.path).shipped == .thumbsFull)
        #expect(try LayoutSheet(asked: "mine", in: templates, ownFolder: own.path).name == "mine")
        #expect(try LayoutSheet(asked: "\(own.path)/mine.xsl", in: templates, ownFolder: nil).shipped == nil)
        let unknown = LayoutSheet.Unknown(name: "huge", known: ["thumbs+full", "thumbs", "full", "plain", "mine"])
        #expect(throws: unknown) { try LayoutSheet(asked: "huge", in: templates, ownFolder: own.path) }
        #expect(throws: SystemError.self) { try LayoutSheet(asked: "./no.xsl", in: templates, ownFolder: own.path) }
    }
}

@Suite("The preview page")
struct PreviewPageTests {
    private func page(_ draft: Draft = Sample.draft) throws -> String {
        let versions = try Layout.allCases.map { layout in
            let composer = NoteComposer(
                sheet: try LayoutSheet(layout, in: TemplateFolder()), language: .english)
            let note = try composer.compose(
                draft, uid: "u", title: draft.title, pictures: Sample.pictures(of: draft)
            ).note
            return PreviewPage.Version(layout: layout.rawValue, notes: [note])
        }
        var bytes: [UInt8] = []
        try PreviewPage(
            versions, chosen: "thumbs", standing: "sent <long> ago", limit: 26_214_400, warnings: ["a <b>"]
        ).write(
            picture: { ("image/jpeg", Array($0.attributes.fileName.utf8)) }, to: { bytes += $0 })
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("of a layout that makes no note it says why, and has the title all the same")
    func refused() throws {
        let sheet = try LayoutSheet(.plain, in: TemplateFolder())
        let note = try NoteComposer(sheet: sheet, language: .english).compose(
            Sample.draft, uid: "u", title: "Ridge", pictures: Sample.pictures(of: Sample.draft)
        ).note
        var bytes: [UInt8] = []
        try PreviewPage(
            [.init(layout: "full", refusal: "too <large>"), .init(layout: "plain", notes: [note])], chosen: "plain",
            standing: "", limit: 1_000
        ).write(picture: { _ in nil }, to: { bytes += $0 })
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.contains("<title>Ridge") && page.contains("too &lt;large&gt;</p>\n</article>"))
        #expect(page.contains("<b>full</b><small>no note</small>") && page.contains("id=\"l1\" checked"))
    }

    @Test("it has no script and asks nothing of a network")
    func closed() throws {
        let page = try page()
        #expect(!page.lowercased().contains("<script") && !page.lowercased().contains("javascript:"))
        #expect(page.contains("default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"))
        #expect(page.components(of: " src=\"") == page.components(of: " src=\"data:"))
        #expect(page.components(of: "url(") == page.components(of: "url(\"data:"))
        #expect(!page.contains("<en-"))
    }

    @Test("each picture's bytes are in it once, as RFC 4648 writes them")
    func pictures() throws {
        let page = try page()
        // printf dawn.jpg | base64, and so on
        for text in ["ZGF3bi5qcGc=", "ZmVycnkuanBn", "aXNsYW5kcy5qcGc="] {
            #expect(page.components(of: "base64,\(text)\"") == 1)
        }
    }

    @Test("the layout asked for is shown first, and warnings and titles are text")
    func chosen() throws {
        var draft = Sample.draft
        draft.text = "<script>alert(1)</script> & \"q\"\n<img src=x onerror=y>"
        let page = try page(draft)
        #expect(page.contains("id=\"l1\" checked"))
        #expect(page.components(of: " checked>") == 1 + Layout.allCases.count)  // the tab, and the to-do in each layout
        #expect(page.contains("<li>a &lt;b&gt;</li>"))
        #expect(page.contains("sent &lt;long&gt; ago"))
        #expect(page.contains("<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;</h1>"))
        #expect(!page.contains("<img src=x"))
    }
}
