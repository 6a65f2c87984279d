import Glibc
import Notes
import System
import Testing

@testable import EvergearCLI

@Suite("Errors become sentences and statuses")
struct FailureTests {
    @Test("the system's errors say what, where and what to do")
    func system() {
        func sentence(_ code: Int32, _ call: String) -> String {
            Failure(SystemError(code: code, call: call, path: "/photos/a.jpg")).sentence
        }
        #expect(
            sentence(ENOSPC, "write")
                == "/photos/a.jpg: no space left on device. Make room there and run the command again; nothing that was kept "
                + "is lost.")
        #expect(
            sentence(EROFS, "create")
                == "/photos/a.jpg: read-only file system. That file system is read-only: choose another folder, or mount it "
                + "for writing.")
        #expect(
            sentence(EACCES, "open")
                == "/photos/a.jpg: permission denied. Look at who may read it (`ls -ld`), or choose another place.")
        #expect(sentence(ENOENT, "open") == "/photos/a.jpg: no such file or directory. Is the name right?")
        #expect(sentence(EPERM, "unlink").contains("who may write it"))
    }

    @Test(
        "missing input is 66, input of the wrong kind 65, what cannot be written 1",
        arguments: [
            (ENOENT, "open", 66), (EACCES, "open", 66), (ENOENT, "stat", 66), (EISDIR, "open", 65),
            (EINVAL, "open", 65),
            (EFBIG, "read", 65), (ENOSPC, "write", 1), (EROFS, "mkdir", 1), (EACCES, "create", 1), (EINTR, "read", 130),
        ])
    func statuses(code: Int32, call: String, status: Int) {
        #expect(Failure(SystemError(code: code, call: call)).status.rawValue == Int32(status))
    }

    @Test("a usage error points to the help that tells more")
    func usage() {
        let failure = Failure(UsageError("there is no option --x", suggestion: "--y", command: "evergear send"))
        #expect(failure.sentence == "there is no option --x. Did you mean \"--y\"? See `evergear send --help`.")
        #expect(failure.status == .usage)
    }

    @Test("every error of the system gives one sentence or two, whatever its code")
    func all() {
        for code in Int32(1)...133 {
            for call in ["open", "write", "rename", "spawn"] {
                let sentence = Failure(SystemError(code: code, call: call, path: "x")).sentence
                #expect(
                    (sentence.hasSuffix(".") || sentence.hasSuffix("?")) && !sentence.contains("..")
                        && !sentence.contains("\n"), "\(code) \(call): \(sentence)")
            }
        }
    }

    @Test("an error that nobody explained is told all the same")
    func unexplained() {
        struct Odd: Error {}
        #expect(Failure(Odd()).status == .failed)
        #expect(Failure(Odd()).sentence.contains("Odd"))
    }
}
