import Foundation
import Testing

/// What an import finds in what it was given, however that is spelled, from outside.
@Suite("import, what is found") struct ImportFindingTests {
    private let evergear: Evergear
    /// A folder with photos that have sidecars, an edited pair and a video-less rest.
    private let side: URL

    init() throws {
        evergear = try Evergear()
        side = try evergear.manyPhotos(4, in: "side")
        try exiftool("-all=", "-AllDates=2024:05:01 10:00:00", "-Comment<FileName", side.path)
        for (from, to) in [("IMG_3.jpg", "IMG_E1.jpg"), ("IMG_4.jpg", "b.jpg")] {
            try FileManager.default.moveItem(
                at: side.appending(path: from), to: side.appending(path: to))
        }
        _ = try evergear.file("side/IMG_2.txt", "words of a text")
        _ = try evergear.file("side/IMG_1.AAE", "<plist/>")
        _ = try evergear.file(
            "side/b.jpg.json",
            """
            {"title": "b.jpg", "description": "By the sea", "photoTakenTime": {"timestamp": "1687791968"},
             "geoData": {"latitude": 48.5, "longitude": 2.25, "altitude": 0.0}}
            """)
        try FileManager.default.createDirectory(
            at: evergear.home.appending(path: "x"), withIntermediateDirectories: true)
    }

    /// Runs words in a shell that stands in the home folder: `evergear` is the program.
    private func shell(_ script: String) throws -> Evergear.Run {
        try evergear.run(
            ["-c", "evergear() { \"$0\" \"$@\"; }; " + script, Evergear.binary.path],
            program: URL(filePath: "/bin/bash"))
    }

    private func summary(_ arguments: String) throws -> [String: Any] {
        let run = try shell("evergear import --json " + arguments)
        #expect(run.status == 0, "\(arguments): \(run)")
        return try run.object()
    }

    private func count(_ summary: [String: Any], _ list: String) -> Int? { (summary[list] as? [Any])?.count }

    private func drafts() throws -> [String] {
        try evergear.run("draft", "list", "--json").objects().compactMap { $0["title"] as? String }
    }

    @Test(
        "a file that is named twice counts once, and keeps its sidecars and its pair",
        arguments: [
            "side", "side side", "side side/*", "side/* side", "side/*", "side/ ./side $PWD/x/../side", "side link",
            "side/* $PWD/side/* link/*", "side photo.jpg", "photo.jpg side",
        ])
    func overlapping(_ arguments: String) throws {
        symlink("side", evergear.home.appending(path: "link").path)
        symlink("side/b.jpg", evergear.home.appending(path: "photo.jpg").path)
        let summary = try summary(arguments)
        #expect(summary["found"] as? Int == 7, "\(summary)")
        #expect(summary["imported"] as? Int == 3 && count(summary, "duplicates") == 0, "\(summary)")
        #expect(count(summary, "drafts") == 1)
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        let memos = try #require(draft["memos"] as? [[String: Any]])
        let texts = memos.map { memo in
            let name = (memo["photos"] as? [[String: Any]])?.first?["name"] as? String ?? ""
            return "\(name): \(memo["text"] as? String ?? "")"
        }
        #expect(Set(texts) == ["IMG_E1.jpg: ", "IMG_2.jpg: words of a text", "b.jpg: By the sea"])
    }

    @Test(
        "a link and what it leads to are one file",
        arguments: ["side/b.jpg link.jpg", "link.jpg side/b.jpg", "link.jpg other.jpg"])
    func links(_ arguments: String) throws {
        for name in ["link.jpg", "other.jpg"] { symlink("side/b.jpg", evergear.home.appending(path: name).path) }
        let summary = try summary(arguments)
        #expect(summary["found"] as? Int == 1 && summary["imported"] as? Int == 1, "\(summary)")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        let photos = (draft["memos"] as? [[String: Any]])?.first?["photos"] as? [[String: Any]]
        #expect(photos?.first?["name"] as? String == (arguments.contains("side") ? "b.jpg" : "link.jpg"))
    }

    @Test("a folder in a folder that is given too is a part of it, in either order; without it, it is by itself")
    func nested() throws {
        try FileManager.default.moveItem(at: side, to: evergear.home.appending(path: "x/side"))
        try Data(contentsOf: ImportCommandTests.somePhoto()).write(to: evergear.home.appending(path: "x/a.jpg"))
        for (arguments, imported) in [
            ("x/side x", 4), ("x x/side", 4), ("--no-recursive x x/side", 4), ("--no-recursive x", 1),
            ("x x/side --include 'side/*.*'", 3), ("x x/side --exclude side", 4),
        ] {
            let summary = try summary(arguments)
            #expect(summary["imported"] as? Int == imported, "\(arguments): \(summary)")
            let titles = try drafts().map { String($0.prefix { $0 != "," }) }
            #expect(Set(titles) == (arguments.hasSuffix("x/side") && arguments.hasPrefix("-") ? ["x", "side"] : ["x"]))
            for _ in titles { try evergear.run("draft", "rm", "last") }
        }
    }

