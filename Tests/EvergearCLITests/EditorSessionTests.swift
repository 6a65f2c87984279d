import Notes
import System
import Testing
import Workbench

@testable import EvergearCLI

@Suite("A text in an editor")
struct EditorSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter editor: A script; `$1` is the file.
    private func edit(
        _ text: String, editor: String, again: (DraftFile.Mistake) throws -> Bool? = { _ in nil },
        apply: (String) throws -> Int = { $0.utf8.count }
    ) throws -> (result: Int?, failure: EditKept?) {
        // Given to the shell to read, and not run by itself: a script that was written just now may still be open in a
        // child that another test has forked, and then does not run ("text file busy").
        let script = folder.path / "editor"
        try Files.replace(script, with: Array(("#!/bin/sh\n" + editor + "\n").utf8), mode: 0o700)
        let environment = Environment([
            "EVERGEAR_HOME": folder.path.description, "EDITOR": "/bin/sh \(script) --wait", "PATH": "/usr/bin:/bin",
            "EVERGEAR_TOKEN": "secret",
        ])
        let session = try EditorSession(text, named: "draft-3", in: try Home(environment), environment: environment)
        do {
            let result = try session.run(
                read: { bytes throws(DraftFile.Mistake) -> String? in
                    let lines = DraftFile.split(bytes).map { String(decoding: $0, as: UTF8.self) }
                    let wrong = lines.firstIndex(of: "wrong")
                    if let wrong { throw DraftFile.Mistake(line: wrong + 1, reason: "this is wrong") }
                    let text = lines.filter { !$0.hasPrefix("# ") }.joined(separator: "\n")
                    return text.isEmpty ? nil : text
                }, again: again, goingOn: { "Go on with \($0)." }, apply: apply)
            return (result, nil)
        } catch let error as EditKept { return (nil, error) }
    }

    private var kept: [FilePath] { (try? Files.names(in: folder.path / "edits")) ?? [] }

    @Test("what the editor leaves is applied, and then the file goes")
    func applied() throws {
        let (result, failure) = try edit("old", editor: "[ \"$1\" = --wait ] && shift; printf 'newer' > \"$1\"")
        #expect(result == 5 && failure == nil)
        #expect(kept.isEmpty)
    }

    @Test("an empty file is an edit given up")
    func givenUp() throws {
        let (result, failure) = try edit("old", editor: ": > \"$2\"")
        #expect(result == nil && failure == nil)
        #expect(kept.isEmpty)
    }

    @Test("a text that is too long to be read back is kept")
    func tooLong() throws {
        let (result, failure) = try edit("old", editor: "truncate -s 70M \"$2\"")
        #expect(result == nil && failure != nil)
        #expect(kept == ["draft-3.txt"])
    }

    @Test("the file is private, and the token is not in the editor's environment")
    func privacy() throws {
        let (result, _) = try edit(
            "old", editor: "printf '%s %s' \"$(stat -c %a \"$2\")\" \"${EVERGEAR_TOKEN-none}\" > \"$2\"",
            apply: { text in
                #expect(text == "600 none")
                return 1
            })
        #expect(result == 1)
    }

    @Test("a mistake opens the editor again, with its line and reason on top")
    func mistake() throws {
        let (result, failure) = try edit(
            "old",
            editor: """
                if grep -q '^# !! ' "$2"; then
                    cp "$2" '\(folder.path)/seen'; printf 'right' > "$2"
                else printf 'one\\nwrong\\n' > "$2"; fi
                """)
        #expect(result == 5 && failure == nil)
        #expect(
            String(decoding: try Files.read(folder.path / "seen", limit: 1000), as: UTF8.self)
                == "# !! Nothing is changed yet: line 4 cannot be understood.\n# !! this is wrong.\none\nwrong\n")
    }

    @Test("the complaint takes the place of the one before, and its line is always that of the file")
    func complaints() {
        let first = EditorSession.complaining(of: .init(line: 2, reason: "bad"), in: Array("a\nb\n".utf8))
        #expect(String(decoding: first, as: UTF8.self).hasPrefix("# !! Nothing is changed yet: line 4 "))
        let second = EditorSession.complaining(of: .init(line: 4, reason: "still\nbad"), in: first)
        #expect(
            String(decoding: second, as: UTF8.self)
                == "# !! Nothing is changed yet: line 4 cannot be understood.\n# !! still bad.\na\nb\n")
    }

    @Test("an editor that leaves the mistake as it is is not opened for ever, and the text is kept")
    func stubborn() throws {
        let (result, failure) = try edit("old", editor: "grep -q '^# !! ' \"$2\" || printf 'wrong' > \"$2\"")
        #expect(result == nil)
        let error = try #require(failure)
        #expect(error.file == folder.path / "edits/draft-3.txt")
        #expect(Failure(error).status == .badInput)
        #expect(
            Failure(error).sentence
                == "line 3: this is wrong. Your text is kept in \(error.file). Go on with \(error.file).")
        #expect(String(decoding: try Files.read(error.file, limit: 1000), as: UTF8.self).hasSuffix("\nwrong"))
    }

    @Test("when what it says cannot be done the text is kept, beside others that were kept before")
    func applyFails() throws {
        for number in 1...2 {
            let (_, failure) = try edit(
                "old", editor: "printf 'text \(number)' > \"$2\"", apply: { _ in throw Interrupted() })
            let error = try #require(failure)
            #expect(Failure(error).status == .interrupted)
            #expect(try Files.read(error.file, limit: 100) == Array("text \(number)".utf8))
        }
        #expect(kept == ["draft-3-2.txt", "draft-3.txt"])
    }

    @Test("an editor that fails, or is not there, changes nothing and says so")
    func editorFails() throws {
        let (_, failure) = try edit("old", editor: "printf x > \"$2\"; exit 3")
        #expect(failure.map { Failure($0).sentence.contains("ended with status 3, so nothing was changed") } == true)
        let environment = Environment(["EVERGEAR_HOME": folder.path.description, "VISUAL": "/no/such/editor"])
        let session = try EditorSession("x", named: "memo-1", in: try Home(environment), environment: environment)
        let error = #expect(throws: EditorFailed.self) {
            try session.run(
                read: { bytes throws(DraftFile.Mistake) -> [UInt8]? in bytes }, goingOn: { "\($0)" }, apply: { _ in 1 })
        }
        #expect(error?.sentence.hasPrefix("there is no editor \"/no/such/editor\". Set VISUAL or EDITOR") == true)
        #expect(!kept.contains("memo-1.txt"))
    }

    @Test("an editor that fails and has written nothing leaves no file")
    func nothingWritten() throws {
        #expect(throws: EditorFailed.self) { try edit("old", editor: "exit 1") }
        #expect(kept.isEmpty)
        #expect(throws: EditorFailed.self) { try edit("old", editor: "rm \"$2\"; exit 1") }
        #expect(kept.isEmpty)
    }

    @Test("who is there to be asked decides whether the editor opens again")
    func asked() throws {
        var asked: [Int] = []
        let (result, failure) = try edit(
            "old", editor: "grep -q '^# !! ' \"$2\" || printf 'wrong' > \"$2\"",
            again: { mistake in
                asked.append(mistake.line)
                return asked.count < 3
            })
        #expect(result == nil && failure != nil)
        // The complaint on top is two lines, and takes the place of the one before.
        #expect(asked == [1, 3, 3])
    }
}
