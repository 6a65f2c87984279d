import Foundation
import System
import Testing
import Workbench

/// What arrives is what was frozen, field by field, over TLS and by the official code's own account.
@Suite("notes at Evernote") struct EvernoteNoteServiceTests {
    let evergear: Evergear
    let peer: EvernotePeer

    init() throws {
        evergear = try Evergear()
        peer = try EvernotePeer("--tls")
        evergear.use(peer)
    }

    @Test(
        "notes of 0, 1 and 100 photos arrive as they were frozen, in every layout",
        arguments: ["thumbs+full", "thumbs", "full", "plain"])
    func layouts(layout: String) throws {
        let titles = [0: "空のノート 🗒️", 1: "箱根の朝 🗻🚃", 100: "家族 👨‍👩‍👧 と百枚 📷"]
        for (job, count) in [0, 1, 100].enumerated() {
            if count == 0 {
                try evergear.run("draft", "add", titles[0] ?? "", "--tag", "旅行", "--tag", "既存")
            } else {
                let folder = try photographs(count, in: "photos \(count)")
                let run = try evergear.run(
                    "import", folder.path, "--title", titles[count] ?? "", "--tag", "旅行", "--tag", "\(count) 枚 📷")
                #expect(run.status == 0, "\(run)")
            }
            if job == 0 { try peer.official("store.createTag(token, Tag(name='既存'))") }
            let run = try evergear.run("send", "last", "--layout", layout, "--json")
            #expect(run.status == 0, "\(run)")
            let frozen = try evergear.frozen(job + 1)
            let note = try #require(try peer.notes().first { $0.title == titles[count] }, "\(run)")
            #expect(frozen.differences(from: note) == [])
            let tags = try peer.tags()
            #expect((note.tagGuids ?? []).compactMap { tags[$0] } == frozen.tags)
            #expect(frozen.resources.count == count * (layout == "thumbs+full" ? 2 : 1))
            for resource in frozen.resources {
                #expect(try peer.body(resource.md5).count == resource.size)
            }
            // The way the photos were made, and not only the way they were frozen.
            let first = note.resources?.first { $0.attributes?.fileName?.hasPrefix("IMG_1.") ?? false }
            if count > 0, let first {
                #expect(first.mime == "image/jpeg" && first.attributes?.timestamp == 1_714_525_201_000)
                #expect(first.attributes?.cameraMake == "Maker" && first.attributes?.cameraModel == "カメラ 1")
                #expect(abs((first.attributes?.latitude ?? 0) - 35.2) < 1e-6)
                #expect(abs((first.attributes?.longitude ?? 0) - 139.03) < 1e-6)
                #expect(first.attributes?.altitude == 723)
                #expect(note.attributes?.subjectDate == 1_714_525_201_000)
                #expect(abs((note.attributes?.latitude ?? 0) - 35.2) < 1e-6)
                if layout == "full" { #expect(first.width == 64 && first.height == 64) }
            }
            #expect(first != nil || count == 0)
        }
        let tags = try peer.tags().values.sorted()
        #expect(tags == ["1 枚 📷", "100 枚 📷", "旅行", "既存"].sorted(), "each once")
        let stats = try peer.stats()
        #expect(stats.warnings == [] && stats.malformed == 0 && stats.unreferencedResources == 0)
        #expect(stats.requests["createNote"] == 3 && stats.duplicates == [])
    }

    @Test("a title that was made up says how good it is, one that was written does not") func titleQuality() throws {
        let folder = try photographs(1, in: "散歩")
        try evergear.run("import", folder.path)
        try evergear.run("draft", "add", "written")
        #expect(try evergear.run("send", "-y").status == 0)
        let notes = try peer.notes()
        // NOTE_TITLE_QUALITY_MEDIUM of the interface.
        #expect(notes.first { $0.title.contains("散歩") }?.attributes?.noteTitleQuality == 2)
        let written = try #require(notes.first { $0.title == "written" })
        #expect(written.attributes?.noteTitleQuality == nil && written.attributes?.contentClass == nil)
        #expect(try peer.stats().warnings == [])
    }

    @Test("sides that the protocol has no room for are left out, and what is in steps has all the rest")
    func wide() throws {
        let folder = try photographs(3, in: "wide")
        try vips("black", folder.appending(path: "wide.png").path, "40000", "1")
        try vips("black", folder.appending(path: "most.png").path, "32767", "1")
        try evergear.run("import", folder.path, "--title", "Wide")
        for (job, threshold) in ["100M", "1"].enumerated() {
            evergear.environment["EVERGEAR_STEP_THRESHOLD"] = threshold
            let run = try evergear.run("send", "last", "--layout", "full", "--originals", "keep", "--again")
            #expect(run.status == 0, "\(run)")
            let frozen = try evergear.frozen(job + 1)
            let notes = try peer.notes()
            let note = try #require(
                notes.first { $0.attributes?.sourceURL == frozen.attributes["sourceURL"] as? String })
            #expect(frozen.differences(from: note) == [], "\(threshold)")
            let wide = try #require(note.resources?.first { $0.attributes?.fileName == "wide.png" })
            #expect(wide.width == nil && wide.height == nil && wide.mime == "image/png")
            let most = try #require(note.resources?.first { $0.attributes?.fileName == "most.png" })
            #expect(most.width == 32_767 && most.height == 1)
        }
        let stats = try peer.stats()
        #expect(stats.warnings == [])
        #expect(stats.requests["createNote"] == 2 && stats.requests["updateNoteIfUsnMatches"] == 4, "\(stats.requests)")
    }

