import ENEX
import Glibc
import Layouts
import Notes
import Outbox
import Storage
import System
import Testing
import Workbench

@testable import EvergearCLI

@Suite("The ENEX destination") struct ENEXDestinationTests {
    let folder: TemporaryFolder
    let store: Store
    let draft: Draft
    let notes: FilePath
    let now = Timestamp(milliseconds: 1_777_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path / "home")
        notes = folder.path / "notes"
        draft = try store.addDraft(Draft(uid: UID.make(at: now), text: "Out", created: now, updated: now))
    }

    // MARK: Names

    @Test("a file is named by its notebook, and numbered where the name is taken") func notebook() throws {
        try deliver(note("a", notebook: "Travel"), note("b", notebook: "Travel"))
        try deliver(note("c", notebook: "Travel"))
        try deliver(note("d", notebook: "Work"), note("e"))
        #expect(try titles("Travel.enex") == ["a", "b"])
        #expect(try titles("Travel 2.enex") == ["c"])
        #expect(try titles("Work.enex") == ["d"])
        #expect(try files().count == 4)
    }

    @Test(
        "a lone draft without a notebook is named by title and by the day on the clock of the place",
        arguments: [
            (32_400, "2024-05-01"), (0, "2024-04-30"), (-36_000, "2024-04-30"),  // 2024-04-30T20:12Z
        ])
    func day(offset: Int, day: String) throws {
        var note = note("Morning")
        note.created = try #require(Moment(iso8601: "2024-05-01T05:12+09:00")).timestamp
        note.createdOffset = offset
        try deliver(note)
        #expect(try files() == ["\(day) Morning.enex"])
    }

    @Test("the parts of a lone draft share a file named without their number; several drafts are just notes")
    func parts() throws {
        let batch = UID.make(at: now)
        try queue((1...3).map { job(note("Big (\($0)/3)"), batch: batch, part: $0, parts: 3) })
        try work()
        #expect(try files() == ["2026-04-24 Big.enex"])
        #expect(try titles("2026-04-24 Big.enex") == ["Big (1/3)", "Big (2/3)", "Big (3/3)"])
        try deliver(note("a"), note("b"))
        #expect(try titles("Notes.enex") == ["a", "b"])
    }

    @Test(
        "a name keeps to the rule whatever the notebook is called",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd.enex"), ("-rf", "rf.enex"), (".hidden", "hidden.enex"),
            ("a\u{202e}b\u{7}\u{0}c", "abc.enex"), ("...", "Notes.enex"), ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}.enex"),
        ])
    func rule(notebook: String, name: String) throws {
        try deliver(note("a", notebook: notebook))
        #expect(try files().map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test("a long name is cut to 200 bytes between two characters, its number included") func longName() throws {
        let notebook = String(repeating: "旅", count: 99)
        try deliver(note("a", notebook: notebook))
        try deliver(note("b", notebook: notebook))
        let names = try files()
        #expect(names.map(\.utf8.count).sorted() == [199, 200])
        #expect(names.allSatisfy { $0.hasPrefix("旅旅") && $0.hasSuffix(".enex") && !$0.contains("\u{fffd}") })
    }

    // MARK: Cutting

    @Test("what is over the size goes into a numbered next file, in order") func split() throws {
        let notes = try (1...5).map { try note("\($0)", notebook: "Travel", bytes: 3_000, fill: UInt8($0)) }
        try queue(notes.map { job($0) })
        try work(split: 9_000)
        #expect(try files() == ["Travel 2.enex", "Travel 3.enex", "Travel.enex"])
        #expect(try titles("Travel.enex") == ["1", "2"])
        #expect(try titles("Travel 2.enex") == ["3", "4"])
        #expect(try titles("Travel 3.enex") == ["5"])
    }

    @Test("a note that alone is over the size has a file of its own") func large() throws {
        let notes = try [10, 50_000, 10].enumerated().map { index, size in
            try note("\(index)", notebook: "Travel", bytes: size, fill: UInt8(index))
        }
        try queue(notes.map { job($0) })
        try work(split: 9_000)
        #expect(try files().count == 3)
        #expect(try store.queueCounts()[.sent] == 3)
    }

    // MARK: Deliveries

    @Test("the receipt names the file and its SHA-256, and the bytes are told as they go") func receipt() throws {
        let ids = try queue([job(note("a", bytes: 5_000)), job(note("b", bytes: 70, fill: 2))])
        let told = try work()
        let jobs = try ids.map { try store.job($0) }
        let path = notes / "Notes.enex"
        #expect(jobs.map(\.receipt?.path) == [path, path])
        let (output, _) = try run("/usr/bin/sha256sum", [path.description])
        #expect(jobs.map(\.receipt?.sha256) == Array(repeating: String(output.prefix(64)), count: 2))
        #expect(told == jobs.reduce(0) { $0 + $1.bytes })
        #expect(try temporaries().isEmpty)
        #expect(try Files.status(path).size > 5_000)
    }

    @Test("a file that appears under the chosen name in the last moment stays, and the notes get another")
    func collision() throws {
        let id = try queue([job(note("a", notebook: "Travel"))])[0]
        let target = notes / "Travel.enex"
        _ = try store.claim([id], by: store.beginWork(), at: now)
        let reporter = Heard { if !Files.exists(target) { try? Files.replace(target, with: Array("mine".utf8)) } }
        let receipts = try destination().deliver(Handover([store.job(id)], of: store, progress: reporter.advanced))
        #expect(try store.job(id).target == notes / "Travel 2.enex")
        #expect(receipts.map(\.path) == [notes / "Travel 2.enex"])
        #expect(try Files.read(target, limit: 100) == Array("mine".utf8))
    }

    @Test("a photo whose bytes are gone or changed parks its job alone") func missingBlob() throws {
        let bad = try note("bad", bytes: 100, fill: 1)
        let changed = try note("changed", bytes: 100, fill: 2)
        let ids = try queue([job(note("a")), job(bad), job(changed), job(note("b"))])
        try store.blobs.remove(bad.resources[0].blob)
        let blob = store.blobs.path(of: changed.resources[0].blob)
        try Files.remove(blob)
        _ = try FileDescriptor.create(blob).write([UInt8](repeating: 3, count: 100))
        try work()
        #expect(try ids.map { try store.job($0).state } == [.sent, .parked, .parked, .sent])
        #expect(try ids[1...2].map { try store.job($0).failure?.code } == ["missing_blob", "body-changed"])
        #expect(try titles("Notes.enex") == ["a", "b"])
        #expect(try temporaries().isEmpty)
    }

    @Test("a folder that cannot be made lets the job wait") func unreachable() throws {
        try Files.replace(notes, with: Array("a file".utf8))
        let id = try queue([job(note("a"))])[0]
        try work()
        let job = try store.job(id)
        #expect(job.state == .queued)
        #expect(job.failure?.code == "folder_unusable")
        #expect(job.notBefore != nil)
    }

    // MARK: Crashes

    @Test("a worker that died after the file was there: the notes are adopted, not sent again") func diedAfter() throws
    {
        let ids = try queue([job(note("a", bytes: 1_000)), job(note("b", bytes: 1_000, fill: 2))])
        try abandon(ids) { jobs in
            _ = try destination().deliver(Handover(jobs, of: store, progress: { _ in }))
        }
        #expect(try store.queueCounts()[.sending] == 2)
        try work()
        #expect(try ids.map { try store.job($0).state } == [.sent, .sent])
        #expect(try files() == ["Notes.enex"])
        let (output, _) = try run("/usr/bin/sha256sum", [(notes / "Notes.enex").description])
        #expect(try store.job(ids[0]).receipt?.sha256 == String(output.prefix(64)))
    }

    @Test("a worker that died before: what it began is cleared away, and the notes are sent") func diedBefore() throws {
        let ids = try queue([job(note("a", notebook: "Travel"))])
        try abandon(ids) { _ in
            try Files.makeFolder(notes)
            try store.setTarget(notes / "Travel.enex", of: ids)
            _ = try FileDescriptor.create(Files.temporaryName(beside: notes / "Travel.enex")).write([60])
        }
        try work()
        #expect(try store.job(ids[0]).state == .sent)
        #expect(try titles("Travel.enex") == ["a"])
        #expect(try temporaries().isEmpty)
    }

    @Test("while the folder is away, nobody knows what is in it: nothing is sent a second time") func folderAway()
        throws
    {
        let ids = try queue([job(note("a", bytes: 1_000))])
        try abandon(ids) { jobs in
            _ = try destination().deliver(Handover(jobs, of: store, progress: { _ in }))
        }
        // As a share that is not mounted, and as one whose place something else has.
        try Files.rename(notes, to: folder.path / "away")
        for isFile in [false, true] {
            if isFile { try Files.replace(notes, with: [1]) }
            try work()
            #expect(try store.job(ids[0]).state == .uncertain)
            #expect(try store.job(ids[0]).failure?.code == "folder_unusable")
            try store.keepLooking(ids, after: nil, isAbsent: false, because: nil, at: now)
        }
        try Files.remove(notes)
        try Files.rename(folder.path / "away", to: notes)
        try work()
        #expect(try store.job(ids[0]).state == .sent)
        #expect(try files() == ["2026-04-24 a.enex"])
    }

    @Test(
        "a stranger's file of the chosen name is neither adopted nor written over",
        arguments: ["no XML at all", "<en-export></en-export>", ""])
    func stranger(content: String) throws {
        let ids = try queue([job(note("a", notebook: "Travel"))])
        try abandon(ids) { _ in
            try Files.makeFolder(notes)
            try Files.replace(notes / "Travel.enex", with: Array(content.utf8))
            try store.setTarget(notes / "Travel.enex", of: ids)
        }
        try work()
        #expect(try Files.read(notes / "Travel.enex", limit: 1_000) == Array(content.utf8))
        #expect(try titles("Travel 2.enex") == ["a"])
        #expect(try store.job(ids[0]).receipt?.path == notes / "Travel 2.enex")
    }

    @Test("a note of the same address whose text is another is not adopted") func changedNote() throws {
        let ids = try queue([job(note("a", notebook: "Travel"))])
        try abandon(ids) { jobs in
            var note = try store.note(ofJob: ids[0])
            note.enml += " "
            try Files.makeFolder(notes)
            _ = try ENEXFile.write([note], to: notes / "Travel.enex", split: 9_000, from: store.blobs, at: now)
            try store.setTarget(notes / "Travel.enex", of: ids)
        }
        try work()
        #expect(try files() == ["Travel 2.enex", "Travel.enex"])
    }

    @Test("of a file that holds some of the notes, those are adopted and the others sent") func someThere() throws {
        let ids = try queue([job(note("a", notebook: "T")), job(note("b", notebook: "T"))])
        try abandon(ids) { _ in
            try Files.makeFolder(notes)
            _ = try ENEXFile.write(
                [store.note(ofJob: ids[0])], to: notes / "T.enex", split: 9_000, from: store.blobs, at: now)
            try store.setTarget(notes / "T.enex", of: ids)
        }
        try work()
        #expect(try titles("T.enex") == ["a"])
        #expect(try titles("T 2.enex") == ["b"])
        #expect(try ids.map { try store.job($0).receipt?.path } == [notes / "T.enex", notes / "T 2.enex"])
    }

    @Test("temporary files of dead processes go, those of live ones stay") func temporaryFiles() throws {
        try Files.makeFolder(notes)
        let dead = Files.temporaryName(beside: notes / "x")
        _ = try FileDescriptor.create(dead).write([1])
        let alive = try ENEXFile(beside: notes / "y.enex", exported: now)
        try Files.writeNew(notes / "page.html") { page in
            try page.write([1])
            try deliver(note("a"))
            #expect(try temporaries().count == 2, "the page's and the other ENEX file's")
        }
        #expect(!Files.exists(dead))
        #expect(Files.exists(notes / "page.html"))
        try alive.append(note("b"), from: store.blobs)
        _ = try alive.finish()
        #expect(try alive.publish(as: notes / "y.enex"))
        #expect(try titles("y.enex") == ["b"])
    }

    // MARK: export

    @Test("an export over the size is several files, none of which may be there before") func export() throws {
        let list = try (1...3).map { try note("\($0)", bytes: 3_000, fill: UInt8($0)) }
        try Files.makeFolder(notes)
        func export() throws -> [FilePath] {
            try ENEXFile.write(list, to: notes / "out.enex", split: 12_000, from: store.blobs, at: now)
        }
        try Files.replace(notes / "out 2.enex", with: [1])
        #expect(throws: SystemError(code: EEXIST, call: "create", path: notes / "out 2.enex")) { try export() }
        #expect(try files() == ["out 2.enex"], "nothing is written where something stands in the way")
        try Files.remove(notes / "out 2.enex")
        #expect(try export() == [notes / "out.enex", notes / "out 2.enex"])
        #expect(try titles("out.enex") == ["1", "2"])
        #expect(try titles("out 2.enex") == ["3"])
    }
}

