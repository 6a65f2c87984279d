import Notes
import Storage
import System
import Testing
import Workbench

@Suite struct DraftTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
    }

    /// A draft in which every field says something.
    private func fullDraft() throws -> Draft {
        let local = try #require(LocalTime(year: 2026, month: 5, day: 3, hour: 5, minute: 48, nanosecond: 178_406_001))
        var photo = try makePhoto(7, name: "写真\u{0}é.JPG")
        photo.blob.serial = 2
        photo.orientation = 6
        photo.moment = Moment(local, offset: 9 * 3600 + 18 * 60 + 59, isOffsetAssumed: true)
        photo.place = Place(latitude: -35.5, longitude: 139.25, altitude: -3.125, name: nil)
        photo.camera = Camera(make: nil, model: "X100")
        var bare = try makePhoto(8)
        bare.pixels = nil
        return Draft(
            uid: UID.make(at: time(0)), text: "Title\n\nline\r\nand 東京 🗼", isTitleGenerated: true, notebook: "Travel",
            tags: ["été", "a,b", "\"q\""], layout: "./mine.xsl", moment: Moment(local, offset: -3600 * 9),
            place: Place(latitude: 0, longitude: 0, altitude: nil, name: "Null Island"), created: time(-5),
            updated: time(5), isHeld: true,
            memos: [
                Memo(text: "two", photos: [bare, photo], moment: Moment(local)),
                Memo(
                    text: "", photos: [], moment: photo.moment, place: Place(latitude: 90, longitude: -180, name: "N")),
                Memo(
                    text: "before the calendar, and far beyond it", photos: [],
                    moment: Moment(LocalTime(seconds: -999_999_999_999, nanosecond: 1), offset: 0)),
                Memo(moment: Moment(LocalTime(seconds: 999_999_999_999))),
            ])
    }

    @Test("a draft comes back with every field, through another connection")
    func roundTrip() throws {
        let draft = try fullDraft()
        let added = try store.addDraft(draft)
        #expect(added.id == 1)
        let read = try folder.store().draft(added.id)
        #expect(read == added)
        #expect(try folder.store(readOnly: true).draft(uid: draft.uid) == added)

        var bare = added
        bare.id = 0
        for index in bare.memos.indices {
            #expect(bare.memos[index].number == index + 1)
            bare.memos[index].id = 0
            bare.memos[index].number = 0
            for photo in bare.memos[index].photos.indices { bare.memos[index].photos[photo].id = 0 }
        }
        #expect(bare == draft)
        #expect(try store.draft(uid: "none") == nil)
        #expect(failure { _ = try store.draft(2) } == .noSuchDraft(2))
    }

    @Test(
        "another program reads what was written",
        .enabled(if: Files.exists("/usr/bin/sqlite3"), "needs /usr/bin/sqlite3"))
    func independentReader() throws {
        _ = try store.addDraft(fullDraft())
        let sql = """
            SELECT text, tags, moment, moment_offset, place_name, quote(altitude) FROM draft;
            SELECT hex(md5), size, serial, moment_nanosecond, offset_assumed, altitude FROM photo WHERE serial = 2;
            """
        let output = try run("/usr/bin/sqlite3", ["-readonly", (folder.path / "home/store.sqlite").description, sql])
        #expect(
            output.output == """
                Title

                line\r
                and 東京 🗼|["été","a,b","\\"q\\""]|1777787280|-32400|Null Island|NULL
                07000000000000000000000000000000|1000|2|178406001|1|-3.125

                """)
    }

    @Test("the last draft is the one that was made last, and numbers are not used again")
    func numbers() throws {
        #expect(try store.lastDraft() == nil)
        let first = try store.addDraft(makeDraft())
        let second = try store.addDraft(makeDraft())
        #expect(try store.lastDraft() == second.id)
        try store.removeDraft(second.id)
        #expect(try store.lastDraft() == first.id)
        #expect(try store.addDraft(makeDraft()).id == 3)
        #expect(failure { try store.removeDraft(2) } == .noSuchDraft(2))
    }

    @Test("a list of drafts has title, counts and state")
    func summaries() throws {
        let draft = try store.addDraft(fullDraft())
        _ = try store.addDraft(makeDraft(""))
        let summaries = try store.draftSummaries()
        #expect(summaries.map(\.title) == ["Title", ""])
        #expect(summaries.map(\.memos) == [4, 0])
        #expect(summaries.map(\.photos) == [2, 0])
        #expect(summaries.map(\.standing.state) == [.unsent, .unsent])
        #expect(summaries.map(\.isHeld) == [true, false])
        #expect(summaries[0].uid == draft.uid)
        #expect(summaries[0].created == time(-5))
        #expect(summaries[0].updated == time(5))
    }

    @Test("a changed draft keeps its memos, and its time of change always grows")
    func update() throws {
        var draft = try store.addDraft(fullDraft())
        func change(_ draft: inout Draft) {
            draft.text = "New\ntext"
            draft.isTitleGenerated = false
            draft.notebook = nil
            draft.tags = []
            draft.layout = nil
            draft.moment = nil
            draft.place = nil
            draft.isHeld = false
        }
        // The clock was set back.
        try store.changeDraft(draft.id, at: time(1), change)
        change(&draft)
        draft.updated = time(6)
        #expect(try store.draft(draft.id) == draft)
        try store.changeDraft(draft.id, at: time(9), change)
        #expect(try store.draft(draft.id) == draft, "what changes nothing is no change")
        #expect(failure { try store.changeDraft(9, at: time(1), change) } == .noSuchDraft(9))
    }

    @Test("a change keeps what another has changed since the draft was read")
    func changedSince() throws {
        let draft = try store.addDraft(makeDraft(memos: [Memo(text: "a"), Memo(text: "b")]))
        let other = try folder.store()
        try other.changeDraft(draft.id, at: time(1)) { $0.tags = ["theirs"] }
        try other.changeMemo(draft.memos[0].id, at: time(2)) { $0.place = Place(latitude: 1, longitude: 2) }
        try store.changeDraft(draft.id, at: time(3)) { $0.notebook = "mine" }
        try store.changeMemo(draft.memos[0].id, at: time(4)) { $0.text = "mine" }
        let both = try store.draft(draft.id)
        #expect(both.tags == ["theirs"] && both.notebook == "mine")
        #expect(both.memos[0].text == "mine" && both.memos[0].place == Place(latitude: 1, longitude: 2))
        #expect(both.memos[1] == draft.memos[1])
        let refused = failure {
            try store.changeMemo(draft.memos[0].id, at: time(5)) { memo throws(StoreError) in
                memo.text = "never"
                throw .changedMeanwhile(draft: draft.id)
            }
        }
        #expect(refused == .changedMeanwhile(draft: draft.id))
        #expect(try store.draft(draft.id) == both)
    }

    @Test("memos are added, moved and removed at their places")
    func memos() throws {
        let draft = try store.addDraft(makeDraft(memos: ["a", "b", "c"].map { Memo(text: $0) }))
        let other = try store.addDraft(makeDraft(memos: [Memo(text: "untouched")]))
        func texts() throws -> String { try store.draft(draft.id).memos.map(\.text).joined() }

        let d = try store.addMemo(Memo(text: "d"), to: draft.id, now: time(1))
        #expect(try texts() == "abcd")
        _ = try store.addMemo(Memo(text: "0"), to: draft.id, at: 0, now: time(2))
        _ = try store.addMemo(Memo(text: "z"), to: draft.id, at: 99, now: time(3))
        #expect(try texts() == "0abcdz")
        try store.moveMemo(d.id, to: 1, now: time(4))
        #expect(try texts() == "0dabcz")
        try store.moveMemo(d.id, to: 3, now: time(5))
        #expect(try texts() == "0abdcz")
        try store.moveMemo(d.id, to: 99, now: time(6))
        #expect(try texts() == "0abczd")
        try store.moveMemo(d.id, to: -1, now: time(7))
        #expect(try texts() == "d0abcz")
        try store.removeMemo(draft.memos[1].id, now: time(8))
        #expect(try texts() == "d0acz")
        _ = try store.addMemo(Memo(text: "e"), to: draft.id, at: 4, now: time(9))
        #expect(try texts() == "d0acez")
        #expect(try store.draft(draft.id).updated == time(9))
        #expect(try store.draft(other.id) == other)
        let ids = try store.draft(draft.id).memos.map(\.id)
        try store.orderMemos(of: draft.id, at: time(10)) { $0.map(\.id).reversed() }
        #expect(try texts() == "zeca0d")
        #expect(
            failure { try store.orderMemos(of: draft.id, at: time(11)) { $0.map(\.id).dropLast() } }
                == .wrongMemo(ids[0], draft: draft.id))
        #expect(try texts() == "zeca0d")

        #expect(failure { try store.removeMemo(99, now: time(9)) } == .noSuchMemo(99))
        #expect(failure { try store.moveMemo(99, to: 0, now: time(9)) } == .noSuchMemo(99))
        #expect(failure { _ = try store.addMemo(Memo(), to: 99, now: time(9)) } == .noSuchDraft(99))
    }

    @Test("a memo changes its words, time, place and photos")
    func changeMemo() throws {
        let photos = try (1...3).map { try makePhoto($0) }
        let draft = try store.addDraft(makeDraft(memos: [Memo(text: "a", photos: photos)]))
        var memo = draft.memos[0]
        memo.text = "b"
        memo.moment = Moment(LocalTime(seconds: 5), offset: 3600)
        memo.place = Place(latitude: 1, longitude: 2, name: "here")
        memo.photos = [memo.photos[2], memo.photos[0]]
        #expect(try store.changeMemo(memo.id, at: time(1)) { $0 = memo } == memo)
        #expect(try store.draft(draft.id).memos == [memo])
        #expect(failure { try store.changeMemo(99, at: time(9)) { _ in } } == .noSuchMemo(99))
    }

    @Test("an edit drops, reorders and renames in one step")
    func rewrite() throws {
        var draft = makeDraft(memos: try (1...4).map { Memo(text: "\($0)", photos: [try makePhoto($0)]) })
        draft.isTitleGenerated = true
        draft = try store.addDraft(draft)
        let ids = draft.memos.map(\.id)
        try store.rewriteDraft(
            draft.id, expecting: draft.updated, text: "A day out\nmore", memos: [(ids[3], "4"), (ids[0], "one")],
            at: time(1))
        let edited = try store.draft(draft.id)
        #expect(edited.memos.map(\.text) == ["4", "one"])
        #expect(edited.photos.map(\.name) == ["IMG_4.JPG", "IMG_1.JPG"])
        #expect(edited.text == "A day out\nmore")
        #expect(edited.isTitleGenerated, "its first line is still the one that was made")
        #expect(edited.updated == time(1))

        try store.rewriteDraft(draft.id, expecting: time(1), text: "Mine", memos: [], at: time(1))
        #expect(try store.draft(draft.id).isTitleGenerated == false)
        #expect(try store.draft(draft.id).memos == [])
    }

    @Test("an edit of a draft that somebody else changed is refused and changes nothing")
    func changedMeanwhile() throws {
        let draft = try store.addDraft(makeDraft(memos: [Memo(text: "a"), Memo(text: "b")]))
        let other = try store.addDraft(makeDraft(memos: [Memo(text: "x")]))
        // Within the same millisecond, and by another process.
        _ = try folder.store().addMemo(Memo(text: "c"), to: draft.id, now: draft.updated)
        let before = try store.draft(draft.id)
        func rewrite(_ updated: Timestamp, _ ids: [Int64]) -> StoreError? {
            failure {
                try store.rewriteDraft(
                    draft.id, expecting: updated, text: "new", memos: ids.map { ($0, "new") }, at: time(9))
            }
        }
        #expect(rewrite(draft.updated, []) == .changedMeanwhile(draft: draft.id))
        let id = draft.memos[0].id
        #expect(rewrite(before.updated, [id, id]) == .wrongMemo(id, draft: draft.id))
        let foreign = other.memos[0].id
        #expect(rewrite(before.updated, [id, foreign]) == .wrongMemo(foreign, draft: draft.id))
        #expect(try store.draft(draft.id) == before)
        #expect(try store.draft(other.id) == other)
    }

    @Test("a folder finds the draft that was made of it")
    func folders() throws {
        let path = FilePath(bytes: [0x2f, 0x63, 0xe9])  // a name that is no UTF-8
        #expect(try store.drafts(ofFolder: path).isEmpty)
        _ = try store.addDraft(makeDraft(), folder: path)
        let newer = try store.addDraft(makeDraft(), folder: path)
        let day = try store.addDraft(makeDraft(), folder: path, group: "2026-05-03")
        let found = try #require(try store.drafts(ofFolder: path).last)
        #expect(found == newer.id)
        #expect(try store.drafts(ofFolder: path, group: "2026-05-03") == [day.id])
        _ = try store.enqueue([makeJob(draft: newer.id)], at: time(0))
        #expect(try store.draftStanding(found).state == .queued)
    }
}