    @Test(
        "each spelling of a folder continues its draft",
        arguments: ["side/", "./side", "x/../side", "$PWD/side", "link", "link/."])
    func spellings(_ spelling: String) throws {
        symlink("side", evergear.home.appending(path: "link").path)
        for grouping in ["folder", "none", "day"] {
            let options = "--group-by \(grouping) --duplicates keep"
            _ = try summary("side \(options)")
            let before = try drafts()
            let late = try Data(contentsOf: side.appending(path: "b.jpg")) + Data("\(grouping) \(spelling)".utf8)
            try late.write(to: side.appending(path: "late.jpg"))
            let again = try summary("\(spelling) \(options)")
            #expect(again["imported"] as? Int == 1, "\(grouping): \(again)")
            #expect(try drafts().count == before.count, "\(grouping)")
            try FileManager.default.removeItem(at: side.appending(path: "late.jpg"))
        }
    }

    @Test("a folder has its own name in the title, also where it was given as a dot") func dot() throws {
        #expect(try shell("cd side && evergear import .").status == 0)
        #expect(try drafts().first?.hasPrefix("side, ") == true)
        #expect(try shell("cd x && evergear import ../side && evergear import $PWD/../side").status == 0)
        #expect(try drafts().count == 1)
    }

    @Test("the counts add up, in text as in JSON") func counts() throws {
        _ = try evergear.file("side/broken.jpg", "words")
        let object = try shell("evergear import -n --json side").object()
        let sum =
            (object["imported"] as? Int ?? 0) + (count(object, "duplicates") ?? 0) + (count(object, "skipped") ?? 0)
            + (count(object, "failed") ?? 0)
        #expect(object["found"] as? Int == sum && sum == 8)
        let run = try shell("evergear import side")
        #expect(
            run.output.contains(
                "8 files found: 3 imported, 0 duplicates, 4 skipped (4 that go with others), 1 failed."), "\(run)")
    }

    @Test("what is no photo by name and content is skipped and named, what is called a photo and is none has failed")
    func strangers() throws {
        let track = """
            <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="35.5" lon="139.5"><time>2024-05-01T01:00:00Z</time></trkpt></trkseg></trk></gpx>
            """
        _ = try evergear.file("side/walk.gpx", track)
        _ = try evergear.file("side/other.gpx", track)
        for name in ["notes.pdf", "index.html", "data.xml", "song.mp3", "set.ini", "no-ending", "empty.db"] {
            _ = try evergear.file("side/\(name)", name == "empty.db" ? "" : "%PDF or whatever")
        }
        let run = try shell("evergear import side/ --gpx ./side/walk.gpx")
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("13 skipped") && run.output.contains("0 failed"), "\(run)")
        #expect(run.errors.contains("skipped side/notes.pdf: no photo, by its name and by its content."), "\(run)")
        #expect(run.errors.contains("skipped side/walk.gpx: the GPS track that --gpx reads."), "\(run)")
        #expect(run.errors.contains("skipped side/other.gpx: a GPS track; --gpx places photos by it."), "\(run)")
        for name in ["words.jpg", "empty.heic", "words.mov", "a.avi", "raw.nef"] {
            _ = try evergear.file("side/\(name)", name == "empty.heic" ? "" : "words")
        }
        let photo = try Data(contentsOf: side.appending(path: "b.jpg"))
        try photo.prefix(40).write(to: side.appending(path: "cut-without-ending"))
        let again = try shell("evergear import --json side")
        #expect(again.status == 3)
        #expect(try count(again.object(), "failed") == 6, "\(again)")
        #expect(again.errors.contains("a.avi: a photo or video of a kind that is not read here."), "\(again)")
    }

    @Test("status 65 is for where no photo could be used at all") func statuses() throws {
        _ = try evergear.file("side/broken.jpg", "words")
        #expect(try shell("evergear import side --since 2090-01-01").status == 3)
        #expect(try shell("evergear import side").status == 3)
        #expect(try shell("evergear import side").status == 3)
        #expect(try shell("evergear import side/broken.jpg side/IMG_1.AAE").status == 65)
        #expect(try shell("evergear import side/IMG_1.AAE").status == 0)
    }

    @Test("a rehearsal says what the import will say") func rehearsal() throws {
        let photo = side.appending(path: "c.jpg")
        try exiftool("-all=", "-Subject=a,b", side.appending(path: "b.jpg").path)
        try FileManager.default.moveItem(
            at: side.appending(path: "IMG_2.jpg"), to: side.appending(path: "IMG_2.png"))
        try Data(contentsOf: side.appending(path: "b.jpg")).dropLast(2000).write(to: photo)
        func warnings(_ more: String) throws -> Set<String> {
            let object = try shell("evergear import --json --tags-from keywords side \(more)").object()
            return Set(
                (object["warnings"] as? [[String: Any]] ?? []).compactMap { warning in
                    guard let path = warning["path"] as? String, let code = warning["code"] as? String else {
                        return nil
                    }
                    return "\(path) \(code)"
                })
        }
        let foreseen = try warnings("-n")
        #expect(
            foreseen.isSuperset(of: [
                "side/c.jpg cut_short", "side/c.jpg file_time", "side/IMG_2.png misnamed", "side/b.jpg keyword_no_tag",
            ]), "\(foreseen)")
        #expect(try warnings("") == foreseen)
    }

    @Test("lists, texts and tokens may come from a pipe") func pipes() throws {
        let list = try shell("evergear import --json --files-from <(ls -d side/*)")
        #expect(list.status == 0 && list.errors.isEmpty, "\(list)")
        #expect(try list.object()["imported"] as? Int == 3)
        #expect(try shell("evergear draft add -f <(echo From a pipe)").status == 0)
        #expect(try drafts().contains("From a pipe"))
        let edit = try shell("evergear draft edit last --from <(evergear draft edit last --print | sed s/pipe/tube/)")
        #expect(edit.status == 0, "\(edit)")
        #expect(try drafts().contains("From a tube"))
        // A service that is not there: the token is kept, untried.
        let login = try shell(
            "EVERGEAR_SERVICE=http://127.0.0.1:1 evergear auth login --token-file <(echo S=s1:U=1:E=fff:H=abc)")
        #expect(login.status == 75, "\(login)")
        let pipe = try shell("mkfifo p.jpg; evergear import p.jpg")
        #expect(pipe.errors.contains("not a file (a pipe, a socket or a device)"), "\(pipe)")
        let photo = try shell("evergear draft add x --photo <(cat side/b.jpg)")
        #expect(photo.status == 65 && photo.errors.contains("Save what comes out of it to a file first"), "\(photo)")
    }

    @Test("Ctrl-C ends the wait for a pipe that nobody writes into") func silentPipe() throws {
        mkfifo(evergear.home.appending(path: "silent").path, 0o600)
        let ended = try evergear.interrupt(["import", "--files-from", "silent"], with: SIGINT) { process in
            try wait {
                let files = "/proc/\(process.processIdentifier)/fd"
                return try FileManager.default.contentsOfDirectory(atPath: files).contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)"))?.hasSuffix("/silent")
                        == true
                }
            }
        }
        #expect(ended.wasRunning && ended.run.status == 130, "\(ended)")
    }

    @Test(
        "what can't be meant is refused, and says what could be",
        arguments: [
            (["--title", ""], "--title is empty"), (["--title", " \n "], "--title is empty"),
            (["--title", "{folder} {nope}"], "{folder}, {date} and {count}, and no {nope}"),
            (["--title", "{Date}"], "and no {Date}"),
            (["--since", "2024-05-02", "--until", "2024-05-01"], "--since 2024-05-02"),
            (["--since", "2024-05-01T10:00+09:00", "--until", "2024-05-01T00:59Z"], "no photo is taken"),
            (["--include", "["], "each [ has its ]"), (["--exclude", "IMG_[1"], "each [ has its ]"),
            (["--include", ""], "a pattern"), (["--include", #"a\"#], "a pattern"),
            (["--time-shift", "+01:60"], "a time such as"), (["--time-shift", "+00:00:60"], "a time such as"),
        ])
    func refused(_ options: [String], _ words: String) throws {
        let run = try evergear.run(["import", "side"] + options)
        #expect(run.status == 64 && run.errors.contains(words), "\(run)")
    }

    @Test("what may be meant is taken") func taken() throws {
        for options in [
            ["--since", "2024-05-01", "--until", "2024-05-01"], ["--title", "a { b } {date"],
            ["--include", #"\[*"#], ["--include", "[[]*"], ["--time-shift", "+00:59"],
        ] {
            let run = try evergear.run(["import", "-n", "side"] + options)
            #expect(run.status == 0 && !run.errors.contains("--time-shift"), "\(options): \(run)")
        }
    }

    @Test("a shift of days and a zone that is none are told, once") func told() throws {
        let shifted = try evergear.run("import", "-n", "side", "--time-shift", "-99:00")
        #expect(
            shifted.errors.contains("--time-shift -99:00 takes 4 days 3 hours off what the camera's clock showed."),
            "\(shifted)")
        for (zone, isTold) in [
            ("Nonsense/Zone", true), ("Asia/Tokio", true), ("Asia/Tokyo", false), (":Asia/Tokyo", false),
            ("JST-9", false), ("<+09>-9", false), ("EST5EDT,M3.2.0,M11.1.0", false), ("", false),
            ("/usr/share/zoneinfo/Asia/Tokyo", false),
        ] {
            evergear.environment["TZ"] = zone
            let run = try evergear.run("import", "-n", "side")
            let told = run.errors.components(separatedBy: "no time zone here").count - 1
            #expect(run.status == 0 && told == (isTold ? 1 : 0), "\(zone): \(run)")
            let named = try evergear.run("import", "-n", "side", "--time-zone", "Asia/Tokyo")
            #expect(!named.errors.contains("no time zone here"))
        }
    }
}
