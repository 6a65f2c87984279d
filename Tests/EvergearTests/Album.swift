import Foundation
import System
import Testing
import Workbench

/// Drafts with small photos of their own, imported once and copied for each test that sends them.
struct Album: Sendable {
    /// An EVERGEAR_HOME.
    private let home: URL
    /// Of each draft, its photos by their MD5 (32 hexadecimal digits, as `md5sum` has it).
    let drafts: [[String: Data]]

    /// - Parameters:
    ///   - folder: Where it may lie; removed by the caller.
    ///   - sizes: Bytes of the photos of one draft.
    init(in folder: URL, drafts: Int, sizes: [Int]) throws {
        home = folder.appending(path: UUID().uuidString)
        let evergear = try Evergear()
        let photo = try Data(contentsOf: ImportCommandTests.somePhoto())
        var folders: [String] = []
        for draft in 1...drafts {
            let folder = evergear.home.appending(path: "photos/Album \(draft)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (index, size) in sizes.enumerated() {
                // Bytes behind the end of a JPEG make another file of the same picture.
                let mark = Data("\(draft) \(index) ".utf8)
                let rest = Data(repeating: 0x2e, count: max(0, size - photo.count - mark.count))
                try (photo + mark + rest).write(to: folder.appending(path: "IMG_\(index).jpg"))
            }
            folders.append(folder.path)
        }
        let run = try evergear.run(["import"] + folders)
        try #require(run.status == 0, "\(run)")
        self.drafts = try folders.map { folder in
            let script = "cd \"$1\" && md5sum *"
            let lines = try Workbench.run("/bin/sh", ["-c", script, "sh", folder]).output.split(separator: "\n")
            return try Dictionary(
                uniqueKeysWithValues: lines.map { line in
                    let name = String(line.dropFirst(34))
                    return (String(line.prefix(32)), try Data(contentsOf: URL(filePath: folder).appending(path: name)))
                })
        }
        try FileManager.default.removeItem(at: evergear.home.appending(path: "photos"))
        try FileManager.default.moveItem(at: evergear.home, to: home)
    }

    /// A store with these drafts, whose notes go to the service.
    func copy(sendingTo service: EvernotePeer) throws -> Evergear {
        let evergear = try Evergear(sendingTo: service)
        try FileManager.default.removeItem(at: evergear.home)
        try FileManager.default.copyItem(at: home, to: evergear.home)
        return evergear
    }

    /// What is wrong with the notes that the service has, in words: each draft is to be there once, with its photos.
    func wrongs(at service: EvernotePeer) throws -> [String] {
        var wrongs: [String] = []
        let (notes, stats) = (try service.notes(), try service.stats())
        if notes.count != drafts.count { wrongs.append("\(notes.count) notes instead of \(drafts.count)") }
        if notes.contains(where: { !$0.active }) { wrongs.append("a note is in the trash") }
        if !stats.duplicates.isEmpty { wrongs.append("duplicates: \(stats.duplicates)") }
        if !stats.warnings.isEmpty { wrongs.append("warnings: \(stats.warnings)") }
        if stats.commitsPending > 0 { wrongs.append("\(stats.commitsPending) notes are still to be kept") }
        let hashes = notes.map { Set(($0.resources ?? []).map(\.data.bodyHash)) }
        if Set(hashes) != Set(drafts.map { Set($0.keys) }) { wrongs.append("photos: \(hashes)") }
        for (md5, bytes) in drafts.flatMap(\.self) where try Data(service.body(md5)) != bytes {
            wrongs.append("the service has other bytes for \(md5)")
        }
        return wrongs
    }
}

extension Evergear {
    /// An empty home whose notes go to the service, with short waits.
    convenience init(sendingTo service: EvernotePeer) throws {
        try self.init()
        environment["EVERGEAR_TO"] = "evernote"
        environment["EVERGEAR_SERVICE"] = service.address
        environment["EVERGEAR_TOKEN"] = service.token
        environment["EVERGEAR_RETRY_BASE"] = "0.05"
        environment["EVERGEAR_LOOK_AGAIN"] = "1"
    }

    /// As if so much time had gone by since jobs were looked for.
    func letPass(seconds: Int) throws {
        _ = try python(
            """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute("UPDATE job SET looked = looked - ?1, not_before = not_before - ?1 WHERE looked IS NOT NULL",
                       [int(sys.argv[2]) * 1000])
            db.commit()
            """, home.appending(path: "store.sqlite").path, String(seconds))
    }

    /// Runs the program, and kills it where it has not come to its end after ten minutes.
    func runForAWhile(_ arguments: String...) throws -> Run {
        try run(
            ["--signal=KILL", "600", Self.binary.path] + arguments, program: URL(filePath: "/usr/bin/timeout"))
    }
}
