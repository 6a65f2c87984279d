import Notes
import Storage
import System
import Testing
import Workbench

@testable import EvergearCLI

@Suite("The report of photos") struct PhotoReportFileTests {
    @Test("one that cannot be written any more says which, and that the deliveries went well") func lost() throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path / "home")
        let path = folder.path / "gone" / "report.csv"
        let lost = #expect(throws: ReportLost.self) { try PhotoReportFile(path).write([], from: store) }
        let sentence = try #require(lost).sentence
        #expect(sentence.contains("\(path)") && sentence.contains("delivered all the same"), "\(sentence)")
    }

    @Test(
        "a photo that went as a copy is told with the note that has the copy, and one that did not go is not told as sent"
    )
    func copies() throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path / "home")
        let now = Timestamp(milliseconds: 1_777_000_000_000)
        var draft = Draft(uid: UID.make(at: now), text: "Two", created: now, updated: now)
        let originals = try ["one", "two", "three"].map { try store.blobs.add(Array($0.utf8)) }
        draft.memos = originals.map {
            Memo(photos: [Photo(blob: $0, mime: "image/webp", pixels: nil, name: "\($0.size).webp")])
        }
        draft = try store.addDraft(draft)
        let pixels = try #require(PixelSize(width: 1, height: 1))
        let copies = try originals.map { original in
            let copy = try store.blobs.add(Array("copy of \(original.md5)".utf8))
            return (
                original, "full", PhotoCopy(blob: copy, mime: "image/jpeg", pixels: pixels, isDamaged: false)
            )
        }
        try store.addCopies(copies)
        let jobs = copies.enumerated().map { index, copy in
            let uid = UID.make(at: now)
            let note = Note(
                uid: uid, title: "Two (\(index + 1)/3)", enml: "<en-note/>", created: now, createdOffset: 0,
                updated: now,
                notebook: nil, tags: [], attributes: NoteAttributes(),
                resources: [
                    Resource(
                        blob: copy.2.blob, mime: "image/jpeg", pixels: nil,
                        attributes: ResourceAttributes(fileName: "a.jpg"))
                ])
            return NewJob(
                note: note, draft: draft.id, draftHash: "h", layout: "full", batch: "b", part: index + 1, parts: 3,
                destination: "enex:/notes")
        }
        let ids = try store.enqueue(jobs, at: now)
        let worker = try store.beginWork()
        _ = try store.claim(ids, by: worker, at: now)
        try store.park([ids[0]], because: JobFailure(code: "c", message: "No."), at: now)
        try store.succeed([(ids[1], Receipt(delivered: now, path: "/notes/Two 2.enex"))], at: now)
        // The third went in another run.
        let path = folder.path / "report.csv"
        try PhotoReportFile(path).write(ids.prefix(2).map(store.job), from: store)
        let lines = String(decoding: try Files.read(path, limit: 10_000), as: UTF8.self).split(separator: "\r\n")
        let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(
            rows.map { [$0[1], $0[5], $0[6], $0[8]] } == [
                ["\"\(originals[0].md5)\"", "\"Two (1/3)\"", "\"parked\"", "\"\""],
                ["\"\(originals[1].md5)\"", "\"Two (2/3)\"", "\"sent\"", "\"/notes/Two 2.enex\""],
            ])
    }

    @Test("a report may go into a folder that may be written, or in place of a file, or into a device") func possible()
        throws
    {
        let folder = try TemporaryFolder()
        try Files.replace(folder.path / "old.csv", with: [])
        for path in [folder.path / "new.csv", folder.path / "old.csv", "/dev/null"] { try PhotoReportFile.check(path) }
        for path in [folder.path, folder.path / "gone/new.csv", folder.path / "old.csv/new.csv"] {
            #expect(throws: ReportUnwritable.self, "\(path)") { try PhotoReportFile.check(path) }
        }
    }
}
