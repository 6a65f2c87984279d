import Foundation
import System
import Testing

/// Whatever a folder, a name or a stream holds: a sentence, the right status, and no trace of the program's inside.
@Suite("bad input") struct BadInputTests {
    /// No control reaches a terminal, and nothing of what only a programmer understands.
    private func isFitToRead(_ run: Evergear.Run) -> Bool {
        let said = run.output + run.errors
        return !said.unicodeScalars.contains {
            $0 != "\n" && ($0.value < 0x20 || (0x7f..<0xa0).contains($0.value) || (0x202a...0x202e).contains($0.value))
        } && !["Fatal error", "Stack dump", "SQLite code", ".swift", "Optional("].contains { said.contains($0) }
    }

    @Test(
        "names with escapes, line ends, decomposed and broken letters are told in one line each, and opened as they are"
    )
    func names() throws {
        let evergear = try Evergear()
        let folder = evergear.home.appending(path: "names")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let photo = try Data(contentsOf: ImportCommandTests.somePhoto())
        let names: [[UInt8]] = [
            Array("esc\u{1b}[31m\u{1b}]0;title\u{7}.jpg".utf8), Array("two\nlines\r.jpg".utf8),
            Array("nfd e\u{301}.jpg".utf8), Array("nfc \u{e9}.jpg".utf8), [0xff, 0xfe] + Array(".jpg".utf8),
            Array("bidi \u{202e}gpj.exe.jpg".utf8), Array("-rf.jpg".utf8), Array(" .jpg".utf8),
            Array("c1 \u{9b}31m.jpg".utf8),
        ]
        for (index, name) in names.enumerated() {
            for (kind, bytes) in [("", photo + Data("\(index)".utf8)), ("broken ", Data("no photo".utf8))] {
                let path = FilePath(bytes: Array(folder.path.utf8) + [0x2f] + Array(kind.utf8) + name)
                try FileDescriptor.create(path).write(Array(bytes))
            }
        }
        let run = try evergear.run("import", folder.path, "-v")
        #expect(run.status == 3 && isFitToRead(run), "\(run)")
        #expect(run.errors.split(separator: "\n").filter { $0.contains("neither a photo") }.count == names.count)
        let json = try evergear.run("import", "--json", folder.path)
        #expect(isFitToRead(json), "\(json)")
        #expect((try json.object()["duplicates"] as? [Any])?.count == names.count, "\(json)")
        for command in [
            ["draft", "show", "1"], ["draft", "list"], ["plan", "1"], ["send", "1", "--caption", "name"],
        ] {
            let run = try evergear.run(command)
            #expect(run.status == 0 && isFitToRead(run), "\(command): \(run)")
        }
        let notes = try ENEXFile.notes(in: try #require(try evergear.enexFiles().first).path)
        #expect(notes.map(\.resources.count) == [names.count])
    }

    @Test(
        "what is no file is refused by what it is",
        arguments: [
            ("fifo.jpg", 65, "a pipe, a socket or a device"), ("folder.jpg", 65, "a folder"),
            ("loop.jpg", 66, "too many levels of symbolic links"), ("nowhere.jpg", 66, "no such file"),
            ("/dev/zero", 65, "a pipe, a socket or a device"), ("empty.jpg", 65, "empty"),
            ("words.jpg", 65, "neither a photo"), ("words.jpg/x.jpg", 66, "not a directory"),
            (String(repeating: "a", count: 300), 66, "file name too long"),
            (String(repeating: "abcdefghi/", count: 400), 66, "no such file"),
            (String(repeating: "abcdefghi/", count: 500), 66, "file name too long"),
        ])
    func noFile(_ name: String, _ status: Int32, _ words: String) throws {
        let evergear = try Evergear()
        mkfifo(evergear.home.appending(path: "fifo.jpg").path, 0o600)
        symlink("loop.jpg", evergear.home.appending(path: "loop.jpg").path)
        try FileManager.default.createDirectory(
            at: evergear.home.appending(path: "folder.jpg"), withIntermediateDirectories: true)
        _ = try evergear.file("empty.jpg")
        _ = try evergear.file("words.jpg", "words")
        let run = try evergear.run("draft", "add", "x", "--photo", name)
        #expect(run.status == status && run.errors.contains(words), "\(run)")
        #expect(run.errors.hasPrefix("evergear: \(name.prefix(8))") && isFitToRead(run), "\(run)")
        #expect(try evergear.run("draft", "list", "--json").output.isEmpty, "nothing half was kept")
        let imported = try evergear.run("import", name)
        #expect([0, 65, 66].contains(imported.status) && isFitToRead(imported), "\(imported)")
    }

    @Test("a huge sparse file that is no photo costs nothing, and a folder full of oddities is imported around")
    func oddFolder() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(2, in: "odd")
        func path(_ name: String) -> String { folder.appending(path: name).path }
        try Data().write(to: folder.appending(path: "huge.jpg"))
        truncate(path("huge.jpg"), 1 << 40)
        mkfifo(path("fifo.jpg"), 0o600)
        symlink("b", path("a"))
        symlink("a", path("b"))
        symlink("..", path("up"))
        symlink(".", path("here"))
        symlink("nowhere", path("dangling.jpg"))
        try FileManager.default.createDirectory(
            at: folder.appending(path: "x.jpg"), withIntermediateDirectories: true)
        let run = try evergear.run("import", "--json", folder.path)
        #expect(run.status == 3 && isFitToRead(run), "\(run)")
        let summary = try run.object()
        #expect(summary["imported"] as? Int == 2)
        #expect((summary["failed"] as? [Any])?.count == 1)
        #expect((summary["skipped"] as? [Any])?.count == 6, "\(run)")
        #expect(summary["found"] as? Int == 9)
    }

