import Foundation
import Glibc
import Testing

/// What `send` makes of drafts that are not as they were: those that an import has in hand, and those changed since they
/// were sent.
@Suite("drafts that change") struct ChangedDraftTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    /// A photo with so many bytes, which take no room on the disk.
    private func photo(_ name: String, bytes: UInt64, in folder: URL) throws {
        let path = folder.appending(path: name)
        try Data(contentsOf: ImportCommandTests.somePhoto()).write(to: path)
        try FileHandle(forWritingTo: path).truncate(atOffset: bytes)
    }

    private func largestTemporary() -> Int {
        let folder = evergear.home.appending(path: "temporary")
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return names.compactMap {
            try? FileManager.default.attributesOfItem(atPath: folder.appending(path: $0).path)[.size] as? Int
        }.max() ?? 0
    }

    @Test("a draft that is being imported is not sent before it is whole, and then all of it is")
    func inHand() throws {
        let photos = try evergear.manyPhotos(3)
        // The second fills a batch, which is committed; the third keeps the import at it.
        try photo("IMG_8.jpg", bytes: 65 << 20, in: photos)
        try photo("IMG_9.jpg", bytes: 4 << 30, in: photos)
        var runs: [Evergear.Run] = []
        let ended = try evergear.interrupt(["import", photos.path], with: SIGINT) { _ in
            try wait { largestTemporary() > 70 << 20 }
            runs = [
                try evergear.run("draft", "list"), try evergear.run("send", "-y"), try evergear.run("send", "1"),
                try evergear.run("draft", "list", "--json"),
            ]
        }
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
        #expect(runs[0].output.contains("being imported"), "\(runs[0])")
        for run in runs[1...2] {
            #expect(run.status == 75 && run.errors.contains("being imported"), "\(run)")
        }
        #expect(try runs[3].object()["importing"] as? Bool == true)
        #expect(try evergear.enexFiles().isEmpty)
        #expect(try evergear.run("send", "-y", "--layout", "plain").status == 0)
        #expect(try evergear.run("log", "--json").objects().count == 1)
        #expect(try evergear.run("draft", "list", "--json").object()["photos"] as? Int == 4)
        #expect(try evergear.run("draft", "list").output.contains("changed since") == false)
    }

    @Test("two imports of a folder at once take each photo once, into one draft")
    func together() throws {
        let photos = try evergear.manyPhotos(300)
        let processes = try (0..<2).map { index in
            let process = evergear.process(["import", "--json", photos.path])
            process.standardOutput = try FileHandle(forWritingTo: evergear.file("said-\(index)"))
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
        for process in processes { process.waitUntilExit() }
        #expect(processes.map(\.terminationStatus) == [0, 0])
        let said = try (0..<2).map { index in
            let data = try Data(contentsOf: evergear.home.appending(path: "said-\(index)"))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        #expect(said.compactMap { $0["imported"] as? Int }.sorted() == [0, 300])
        #expect(said.compactMap { ($0["duplicates"] as? [Any])?.count }.sorted() == [0, 300])
        let drafts = try evergear.run("draft", "list", "--json").objects()
        #expect(drafts.map { $0["photos"] as? Int } == [300])
        #expect(try evergear.damage() == "")
    }

    @Test("what was changed since it was sent is named and left out, and goes when it is asked for")
    func changed() throws {
        try evergear.run("draft", "add", "Ridge")
        #expect(try evergear.run("send").status == 0)
        #expect(try evergear.run("draft", "hold", "1").status == 0)
        #expect(try evergear.run("draft", "hold", "1", "--off").status == 0)
        #expect(try evergear.run("draft", "list").output.contains("changed") == false, "a hold is no change")
        try evergear.run("memo", "add", "1", "The rain came back.")
        #expect(try evergear.run("draft", "list").output.contains("sent, changed since"))
        #expect(try evergear.run("draft", "list", "--unsent", "--json").object()["changed"] as? Bool == true)
        let all = try evergear.run("send", "-y")
        #expect(all.status == 0 && all.errors.contains("changed since it was sent, and left out: 1, Ridge"), "\(all)")
        #expect(try evergear.run("log", "--json").objects().count == 1)
        #expect(try evergear.run("send", "1").status == 0)
        #expect(try evergear.run("log", "--json").objects().count == 2)
        let rest = try evergear.run("send", "-y")
        #expect(rest.status == 0 && !rest.errors.contains("changed"), "\(rest)")
    }

    @Test("a change that is taken back is none: the note is there already")
    func takenBack() throws {
        try evergear.run("draft", "add", "Ridge")
        try evergear.run("memo", "add", "1", "Rain")
        #expect(try evergear.run("send").status == 0)
        try evergear.run("memo", "edit", "1", "1", "Snow")
        try evergear.run("memo", "edit", "1", "1", "Rain")
        #expect(try evergear.run("draft", "list").output.contains("changed since"))
        let again = try evergear.run("send", "1")
        #expect(again.status == 0 && again.output.contains("already delivered"), "\(again)")
        #expect(try evergear.run("draft", "list").output.contains("changed since") == false)
    }

    @Test("photos put into a draft that was sent are told to wait for a word")
    func into() throws {
        try evergear.run("draft", "add", "Ridge")
        #expect(try evergear.run("send").status == 0)
        let photos = try evergear.manyPhotos(2)
        let run = try evergear.run("import", photos.path, "--into", "1")
        #expect(run.status == 0 && run.errors.contains("`evergear send 1`"), "\(run)")
        // The folder by itself makes a draft of what is new, and nothing is.
        let again = try evergear.run("import", photos.path, "--json")
        #expect(try (again.object()["duplicates"] as? [Any])?.count == 2, "\(again)")
    }
}
