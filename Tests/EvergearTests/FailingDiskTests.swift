import Foundation
import System
import Testing
import Workbench

/// A disk that fails in the middle: at every place where something is written or synced. Nothing that was acknowledged may
/// be lost, nothing half may be left, and the same command completes the rest once the disk is well.
@Suite("a disk that fails") struct FailingDiskTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    /// Beside the program, as SwiftPM names it.
    private static let library = Evergear.binary.deletingLastPathComponent().appending(path: "libFailingDisk.so")

    /// Runs a command with a disk that fails from one write on.
    /// - Returns: nil where the disk did not come to fail, as all was written before.
    private func run(_ arguments: [String], failingAfter count: Int, error: Int) throws -> Evergear.Run {
        evergear.environment["LD_PRELOAD"] = Self.library.path
        evergear.environment["FAILING_DISK"] = String(count)
        evergear.environment["FAILING_DISK_ERROR"] = String(error)
        defer { for name in ["LD_PRELOAD", "FAILING_DISK", "FAILING_DISK_ERROR"] { evergear.environment[name] = nil } }
        return try evergear.run(arguments)
    }

    private func expectSound(_ comment: String) throws {
        let (output, _) = try Workbench.run(
            "/usr/bin/sqlite3", [evergear.home.appending(path: "store.sqlite").path, "PRAGMA integrity_check"])
        #expect(output == "ok\n", "\(comment)")
    }

    @Test("a draft that was acknowledged is there, one that was not is not", arguments: [5, 28])
    func drafts(error: Int) throws {
        try #require(FileManager.default.fileExists(atPath: Self.library.path))
        try evergear.run("draft", "add", "first")
        var acknowledged = ["first"]
        for count in 0..<60 {
            let title = "draft \(count)"
            let run = try run(["draft", "add", title], failingAfter: count, error: error)
            let there = try evergear.run("draft", "list", "--json").objects().compactMap { $0["title"] as? String }
            if run.status == 0 {
                acknowledged.append(title)
            } else {
                #expect(run.errors.hasPrefix("evergear: "), "\(run)")
            }
            #expect(there.filter { $0 != title || run.status == 0 } == acknowledged, "\(count): \(run)")
            if run.status == 0 { break }
            // It may be there all the same: the disk failed once it was written.
            if there.contains(title) { acknowledged.append(title) }
        }
        #expect(acknowledged.last?.hasPrefix("draft") == true, "it came to an end")
        try expectSound("after all drafts")
    }

    @Test("an import and a sending that failed somewhere are completed by the same commands", arguments: [5, 28])
    func importAndSend(error: Int) throws {
        // At the end what may have been written is waited for.
        evergear.environment["EVERGEAR_RETRY_BASE"] = "2"
        let photos = try evergear.manyPhotos(6)
        for count in [1, 2, 3, 5, 8, 12, 17, 23, 30, 40, 55, 80] {
            let run = try run(["import", photos.path], failingAfter: count, error: error)
            #expect(run.status == 0 || run.errors.contains("evergear: "), "\(run)")
            try expectSound("import \(count)")
            if run.status == 0 { break }
        }
        #expect(try evergear.run("import", photos.path).status == 0)
        #expect(try evergear.run("draft", "show", "last", "--json").object()["memos"] as? [Any] != nil)
        for count in [1, 2, 4, 7, 11, 16, 24, 36, 50, 70, 100, 140] {
            let run = try run(["send", "last"], failingAfter: count, error: error)
            #expect([0, 1, 3, 75].contains(run.status), "\(run)")
            try expectSound("send \(count)")
            if run.status == 0 { break }
        }
        _ = try evergear.run("queue", "retry", "--all")
        _ = try evergear.run("send", "last")
        let run = try evergear.run("queue", "run", "--wait")
        #expect(run.status == 0, "\(run)")
        #expect(try evergear.run("check", "--read").status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: evergear.home.appending(path: "notes").path)
        #expect(files.filter { !$0.hasPrefix(".") }.count == 1, "once, and nothing half: \(files)")
        #expect(files.allSatisfy { !$0.hasPrefix(".") }, "\(files)")
    }
}
