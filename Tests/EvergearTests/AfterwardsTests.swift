import Foundation
import Testing

/// What there is to ask and to do once notes are delivered.
@Suite("after the delivery: log, sent, prune, check") struct AfterwardsTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    private func sql(_ statement: String) throws {
        _ = try python(
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()",
            evergear.home.appending(path: "store.sqlite").path, statement)
    }

    /// Sends two photos as they are and a HEIC, which goes out as JPEG.
    private func sendThree() throws -> URL {
        let folder = try evergear.manyPhotos(2, in: "card")
        let heic = Evergear.fixtures.appending(path: "2024-05-02 Kamakura/IMG_0420.HEIC")
        try FileManager.default.copyItem(at: heic, to: folder.appending(path: "IMG_3.HEIC"))
        #expect(try evergear.run("import", folder.path).status == 0)
        #expect(try evergear.run("send", "last").status == 0)
        return folder
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    // MARK: log and sent

    @Test("log tells every delivery, the newest first, and no more than is asked for") func log() throws {
        #expect(try evergear.run("log").output == "Nothing was delivered yet.\n")
        for title in ["one", "two", "three"] {
            try evergear.run("draft", "add", title)
            #expect(try evergear.run("send", "last").status == 0)
        }
        let all = try evergear.run("log", "--json").objects()
        #expect(all.map { $0["title"] as? String } == ["three", "two", "one"])
        #expect(all.allSatisfy { $0["by_hand"] as? Bool == false && $0["delivered"] as? String != nil })
        let paths = try all.map { try #require($0["path"] as? String) }
        #expect(paths.allSatisfy(FileManager.default.fileExists))
        let some = lines(try evergear.run("log", "--limit", "2").output)
        #expect(some.count == 4 && some[1].contains("three") && some[2].contains(paths[1]), "\(some)")
        #expect(some.last == "and 1 before these")
        #expect(try evergear.run("log", "--limit", "0").status == 64)
    }

    @Test("sent lists drafts with all of their notes, and where they are") func sent() throws {
        #expect(try evergear.run("sent").output == "Nothing was sent yet.\n")
        for title in ["one", "two"] { try evergear.run("draft", "add", title) }
        try evergear.run("send", "1")
        try evergear.run("send", "1", "--again")
        let sent = try evergear.run("sent", "--json").objects()
        #expect(sent.count == 1 && sent[0]["title"] as? String == "one" && sent[0]["state"] as? String == "sent")
        #expect((sent[0]["notes"] as? [Any])?.count == 2)
        #expect(try evergear.run("sent").output.contains(".enex"))
        try evergear.run("draft", "rm", "1")
        #expect(try evergear.run("sent").output.contains("draft removed"))
    }

    @Test("sent --paths lists the files whose own bytes were delivered and are unchanged, byte for byte") func paths()
        throws
    {
        let folder = try sendThree()
        let (one, two) = (folder.appending(path: "IMG_1.jpg").path, folder.appending(path: "IMG_2.jpg").path)
        #expect(lines(try evergear.run("sent", "--paths").output) == [one, two], "the HEIC went out as JPEG")
        for words in ["-0", "-0q", "-q0"] {
            #expect(try evergear.run("sent", "--paths", words).output == "\(one)\0\(two)\0")
        }
        #expect(try evergear.run("sent", "--paths", "--json").objects().map { $0["path"] as? String } == [one, two])
        try Data("another".utf8).write(to: URL(filePath: one))
        try FileManager.default.removeItem(atPath: two)
        let run = try evergear.run("sent", "--paths")
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.errors.contains("changed") && run.errors.contains(one))
        #expect(run.errors.contains("not there any more") && run.errors.contains(two))
        #expect(try evergear.run("sent", "-0").status == 64)
        #expect(try evergear.run("sent", "--paths", "-0", "--json").status == 64)
    }

    @Test("a file that was touched only, or whose name no line can tell, is left out") func oddPaths() throws {
        let folder = try evergear.manyPhotos(2, in: "card")
        let odd = folder.appending(path: "a\nb.jpg")
        try FileManager.default.moveItem(at: folder.appending(path: "IMG_1.jpg"), to: odd)
        try evergear.run("import", folder.path)
        #expect(try evergear.run("send", "last").status == 0)
        let other = folder.appending(path: "IMG_2.jpg").path
        let run = try evergear.run("sent", "--paths")
        #expect(lines(run.output) == [other] && run.errors.contains("-0"), "\(run)")
        #expect(try evergear.run("sent", "--paths", "-0").output == "\(other)\0\(odd.path)\0")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: other)
        #expect(try evergear.run("sent", "--paths", "-0").output == "\(odd.path)\0")
    }

    @Test("a draft that went as thumbnails, or whose job was marked by hand, makes no file safe") func notSafe() throws
    {
        let folder = try evergear.manyPhotos(1, in: "card")
        try evergear.run("import", folder.path)
        #expect(try evergear.run("send", "last", "--layout", "thumbs").status == 0)
        #expect(try evergear.run("sent", "--paths").output.isEmpty)
        #expect(try evergear.run("prune", "--keep-originals", "0").output.contains("1 copy"))
        try evergear.run("send", "last", "--no-wait")
        try sql("UPDATE job SET state = 'uncertain' WHERE id = 2")
        #expect(try evergear.run("queue", "mark-sent", "2").status == 0)
        #expect(try evergear.run("sent", "--paths").output.isEmpty)
        #expect(try evergear.run("prune", "--keep-originals", "0").output == "There is nothing to free.\n")
        #expect(try evergear.damage(of: "photo") == "")
    }

    // MARK: prune

    @Test("prune frees delivered originals after their days, and copies at once; nothing is imported anew") func prune()
        throws
    {
        let folder = try sendThree()
        #expect(try evergear.run("prune", "-n").output.hasPrefix("Would free"))
        let early = try evergear.run("prune", "--json").object()
        let freed = try #require(early["freed"] as? [String: [String: Any]])
        #expect(freed["delivered"]?["blobs"] as? Int == 0, "30 days have not passed")
        #expect(freed["copy"]?["blobs"] as? Int == 1)
        #expect((early["bytes"] as? Int ?? 0) > 0)
        evergear.environment["EVERGEAR_KEEP_ORIGINALS"] = "0"
        #expect(try evergear.run("prune", "-n").output.contains("2 originals that were delivered"))
        #expect(try evergear.run("prune").output.contains("2 originals that were delivered"))
        #expect(try evergear.run("prune").output == "There is nothing to free.\n")
        #expect(try evergear.run("check", "--read").status == 0)
        let again = try evergear.run("import", "--json", folder.path).object()
        #expect(again["imported"] as? Int == 0 && (again["duplicates"] as? [Any])?.count == 3)
        #expect(try evergear.run("prune", "--keep-originals", "-1").status == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3, "no source is touched")
    }

    @Test("a draft whose originals were freed says so, is not queued without them, and gets them back") func bringBack()
        throws
    {
        let folder = try sendThree()
        try evergear.run("prune", "--keep-originals", "0")
        let shown = try evergear.run("draft", "show", "last").output
        #expect(shown.contains("its bytes are not here any more") && shown.contains("import --into 1"))
        let run = try evergear.run("send", "last", "--again")
        #expect(run.status == 1 && run.errors.contains("IMG_1.jpg and IMG_2.jpg"), "\(run)")
        #expect(try evergear.run("queue", "status", "--json").object()["parked"] as? Int == 0)
        #expect(try evergear.run("import", "--into", "last", folder.path).status == 0)
        #expect(try evergear.run("send", "last", "--again").status == 0)
        #expect(try evergear.run("check", "--read").status == 0)
        #expect(!(try evergear.run("draft", "show", "last").output.contains("not here any more")))
        // Once they are back, what goes missing is lost and not freed.
        try evergear.removeBlobs()
        #expect(try evergear.run("check").status == 1)
    }

    @Test("what was dropped and never delivered stays until it is asked for by name") func undelivered() throws {
        let folder = try evergear.manyPhotos(3, in: "card")
        try evergear.run("import", folder.path)
        try evergear.run("memo", "rm", "last", "3")
        let first = try evergear.run("prune", "--keep-originals", "0").output
        #expect(first.contains("nothing to free") && first.contains("prune --undelivered"), "\(first)")
        let listed = try evergear.run("prune", "--undelivered", "-n")
        #expect(listed.output.contains("IMG_3.jpg") && !listed.output.contains("IMG_1.jpg"), "\(listed)")
        #expect(try evergear.run("prune", "--undelivered").output.contains("1 photo of dropped memos"))
        try evergear.run("send", "last", "--no-wait")
        try evergear.run("queue", "cancel", "1")
        try evergear.run("draft", "rm", "1")
        let all = try evergear.run("prune", "--undelivered", "-y", "--json").object()
        #expect((all["undelivered"] as? [[String: Any]])?.count == 2 && all["jobs"] as? [Int] == [1], "\(all)")
        #expect(try evergear.run("check").status == 0)
        #expect(try evergear.blobs().isEmpty)
        let again = try evergear.run("import", "--json", folder.path).object()
        #expect(again["imported"] as? Int == 3, "nothing of them was delivered")
    }

    @Test("what a crash left is freed, and what is queued is not") func left() throws {
        let photo = try ImportCommandTests.somePhoto().path
        try evergear.run("draft", "add", "a", "--photo", photo)
        try evergear.run("send", "last", "--no-wait")
        let left = try evergear.file("blobs/90/900150983cd24fb0d6963f7d28e17f72-3", "abc").path
        #expect(try evergear.run("check").output.contains("1 file of the store, 3 B, that nothing names"))
        #expect(try evergear.run("prune", "--keep-originals", "0").output.contains("1 file that a crash left (3 B)"))
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(try evergear.run("queue", "run").status == 0)
    }

    @Test("imports and sendings beside prunes: every photo that was acknowledged is there") func together() throws {
        let folder = try evergear.manyPhotos(40)
        try evergear.run("import", folder.path)
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        for round in 1...5 {
            // What is there may be freed; who takes it in again must not lose it.
            let commands =
                round % 2 == 0
                ? [["import", "--duplicates", "keep", folder.path], ["prune", "--keep-originals", "0"]]
                : [["import", "--duplicates", "keep", folder.path], ["import", "--into", "1", folder.path]]
            let prunes = Array(repeating: ["prune", "--keep-originals", "0"], count: 3)
            let ended = try evergear.runTogether(commands + prunes)
            #expect(ended.allSatisfy { $0.status == 0 }, "\(ended)")
            let unsent = try evergear.run("draft", "list", "--unsent", "--json").objects()
            #expect(unsent.map { $0["photos"] as? Int } == [40], "\(unsent)")
            #expect(try evergear.run("check", "--read").status == 0)
            let sent = try evergear.runTogether([["send", "-y", "--layout", "full"]] + prunes)
            #expect(sent.allSatisfy { $0.status == 0 }, "\(sent)")
        }
    }

    // MARK: check

    @Test("check finds what is missing, short or changed, and says what to do") func check() throws {
        let folder = try sendThree()
        #expect(try evergear.run("check").output.hasPrefix("All is well"))
        let enex = try #require(try evergear.enexFiles().first)
        let whole = try Data(contentsOf: enex)
        try (whole + Data(" ".utf8)).write(to: enex)
        #expect(try evergear.run("check").status == 0, "only --read can see it")
        let changed = try evergear.run("check", "--read", "--json")
        #expect(changed.status == 1)
        #expect(try codes(changed) == ["enex_changed"])
        try FileManager.default.removeItem(at: enex)
        #expect(try codes(evergear.run("check", "--json")) == ["enex_missing"])
        #expect(try evergear.run("check", "--no-enex").status == 0)
        try whole.write(to: enex)
        let blob = try #require(try evergear.blobs().first { $0.lastPathComponent.contains("-") })
        let bytes = try Data(contentsOf: blob)
        try FileManager.default.removeItem(at: blob)
        try Data(bytes.reversed()).write(to: blob)
        #expect(try evergear.run("check").status == 0)
        #expect(try codes(evergear.run("check", "--read", "--json")) == ["wrong_bytes"])
        try Data([1]).write(to: blob)
        #expect(try codes(evergear.run("check", "--json")) == ["wrong_size"])
        try evergear.removeBlobs()
        let gone = try evergear.run("check")
        #expect(gone.status == 1 && gone.output.contains("evergear import --into 1 FILE"), "\(gone)")
        #expect(try evergear.run("import", "--into", "1", folder.path).status == 0)
        #expect(try evergear.run("check", "--read").status == 0)
    }

    @Test("check changes nothing, and a damaged database is told in words") func damaged() throws {
        _ = try sendThree()
        let path = evergear.home.appending(path: "store.sqlite")
        try sql("PRAGMA wal_checkpoint(TRUNCATE)")
        try sql("DELETE FROM draft")
        let lost = try evergear.run("check", "--json")
        #expect(lost.status == 1)
        #expect(try codes(lost).contains("database"))
        let before = try Data(contentsOf: path)
        #expect(try evergear.run("check").status == 1)
        #expect(try Data(contentsOf: path) == before)
        var bytes = before
        for page in stride(from: 8192, to: bytes.count, by: 8192) {
            bytes.replaceSubrange(page..<page + 64, with: Data(count: 64))
        }
        try bytes.write(to: path)
        let run = try evergear.run("check")
        #expect(run.status == 1 && (run.output + run.errors).contains("damaged"), "\(run)")
    }

    private func codes(_ run: Evergear.Run) throws -> [String] {
        let problems = try #require(try run.object()["problems"] as? [[String: Any]])
        return problems.compactMap { $0["code"] as? String }
    }
}