    @Test(
        "a photo that shrinks or grows while it is read is told, and the rest is imported",
        arguments: ["shrink", "grow"])
    func changing(_ how: String) throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(2)
        let photo = folder.appending(path: "IMG_9.jpg")
        try Data(contentsOf: ImportCommandTests.somePhoto()).write(to: photo)
        truncate(photo.path, 1 << 28)
        let process = evergear.process(["import", "--json", folder.path])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let temporary = evergear.home.appending(path: "temporary").path
        try wait {
            (FileManager.default.enumerator(atPath: temporary)?.allObjects ?? []).contains { name in
                let status = try? FileManager.default.attributesOfItem(atPath: "\(temporary)/\(name)")
                return (status?[.size] as? Int ?? 0) > 4 << 20
            }
        }
        truncate(photo.path, how == "shrink" ? 100_000 : 1 << 28 + 1 << 20)
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 3)
        let summary = try #require(try JSONSerialization.jsonObject(with: said) as? [String: Any])
        #expect(summary["imported"] as? Int == 2)
        let failed = try #require(summary["failed"] as? [[String: Any]])
        #expect(failed.compactMap { $0["code"] as? String } == ["changed_while_read"], "\(summary)")
        #expect(try evergear.damage() == "")
    }

    @Test("--files-from takes what a list may hold, and says which names lead nowhere") func filesFrom() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(2)
        try FileManager.default.moveItem(
            at: folder.appending(path: "IMG_1.jpg"), to: evergear.home.appending(path: "-n x.jpg"))
        let list =
            "-n x.jpg\r\n\n\n\(folder.path)/IMG_2.jpg\n/no/where\u{1b}[2J\n\(String(repeating: "y", count: 5_000))\n"
        let run = try evergear.run("import", "--files-from", "-", input: list)
        #expect(run.status == 3 && isFitToRead(run), "\(run)")
        #expect(run.output.contains("4 files found: 2 imported") && run.output.contains("2 failed"), "\(run)")
        #expect(try evergear.run("import", "--files-from", "nowhere.txt").status == 66)
        #expect(try evergear.run("import", "--files-from", folder.path).status == 65)
        #expect(try evergear.run("import", "--files-from", "-", input: "").status == 0)
    }

    @Test("a home that is a file, and one in a file, are named as such") func homeIsAFile() throws {
        let evergear = try Evergear()
        let file = try evergear.file("file").path
        for home in [file, file + "/deeper"] {
            evergear.environment["EVERGEAR_HOME"] = home
            let run = try evergear.run("draft", "add", "x")
            #expect(run.status == 1 && run.errors.contains(file), "\(run)")
            #expect(run.errors.contains("not a directory. A folder is wanted there"), "\(run)")
        }
    }

    @Test("a store that is no store, or of a newer evergear, is left as it is") func strangeStore() throws {
        let evergear = try Evergear()
        let words = String(repeating: "these are no pages of a database\n", count: 200)
        let store = try evergear.file("store.sqlite", words)
        let run = try evergear.run("draft", "add", "x")
        #expect(run.status == 1 && run.errors.contains("damaged") && isFitToRead(run), "\(run)")
        #expect(try String(contentsOf: store, encoding: .utf8) == words)
    }

    @Test("a layout that is not there is refused at once, and nothing is kept") func unknownLayout() throws {
        let evergear = try Evergear()
        let run = try evergear.run("draft", "add", "x", "--layout", "sideways")
        #expect(run.status == 64 && run.errors.contains("no layout \"sideways\"") && run.output.isEmpty, "\(run)")
        #expect(try evergear.run("draft", "add", "x", "--layout", "./sideways.xsl").status == 66)
        #expect(try evergear.run("draft", "list", "--json").output.isEmpty)
        _ = try evergear.file("layouts/sideways.xsl", "<x/>")
        #expect(try evergear.run("draft", "add", "x", "--layout", "sideways").status == 0)
        #expect(try evergear.run("draft", "edit", "last", "--layout", "upwards").status == 64)
        #expect(try evergear.run("draft", "edit", "last", "--layout", "full").status == 0)
    }

    @Test(
        "a broken stylesheet is told by file, line and message",
        arguments: [
            ("", "1"), ("<xsl:stylesheet", "1"), ("\n\n<p>&nope;</p>", "3"),
            (
                """
                <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
                <xsl:template match="/"><en-note>
                <xsl:value-of select="concat('a'"/></en-note></xsl:template></xsl:stylesheet>
                """, "3"
            ),
        ])
    func brokenStylesheet(_ text: String, _ line: String) throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        let sheet = try evergear.file("mine.xsl", text)
        let run = try evergear.run("send", "last", "--layout", sheet.path)
        #expect(run.status == 65 && isFitToRead(run), "\(run)")
        #expect(run.errors.hasPrefix("evergear: \(sheet.path), line \(line): "), "\(run)")
        #expect(try evergear.enexFiles().isEmpty)
        #expect(try evergear.run("queue", "list", "--json").output.isEmpty)
    }

    @Test("without its templates or its decoder the program says what is missing and how it comes back")
    func missingParts() throws {
        let evergear = try Evergear()
        let photo = try ImportCommandTests.somePhoto().path
        #expect(try evergear.run("draft", "add", "x", "--photo", photo).status == 0)
        let bin = evergear.home.appending(path: "installed/bin")
        try evergear.copyPrograms("evergear", "evergear-imaging", to: bin)
        func run(_ arguments: String...) throws -> Evergear.Run {
            try evergear.run(arguments, program: bin.appending(path: "evergear"))
        }
        #expect(try run("draft", "list").status == 0, "what needs no layout works")
        for command in ["send", "plan", "preview"] {
            let bare = try run(command, "last")
            #expect(bare.status == 1 && bare.errors.contains("folder of layouts is missing"), "\(bare)")
            #expect(bare.errors.contains("installed/share/evergear/templates"), "\(bare)")
            #expect(bare.errors.contains("make install"), "\(bare)")
        }
        let share = evergear.home.appending(path: "installed/share/evergear")
        try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
        let templates = Evergear.fixtures.deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: templates.appending(path: "templates"), to: share.appending(path: "templates"))
        try FileManager.default.removeItem(at: bin.appending(path: "evergear-imaging"))
        let thumbs = try run("send", "last", "--layout", "thumbs")
        #expect(thumbs.status == 1 && thumbs.errors.contains("evergear-imaging"), "\(thumbs)")
        #expect(thumbs.errors.contains("make install"), "\(thumbs)")
        let full = try run("send", "last", "--layout", "full")
        #expect(full.status == 0, "what needs no decoder works: \(full)")
    }

    @Test("a program started without one of its streams writes nothing into another's place") func closedStreams()
        throws
    {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(3)
        func shell(_ line: String) throws -> Evergear.Run {
            try evergear.run(["-c", "\"$0\" " + line, Evergear.binary.path], program: URL(filePath: "/bin/sh"))
        }
        let input = try shell("draft add - <&-")
        #expect(input.status == 66 && input.errors.contains("the standard input: closed"), "\(input)")
        let output = try shell("draft add 'kept all the same' >&-")
        #expect(output.status == 1 && output.errors.contains("could not be written"), "\(output)")
        #expect(try shell("import \(photos.path) 2>&-").status == 0)
        #expect(try shell("import \(photos.path) >&- 2>&- <&-").status == 1)
        #expect(try shell("send -y 2>&-").status == 0)
        #expect(try evergear.damage() == "")
        #expect(try evergear.run("draft", "list", "--json").objects().count == 2)
        #expect(try evergear.delivered().count == 2)
    }

    @Test("a reader that has seen enough ends the program quietly") func closedPipe() throws {
        let evergear = try Evergear()
        for number in 1...3 { try evergear.run("draft", "add", "Draft \(number)") }
        for command in ["draft list", "draft list --json", "--help", "draft show 1", "queue status"] {
            let line = "\"$0\" \(command) | head -c 1 >/dev/null; echo done"
            let run = try evergear.run(["-c", line, Evergear.binary.path], program: URL(filePath: "/bin/sh"))
            #expect(run.output == "done\n" && run.errors.isEmpty, "\(command): \(run)")
        }
    }
}
