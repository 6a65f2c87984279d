import Notes
import Photos
import Storage
import System

/// Takes one photo in: reads what its metadata says, and keeps its bytes.
struct PhotoIntake {
    let blobs: BlobStore
    let reader: PhotoReader

    /// A photo as it comes in.
    struct Taken {
        var photo: Photo
        var source: PhotoSource
        var reading: PhotoReading
    }

    /// - Parameters:
    ///   - followsLink: As the walk through a folder says; a file that a person named is followed.
    ///   - sidecars: What the files beside it say.
    /// - Throws: `PhotoRefused` about this file; `StoreError` about the store, `Interrupted`.
    func take(_ path: FilePath, followsLink: Bool = true, sidecars: Sidecars = Sidecars()) throws -> Taken {
        let file = try open(path, followsLink)
        let status = try reading(path) { () throws(SystemError) in try file.status(path) }
        let reading = try read(file, status, path, sidecars)
        do {
            let blob = try blobs.add(file)
            let evidence = Explanation(reading, path: path, md5: blob.md5).json
            return Taken(
                photo: try reading.photo(blob: blob, name: path.name.description),
                source: PhotoSource(path: try Files.place(of: path), modified: status.modified, evidence: evidence),
                reading: reading)
        } catch let error as PhotoError {
            throw PhotoRefused(path: path, reason: error)
        } catch StoreError.sourceUnreadable(let error) {
            throw PhotoRefused(path: path, reason: .unreadable(error))
        } catch StoreError.sourceChanged {
            throw PhotoRefused(path: path, reason: .changedWhileRead)
        } catch StoreError.interrupted {
            throw Interrupted()
        }
    }

    /// Reads what `take` would, and keeps nothing.
    /// - Throws: As `take`.
    func look(at path: FilePath, followsLink: Bool = true, sidecars: Sidecars = Sidecars()) throws -> PhotoReading {
        let file = try open(path, followsLink)
        let status = try reading(path) { () throws(SystemError) in try file.status(path) }
        return try read(file, status, path, sidecars)
    }

    private func open(_ path: FilePath, _ followsLink: Bool) throws -> FileDescriptor {
        try reading(path) { () throws(SystemError) in
            try FileDescriptor.openForReading(path, followsLink: followsLink)
        }
    }

    private func read(
        _ file: borrowing FileDescriptor, _ status: FileStatus, _ path: FilePath, _ sidecars: Sidecars
    ) throws -> PhotoReading {
        let found: PhotoReading
        do throws(SystemError) {
            var reading = try reader.read(file, status: status, name: path.name.description, sidecars: sidecars)
            if reading.format == .jpeg, reading.error == nil, try JPEGEnd.isMissing(in: file, size: status.size) {
                reading.warnings.append(.cutShort)
            }
            found = reading
        } catch {
            try Interrupt.check()
            throw PhotoRefused(path: path, reason: .unreadable(error))
        }
        if let error = found.error { throw PhotoRefused(path: path, reason: error) }
        return found
    }

    /// What the system says of a file is said of this one photo, but for Ctrl-C.
    private func reading<Result: ~Copyable>(
        _ path: FilePath, _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            try Interrupt.check()
            throw PhotoRefused(path: path, reason: .unreadable(error))
        }
    }
}