extension ENEXDestinationTests {
    private func note(_ title: String, notebook: String? = nil) -> Note {
        let uid = UID.make(at: now)
        return Note(
            uid: uid, title: title, enml: "<en-note>\(title)</en-note>", created: now, createdOffset: 0, updated: now,
            notebook: notebook, tags: [], attributes: NoteAttributes(sourceURL: "evergear://note/\(uid)"), resources: []
        )
    }

    /// A note with a resource of so many bytes.
    private func note(_ title: String, notebook: String? = nil, bytes: Int, fill: UInt8 = 1) throws -> Note {
        var note = note(title, notebook: notebook)
        note.resources = [
            Resource(
                blob: try store.blobs.add([UInt8](repeating: fill, count: bytes)), mime: "image/jpeg", pixels: nil,
                attributes: ResourceAttributes(fileName: "a.jpg"))
        ]
        return note
    }

    private func job(_ note: Note, batch: String? = nil, part: Int = 1, parts: Int = 1) -> NewJob {
        NewJob(
            note: note, draft: draft.id, draftHash: note.uid, layout: note.uid, batch: batch ?? note.uid, part: part,
            parts: parts, destination: "enex:\(notes)")
    }

    @discardableResult
    private func queue(_ jobs: [NewJob]) throws -> [Int64] { try store.enqueue(jobs, at: now) }

