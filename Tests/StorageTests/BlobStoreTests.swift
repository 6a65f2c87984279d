import Glibc
import Notes
import Storage
import System
import Testing
import Workbench

@Suite struct BlobStoreTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { !$0.isWhitespace })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    private func read(_ key: BlobKey) throws -> [UInt8] {
        try store.blobs.open(key).read(Int(key.size), at: 0)
    }

    @Test("a file is kept under what md5sum says of it, read-only", arguments: [0, 1, 1 << 20, 3 << 20 + 7])
    func add(size: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let content = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let key = try store.blobs.add(folder.file(content))
        let sum = try run("/usr/bin/md5sum", [(folder.path / "photo.jpg").description]).output.prefix(32)
        #expect(key.description == "\(sum)-\(size)")
        #expect(store.blobs.path(of: key) == folder.path / "home/blobs" / String(sum.prefix(2)) / "\(sum)-\(size)")
        #expect(try read(key) == content)
        #expect(try run("/usr/bin/stat", ["-c", "%a", store.blobs.path(of: key).description]).output == "400\n")
        #expect(try store.blobs.add(content) == key, "the same bytes from memory")
        #expect(try store.blobs.contains(key))
        try store.blobs.sync()
        try store.blobs.remove(key)
        #expect(try !store.blobs.contains(key))
        #expect(failure { _ = try store.blobs.open(key) } == .missingBlob(key))
    }

    /// Two messages of one MD5: Wang, Feng, Lai, Yu, "Collisions for Hash Functions", 2004.
    @Test("different bytes of the same MD5 and size are kept apart")
    func collision() throws {
        let one = bytes(
            """
            d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a
            085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0
            e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70
            """)
        let two = bytes(
            """
            d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a
            085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0
            e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70
            """)
        #expect(one != two)
        let first = try store.blobs.add(folder.file(one))
        let second = try store.blobs.add(folder.file(two))
        #expect(first.description == "79054025255fb1a26e4bc422aef54eb4-128")
        #expect(second.description == "79054025255fb1a26e4bc422aef54eb4-128-1")
        #expect(try store.blobs.add(two) == second)
        #expect(try store.blobs.add(one) == first)
        #expect(try read(first) == one)
        #expect(try read(second) == two)
    }

    @Test("a blob that a crash damaged is not taken for the bytes it should hold")
    func damaged() throws {
        let content: [UInt8] = Array("the whole photo".utf8)
        let key = try store.blobs.add(content)
        try Files.replace(store.blobs.path(of: key), with: Array(content.dropLast()))
        #expect(try !store.blobs.contains(key))
        #expect(failure { _ = try store.blobs.open(key) } == .missingBlob(key))
        let again = try store.blobs.add(content)
        #expect(again.serial == 1)
        #expect(try read(again) == content)
    }

    /// The kernel gives files whose size is not what comes when they are read.
    @Test(
        "a file that is longer or shorter than it was when it was opened is refused",
        arguments: ["/proc/self/maps", "/sys/devices/system/cpu/online"] as [FilePath])
    func changing(path: FilePath) throws {
        let file = try FileDescriptor.openForReading(path)
        #expect(failure { _ = try store.blobs.add(file) } == .sourceChanged)
        #expect(try Files.names(in: folder.path / "home/temporary").count == 1)
        let own = try Files.names(in: folder.path / "home/temporary")[0]
        #expect(try Files.names(in: folder.path / "home/temporary" / own) == [], "nothing is left of it")
    }

    @Test("a file that cannot be read is told from a store that cannot be written")
    func unreadable() throws {
        let source = try FileDescriptor.openFolder("/")
        guard case .sourceUnreadable(let error)? = failure({ _ = try store.blobs.add(source) }) else {
            Issue.record("no error about the source")
            return
        }
        #expect(error.code == EISDIR)
        let reader = try folder.store(readOnly: true)
        let file = try folder.file([1])
        #expect(failure { _ = try reader.blobs.add(file) } == .readOnly(folder.path / "home"))
    }

    @Test("several threads that add the same bytes get one key, and one file")
    func threads() async throws {
        let blobs = store.blobs
        let content = [UInt8](repeating: 7, count: 100_000)
        let keys = try await withThrowingTaskGroup(of: BlobKey.self) { group in
            for _ in 0..<16 { group.addTask { try blobs.add(content) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        let key = try #require(keys.first)
        #expect(try Files.names(in: blobs.path(of: key).folder) == [FilePath(key.description)])
    }

    @Test("temporaries of the dead are removed at the next start, those of the living stay")
    func temporaries() throws {
        let all = folder.path / "home/temporary"
        _ = try store.blobs.add([1])
        let living = try #require(try Files.names(in: all).first)
        try Files.makeFolder(all / "dead")
        try Files.replace(all / "dead/half", with: [1, 2, 3])
        _ = try folder.store()
        #expect(try Files.names(in: all) == [living])
        _ = try store.blobs.add([2])
    }
}
