import System
import Testing
import Workbench

@Suite("A path is bytes")
struct FilePathTests {
    // What dirname(1) and basename(1) print, but for the empty path.
    @Test(
        "folder and name are what dirname and basename say",
        arguments: [
            ("/usr/lib", "/usr", "lib"), ("/usr/", "/", "usr"), ("usr", ".", "usr"), ("/", "/", "/"),
            (".", ".", "."), ("..", ".", ".."), ("a//b", "a", "b"), ("a/b//", "a", "b"), ("//a", "/", "a"),
            ("///", "/", "/"), ("a/./b", "a/.", "b"), ("./a", ".", "a"),
        ])
    func folderAndName(path: String, folder: String, name: String) throws {
        #expect(FilePath(path).folder == FilePath(folder))
        #expect(FilePath(path).name == FilePath(name))
        #expect(try run("/usr/bin/dirname", [path]).output == folder + "\n")
        #expect(try run("/usr/bin/basename", [path]).output == name + "\n")
    }

    @Test("joining puts exactly one slash between")
    func joining() {
        #expect(FilePath("a") / "b" == "a/b")
        #expect(FilePath("a/") / "b" == "a/b")
        #expect(FilePath("/") / "b" == "/b")
        #expect(FilePath("") / "b" == "b")
    }

    @Test(
        "the extension is what follows the last dot, in lower case",
        arguments: [
            ("IMG_1.JPG", "jpg"), ("a.tar.gz", "gz"), (".hidden", ""), ("a.b/c", ""), ("x.", ""), ("x", ""),
            (".a.heic", "heic"),
        ])
    func fileExtension(path: String, expected: String) { #expect(FilePath(path).fileExtension == expected) }

    @Test("bytes that are no UTF-8 stay as they are")
    func brokenUTF8() {
        let path = FilePath(bytes: [0x2f, 0xff, 0xfe, 0x2f, 0x61])
        #expect(!path.isUTF8)
        #expect(path.folder.bytes == [0x2f, 0xff, 0xfe])
        #expect(path.name == "a")
        #expect(path.withCString { $0[1] } == CChar(bitPattern: 0xff))
    }

    @Test("two spellings of é are two paths, though their texts are equal")
    func spellings() {
        #expect(FilePath("caf\u{e9}") != FilePath("cafe\u{301}"))
        #expect("caf\u{e9}" == "cafe\u{301}")
    }

    @Test("nothing after a NUL counts")
    func endsAtNUL() { #expect(FilePath(bytes: [0x61, 0, 0x62]) == "a") }

    @Test("paths sort by bytes")
    func order() {
        let sorted = ["b", "B", "a/b", "a", "é"].map { FilePath($0) }.sorted()
        #expect(sorted == ["B", "a", "a/b", "b", "é"])
    }
}
