import Foundation
import Testing

/// A small file system of its own, taken away with the last reference.
final class SmallDisk {
    let folder: URL

    init(_ size: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "evergear-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try #require(
            Self.mount(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path]), "no tmpfs can be mounted")
    }

    deinit {
        _ = umount2(folder.path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(at: folder)
    }

    func resize(_ size: String) throws {
        try #require(Self.mount(["-o", "remount,size=\(size)", folder.path]))
    }

    /// Takes all the room that is left.
    func fill() throws {
        let file = folder.appending(path: "filler")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for size in [65_536, 4_096] { while (try? handle.write(contentsOf: Data(count: size))) != nil {} }
    }

    /// Only root mounts, and not in every container.
    static let isPossible: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk("64k") else { return false }
        return FileManager.default.fileExists(atPath: disk.folder.path)
    }()

    private static func mount(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["mount"] + arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

@Suite("a full disk", .enabled(if: SmallDisk.isPossible, "only root can mount a small file system to fill"))
struct DiskTests {
    private func isSaidWell(_ run: Evergear.Run) -> Bool {
        let words = run.errors.lowercased()
        return (words.contains("disk is full") || words.contains("no space left")) && words.contains("make room")
    }

    @Test("import says so, keeps what was committed, and continues once there is room") func importFolder() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(80)
        let disk = try SmallDisk("4m")
        evergear.environment["EVERGEAR_HOME"] = disk.folder.appending(path: "home").path
        #expect(try evergear.run("draft", "add", "before").status == 0)
        let run = try evergear.run("import", photos.path)
        #expect(run.status == 1 && isSaidWell(run), "\(run)")
        #expect(run.errors.contains(disk.folder.path), "it says where: \(run)")
        try disk.resize("40m")
        let drafts = try evergear.run("draft", "list", "--json").objects()
        #expect(drafts.first?["title"] as? String == "before")
        let kept = drafts.count > 1 ? drafts[1]["photos"] as? Int ?? 0 : 0
        let rest = try evergear.run("import", "--json", photos.path)
        #expect(rest.status == 0, "\(rest)")
        #expect(try rest.object()["imported"] as? Int == 80 - kept, "\(rest)")
        #expect(
            try evergear.run("draft", "show", "last", "--json").object()["memos"].map { ($0 as? [Any])?.count } == 80)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: disk.folder.appending(path: "home/temporary").path)
        #expect(left.isEmpty)
    }

    @Test("every command on a full store says so or works; what was acknowledged is there afterwards")
    func fullStore() throws {
        let evergear = try Evergear()
        let disk = try SmallDisk("8m")
        evergear.environment["EVERGEAR_HOME"] = disk.folder.appending(path: "home").path
        let photo = try ImportCommandTests.somePhoto().path
        #expect(try evergear.run("draft", "add", "before", "--photo", photo).status == 0)
        try disk.fill()
        let commands: [[String]] = [
            ["draft", "add", String(repeating: "many words ", count: 9_000)], ["memo", "add", "1", "--photo", photo],
            ["draft", "edit", "1", "--from", "-"], ["draft", "list"], ["draft", "show", "1"], ["queue", "status"],
            ["plan", "1", "--layout", "thumbs"], ["send", "1"], ["preview", "1"], ["draft", "rm", "-y", "9"],
        ]
        for command in commands {
            let run = try evergear.run(command, input: "after\n" + String(repeating: "words\n", count: 50_000))
            let isFine = run.status == 0 || run.status == 66
            #expect(isFine || ([1, 75].contains(run.status) && isSaidWell(run)), "\(command): \(run)")
            #expect(!run.errors.contains("SQLite code"), "\(command): \(run)")
        }
        try FileManager.default.removeItem(at: disk.folder.appending(path: "filler"))
        let draft = try evergear.run("draft", "show", "1", "--json").object()
        #expect((draft["memos"] as? [Any])?.isEmpty == false)
        let run = try evergear.run("send", "1", "--again")
        #expect(run.status == 0, "\(run)")
    }

    @Test("send to a full folder is status 75, leaves no file, and queue run delivers once there is room")
    func send() throws {
        let evergear = try Evergear()
        let disk = try SmallDisk("1m")
        let photos = try evergear.manyPhotos(30)
        #expect(try evergear.run("import", photos.path, "--title", "Many").status == 0)
        let run = try evergear.run("send", "last", "--layout", "plain", "--to", "enex:\(disk.folder.path)")
        #expect(run.status == 75 && isSaidWell(run), "\(run)")
        #expect(run.errors.contains(disk.folder.path), "it says where: \(run)")
        #expect(!run.errors.contains(".evergear-"), "nobody has heard of the temporary file: \(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).isEmpty)
        #expect(try evergear.run("queue", "status", "--json").object()["queued"] as? Int == 1)
        try disk.resize("20m")
        #expect(try evergear.run("queue", "retry", "--all").status == 0)
        let later = try evergear.run("queue", "run")
        #expect(later.status == 0, "\(later)")
        #expect(try evergear.delivered(in: disk.folder).map(\.title) == ["Many"])
        #expect(try evergear.run("queue", "status", "--json").object()["sent"] as? Int == 1)
    }

    @Test("export to a full disk is status 1 and leaves no file") func export() throws {
        let evergear = try Evergear()
        let disk = try SmallDisk("1m")
        #expect(try evergear.run("import", evergear.manyPhotos(30).path).status == 0)
        let target = disk.folder.appending(path: "out.enex").path
        let run = try evergear.run("export", "last", "-o", target, "--layout", "plain")
        #expect(run.status == 1 && isSaidWell(run) && run.errors.contains(target), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).isEmpty)
    }

    @Test("a draft whose telling finds no room is kept, and nobody is told to add it again") func untold() throws {
        let evergear = try Evergear()
        let disk = try SmallDisk("64k")
        try disk.fill()
        let file = disk.folder.appending(path: "out")
        try Data().write(to: file)
        let process = evergear.process(["draft", "add", "Once"])
        process.standardOutput = try FileHandle(forWritingTo: file)
        let said = try process.errorsOfRun()
        #expect(process.terminationStatus == 1 && said.contains("no space left on device"), "\(said)")
        #expect(said.contains("is done and kept") && !said.lowercased().contains("make room"), "\(said)")
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)
    }

    @Test("results that do not fit on the disk are status 1") func results() throws {
        let evergear = try Evergear()
        let process = evergear.process(["--help"])
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let said = try process.errorsOfRun()
        #expect(process.terminationStatus == 1)
        #expect(said.contains("could not be written"), "\(said)")
    }
}
