import Foundation
import Testing

@Suite("what is said is so, and helps") struct PlainWordsTests {
    @Test("where the results cannot be told, nobody is asked to do again what is done") func untold() throws {
        let evergear = try Evergear()
        let process = evergear.process([])
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec \"$0\" \"$@\" >&-", Evergear.binary.path, "draft", "add", "Once"]
        let said = try process.errorsOfRun()
        #expect(process.terminationStatus == 1)
        #expect(said.contains("Only the telling failed, what the command did is done and kept."), "\(said)")
        #expect(!said.contains("run the command again"), "\(said)")
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)
    }

    @Test("a leftover in the folder of temporaries, be it file or folder, goes with the next command that writes")
    func leftovers() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        _ = try evergear.file("temporary/leftover")
        _ = try evergear.file("temporary/folder/in/it")
        let check = try evergear.run("check")
        #expect(check.output.contains("2 temporary files or folders that a crash left"), "\(check)")
        #expect(try evergear.run("prune").status == 0)
        #expect(!(try evergear.run("check").output.contains("temporary")))
    }

    @Test("texts of edits that were given up go after a month") func keptEdits() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        let old = try evergear.file("edits/draft-1.txt", "old")
        let young = try evergear.file("edits/draft-1-2.txt", "young")
        let time = Date(timeIntervalSinceNow: -31 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: old.path)
        #expect(try evergear.run("prune", "-n").output.contains("Would remove 1 text of edits"))
        #expect(FileManager.default.fileExists(atPath: old.path))
        let run = try evergear.run("prune")
        #expect(run.status == 0 && run.output.contains("Removed 1 text of edits"), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: old.path) && FileManager.default.fileExists(atPath: young.path))
        #expect(try evergear.run("prune", "--json").object()["edits"] as? Int == 0)
    }

    @Test("a damaged store says how the photos and the rest are saved, and that is so") func damaged() throws {
        let evergear = try Evergear()
        try evergear.run("import", evergear.manyPhotos(3).path, "--title", "Lake")
        for number in 1...50 {
            try evergear.run("draft", "add", "Draft \(number) " + String(repeating: "word ", count: 200))
        }
        let store = evergear.home.appending(path: "store.sqlite")
        let whole = try Data(contentsOf: store)
        // The last page, which has drafts in it.
        var broken = whole
        let page = broken.count - 4096
        broken.replaceSubrange(page..<page + 4096, with: Data(repeating: 0x5a, count: 4096))
        try broken.write(to: store)
        let check = try evergear.run("check")
        #expect(check.status == 1, "\(check)")
        #expect(check.output.contains("/blobs, and sqlite3's `.dump`"), "\(check)")
        try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"))
        let process = evergear.process([])
        process.executableURL = URL(filePath: "/bin/sh")
        // As docs/RELIABILITY.md has it.
        process.arguments = [
            "-c",
            """
            { sqlite3 store.sqlite .dump | sed 's/^ROLLBACK;.*/COMMIT;/'
              sqlite3 store.sqlite "SELECT 'PRAGMA user_version = ' || user_version FROM pragma_user_version"
            } 2>/dev/null | sqlite3 recovered.sqlite
            mkdir damaged && mv store.sqlite* damaged/ && mv recovered.sqlite store.sqlite
            """,
        ]
        try process.run()
        process.waitUntilExit()
        let list = try evergear.run("draft", "list", "--json")
        #expect(list.status == 0, "\(list)")
        #expect(try list.objects().count > 20)
    }

    @Test("who waits for another evergear is told so, may end it by Ctrl-C, and goes on once it is gone") func busy()
        throws
    {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "first")
        let other = evergear.process([])
        other.executableURL = URL(filePath: "/usr/bin/env")
        other.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            store = sqlite3.connect("store.sqlite", isolation_level=None)
            store.execute("BEGIN IMMEDIATE")
            print("held", flush=True)
            sys.stdin.readline()
            store.execute("ROLLBACK")
            """,
        ]
        let (held, release) = (Pipe(), Pipe())
        other.standardOutput = held
        other.standardInput = release
        try other.run()
        #expect(held.fileHandleForReading.availableData == Data("held\n".utf8))
        let screen = evergear.home.appending(path: "streams/errors")
        let ended = try evergear.interrupt(["draft", "add", "none"], with: SIGINT) { _ in
            try wait { try String(contentsOf: screen, encoding: .utf8).contains("Waiting") }
        }
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
        let process = evergear.process(["draft", "add", "second"])
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        try release.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        #expect(said == "Waiting for another evergear, which writes to the store just now.\n")
        process.waitUntilExit()
        other.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try evergear.run("draft", "list", "--json").objects().count == 2)
    }

    @Test("a file is made only under a name, and only in a folder that is there") func newFiles() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        let dash = try evergear.run("export", "last", "-o", "-")
        #expect(dash.status == 64 && dash.errors.contains("standard output"), "\(dash)")
        for (command, name) in [("preview", "p.html"), ("export", "p.enex")] {
            let run = try evergear.run(command, "last", "-o", evergear.home.appending(path: "no/where/\(name)").path)
            #expect(run.status == 1 && run.errors.contains("there is no folder "), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: evergear.home.appending(path: "no").path))
            #expect(try evergear.run(command, "last", "-o", name).status == 0, "in the folder where one is")
        }
        #expect(try evergear.run("preview", "last", "-o", "-").output.contains("<html"))
    }

    @Test("time, place and layout are taken away as tags and the notebook are, by an empty value") func none() throws {
        let evergear = try Evergear()
        try evergear.run(
            "draft", "add", "x", "--at", "2026-05-03T05:48+09:00", "--place", "35,135", "--layout", "plain", "--tag",
            "a",
            "--notebook", "b")
        try evergear.run("memo", "add", "last", "words", "--at", "2026-05-03", "--place", "35,135")
        let run = try evergear.run(
            "draft", "edit", "last", "--at", "", "--place", "", "--layout", "", "--tag", "", "--notebook", "")
        #expect(run.status == 0, "\(run)")
        let memo = try evergear.run("memo", "edit", "last", "1", "--at", "", "--place", "")
        #expect(memo.status == 0, "\(memo)")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        for key in ["time", "place", "layout", "notebook"] { #expect(draft[key] is NSNull, "\(key)") }
        let shown = try #require((draft["memos"] as? [[String: Any]])?.first)
        #expect(shown["time"] is NSNull && shown["place"] is NSNull && shown["text"] as? String == "words")
        let wrong = try evergear.run("memo", "edit", "last", "1", "--at", "soon")
        #expect(wrong.status == 64 && wrong.errors.contains("or \"\" for none"), "\(wrong)")
    }

    @Test("a memo that an edit begins has the time of its making, as one of `memo add` has") func newMemo() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        try evergear.run("draft", "edit", "last", "--from", "-", input: "x\n\n[new]\nwords\n")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        #expect((draft["memos"] as? [[String: Any]])?.first?["time"] is String)
    }

    @Test("a title of a megabyte is shown in part, and told whole to machines") func longTitle() throws {
        let evergear = try Evergear()
        let title = String(repeating: "long ", count: 200_000)
        let added = try evergear.run("draft", "add", "-", input: title)
        #expect(added.status == 0 && added.output.utf8.count < 300, "\(added.output.prefix(300))")
        for number in 1...3 { try evergear.run("draft", "add", "short \(number)") }
        for command in [["draft", "list"], ["plan", "1"], ["send", "1"], ["log"], ["sent"], ["draft", "hold", "1"]] {
            let run = try evergear.run(command)
            #expect(
                run.status == 0 && (run.output + run.errors).utf8.count < 4_000, "\(command): \("\(run)".prefix(600))")
        }
        let whole = try evergear.run("draft", "show", "1", "--json").object()["title"] as? String
        #expect(whole?.utf8.count ?? 0 > 900_000)
    }

    @Test("names that no note can have are told when they are given") func names() throws {
        let evergear = try Evergear()
        let many = (1...101).flatMap { ["--tag", "tag \($0)"] }
        for (arguments, words) in [
            (["--tag", "a,b"], "contains a comma"),
            (["--tag", String(repeating: "x", count: 200)], "has 200 characters"),
            (many, "has 101 tags"), (["--notebook", String(repeating: "x", count: 101)], "has 101 characters"),
        ] {
            let run = try evergear.run(["draft", "add", "x"] + arguments)
            #expect(run.status == 0 && run.errors.contains(words), "\(run)")
            #expect(run.errors.contains("cannot be sent so"), "\(run)")
            let edited = try evergear.run(["draft", "edit", "last"] + arguments)
            #expect(edited.status == 0 && edited.errors.contains(words), "\(edited)")
        }
        #expect(try evergear.run("draft", "add", "x", "--tag", "fine").errors.isEmpty)
    }

    @Test("a layout that only a setting names is a setting that is wrong") func settingLayout() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        let asked = try evergear.run("plan", "last", "--layout", "nope")
        #expect(asked.status == 64, "\(asked)")
        evergear.environment["EVERGEAR_LAYOUT"] = "nope"
        for command in [
            ["plan", "last"], ["send", "last"], ["preview", "last"], ["export", "last", "-o", "x.enex"],
        ] {
            let run = try evergear.run(command)
            #expect(run.status == 78 && run.errors.contains("there is no layout \"nope\""), "\(command): \(run)")
        }
        evergear.environment = ["EVERGEAR_LAYUT": "full"]
        let unknown = try evergear.run("plan", "last")
        #expect(unknown.status == 0 && unknown.errors.contains("Did you mean EVERGEAR_LAYOUT?"), "\(unknown)")
        #expect(try evergear.run("plan", "last", "-q").errors.isEmpty)
    }

    @Test("what is too large for a note says what of it is") func tooLarge() throws {
        let evergear = try Evergear()
        try evergear.run("import", evergear.manyPhotos(1).path)
        let small = try evergear.run("plan", "last", "--note-bytes", "10")
        #expect(small.status == 65 && small.errors.contains(" in files and up to "), "\(small)")
        #expect(small.errors.contains("too little for any note"), "\(small)")
        try evergear.run("draft", "add", "-", input: "Long\n" + String(repeating: "many words ", count: 800_000))
        for _ in 1...2 {
            let long = try evergear.run("plan", "last")
            #expect(long.status == 65 && long.errors.contains("text is too long for a note"), "\(long)")
            #expect(!long.errors.contains("stylesheet") && !long.errors.contains("memo 1"), "\(long)")
            try evergear.run("memo", "add", "last", "short")
        }
    }

    @Test("no library speaks for the program") func ownWords() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        try evergear.run("memo", "add", "last", "one")
        let twice = try evergear.run("memo", "rm", "last", "1", "1")
        #expect(twice.status == 0 && twice.errors.isEmpty && twice.output.split(separator: "\n").count == 1, "\(twice)")
        let photos = try evergear.manyPhotos(1)
        let track = try evergear.run("import", photos.path, "--gpx", "/nonexistent")
        #expect(
            track.status == 66 && track.errors.contains("/nonexistent: no such file or directory. Is the name right?"))
        try FileManager.default.removeItem(at: evergear.home.appending(path: "store.sqlite"))
        try FileManager.default.createDirectory(
            at: evergear.home.appending(path: "store.sqlite"), withIntermediateDirectories: false)
        let folder = try evergear.run("draft", "list")
        #expect(folder.status == 1 && folder.errors.contains("store.sqlite cannot be opened"), "\(folder)")
        #expect(!folder.errors.contains("SQLite"), "\(folder)")
    }

    @Test("of photos that are gone the names are told, and no number of ours") func gone() throws {
        let evergear = try Evergear()
        try evergear.run("import", evergear.manyPhotos(2).path)
        for blob in try evergear.blobs() { try FileManager.default.removeItem(at: blob) }
        let run = try evergear.run("plan", "last", "--layout", "full")
        #expect(run.errors.contains("IMG_1.jpg and IMG_2.jpg are not here any more"), "\(run)")
        #expect(!run.errors.contains(/[0-9a-f]{32}/), "\(run)")
    }
}
