import Glibc
import Photos
import System
import Testing

@Suite("The walk through a folder")
struct PhotoFolderTests {
    /// One line an entry, paths as seen from the folder.
    private static func walk(
        _ workshop: borrowing Workshop, _ options: PhotoFolder.Options = .init()
    ) throws -> [String] {
        let folder = workshop.folder
        var lines: [String] = []
        func relative(_ path: FilePath) -> String {
            FilePath(bytes: path.bytes.dropFirst(folder.bytes.count + 1)).description
        }
        try PhotoFolder.walk(folder, options) { entry in
            switch entry {
            case .file(let path, _, let isLink): lines.append(relative(path) + (isLink ? " (link)" : ""))
            case .ignored(let path, let rule): lines.append("\(relative(path)) ignored: \(rule)")
            case .skipped(let path, let reason): lines.append("\(relative(path)) skipped: \(reason.code)")
            }
        }
        return lines
    }

    private static func fill(_ workshop: borrowing Workshop, _ names: String...) throws {
        for name in names {
            try Files.makeFolder((workshop.folder / name).folder)
            _ = try workshop.write([1], to: name)
        }
    }

    private static func link(_ workshop: borrowing Workshop, _ name: String, to target: String) throws {
        let path = workshop.folder / name
        try systemCall("symlink", path) { path.withCString { symlink(target, $0) } }
    }

