import Glibc
import Testing
import Workbench

@testable import System

@Suite("Files as a whole")
struct FilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ body: () throws -> Void) -> Int32? {
        do { try body() } catch { return (error as? SystemError)?.code }
        return nil
    }

    @Test("a file is replaced as a whole, and nothing else is left in the folder")
    func replace() throws {
        let path = folder.path / "file"
        try Files.replace(path, with: Array("old".utf8))
        try Files.replace(path, with: Array("new".utf8))
        #expect(try Files.read(path, limit: 10) == Array("new".utf8))
        #expect(try Files.names(in: folder.path) == ["file"])
        var status = stat()
        #expect(path.withCString { stat($0, &status) } == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("a file's time that no 64 bits of nanoseconds hold is the last that they do")
    func farTimes() throws {
        var status = stat()
        for (seconds, expected) in [
            (1 << 40, Int64.max), (-(1 << 40), .min), (9_223_372_036, .max), (7, 7_000_000_009),
        ] {
            status.st_mtim = timespec(tv_sec: seconds, tv_nsec: seconds == 7 ? 9 : 999_999_999)
            #expect(FileStatus(status).modified == expected)
        }
    }

    @Test("whether a file is there is not told where nobody can tell")
    func isThere() throws {
        try Files.replace(folder.path / "file", with: [1])
        #expect(try Files.isThere(folder.path / "file"))
        for path in ["none", "none/file", "file/file", FilePath(String(repeating: "x", count: 300))] {
            #expect(try !Files.isThere(folder.path / path) && !Files.exists(folder.path / path))
        }
        #expect(symlink("loop", (folder.path / "loop").description) == 0)
        #expect(failure { _ = try Files.isThere(folder.path / "loop/file") } == ELOOP)
        #expect(Files.exists(folder.path / "loop/file"), "for all that anybody knows")
    }

    @Test("a file that is replaced stays open to those that it was open to, where that is wanted")
    func mode() throws {
        let path = folder.path / "file"
        try Files.replace(path, with: [1], mode: 0o640, keepsMode: true)
        #expect(try Files.status(path).mode & 0o600 == 0o600)
        #expect(chmod(path.description, 0o604) == 0)
        try Files.replace(path, with: [2], mode: 0o640, keepsMode: true)
        #expect(try Files.status(path).mode == 0o604)
        try Files.replace(path, with: [3], mode: 0o600)
        #expect(try Files.status(path).mode == 0o600)
    }

    @Test("what stands behind a link is replaced, and the link stays")
    func replaceBehindLink() throws {
        try Files.makeFolder(folder.path / "elsewhere")
        try Files.replace(folder.path / "elsewhere/file", with: [1])
        #expect(symlink("elsewhere/file", (folder.path / "link").description) == 0)
        try Files.replace(folder.path / "link", with: [2])
        #expect(try Files.read(folder.path / "elsewhere/file", limit: 10) == [2])
        #expect(try Files.status(folder.path / "link", followsLink: false).kind == .link)
    }

    @Test("a pipe is written into, and stays a pipe")
    func replacePipe() throws {
        let path = folder.path / "pipe"
        #expect(mkfifo(path.description, 0o600) == 0)
        let end = open(path.description, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(end) }
        try Files.replace(path, with: Array("told".utf8))
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(read(end, &buffer, 10) == 4 && buffer.starts(with: Array("told".utf8)))
        #expect(try Files.status(path).kind == .other)
        #expect(try Files.names(in: folder.path) == ["pipe"])
    }

    @Test("a replacement that fails leaves the old file and no temporary one")
    func replaceFails() throws {
        // A folder cannot be replaced by a file.
        try Files.makeFolder(folder.path / "taken")
        try Files.makeFolder(folder.path / "taken/inner")
        #expect(failure { try Files.replace(folder.path / "taken", with: [1]) } == EISDIR)
        #expect(try Files.names(in: folder.path) == ["taken"])
    }

    @Test("a new name is never taken from an existing file")
    func renameNew() throws {
        let (old, new) = (folder.path / "old", folder.path / "new")
        try Files.replace(old, with: [1])
        try Files.replace(new, with: [2])
        #expect(failure { try Files.renameNew(old, to: new) } == EEXIST)
        #expect(try Files.read(new, limit: 1) == [2])
        try Files.remove(new)
        try Files.renameNew(old, to: new)
        #expect(try Files.read(new, limit: 1) == [1])
        #expect(!Files.exists(old))
    }

    @Test("a FIFO is refused at once, though nobody writes to it")
    func fifo() throws {
        let path = folder.path / "fifo"
        #expect(path.withCString { mkfifo($0, 0o600) } == 0)
        #expect(failure { _ = try FileDescriptor.openForReading(path) } == EINVAL)
    }

    @Test("a folder is no file, and a file no folder")
    func folderIsNoFile() throws {
        #expect(failure { _ = try FileDescriptor.openForReading(folder.path) } == EISDIR)
        try Files.replace(folder.path / "file", with: [])
        #expect(failure { _ = try FileDescriptor.openFolder(folder.path / "file") } == ENOTDIR)
    }

    @Test("a link is followed only where that is wanted")
    func link() throws {
        try Files.replace(folder.path / "file", with: [7])
        let link = folder.path / "link"
        #expect(link.withCString { symlink("file", $0) } == 0)
        #expect(try FileDescriptor.openForReading(link).read(1, at: 0) == [7])
        #expect(failure { _ = try FileDescriptor.openForReading(link, followsLink: false) } == ELOOP)
        #expect(try Files.status(link, followsLink: false).kind == .link)
        #expect(try Files.status(link).kind == .file)
    }

    @Test("names come sorted by bytes and unrepaired")
    func names() throws {
        let names = [FilePath(bytes: [0xff, 0xfe, 0x2e, 0x6a]), "b", "a\nb", "-x"]
        for name in names { try Files.replace(folder.path / name, with: []) }
        #expect(try Files.names(in: folder.path) == names.sorted())
    }

    @Test("a name of 255 bytes is listed whole")
    func longName() throws {
        let name = FilePath(String(repeating: "x", count: 255))
        try Files.replace(folder.path / "short", with: [])
        try Files.rename(folder.path / "short", to: folder.path / name)
        #expect(try Files.names(in: folder.path) == [name])
    }

    @Test("folders are made with those above them, and made again without complaint")
    func makeFolder() throws {
        let path = folder.path / "a/b/c"
        try Files.makeFolder(path)
        try Files.makeFolder(path)
        #expect(Files.isFolder(path))
        try Files.replace(folder.path / "file", with: [])
        #expect(failure { try Files.makeFolder(folder.path / "file") } == ENOTDIR)
        #expect(failure { try Files.makeFolder(folder.path / "file/below") } == ENOTDIR)
    }

    @Test("what is larger than the limit is not read")
    func limit() throws {
        try Files.replace(folder.path / "file", with: [1, 2, 3])
        #expect(failure { _ = try Files.read(folder.path / "file", limit: 2) } == EFBIG)
        #expect(try Files.read(folder.path / "file", limit: 3) == [1, 2, 3])
    }

    @Test("reading ends where the file ends")
    func readPastTheEnd() throws {
        try Files.replace(folder.path / "file", with: [1, 2, 3])
        let file = try FileDescriptor.openForReading(folder.path / "file")
        #expect(try file.read(10, at: 1) == [2, 3])
        #expect(try file.read(10, at: 3) == [])
    }

    @Test("a relative path becomes absolute from the current folder")
    func absolute() throws {
        let shell = try run("/bin/pwd", ["-P"])
        #expect(try Files.currentFolder().description + "\n" == shell.output)
        #expect(try Files.absolute("/a") == "/a")
        #expect(try Files.absolute("a") == Files.currentFolder() / "a")
    }

    @Test("a place is one for all spellings of a path; a link at its end stays one")
    func place() throws {
        let root = try Files.resolve(folder.path)
        try Files.makeFolder(root / "a/b")
        try Files.replace(root / "a/file", with: [1])
        let link = root / "link"
        try systemCall("symlink") { link.withCString { symlink("a", $0) } }
        for spelling in ["a/file", "a/./file", "a/b/../file", "link/file", "a//file"] {
            #expect(try Files.place(of: root / spelling) == root / "a/file", "\(spelling)")
        }
        for spelling in ["a", "a/", "a/.", "a/b/..", "link/."] {
            #expect(try Files.place(of: root / spelling) == root / "a", "\(spelling)")
        }
        #expect(try Files.place(of: root / "link") == root / "link")
        #expect(try Files.place(of: "/") == "/")
        #expect(try Files.place(of: "/no/such/file") == "/no/such/file")
    }

    @Test("an error says which call failed, for which file, in the system's words")
    func errors() {
        do {
            _ = try Files.read(folder.path / "none", limit: 1)
            Issue.record("there is no such file")
        } catch {
            #expect(error.code == ENOENT)
            #expect(error.call == "open")
            #expect(error.path == folder.path / "none")
            #expect(error.reason == "No such file or directory")
        }
    }
}
