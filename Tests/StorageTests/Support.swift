import Glibc
import Notes
import Storage
import System
import Workbench

extension TemporaryFolder {
    func store(readOnly: Bool = false) throws -> Store { try Store(folder: path / "home", readOnly: readOnly) }

    /// A file with these bytes, opened for reading.
    func file(_ bytes: [UInt8], name: String = "photo.jpg") throws -> FileDescriptor {
        try Files.replace(path / name, with: bytes)
        return try FileDescriptor.openForReading(path / name)
    }
}

/// Some instant, in milliseconds.
func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_777_000_000_000 + milliseconds) }

func makeDraft(_ text: String = "A day out", memos: [Memo] = []) -> Draft {
    Draft(uid: UID.make(at: time(0)), text: text, created: time(0), updated: time(0), memos: memos)
}

/// A photo whose blob is named only: nothing looks at its bytes.
func makePhoto(_ number: Int, name: String? = nil) throws -> Photo {
    let md5 = MD5(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    struct NoMD5: Error {}
    guard let md5 else { throw NoMD5() }
    return Photo(
        blob: BlobKey(md5: md5, size: 1000), mime: "image/jpeg", pixels: PixelSize(width: 40, height: 30),
        name: name ?? "IMG_\(number).JPG")
}

func makeNew(_ number: Int, path: FilePath? = nil) throws -> NewPhoto {
    NewPhoto(
        photo: try makePhoto(number),
        source: PhotoSource(path: path ?? FilePath("/card/IMG_\(number).JPG"), modified: Int64(number) * 1_000_000_007))
}

extension Store {
    /// Each photo as a memo of its own.
    func addPhotos(_ photos: [NewPhoto], to draft: Int64, at now: Timestamp) throws -> [PhotoOutcome] {
        try addMemos(photos.map { NewMemo(photos: [$0]) }, to: draft, at: now)
    }

    /// As a worker that wants no more than `limit`.
    func claimDue(at destination: String, limit: Int, by worker: WorkerLock, now: Timestamp) throws -> [Job] {
        try claim(dueJobs(at: destination, now: now, limit: limit).map(\.id), by: worker, at: now)
    }
}

func makeJob(
    draft: Int64, hash: String = "h", destination: String = "enex:/notes", layout: String = "full",
    batch: String = UID.make(at: time(0)), part: Int = 1, parts: Int = 1, resources: [Resource] = []
) -> NewJob {
    let uid = UID.make(at: time(0))
    return NewJob(
        note: Note(
            uid: uid, title: "A day out", enml: "<en-note/>", created: time(1), updated: time(2), notebook: nil,
            tags: [], attributes: NoteAttributes(), resources: resources),
        draft: draft, draftHash: hash, layout: layout, batch: batch, part: part, parts: parts,
        destination: destination)
}

/// The error of a call that has to fail.
func failure(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch { return error as? StoreError }
}
