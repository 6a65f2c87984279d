import Glibc
import System

/// A file that never touches a disk, for readers that want a path.
struct MemoryFile {
    static let shared = MemoryFile()

    private let number: Int32

    private init() {
        let path = "/dev/shm/evergear-fuzz-\(getpid())"
        number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
    }

    func hold(_ bytes: [UInt8], _ body: (FilePath) -> Void) {
        guard ftruncate(number, 0) == 0, pwrite(number, bytes, bytes.count, 0) == bytes.count else {
            fatalError("no file in memory")
        }
        body(FilePath("/proc/self/fd/\(number)"))
    }
}
