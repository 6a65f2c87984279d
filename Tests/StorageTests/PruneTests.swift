import Notes
import Storage
import System
import Testing
import Workbench

@Suite struct PruneTests {
    let folder: TemporaryFolder
    let store: Store
    let worker: WorkerLock

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
        worker = try store.beginWork()
    }

    /// A draft with a memo for each text, whose photo has that text's bytes.
    private func draft(_ photos: String...) throws -> Draft {
        let memos = try photos.map { text in
            let blob = try store.blobs.add(Array(text.utf8))
            return Memo(photos: [Photo(blob: blob, mime: "image/jpeg", pixels: nil, name: "\(text).jpg")])
        }
        return try store.addDraft(makeDraft(memos: memos))
    }

    private func key(_ text: String) throws -> BlobKey { try store.blobs.add(Array(text.utf8)) }

    /// - Parameter sent: When it is sent, milliseconds: of two in one millisecond neither is the later.
    private func job(
        of draft: Draft, _ blobs: [BlobKey]? = nil, hash: String = "h", sent: Int64 = 0
    ) throws -> Int64 {
        let resources = (blobs ?? draft.photos.map(\.blob)).map {
            Resource(blob: $0, mime: "image/jpeg", pixels: nil, attributes: ResourceAttributes(fileName: "a.jpg"))
        }
        let job = makeJob(draft: draft.id, hash: hash, batch: UID.make(at: time(sent)), resources: resources)
        return try #require(try store.enqueue([job], at: time(sent)).first)
    }

    private func deliver(_ job: Int64, _ receipt: Receipt = Receipt(delivered: time(100), path: "/notes/a.enex")) throws
    {
        _ = try store.claim([job], by: worker, at: time(1))
        try store.succeed([(job, receipt)], at: time(100))
    }

    private func reasons(before milliseconds: Int64 = 101) throws -> [BlobKey: Prunable.Reason] {
        let all = try store.prunable(deliveredBefore: time(milliseconds), withUndelivered: true)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.blob, $0.reason) })
    }

    @Test("an original is freed once it was delivered itself, long enough ago")
    func delivered() throws {
        let draft = try draft("a")
        let blob = draft.photos[0].blob
        #expect(try reasons().isEmpty, "not sent yet")
        let job = try job(of: draft)
        #expect(try reasons().isEmpty, "queued")
        try deliver(job)
        #expect(try reasons(before: 100).isEmpty, "too early")
        #expect(try reasons() == [blob: .delivered])
        let freed = try store.prune(
            store.prunable(deliveredBefore: time(101), withUndelivered: false), deliveredBefore: time(101))
        #expect(freed.map(\.blob) == [blob])
        #expect(try !store.blobs.contains(blob))
        #expect(try store.isFreed(blob))
        #expect(try store.delivery(of: blob) != nil, "it is known all the same")
        #expect(try store.prune(freed, deliveredBefore: time(101)).isEmpty, "once")
    }

    @Test("a draft that was changed since it was sent keeps its originals: it is to be sent once more")
    func changedSince() throws {
        let draft = try draft("a")
        try deliver(job(of: draft))
        #expect(try reasons() == [draft.photos[0].blob: .delivered])
        _ = try store.addMemo(Memo(text: "more"), to: draft.id, now: time(200))
        #expect(try reasons().isEmpty)
        try deliver(job(of: draft, hash: "newer", sent: 300))
        #expect(try reasons() == [draft.photos[0].blob: .delivered])
    }

    @Test("a thumbnail that was delivered, or a word by hand, vouches for no original")
    func notItself() throws {
        let draft = try draft("heic")
        let original = draft.photos[0].blob
        let thumb = try key("thumbnail")
        let copy = PhotoCopy(blob: thumb, mime: "image/jpeg", pixels: try #require(PixelSize(width: 1, height: 1)))
        try store.addCopies([(photo: original, recipe: "thumb", copy: copy)])
        try deliver(job(of: draft, [thumb]))
        #expect(try reasons() == [thumb: .copy])
        #expect(try store.vouched(for: original) == nil)
        try deliver(job(of: draft, hash: "other"), Receipt(delivered: time(100)))
        #expect(try reasons() == [thumb: .copy])
        #expect(try store.vouched(for: original) == nil)
        #expect(try store.deliveries().map { $0.receipt?.isByHand } == [true, false])
    }

    @Test("a note that a newer version without the photo replaced, or is to replace, vouches for it no more")
    func updated() throws {
        let draft = try draft("a")
        let blob = draft.photos[0].blob
        try deliver(job(of: draft), Receipt(delivered: time(100), guid: "g"))
        #expect(try store.vouched(for: blob) == time(100))
        var newer = makeJob(draft: draft.id, hash: "newer")
        newer.replaces = Upload(guid: "g", usn: 1, resources: 0)
        let id = try store.enqueue([newer], at: time(101))[0]
        #expect(try store.vouched(for: blob) == nil)
        try deliver(id, Receipt(delivered: time(102), guid: "g"))
        #expect(try store.vouched(for: blob) == nil)
    }

    @Test("a note that is gone or was overwritten vouches for nothing any more, whatever becomes of the job that told")
    func superseded() throws {
        /// A delivered draft whose note is about to be replaced.
        func update(_ guid: String) throws -> (job: Int64, blob: BlobKey) {
            let draft = try draft(guid)
            let blob = draft.photos[0].blob
            try deliver(job(of: draft), Receipt(delivered: time(100), guid: guid))
            #expect(try store.vouched(for: blob) == time(100))
            var newer = makeJob(draft: draft.id, hash: "newer than \(guid)")
            newer.replaces = Upload(guid: guid, usn: 1, resources: 0)
            let id = try store.enqueue([newer], at: time(101))[0]
            _ = try store.claim([id], by: worker, at: time(102))
            return (id, blob)
        }
        let untouched = try update("untouched")
        try store.park([untouched.job], because: JobFailure(code: "c", message: "m"), at: time(103))
        try store.cancel([untouched.job], at: time(104))
        #expect(try store.vouched(for: untouched.blob) == time(100), "nothing has changed about it")

        let gone = try update("gone")
        try store.park([gone.job], because: JobFailure(code: "note_gone", message: "m"), at: time(103))
        try store.retry([gone.job], at: time(104))
        #expect(try store.vouched(for: gone.blob) == nil)
        try store.cancel([gone.job], at: time(105))
        #expect(try store.vouched(for: gone.blob) == nil)

        let begun = try update("begun")
        try store.setUpload(Upload(guid: "begun", usn: 2, resources: 1), of: begun.job)
        try store.park([begun.job], because: JobFailure(code: "c", message: "m"), at: time(103))
        #expect(try store.redirect([begun.job], to: "enex:/elsewhere", at: time(104)).isEmpty)
        #expect(try store.vouched(for: begun.blob) == nil)
    }

    @Test("what any job has before it stays, whatever else is said of it")
    func open() throws {
        let draft = try draft("a")
        try deliver(job(of: draft))
        let other = try job(of: draft, hash: "other")
        #expect(try reasons().isEmpty, "queued")
        _ = try store.claim([other], by: worker, at: time(1))
        #expect(try reasons().isEmpty, "sending")
        try store.markUncertain([other], because: JobFailure(code: "c", message: "m"), at: time(1))
        #expect(try reasons().isEmpty, "uncertain")
        try store.park([other], because: JobFailure(code: "c", message: "m"), at: time(1))
        #expect(try reasons().isEmpty, "parked")
        try store.cancel([other], at: time(1))
        #expect(try reasons().values.map(\.self) == [.delivered], "given up")
    }

    @Test("an unsent draft keeps its photos, even those that another has delivered")
    func unsent() throws {
        let sent = try draft("a")
        try deliver(job(of: sent))
        let unsent = try draft("a")
        #expect(try reasons().isEmpty)
        try store.removeDraft(unsent.id)
        #expect(try reasons().values.map(\.self) == [.delivered])
    }

    @Test("what was dropped and never delivered goes only where it is asked for")
    func undelivered() throws {
        let removed = try draft("removed")
        try store.removeDraft(removed.id)
        let kept = try draft("kept", "dropped")
        try store.removeMemo(kept.memos[1].id, now: time(1))
        let reasons = try reasons()
        #expect(reasons == [removed.photos[0].blob: .removedDraft, kept.photos[1].blob: .droppedMemo])
        #expect(try store.prunable(deliveredBefore: time(101), withUndelivered: false).isEmpty)
        let list = try store.prunable(deliveredBefore: time(101), withUndelivered: true)
        #expect(Set(list.map(\.name)) == ["removed.jpg", "dropped.jpg"])
        #expect(try store.prune(list, deliveredBefore: time(101)).count == 2)
        #expect(try store.namedBlobs().compactMap(\.photo).sorted() == ["dropped.jpg", "kept.jpg"])
    }

    @Test("the text of a job that was given up is forgotten with its removed draft")
    func forsaken() throws {
        let draft = try draft("a")
        let job = try job(of: draft)
        try store.cancel([job], at: time(1))
        #expect(try store.forsakenJobs().isEmpty, "its draft is there")
        try store.removeDraft(draft.id)
        #expect(try store.forsakenJobs().map(\.id) == [job])
        _ = try store.prune([], deliveredBefore: time(0), jobs: [job])
        #expect(failure { _ = try store.job(job) } == .noSuchJob(job))
    }

    @Test("bytes that are being taken in are waited for, and then not freed")
    func takenInMeanwhile() throws {
        let sent = try draft("a")
        try deliver(job(of: sent))
        let list = try store.prunable(deliveredBefore: time(101), withUndelivered: true)
        #expect(list.count == 1)
        let other = try folder.store()
        // Another finds the bytes and has not named them yet.
        let blob = try other.blobs.add(Array("a".utf8))
        var waited = 0
        let freed = try store.prune(list, deliveredBefore: time(101)) {
            waited += 1
            let photo = Photo(blob: blob, mime: "image/jpeg", pixels: nil, name: "a.jpg")
            #expect(throws: Never.self) { _ = try other.addDraft(makeDraft(memos: [Memo(photos: [photo])])) }
        }
        #expect(waited == 1)
        #expect(freed.isEmpty)
        #expect(try store.blobs.contains(blob))
    }

    @Test("damage is told from what was freed")
    func damage() throws {
        let blob = try draft("abc").photos[0].blob
        let path = store.blobs.path(of: blob)
        #expect(try store.blobs.damage(of: blob, reads: true) == nil)
        try Files.replace(path, with: Array("abd".utf8))
        #expect(try store.blobs.damage(of: blob, reads: false) == nil)
        #expect(try store.blobs.damage(of: blob, reads: true) == .wrongBytes)
        try Files.replace(path, with: [1])
        #expect(try store.blobs.damage(of: blob, reads: false) == .wrongSize)
        try store.blobs.remove(blob)
        #expect(try store.blobs.damage(of: blob, reads: false) == .missing)
        #expect(try !store.isFreed(blob))
        #expect(try store.databaseProblems().isEmpty)
    }

    @Test("a job goes elsewhere as if it were new there, unless the same note is there")
    func redirect() throws {
        let draft = try draft("a")
        let first = try job(of: draft)
        try store.park([first], because: JobFailure(code: "auth", message: "m"), at: time(1))
        #expect(try store.parkedReasons().map { [$0.failure.code, "\($0.jobs)"] } == [["auth", "1"]])
        #expect(try store.redirect([first], to: "enex:/b", at: time(2)).isEmpty)
        let moved = try store.job(first)
        #expect(moved.state == .queued && moved.destination == "enex:/b" && moved.tries == 0)
        #expect(try store.dueJobs(at: "enex:/b", now: time(2), limit: 1).map(\.id) == [first])
        let second = try job(of: draft)
        #expect(
            try store.redirect([second, 99], to: "enex:/b", at: time(2)).map(\.error) == [
                .alreadyThere(job: second, other: first, state: .queued), .noSuchJob(99),
            ])
        _ = try store.claim([first], by: worker, at: time(3))
        try store.markUncertain([first], because: JobFailure(code: "c", message: "m"), at: time(3))
        #expect(
            try store.redirect([first], to: "enex:/c", at: time(4)).map(\.error) == [
                .illegalTransition(job: first, state: .uncertain, event: .redirect)
            ])
        try store.adopt(first, receipt: Receipt(delivered: time(5)), at: time(5))
        #expect(
            try store.redirect([second], to: "enex:/b", at: time(6)).map(\.error) == [
                .alreadyThere(job: second, other: first, state: .sent)
            ])
    }
}
