import ENEX
import Glibc
import Layouts
import Notes
import Storage
import System

/// An ENEX file on its way: written under a temporary name beside the one it is to have, and published whole.
final class ENEXFile {
    private let temporary: FilePath
    private let target: FilePath
    private let writer: ENEXWriter
    /// Locked by the kernel for as long as this process lives, so that nobody clears away a file in the making.
    private let lock: FileDescriptor
    private var isPublished = false

    /// Clears away what dead processes left beside the target, first.
    /// - Throws: `ENEXError`, `SystemError`.
    init(beside target: FilePath, exported: Timestamp) throws {
        self.target = target
        Files.removeAbandonedTemporaries(in: target.folder)
        let maker = ENEXWriter.Maker(application: "evergear", version: version)
        while true {
            let temporary = Files.temporaryName(beside: target)
            do {
                let writer = try ENEXWriter(temporary, maker: maker, exported: exported)
                let lock = try FileDescriptor.openForReading(temporary, followsLink: false)
                guard try Files.hold(temporary, by: lock) else { continue }
                self.temporary = temporary
                self.writer = writer
                self.lock = lock
                return
            } catch {
                try? Files.remove(temporary)
                throw Self.named(error, target)
            }
        }
    }

    deinit { if !isPublished { try? Files.remove(temporary) } }

    /// - Parameter advance: Called with the bytes that have gone since the last call.
    /// - Throws: `ENEXError`, `StoreError`, `Interrupted`.
    func append(_ note: Note, from blobs: BlobStore, advance: (Int64) -> Void = { _ in }) throws {
        var rest = note.size
        var inHand: Int64 = 0
        do {
            try writer.append(note) { resource in
                advance(inHand)
                rest -= inHand
                inHand = resource.blob.size
                return try blobs.open(resource.blob)
            }
        } catch { throw Self.named(error, target) }
        advance(rest)
    }

    /// - Throws: `ENEXError`.
    func finish() throws -> ENEXWriter.Written {
        do { return try writer.finish() } catch { throw Self.named(error, target) }
    }

    /// Nobody has heard of the temporary name: what went wrong is told of the file that was to be.
    private static func named(_ error: any Error, _ target: FilePath) -> any Error {
        guard case ENEXError.file(let error) = error else { return error }
        return ENEXError.file(SystemError(code: error.code, call: error.call, path: target))
    }

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

    /// Writes notes to a file of a given name, and what is over the limit to `NAME 2.enex` and so on.
    /// - Returns: The files, in order.
    /// - Throws: `ENEXError`, `StoreError`, `Interrupted`; `SystemError`, EEXIST for a name that is taken, and then
    ///   nothing is written.
    static func write(
        _ notes: [Note], to path: FilePath, split: Int64, from blobs: BlobStore, at now: Timestamp
    ) throws -> [FilePath] {
        var groups: [[Note]] = []
        var size: Int64 = 0
        for note in notes {
            let bytes = ENEXWriter.size(of: note)
            if groups.isEmpty || size + bytes > split {
                groups.append([])
                size = 0
            }
            groups[groups.count - 1].append(note)
            size += bytes
        }
        let targets = groups.indices.map { $0 == 0 ? path : numbered(path, $0 + 1) }
        let taken = { (target: FilePath) in SystemError(code: EEXIST, call: "create", path: target) }
        for target in targets where Files.exists(target) { throw taken(target) }
        for (notes, target) in zip(groups, targets) {
            let file = try ENEXFile(beside: target, exported: now)
            for note in notes { try file.append(note, from: blobs) }
            _ = try file.finish()
            guard try file.publish(as: target) else { throw taken(target) }
        }
        return targets
    }

    /// `out.enex`, 2 → `out 2.enex`.
    private static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
        let name = path.name.bytes
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
        return path.folder / FilePath(bytes: name[..<dot] + Array(" \(number)".utf8) + name[dot...])
    }

    /// `Travel.enex`, or `Travel 2.enex` where that is taken.
    static func unusedName(_ stem: String, fileExtension: String = "enex", in folder: FilePath) throws(SystemError)
        -> FilePath
    {
        var names = FileNames.Unique()
        while true {
            let path = folder / names.name(stem, fileExtension: fileExtension, fallback: "Notes")
            if try !Files.isThere(path) { return path }
        }
    }

    /// The notebook's name; a lone draft without one has its date, that of the clock where it happened, and its title;
    /// several are just notes.
    ///
    /// - Parameter first: The note of the first job.
    static func stem(of jobs: [Job], first note: Note) -> String {
        if let notebook = note.notebook { return notebook }
        guard let first = jobs.first, jobs.allSatisfy({ $0.batch == first.batch }) else { return "Notes" }
        let suffix = " (\(first.part)/\(first.parts))"
        let title = note.title.hasSuffix(suffix) ? String(note.title.dropLast(suffix.count)) : note.title
        let offset = note.createdOffset ?? Zone.system.offset(at: note.created.milliseconds / 1000)
        let day = note.created.moment(offset: offset).local.description.prefix(10)
        // As a draft of a folder that is named by its date.
        return title.hasPrefix(day) ? title : "\(day) \(title)"
    }
}