    private func destination(split: Int64 = 1 << 30) -> ENEXDestination {
        ENEXDestination(folder: notes, blobs: store.blobs, split: split, now: { now })
    }

    /// - Returns: The bytes told.
    @discardableResult
    private func work(split: Int64 = 1 << 30) throws -> Int64 {
        let heard = Heard()
        let worker = try Worker(
            store: store, policy: RetryPolicy(), reporter: heard, now: { now }, jitter: { 1 },
            open: { _ in destination(split: split) })
        try worker.run()
        return heard.bytes
    }

    private func deliver(_ notes: Note...) throws {
        try queue(notes.map { job($0) })
        try work()
    }

    /// Does something as a worker that then dies: its lock goes, as the kernel lets go of a dead process's.
    private func abandon(_ ids: [Int64], _ body: ([Job]) throws -> Void) throws {
        let worker = try store.beginWork()
        try body(try store.claim(ids, by: worker, at: now))
        withExtendedLifetime(worker) {}
    }

    private func titles(_ name: String) throws -> [String] {
        var titles: [String] = []
        _ = try ENEXReader.read(notes / name) { titles.append($0.title) }
        return titles
    }

    /// The names in the folder for notes, temporary ones left out.
    private func files() throws -> [String] {
        try Files.names(in: notes).map(\.description).filter { !$0.hasPrefix(".") }
    }

    private func temporaries() throws -> [String] {
        try Files.names(in: notes).map(\.description).filter { $0.hasPrefix(".") }
    }

    private final class Heard: ProgressReporter {
        var bytes: Int64 = 0
        private let act: () -> Void

        /// - Parameter act: What happens in the middle of a delivery.
        init(act: @escaping () -> Void = {}) { self.act = act }

        func began(_ jobs: [Job]) {}
        func advanced(by bytes: Int64) {
            self.bytes += bytes
            act()
        }
        func ended(_ jobs: [Job]) {}
    }
}