    @Test("a notebook is meant by its name, in whatever case, or by its GUID") func notebooks() throws {
        let guid = try peer.official("print(store.createNotebook(token, Notebook(name='Été 旅行')).guid)")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        for (title, notebook) in [("a", "Été 旅行"), ("b", "été 旅行"), ("c", guid)] {
            try evergear.run("draft", "add", title, "--notebook", notebook)
        }
        try evergear.run("draft", "add", "d")
        let run = try evergear.run("send", "-y")
        #expect(run.status == 0, "\(run)")
        let names = try peer.notebooks()
        let places = Dictionary(uniqueKeysWithValues: try peer.notes().map { ($0.title, names[$0.notebookGuid]) })
        #expect(places == ["a": "Été 旅行", "b": "Été 旅行", "c": "Été 旅行", "d": "First Notebook"])
    }

    @Test("a notebook that is not there is refused with the nearest name, or made where that is asked for")
    func unknownNotebook() throws {
        try peer.official("store.createNotebook(token, Notebook(name='Travel'))")
        try evergear.run("draft", "add", "x", "--notebook", "Travle")
        let run = try evergear.run("send", "last")
        #expect(
            run.status == 65 && run.errors.contains("\"Travel\"") && run.errors.contains("--create-notebook"), "\(run)")
        #expect(try evergear.run("queue", "list", "--all", "--json").output.isEmpty, "nothing was queued")
        #expect(try peer.notebooks().values.sorted() == ["First Notebook", "Travel"])
        let made = try evergear.run("send", "last", "--create-notebook")
        #expect(made.status == 0, "\(made)")
        let names = try peer.notebooks()
        #expect(names.values.sorted() == ["First Notebook", "Travel", "Travle"])
        #expect(try peer.notes().map { names[$0.notebookGuid] } == ["Travle"])
        #expect(try peer.stats().warnings == [])
    }

    @Test("a certificate that nobody vouches for is not trusted, and the sentence says what helps") func certificate()
        throws
    {
        evergear.environment["EVERGEAR_CA_FILE"] = nil
        try evergear.run("draft", "add", "x")
        let run = try evergear.run("send", "last")
        #expect(run.status == 75 && run.errors.contains("--ca-file"), "\(run)")
        #expect(try peer.stats().requests == [:])
        evergear.environment["EVERGEAR_CA_FILE"] = peer.caFile?.description
        evergear.environment["EVERGEAR_RETRY_BASE"] = "0"
        #expect(try evergear.run("queue", "retry", "1").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
    }

    /// Small JPEGs, up to a hundred, each another picture, a second apart, with a place and a camera.
    private func photographs(_ count: Int, in name: String) throws -> URL {
        let folder = evergear.home.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The tiles of a picture of noise.
        let (noise, picture) = (folder.path + "/noise.v", folder.path + "/picture.v")
        try vips("gaussnoise", noise, "640", "640", "--mean", "128", "--sigma", "40", "--seed", String(count))
        try vips("cast", noise, picture, "uchar")
        try vips(
            "dzsave", picture, folder.path + "/tiles", "--depth", "one", "--tile-size", "64", "--overlap", "0",
            "--suffix", ".jpg[Q=60]")
        let tiles = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "tiles_files/0"), includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
        var words: [String] = []
        for number in 1...count {
            let file = folder.appending(path: "IMG_\(number).jpg")
            try FileManager.default.moveItem(at: tiles[number - 1], to: file)
            let time =
                "2024:05:01 10:\(number / 60 < 10 ? "0" : "")\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60)"
            words += [
                "-q", "-overwrite_original", "-DateTimeOriginal=\(time)", "-OffsetTimeOriginal=+09:00", "-Make=Maker",
                "-Model=カメラ \(number)", "-GPSLatitude=35.2", "-GPSLatitudeRef=N", "-GPSLongitude=139.03",
                "-GPSLongitudeRef=E", "-GPSAltitude=723", "-GPSAltitudeRef#=0", file.path, "-execute",
            ]
        }
        let (output, status) = try Workbench.run(
            "/usr/bin/exiftool", ["-@", "-"], input: words.joined(separator: "\n"))
        try #require(status == .status(0), "\(output)")
        for rest in ["noise.v", "picture.v", "tiles.dzi", "tiles_files"] {
            try FileManager.default.removeItem(at: folder.appending(path: rest))
        }
        return folder
    }

    private func vips(_ words: String...) throws {
        let (output, status) = try Workbench.run("/usr/bin/vips", words)
        try #require(status == .status(0), "\(output)")
    }
}