    @Test("files come in natural order, folders where their names stand")
    func order() throws {
        let workshop = try Workshop()
        try Self.fill(workshop, "IMG_10.jpg", "IMG_9.jpg", "img_11.jpg", "IMG_9b/2.jpg", "IMG_9b/1.jpg", "z", "-dash")
        #expect(
            try Self.walk(workshop) == [
                "-dash", "IMG_9.jpg", "IMG_9b/1.jpg", "IMG_9b/2.jpg", "IMG_10.jpg", "img_11.jpg", "z",
            ])
    }

    @Test("what is never a photo is ignored by rule, with all that is in it")
    func ignored() throws {
        let workshop = try Workshop()
        try Self.fill(
            workshop, "@eaDir/a.jpg", "._IMG_1.jpg", ".DS_Store", "thumbs.DB", "Desktop.ini", ".hidden/a.jpg", ".a.jpg",
            ".thumbnails/1.jpg", "$RECYCLE.BIN/a.jpg", "__MACOSX/a.jpg", "sub/@eaDir/b.jpg", "sub/b.jpg")
        #expect(
            Set(try Self.walk(workshop)) == [
                "@eaDir ignored: @eaDir", "._IMG_1.jpg ignored: ._*", ".DS_Store ignored: .DS_Store",
                "thumbs.DB ignored: Thumbs.db", "Desktop.ini ignored: desktop.ini", ".hidden ignored: .*",
                ".a.jpg ignored: .*", ".thumbnails ignored: .thumbnails", "$RECYCLE.BIN ignored: $RECYCLE.BIN",
                "__MACOSX ignored: __MACOSX", "sub/@eaDir ignored: @eaDir", "sub/b.jpg",
            ])
    }

    @Test("include and exclude, and a folder without its folders")
    func filters() throws {
        let workshop = try Workshop()
        try Self.fill(workshop, "a.jpg", "a.txt", "raw/b.jpg", "sub/raw/c.jpg", "sub/d.JPG")
        var options = PhotoFolder.Options()
        options.include = [Glob("*.jpg")]
        options.exclude = [Glob("raw")]
        #expect(
            try Self.walk(workshop, options) == [
                "a.jpg", "a.txt ignored: --include", "raw ignored: --exclude raw", "sub/d.JPG",
                "sub/raw ignored: --exclude raw",
            ])
        options = PhotoFolder.Options()
        options.isRecursive = false
        #expect(
            try Self.walk(workshop, options) == [
                "a.jpg", "a.txt", "raw ignored: --no-recursive", "sub ignored: --no-recursive",
            ])
    }

    @Test("links: circles end, those that lead out are told, those inside are taken once")
    func links() throws {
        let workshop = try Workshop()
        let outside = try Workshop()
        try Self.fill(outside, "far/far.jpg", "far/deep/deep.jpg")
        try Self.link(outside, "far/back", to: outside.folder.description + "/far")
        try Self.fill(workshop, "a.jpg", "sub/b.jpg")
        for (name, target) in [
            ("circle", "."), ("sub/up", ".."), ("dangling", "nowhere"), ("self", "self"), ("copy.jpg", "sub/b.jpg"),
            ("out.jpg", outside.folder.description + "/far/far.jpg"), ("out", outside.folder.description + "/far"),
            ("zero", "/dev/zero"),
        ] { try Self.link(workshop, name, to: target) }
        let always: Set = [
            "a.jpg", "sub/b.jpg", "circle skipped: link_to_folder_inside", "sub/up skipped: link_to_folder_inside",
            "dangling skipped: dangling_link", "self skipped: link_loop", "copy.jpg (link)",
        ]
        #expect(
            Set(try Self.walk(workshop))
                == always.union([
                    "out.jpg skipped: link_leads_out", "out skipped: link_leads_out", "zero skipped: link_leads_out",
                ]))
        var options = PhotoFolder.Options()
        options.followsLinks = true
        #expect(
            Set(try Self.walk(workshop, options))
                == always.union([
                    "out.jpg (link)", "out/far.jpg", "out/deep/deep.jpg", "out/back skipped: walked_before",
                    "zero skipped: not_a_file",
                ]))
    }

    @Test("a pipe is skipped without being opened, an odd name is taken byte by byte")
    func oddities() throws {
        let workshop = try Workshop()
        let pipe = workshop.folder / "pipe.jpg"
        try systemCall("mkfifo", pipe) { pipe.withCString { mkfifo($0, 0o600) } }
        let broken = workshop.folder / FilePath(bytes: [0xff, 0xfe, 0x0a, 0x2e, 0x6a, 0x70, 0x67])
        try FileDescriptor.create(broken).write([1])
        var found: [FilePath] = []
        var skipped: [SkipReason] = []
        try PhotoFolder.walk(workshop.folder) { entry in
            switch entry {
            case .file(let path, let status, _):
                found.append(path)
                #expect(status.size == 1)
            case .skipped(_, let reason): skipped.append(reason)
            case .ignored: break
            }
        }
        #expect(found == [broken])
        #expect(skipped == [.notAFile])
    }

    @Test("a path that is too long to be opened is walked, and too many folders in folders are told")
    func deep() throws {
        let workshop = try Workshop()
        let name = FilePath(String(repeating: "f", count: 250))
        var folder = try FileDescriptor.openFolder(workshop.folder)
        for _ in 0..<20 {
            try systemCall("mkdir") { name.withCString { mkdirat(folder.number, $0, 0o700) } }
            folder = try folder.openFolder(named: name)
        }
        try systemCall("create") { openat(folder.number, "a.jpg", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
        let lines = try Self.walk(workshop)
        #expect(lines.count == 1 && lines[0].hasSuffix("/a.jpg") && lines[0].utf8.count > 5000)
        var options = PhotoFolder.Options()
        options.depth = 3
        #expect(try Self.walk(workshop, options).map { $0.suffix(18) } == ["f skipped: too_deep"].map { $0.suffix(18) })
    }

    @Test("a folder that goes away, or that may not be read, is an entry and no error")
    func unreadable() throws {
        let workshop = try Workshop()
        try Self.fill(workshop, "1.jpg", "2/a.jpg", "3.jpg")
        var lines: [String] = []
        try PhotoFolder.walk(workshop.folder) { entry in
            switch entry {
            case .file(let path, _, _):
                lines.append(path.name.description)
                if path.name == "1.jpg" { try Workshop.run("/bin/rm", "-r", (workshop.folder / "2").description) }
            case .skipped(let path, .unreadable(let error)): lines.append("\(path.name): \(error.reason)")
            default: lines.append("\(entry)")
            }
        }
        #expect(lines == ["1.jpg", "2: No such file or directory", "3.jpg"])
        // Nothing is closed to root.
        guard geteuid() != 0 else { return }
        try Self.fill(workshop, "locked/a.jpg")
        try Workshop.run("/bin/chmod", "0", (workshop.folder / "locked").description)
        #expect(try Self.walk(workshop) == ["1.jpg", "3.jpg", "locked skipped: unreadable"])
        try Workshop.run("/bin/chmod", "700", (workshop.folder / "locked").description)
    }

    @Test("a root that is a file is that file, one that is not there is an error, one that is a pipe is told")
    func roots() throws {
        let workshop = try Workshop()
        let hidden = try workshop.write([1, 2], to: ".a.jpg")
        var entries: [PhotoFolder.Entry] = []
        try PhotoFolder.walk(hidden) { entries.append($0) }
        #expect(entries == [.file(path: hidden, status: try Files.status(hidden), isLink: false)])
        let nowhere = workshop.folder / "nowhere"
        #expect(throws: SystemError(code: ENOENT, call: "stat", path: nowhere)) {
            try PhotoFolder.walk(nowhere) { _ in }
        }
        entries = []
        try PhotoFolder.walk("/dev/null") { entries.append($0) }
        #expect(entries == [.skipped(path: "/dev/null", reason: .notAFile)])
    }
}
