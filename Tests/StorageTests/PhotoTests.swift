import Notes
import Storage
import System
import Testing
import Workbench

@Suite struct PhotoTests {
    let folder: TemporaryFolder
    let store: Store
    let draft: Draft

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
        draft = try store.addDraft(makeDraft(memos: [Memo(text: "first")]))
    }

    @Test("each photo of a batch becomes a memo at the end, with its time and place")
    func batch() throws {
        var new = try (1...3).map { try makeNew($0) }
        new[1].photo.moment = Moment(LocalTime(seconds: 77), offset: 3600, isOffsetAssumed: true)
        new[1].photo.place = Place(latitude: 35, longitude: 139)
        var batch = new.map { NewMemo(photos: [$0]) }
        batch[1].text = "A caption"
        let outcomes = try store.addMemos(batch, to: draft.id, at: time(3))
        let memos = try store.draft(draft.id).memos
        #expect(memos.map(\.text) == ["first", "", "A caption", ""])
        #expect(memos[2].moment == new[1].photo.moment)
        #expect(memos[2].place == new[1].photo.place)
        let moments = try store.memoMoments(of: draft.id)
        #expect(moments.map(\.id) == memos.map(\.id))
        #expect(moments.map(\.moment) == memos.map(\.moment))
        #expect(memos.dropFirst().map { $0.photos.map(\.name) } == [["IMG_1.JPG"], ["IMG_2.JPG"], ["IMG_3.JPG"]])
        #expect(outcomes == memos.dropFirst().map { .added(memo: $0.id, photo: $0.photos[0].id) })
        #expect(try store.draft(draft.id).updated == time(3))
        #expect(try store.source(ofPhoto: memos[2].photos[0].id) == new[1].source)
        #expect(failure { _ = try store.addPhotos(new, to: 99, at: time(3)) } == .noSuchDraft(99))
    }

    @Test("a photo that the draft has already is a duplicate of a named one")
    func duplicates() throws {
        _ = try store.addPhotos([makeNew(1)], to: draft.id, at: time(1))
        var again = try makeNew(1, path: "/card/copy.jpg")
        again.photo.name = "copy.jpg"
        let outcomes = try store.addPhotos([again, makeNew(2), makeNew(2)], to: draft.id, at: time(1))
        let names = outcomes.map { outcome in
            if case .duplicate(let use) = outcome { use.name } else { "added" }
        }
        #expect(names == ["IMG_1.JPG", "added", "IMG_2.JPG"])
        #expect(try store.draft(draft.id).memos.count == 3)
        guard case .duplicate(let use) = outcomes[0] else { return }
        #expect(use.path == "/card/IMG_1.JPG")

        let other = try store.addDraft(makeDraft())
        #expect(try store.uses(of: again.photo.blob).map(\.memo) == [use.memo])
        _ = try store.addPhotos([again], to: other.id, at: time(1))
        #expect(try store.uses(of: again.photo.blob).map(\.draft) == [other.id, draft.id])
        #expect(try store.uses(of: again.photo.blob).first?.name == "copy.jpg")
        var sibling = again.photo.blob
        sibling.serial = 1
        #expect(try store.uses(of: sibling) == [], "other bytes of the same MD5")
    }

    @Test("a photo and its video become one memo, with the time of the first and a place that any of them knows")
    func together() throws {
        var (still, video) = (try makeNew(1), try makeNew(2))
        still.photo.moment = Moment(LocalTime(seconds: 77))
        (video.photo.mime, video.photo.moment) = ("video/quicktime", Moment(LocalTime(seconds: 76)))
        video.photo.place = Place(latitude: 35, longitude: 139)
        let outcomes = try store.addMemos([NewMemo(photos: [still, video], text: "Hop")], to: draft.id, at: time(3))
        let memo = try #require(try store.draft(draft.id).memos.last)
        #expect(memo.photos.map(\.name) == ["IMG_1.JPG", "IMG_2.JPG"])
        #expect(memo.photos.map(\.isVideo) == [false, true])
        #expect(memo.text == "Hop" && memo.moment == still.photo.moment && memo.place == video.photo.place)
        #expect(outcomes == memo.photos.map { .added(memo: memo.id, photo: $0.id) })
        #expect(try store.source(ofPhoto: memo.photos[1].id) == video.source)
    }

    @Test("what comes later joins its memo behind the photos that are there, or is one of its own where that is gone")
    func joining() throws {
        guard case .added(let memo, _) = try store.addPhotos([makeNew(1)], to: draft.id, at: time(1))[0] else {
            Issue.record("the first photo was not added")
            return
        }
        let late = NewMemo(photos: [try makeNew(1), try makeNew(2)], joins: memo)
        let outcomes = try store.addMemos([late], to: draft.id, at: time(2))
        guard case .duplicate(let use) = outcomes[0], case .added(memo, _) = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(use.memo == memo)
        #expect(try store.draft(draft.id).memos.map { $0.photos.map(\.name) } == [[], ["IMG_1.JPG", "IMG_2.JPG"]])

        try store.removeMemo(memo, now: time(3))
        let other = try store.addDraft(makeDraft())
        _ = try store.addMemos([NewMemo(photos: [makeNew(3)], joins: memo)], to: draft.id, at: time(4))
        let foreign = try #require(try store.draft(draft.id).memos.first).id
        _ = try store.addMemos([NewMemo(photos: [makeNew(4)], joins: foreign)], to: other.id, at: time(4))
        #expect(try store.draft(draft.id).memos.map { $0.photos.map(\.name) } == [[], ["IMG_3.JPG"]])
        #expect(try store.draft(other.id).memos.map { $0.photos.map(\.name) } == [["IMG_4.JPG"]])
    }

    @Test("a file that was taken is known by path, size and time, also after its memo was dropped")
    func imported() throws {
        let path = FilePath(bytes: [0x2f, 0xff, 0xfe])
        let new = try makeNew(5, path: path)
        _ = try store.addPhotos([new], to: draft.id, at: time(1))
        let (size, modified) = (new.photo.blob.size, new.source.modified)
        let use = try #require(try store.imported(path, size: size, modified: modified).first)
        #expect(use.draft == draft.id)
        #expect(use.memo != nil)
        #expect(use.path == path)
        #expect(try store.imported(path, size: size + 1, modified: modified) == [])
        #expect(try store.imported(path, size: size, modified: modified + 1) == [])
        #expect(try store.imported("/other", size: size, modified: modified) == [])

        try store.removeMemo(try #require(use.memo), now: time(2))
        let dropped = try store.imported(path, size: size, modified: modified)
        #expect(dropped.map(\.memo) == [nil])
        #expect(dropped.map(\.draft) == [draft.id])
        try store.removeDraft(draft.id)
        #expect(try store.imported(path, size: size, modified: modified) == [], "nothing stands against it any more")
    }

    @Test("a copy is remembered by photo and recipe while its bytes are there")
    func copies() throws {
        let photo = try makePhoto(1).blob
        let blob = try store.blobs.add([1, 2, 3])
        let copy = PhotoCopy(blob: blob, mime: "image/jpeg", pixels: try #require(PixelSize(width: 320, height: 240)))
        #expect(try store.copy(of: photo, by: "thumb 240") == nil)
        try store.addCopies([(photo, "thumb 240", copy)])
        #expect(try folder.store().copy(of: photo, by: "thumb 240") == copy)
        #expect(try store.copy(of: photo, by: "thumb 320") == nil)
        #expect(try store.unreferencedBlobs() == [])
        try store.blobs.remove(blob)
        #expect(try store.copy(of: photo, by: "thumb 240") == nil)
        let other = PhotoCopy(
            blob: try store.blobs.add([4]), mime: "image/jpeg", pixels: copy.pixels, isDamaged: true)
        try store.addCopies([(photo, "thumb 240", other)])
        #expect(try store.copy(of: photo, by: "thumb 240") == other)
    }

    @Test("blobs that nothing names are found")
    func unreferenced() throws {
        let keys = try (0..<4).map { try store.blobs.add([UInt8($0)]) }
        var photo = try makePhoto(1)
        photo.blob = keys[0]
        var memo = Memo(photos: [photo])
        memo = try store.addMemo(memo, to: draft.id, now: time(1))
        let resource = Resource(
            blob: keys[1], mime: "image/jpeg", pixels: nil, attributes: ResourceAttributes(fileName: "a.jpg"))
        _ = try store.enqueue([makeJob(draft: draft.id, resources: [resource])], at: time(1))
        let pixels = try #require(PixelSize(width: 1, height: 1))
        try store.addCopies([(keys[0], "thumb", PhotoCopy(blob: keys[2], mime: "image/jpeg", pixels: pixels))])
        try Files.replace(store.blobs.path(of: keys[0]).folder / "stranger", with: [])
        #expect(try store.unreferencedBlobs() == [keys[3]])
        try store.removeMemo(memo.id, now: time(2))
        #expect(try store.unreferencedBlobs() == [keys[3]], "a dropped memo's original waits for prune")
    }
}
