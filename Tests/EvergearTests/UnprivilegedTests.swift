import Foundation
import Testing

/// What may not be read or written. Root may do anything, so that the program runs as nobody then.
@Suite("without permission", .enabled(if: Unprivileged.isPossible, "the program cannot be run without root's rights"))
struct UnprivilegedTests {
    @Test("a home that may not be written is a sentence and status 1 for who writes, and can be read")
    func readOnlyHome()
        throws
    {
        let evergear = try Unprivileged()
        let home = evergear.home.path
        #expect(try evergear.run("draft", "add", "kept").status == 0)
        chmod(home, 0o500)
        defer { chmod(home, 0o700) }
        for command in [
            ["draft", "list"], ["draft", "show", "1"], ["queue", "status"], ["queue", "list"],
        ] {
            let run = try evergear.run(command)
            #expect(run.status == 0 && run.errors.isEmpty, "\(command): \(run)")
        }
        #expect(try evergear.run("draft", "show", "last").output.contains("kept"))
        for command in [["draft", "add", "x"], ["import", "."], ["send"], ["queue", "run"]] {
            let run = try evergear.run(command)
            #expect(run.status == 1, "\(command): \(run)")
            #expect(run.errors.contains("may not be written") && run.errors.contains(home), "\(command): \(run)")
            #expect(run.output.isEmpty && !run.errors.contains("SQLite"), "\(command): \(run)")
        }
        chmod(home, 0o700)
        #expect(try evergear.run("draft", "show", "1").output.contains("kept"))
    }

    @Test("a new home where none can be made says which folder") func noHome() throws {
        let evergear = try Unprivileged()
        chmod(evergear.home.path, 0o500)
        defer { chmod(evergear.home.path, 0o700) }
        let run = try evergear.run("draft", "add", "x")
        #expect(run.status == 1 && run.errors.contains(evergear.home.path), "\(run)")
        #expect(run.errors.contains("may not be written"), "\(run)")
        evergear.environment["EVERGEAR_HOME"] = evergear.home.appending(path: "deep/er").path
        let deeper = try evergear.run("draft", "add", "x")
        #expect(deeper.status == 1 && deeper.errors.contains("may not be written"), "\(deeper)")
    }

    @Test("an unreadable photo and an unreadable folder are each named, and stop nothing else") func unreadable() throws
    {
        let evergear = try Unprivileged()
        let folder = try evergear.manyPhotos(3)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "locked"), withIntermediateDirectories: true)
        chmod(folder.appending(path: "IMG_2.jpg").path, 0)
        chmod(folder.appending(path: "locked").path, 0)
        let run = try evergear.run("import", "--json", folder.path)
        #expect(run.status == 3, "\(run)")
        let summary = try run.object()
        #expect(summary["imported"] as? Int == 2 && (summary["failed"] as? [Any])?.count == 2, "\(run)")
        for name in ["IMG_2.jpg", "locked"] {
            #expect(run.errors.contains("\(name): permission denied. Look at who may read it"), "\(run)")
        }
        let single = try evergear.run("draft", "add", "x", "--photo", folder.appending(path: "IMG_2.jpg").path)
        #expect(single.status == 66 && single.errors.contains("permission denied"), "\(single)")
        let whole = try evergear.run("import", folder.appending(path: "locked").path)
        #expect(whole.status == 65 && whole.errors.contains("permission denied"), "\(whole)")
    }

    @Test("an unreadable configuration is status 78") func configuration() throws {
        let evergear = try Unprivileged()
        chmod(try evergear.file("config.json5", "{}").path, 0)
        let run = try evergear.run("draft", "list")
        #expect(run.status == 78 && run.errors.contains("config.json5: permission denied"), "\(run)")
    }

    @Test("a folder for notes that may not be written: status 75, named, and delivered once it may be") func notes()
        throws
    {
        let evergear = try Unprivileged()
        let folder = evergear.home.appending(path: "out")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        evergear.give(folder)
        try evergear.run("draft", "add", "Note")
        chmod(folder.path, 0o500)
        let run = try evergear.run("send", "last", "--to", "enex:\(folder.path)")
        #expect(run.status == 75, "\(run)")
        #expect(run.errors.contains("permission denied") && run.errors.contains(folder.path), "\(run)")
        #expect(!run.errors.contains(".evergear-"), "\(run)")
        let target = folder.appending(path: "x.enex").path
        let export = try evergear.run("export", "last", "-o", target)
        #expect(export.status == 1 && export.errors.contains("\(target): permission denied"), "\(export)")
        let page = folder.appending(path: "x.html").path
        let preview = try evergear.run("preview", "last", "-o", page)
        #expect(preview.status == 1 && preview.errors.contains("\(page): permission denied"), "\(preview)")
        chmod(folder.path, 0o700)
        #expect(try evergear.run("queue", "retry", "--all").status == 0)
        let later = try evergear.run("queue", "run")
        #expect(later.status == 0, "\(later)")
        #expect(try evergear.delivered(in: folder).map(\.title) == ["Note"])
    }
}

/// The program as somebody who is not root.
final class Unprivileged: Evergear {
    private static let nobody: uid_t = 65_534

    override init() throws {
        try super.init()
        give(home)
    }

    func give(_ url: URL) { if geteuid() == 0 { chown(url.path, Self.nobody, Self.nobody) } }

    override func process(_ arguments: [String]) -> Process {
        let process = super.process(arguments)
        if geteuid() == 0 {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups", Self.binary.path]
                + arguments
        }
        return process
    }

    override func file(_ name: String, _ content: String = "") throws -> URL {
        let url = try super.file(name, content)
        give(url)
        return url
    }

    override func manyPhotos(_ count: Int, in name: String = "many") throws -> URL {
        let folder = try super.manyPhotos(count, in: name)
        give(folder)
        return folder
    }

    /// Where the checkout lies in root's own folder, nobody reaches it.
    static let isPossible: Bool = {
        guard let run = try? Unprivileged().run("--version") else { return false }
        return run.status == 0
    }()
}
