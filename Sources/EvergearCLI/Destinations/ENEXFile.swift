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

    /// - Throws: `ENEXError`, `SystemError`.
    init(beside target: FilePath, exported: Timestamp) throws {
        self.target = target
        temporary = Files.temporaryName(beside: target)
        do {
            writer = try ENEXWriter(
                temporary, maker: ENEXWriter.Maker(application: "evergear", version: version), exported: exported)
            lock = try FileDescriptor.openForReading(temporary, followsLink: false)
            _ = try lock.tryLock()
        } catch {
            try? Files.remove(temporary)
            throw Self.named(error, target)
        }
    }

    deinit { if !isPublished { try? Files.remove(temporary) } }

    /// - Throws: `ENEXError`, `StoreError`, `Interrupted`.
    func append(_ note: Note, from blobs: BlobStore) throws {
        do {
            try writer.append(note) { resource in try blobs.open(resource.blob) }
        } catch { throw Self.named(error, target) }
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
    /// - Throws: `ENEXError`, `StoreError`, `Interrupted`; `SystemError`, EEXIST for a name that is taken.
    static func write(
        _ notes: [Note], to path: FilePath, split: Int64, from blobs: BlobStore, at now: Timestamp
    ) throws -> [FilePath] {
        var rest = notes[...]
        var files: [FilePath] = []
        while let first = rest.popFirst() {
            let target = files.isEmpty ? path : numbered(path, files.count + 1)
            let file = try ENEXFile(beside: target, exported: now)
            try file.append(first, from: blobs)
            while let next = rest.first, file.writer.count + ENEXWriter.size(of: next) <= split {
                try file.append(next, from: blobs)
                rest.removeFirst()
            }
            _ = try file.finish()
            guard try file.publish(as: target) else { throw SystemError(code: EEXIST, call: "create", path: target) }
            files.append(target)
        }
        return files
    }

    /// `out.enex`, 2 → `out 2.enex`.
    private static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
        let name = path.name.bytes
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
        return path.folder / FilePath(bytes: name[..<dot] + Array(" \(number)".utf8) + name[dot...])
    }

    /// Removes a temporary file whose process has died.
    static func removeIfAbandoned(_ path: FilePath) {
        guard let file = try? FileDescriptor.openForReading(path, followsLink: false), (try? file.tryLock()) == true
        else { return }
        try? Files.remove(path)
    }

    /// `Travel.enex`, or `Travel 2.enex` where that is taken.
    static func unusedName(_ stem: String, fileExtension: String = "enex", in folder: FilePath) -> FilePath {
        var names = FileNames.Unique()
        while true {
            let path = folder / names.name(stem, fileExtension: fileExtension, fallback: "Notes")
            if !Files.exists(path) { return path }
        }
    }

    /// The notebook's name; a lone draft without one has its date and title; several are just notes.
    ///
    /// - Parameter created: Of the first note.
    static func stem(of jobs: [Job], created: Timestamp) -> String {
        guard let first = jobs.first else { return "Notes" }
        if let notebook = first.notebook { return notebook }
        guard jobs.allSatisfy({ $0.batch == first.batch }) else { return "Notes" }
        let suffix = " (\(first.part)/\(first.parts))"
        let title = first.title.hasSuffix(suffix) ? String(first.title.dropLast(suffix.count)) : first.title
        let offset = Zone.system.offset(at: created.milliseconds / 1000)
        return "\(created.moment(offset: offset).local.description.prefix(10)) \(title)"
    }
}
