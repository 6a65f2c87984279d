import ENEX
import Glibc
import Layouts
import Notes
import Storage
import System

/// An ENEX file on its way: written under a temporary name beside the one it is to have, and published whole.
final class ENEXFile {
    private let temporary: FilePath
    private let writer: ENEXWriter
    /// Locked by the kernel for as long as this process lives, so that nobody clears away a file in the making.
    private let lock: FileDescriptor
    private var isPublished = false

    /// - Throws: `ENEXError`, `SystemError`.
    init(beside target: FilePath, exported: Timestamp) throws {
        temporary = Files.temporaryName(beside: target)
        writer = try ENEXWriter(
            temporary, maker: ENEXWriter.Maker(application: "evergear", version: version), exported: exported)
        do {
            lock = try FileDescriptor.openForReading(temporary, followsLink: false)
            _ = try lock.tryLock()
        } catch {
            try? Files.remove(temporary)
            throw error
        }
    }

    deinit { if !isPublished { try? Files.remove(temporary) } }

    /// - Throws: `ENEXError`, `StoreError`, `Interrupted`.
    func append(_ note: Note, from blobs: BlobStore) throws {
        try writer.append(note) { resource in try blobs.open(resource.blob) }
    }

    /// - Throws: `ENEXError`.
    func finish() throws -> ENEXWriter.Written { try writer.finish() }

    /// Gives the file its name, for good.
    /// - Returns: false where somebody else has taken it.
    /// - Throws: `SystemError`.
    func publish(as target: FilePath) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try Files.renameNew(temporary, to: target)
        } catch {
            if error.code == EEXIST { return false }
            throw error
        }
        isPublished = true
        try Files.syncFolder(target.folder)
        return true
    }

    /// Removes a temporary file whose process has died.
    static func removeIfAbandoned(_ path: FilePath) {
        guard let file = try? FileDescriptor.openForReading(path, followsLink: false), (try? file.tryLock()) == true
        else { return }
        try? Files.remove(path)
    }

    /// `Travel.enex`, or `Travel 2.enex` where that is taken.
    static func unusedName(_ stem: String, in folder: FilePath) -> FilePath {
        var names = FileNames.Unique()
        while true {
            let path = folder / names.name(stem, fileExtension: "enex", fallback: "Notes")
            if !Files.exists(path) { return path }
        }
    }

    /// The notebook's name; a lone draft without one has its date and title; several are just notes.
    static func stem(of jobs: [Job]) -> String {
        guard let first = jobs.first else { return "Notes" }
        if let notebook = first.notebook { return notebook }
        guard jobs.allSatisfy({ $0.batch == first.batch }) else { return "Notes" }
        let suffix = " (\(first.part)/\(first.parts))"
        return first.title.hasSuffix(suffix) ? String(first.title.dropLast(suffix.count)) : first.title
    }
}