extension Evergear {
    /// The files that the store keeps.
    func blobs() throws -> [URL] {
        let folder = home.appending(path: "blobs")
        guard let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else {
            return []
        }
        return names.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
    }

    func removeBlobs() throws { for blob in try blobs() { try FileManager.default.removeItem(at: blob) } }

    /// Rows of a table whose bytes are not there.
    func damage(of table: String) throws -> String {
        try python(
            """
            import os, sqlite3, sys
            home, table = sys.argv[1:]
            for md5, size in sqlite3.connect(home + "/store.sqlite").execute("SELECT md5, size FROM " + table):
                name = "%s-%d" % (md5.hex(), size)
                if not os.path.exists(home + "/blobs/" + name[:2] + "/" + name): print(name)
            """, home.path, table)
    }

    /// Starts several commands at once, and waits for all.
    func runTogether(_ commands: [[String]]) throws -> [(status: Int32, output: String, errors: String)] {
        let started = try commands.enumerated().map { index, command in
            let process = process(command)
            let (output, errors) = (try file("streams/output \(index)"), try file("streams/errors \(index)"))
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardInput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            return (process, output, errors)
        }
        return try started.map { process, output, errors in
            process.waitUntilExit()
            let status =
                process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return try (
                status, String(contentsOf: output, encoding: .utf8), String(contentsOf: errors, encoding: .utf8)
            )
        }
    }
}
