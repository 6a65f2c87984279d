import Foundation
import System
import Testing

/// Ctrl-C: the photo or file in hand is abandoned, the rest is kept, and the same command continues.
@Suite("interrupts") struct InterruptTests {
    /// Bytes that take no room on the disk: there is time for a signal.
    private func hugePhoto(_ url: URL, bytes: UInt64) throws {
        try Data(contentsOf: ImportCommandTests.somePhoto()).write(to: url)
        try FileHandle(forWritingTo: url).truncate(atOffset: bytes)
    }

    /// Files in a folder of the home, with their sizes.
    private func sizes(_ evergear: Evergear, _ folder: String, prefix: String = "") -> [Int] {
        let files = FileManager.default.enumerator(atPath: evergear.home.appending(path: folder).path)?.allObjects ?? []
        return files.compactMap { $0 as? String }.filter { $0.hasPrefix(prefix) }.map {
            let path = evergear.home.appending(path: "\(folder)/\($0)").path
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        }
    }

    @Test("import: what came before is kept, the photo in hand is not, and the same command continues")
    func importFolder() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(5)
        let huge = photos.appending(path: "IMG_9.jpg")
        try hugePhoto(huge, bytes: 4 << 30)
        let ended = try evergear.interrupt(["import", "--json", photos.path], with: SIGINT) { _ in
            try wait { sizes(evergear, "temporary").contains { $0 > 4 << 20 } }
        }
        print("Ctrl-C during import: \(ended.milliseconds) ms")
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
        let summary = try ended.run.object()
        #expect(summary["imported"] as? Int == 5 && summary["found"] as? Int == 5, "\(ended)")
        #expect(summary["not_reached"] as? Int == 1, "\(ended)")
        #expect(ended.run.errors.contains("interrupted") && ended.run.errors.contains("same command"), "\(ended)")
        #expect(sizes(evergear, "temporary").allSatisfy { $0 < 1 << 20 }, "what was in hand is gone")
        #expect(try evergear.damage() == "")
        try FileManager.default.removeItem(at: huge)
        try Data(contentsOf: ImportCommandTests.somePhoto()).write(to: huge)
        let rest = try evergear.run("import", "--json", photos.path)
        #expect(rest.status == 0, "\(rest)")
        let whole = try rest.object()
        #expect(whole["imported"] as? Int == 1 && (whole["duplicates"] as? [Any])?.count == 5, "\(rest)")
    }

    @Test("send: no file is there, nothing counts as sent, and the note goes once when asked again") func send() throws
    {
        let evergear = try Evergear()
        let photo = evergear.home.appending(path: "large.jpg")
        try hugePhoto(photo, bytes: 96 << 20)
        #expect(try evergear.run("draft", "add", "Large", "--photo", photo.path).status == 0)
        let ended = try evergear.interrupt(["send", "last", "--layout", "plain"], with: SIGINT) { _ in
            try wait { sizes(evergear, "notes").contains { $0 > 4 << 20 } }
        }
        print("Ctrl-C during send: \(ended.milliseconds) ms")
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
        #expect(ended.run.errors.contains("interrupted"), "\(ended)")
        #expect(try evergear.enexFiles().isEmpty)
        #expect(try evergear.run("queue", "status", "--json").object()["queued"] as? Int == 1)
        let again = try evergear.run("send", "last", "--layout", "plain")
        #expect(again.status == 0, "\(again)")
        #expect(try evergear.delivered().map(\.title) == ["Large"])
    }

    @Test("a signal that whoever started the program ignores does not end it") func ignored() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(5)
        try hugePhoto(photos.appending(path: "IMG_9.jpg"), bytes: 256 << 20)
        let ended = try evergear.interrupt(["import", photos.path], with: SIGINT, isIgnored: true) { _ in
            try wait { sizes(evergear, "temporary").contains { $0 > 4 << 20 } }
        }
        #expect(ended.wasRunning && ended.run.status == 0, "\(ended)")
        #expect(ended.run.output.contains("6 imported"), "\(ended)")
    }

    @Test(
        "plan: the processes that decode photos end with the program, by Ctrl-C and by kill -9",
        arguments: [SIGINT, SIGTERM, SIGKILL])
    func imagingChildren(_ signal: Int32) throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(40)
        #expect(try evergear.run("import", photos.path).status == 0)
        var children: [Int32] = []
        let ended = try evergear.interrupt(["plan", "last", "--layout", "thumbs"], with: signal) { process in
            try wait {
                children = Self.children(of: process.processIdentifier)
                return !children.isEmpty && !sizes(evergear, "blobs").isEmpty
            }
        }
        print("Signal \(signal) during plan: \(ended.milliseconds) ms")
        #expect(ended.wasRunning && ended.run.status == (signal == SIGKILL ? 137 : 130), "\(ended)")
        try wait { children.allSatisfy { kill($0, 0) != 0 || Self.isZombie($0) } }
        #expect(try evergear.damage() == "")
        #expect(try evergear.run("plan", "last", "--layout", "thumbs", "-q").status == 0)
    }

    private static func children(of process: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Dead, and not yet taken in by whoever inherited it: no process of ours any more.
    private static func isZombie(_ process: Int32) -> Bool {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return text.contains(") Z ")
    }
}
