import Foundation
import Testing

/// The program on a pseudo-terminal of Python's.
@Suite("on a terminal") struct TerminalTests {
    /// A run, and what the terminal got from it.
    private struct Shown: CustomStringConvertible {
        let status: Int
        let screen: String
        /// From its start to its end.
        let seconds: Double
        let wasPaused: Bool
        var description: String { "status \(status)\n\(screen.debugDescription)" }
    }

    /// - Parameters:
    ///   - answers: What is typed, each once the text before it was shown.
    ///   - columns: Of the terminal.
    ///   - echoes: At the end, "echo is on" or "echo is off" is told of the terminal.
    ///   - pausesBefore: The program is stopped for 1.3 seconds once it has taken in a photo, and before it has so many.
    private func run(
        _ evergear: Evergear, _ arguments: [String], answers: [(String, String)] = [], pausesBefore: Int = 0,
        columns: Int = 80, echoes: Bool = false
    ) throws -> Shown {
        let script = """
            import fcntl, glob, json, os, pty, select, signal, struct, sys, termios, time
            home, binary, arguments, answers, before, environment, columns, echoes = (
                sys.argv[1], sys.argv[2], *map(json.loads, sys.argv[3:]))
            begin, paused = time.monotonic(), False
            if echoes:
                shell = 'trap : INT; "$0" "$@"; s=$?; stty -a | grep -q -- " echo " && echo echo is on || echo echo is off; exit $s'
                binary, arguments = "/bin/sh", ["-c", shell, binary] + arguments
            child, terminal = pty.fork()
            if child == 0:
                for name in ("SIGINT", "SIGTERM", "SIGHUP"): signal.signal(getattr(signal, name), signal.SIG_DFL)
                os.chdir(home)
                os.execve(binary, [binary] + arguments, environment)
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            shown, seen, stop = b"", 0, begin + 120
            taken = lambda: len(glob.glob(home + "/blobs/*/*"))
            ended = lambda options: os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | options)
            while before and time.monotonic() < stop and not ended(os.WNOHANG):
                if taken():
                    os.kill(child, signal.SIGSTOP)
                    ended(os.WSTOPPED)
                    paused = taken() < before
                    time.sleep(1.3)
                    os.kill(child, signal.SIGCONT)
                    break
            while time.monotonic() < stop:
                if select.select([terminal], [], [], 0.2)[0]:
                    try: part = os.read(terminal, 65536)
                    except OSError: break
                    if not part: break
                    shown += part
                if answers and answers[0][0].encode() in shown[seen:]:
                    seen = len(shown)
                    os.write(terminal, answers.pop(0)[1].encode())
            else: os.kill(child, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            print(json.dumps({"status": status, "screen": shown.decode(errors="replace"), "paused": paused,
                              "seconds": time.monotonic() - begin}))
            """
        func json(_ value: Any) throws -> String {
            String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed), as: UTF8.self)
        }
        let output = try python(
            script, evergear.home.path, Evergear.binary.path, json(arguments), json(answers.map { [$0.0, $0.1] }),
            json(pausesBefore), json(evergear.process([]).environment ?? [:]), json(columns), json(echoes))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        return Shown(
            status: try #require(object["status"] as? Int), screen: try #require(object["screen"] as? String),
            seconds: try #require(object["seconds"] as? Double), wasPaused: try #require(object["paused"] as? Bool))
    }

    @Test("prune --undelivered lists what it would delete, and a no keeps it") func prune() throws {
        let evergear = try Evergear()
        let photo = try evergear.manyPhotos(1).appending(path: "IMG_1.jpg").path
        try evergear.run("draft", "add", "Dropped", "--photo", photo)
        try evergear.run("draft", "rm", "last")
        let no = try run(evergear, ["prune", "--undelivered"], answers: [("[y/N] ", "n\n")])
        #expect(no.status == 0 && no.screen.contains("IMG_1.jpg") && no.screen.contains("for good?"), "\(no)")
        #expect(no.screen.contains("There is nothing to free."), "\(no)")
        #expect(try evergear.blobs().count == 1)
        let yes = try run(evergear, ["prune", "--undelivered"], answers: [("[y/N] ", "y\n")])
        #expect(yes.status == 0 && yes.screen.contains("1 photo of removed drafts"), "\(yes)")
        #expect(try evergear.blobs().isEmpty)
    }

    /// An editor that is a shell script; `$1` is the file.
    private func editor(_ evergear: Evergear, _ script: String) throws {
        let file = try evergear.file("editor", "#!/bin/sh\n\(script)\n")
        chmod(file.path, 0o700)
        evergear.environment["EDITOR"] = "/bin/sh '\(file.path)'"
    }

    private func memos(_ evergear: Evergear) throws -> [String] {
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        return try #require(draft["memos"] as? [[String: Any]]).compactMap { $0["text"] as? String }
    }

    // MARK: Progress

    @Test("what takes over a second shows a bar, which is gone at the end") func bar() throws {
        let shown = try importSlowly()
        #expect(shown.status == 0 && shown.screen.contains("120 files found: 120 imported"), "\(shown)")
        #expect(shown.screen.contains("\rImporting  "), "\(shown)")
        let last = try #require(shown.screen.range(of: "\u{1b}[K", options: .backwards))
        #expect(shown.screen[..<last.lowerBound].hasSuffix("\r"), "it is erased: \(shown)")
        #expect(!shown.screen[last.upperBound...].contains("Importing"), "\(shown)")
    }

    @Test(
        "no bar with -q, none with --json, none for what is quick, none on a terminal that shows lines alone",
        arguments: ["-q", "--json", "", "TERM=dumb"])
    func noBar(_ option: String) throws {
        let isDumb = option == "TERM=dumb"
        let shown =
            option.isEmpty ? try importQuickly() : isDumb ? try importSlowly(isDumb: true) : try importSlowly(option)
        #expect(
            shown.status == 0 && !shown.screen.contains("\u{1b}") && !shown.screen.contains("Importing"), "\(shown)")
        if option == "-q" { #expect(shown.screen.isEmpty, "\(shown)") }
    }

    /// Takes in 120 photos, and takes more than a second for it: it was stopped while there was enough to do yet.
    private func importSlowly(_ options: String..., isDumb: Bool = false) throws -> Shown {
        try again { evergear in
            if isDumb { evergear.environment["TERM"] = "dumb" }
            let photos = try evergear.manyPhotos(120)
            return try run(evergear, ["import", photos.path] + options, pausesBefore: 80)
        } until: {
            $0.wasPaused
        }
    }

    /// Takes in three photos in less than a second.
    private func importQuickly() throws -> Shown {
        try again { evergear in
            try run(evergear, ["import", evergear.manyPhotos(3).path])
        } until: {
            $0.seconds < 1
        }
    }

    /// Does it, each time in a new home, until the machine, which may be busy, was as fast or as slow as is wanted.
    private func again(_ run: (Evergear) throws -> Shown, until isFit: (Shown) -> Bool) throws -> Shown {
        var shown: Shown?
        try wait {
            shown = try run(Evergear())
            return shown.map(isFit) ?? false
        }
        return try #require(shown)
    }

    @Test("a table fits the terminal, and no color is used, whatever is asked for") func table() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", String(repeating: "琵琶湖 ", count: 60))
        for color in [[:], ["NO_COLOR": "1"], ["CLICOLOR_FORCE": "1"]] {
            evergear.environment = color
            let shown = try run(evergear, ["draft", "list"])
            #expect(!shown.screen.contains("\u{1b}"), "\(shown)")
            let columns = shown.screen.split(whereSeparator: \.isNewline).map { line in
                line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2e80 ? 2 : 1) }
            }
            #expect(columns.allSatisfy { $0 <= 80 }, "\(shown)")
        }
    }

    @Test(
        "no date is cut, nor a part's number or a file's name: what has no room goes to a further line",
        arguments: [40, 80])
    func narrow(columns: Int) throws {
        let evergear = try Evergear()
        let title = "A ride around the lake in the rain and back again over the pass"
        try evergear.run("import", evergear.manyPhotos(2).path, "--title", title)
        try evergear.run("send", "last", "--photos-per-note", "1")
        for command in ["log", "sent"] {
            let shown = try run(evergear, [command], columns: columns)
            let lines = shown.screen.split(whereSeparator: \.isNewline)
            #expect(shown.status == 0 && lines.allSatisfy { $0.count <= columns }, "\(shown)")
            #expect(shown.screen.contains(/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]/), "\(shown)")
            #expect(shown.screen.contains(".enex"), "\(shown)")
            if command == "log" {
                #expect(shown.screen.contains("(1/2)") && shown.screen.contains("(2/2)"), "\(shown)")
            }
        }
    }

    // MARK: Questions

    @Test("several drafts are sent only after a yes") func question() throws {
        let evergear = try Evergear()
        for number in 1...3 { try evergear.run("draft", "add", "Draft \(number)") }
        for answer in ["n\n", "\n", "\u{4}", "perhaps\n"] {
            let shown = try run(evergear, ["send"], answers: [("? [y/N] ", answer)])
            #expect(shown.status == 0 && shown.screen.contains("Send these 3 drafts? [y/N] "), "\(shown)")
            #expect(shown.screen.contains("Nothing was sent"), "\(shown)")
        }
        let broken = try run(evergear, ["send"], answers: [("? [y/N] ", "\u{3}")])
        #expect(broken.status == 130, "\(broken)")
        #expect(try evergear.run("queue", "list", "--all", "--json").output.isEmpty)
        let shown = try run(evergear, ["send"], answers: [("? [y/N] ", "y\n")])
        #expect(shown.status == 0, "\(shown)")
        #expect(try evergear.delivered().map(\.title) == ["Draft 1", "Draft 2", "Draft 3"])
    }

    @Test("one draft, and -y, are sent unasked") func unasked() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "One")
        let one = try run(evergear, ["send"])
        #expect(one.status == 0 && !one.screen.contains("[y/N]"), "\(one)")
        for title in ["Two", "Three"] { try evergear.run("draft", "add", title) }
        let both = try run(evergear, ["send", "-y"])
        #expect(both.status == 0 && !both.screen.contains("[y/N]"), "\(both)")
        #expect(try evergear.delivered().count == 3)
    }

    // MARK: The editor

    @Test("draft add without a text opens the editor; an empty text keeps nothing") func add() throws {
        let evergear = try Evergear()
        try editor(evergear, #"printf 'Written\nin an editor\n' > "$1""#)
        let shown = try run(evergear, ["draft", "add"])
        #expect(shown.status == 0 && shown.screen.contains("Draft 1: Written"), "\(shown)")
        try editor(evergear, #"printf '\n\n# only this\n' > "$1""#)
        let empty = try run(evergear, ["draft", "add"])
        #expect(empty.status == 0 && empty.screen.contains("nothing kept"), "\(empty)")
        try editor(evergear, "exit 3")
        let failed = try run(evergear, ["draft", "add"])
        #expect(failed.status == 1 && failed.screen.contains("ended with status 3"), "\(failed)")
        evergear.environment["EDITOR"] = "no-such-editor"
        let none = try run(evergear, ["draft", "add"])
        #expect(none.status == 1 && none.screen.contains("there is no editor \"no-such-editor\""), "\(none)")
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)
    }

    @Test("draft edit: captions change, memos move and go") func edit() throws {
        let evergear = try Evergear()
        #expect(try evergear.run("import", evergear.manyPhotos(4).path).status == 0)
        // The captions that the photos brought go; one below the second, the third gone, the fourth on top.
        try editor(
            evergear,
            #"""
            sed -i '/^First light/d' "$1"
            top=$(grep '^\[4\]' "$1")
            sed -i -e '/^\[3\]/d' -e '/^\[4\]/d' -e '/^\[2\]/a The view from the bridge' "$1"
            sed -i "s/^\[1\].*/$top\n\n&/" "$1"
            """#)
        let shown = try run(evergear, ["draft", "edit", "last"])
        #expect(shown.status == 0 && shown.screen.contains("3 memos, 1 dropped"), "\(shown)")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        let memos = try #require(draft["memos"] as? [[String: Any]])
        #expect(memos.compactMap { $0["number"] as? Int } == [4, 1, 2])
        #expect(try self.memos(evergear) == ["", "", "The view from the bridge"], "\(memos)")
    }

    @Test("a mistake in the file reopens it with the complaint on top") func mistake() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try evergear.run("memo", "add", "last", "first")
        try editor(
            evergear,
            #"""
            if grep -q '^# !!' "$1"; then
                grep '^# !!' "$1" > complaint
                sed -i 's/^\[99\]/[1]/; s/^first/mended/' "$1"
            else
                sed -i 's/^\[1\]/[99]/' "$1"
            fi
            """#)
        let shown = try run(evergear, ["draft", "edit", "last"], answers: [("Edit it again? [Y/n] ", "\n")])
        #expect(shown.status == 0 && shown.screen.contains("this draft has no memo 99"), "\(shown)")
        #expect(try memos(evergear) == ["mended"])
        let complaint = try String(contentsOf: evergear.home.appending(path: "complaint"), encoding: .utf8)
        #expect(complaint.contains("line ") && complaint.contains("99"), "\(complaint)")
    }

    @Test("who gives up after a mistake is told where the text is, and --from goes on with it") func givenUp() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try evergear.run("memo", "add", "last", "first")
        try editor(evergear, #"sed -i 's/^\[1\]/[99]/; s/^first/better/' "$1""#)
        let shown = try run(evergear, ["draft", "edit", "last"], answers: [("Edit it again? [Y/n] ", "n\n")])
        let kept = evergear.home.appending(path: "edits/draft-1.txt")
        #expect(shown.status == 65 && shown.screen.contains("Your text is kept in \(kept.path)"), "\(shown)")
        #expect(shown.screen.contains("`evergear draft edit 1 --from \(kept.path)` goes on with it."), "\(shown)")
        #expect(try memos(evergear) == ["first"])
        #expect(try evergear.run("check").output.contains("edits/draft-1.txt"))
        try editor(evergear, "exit 1")
        let next = try run(evergear, ["draft", "edit", "last"])
        #expect(next.screen.contains("A text of an earlier edit is there."), "\(next)")
        let text = try String(contentsOf: kept, encoding: .utf8).replacingOccurrences(of: "[99]", with: "[1]")
        try text.write(to: kept, atomically: true, encoding: .utf8)
        #expect(try evergear.run("draft", "edit", "1", "--from", kept.path).status == 0)
        #expect(try memos(evergear) == ["better"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: evergear.home.appending(path: "edits").path).isEmpty)
    }

    @Test("a token that is typed is not shown, and the terminal shows what is typed afterwards") func token() throws {
        let evergear = try Evergear()
        evergear.environment["EVERGEAR_SERVICE"] = "http://127.0.0.1:9"
        for (answer, status) in [("S=s1:U=secret\n", 75), ("\u{3}", 130)] {
            let shown = try run(
                evergear, ["auth", "login"], answers: [("It is not shown.", answer)], echoes: true)
            #expect(shown.status == status && !shown.screen.contains("secret"), "\(shown)")
            #expect(shown.screen.contains("echo is on"), "\(shown)")
        }
    }

    @Test("a draft that somebody else changed while the editor was open is not written over") func meanwhile() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try editor(
            evergear,
            #""\#(Evergear.binary.path)" memo add last 'from elsewhere' >/dev/null; echo 'my words' >> "$1""#)
        let shown = try run(evergear, ["draft", "edit", "last"])
        #expect(shown.status == 1 && shown.screen.contains("changed by another command"), "\(shown)")
        #expect(shown.screen.contains("Your text is kept in"), "\(shown)")
        #expect(try memos(evergear) == ["from elsewhere"])
    }

    @Test("words from an editor that could not be kept stay in a file, and the sentence names the way on")
    func wordsThatCouldNotBeKept() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try evergear.run("memo", "add", "last", "first")
        try editor(evergear, #""\#(Evergear.binary.path)" memo edit 1 1 theirs >/dev/null; echo mine > "$1""#)
        let taken = try run(evergear, ["memo", "edit", "1", "1"])
        #expect(taken.status == 1 && taken.screen.contains("changed by another command"), "\(taken)")
        #expect(taken.screen.contains("`evergear memo edit 1 1 - < "), "\(taken)")
        #expect(try memos(evergear) == ["theirs"])
        try editor(evergear, #""\#(Evergear.binary.path)" memo rm 1 1 >/dev/null; echo mine > "$1""#)
        let gone = try run(evergear, ["memo", "edit", "1", "1"])
        #expect(gone.status == 66 && gone.screen.contains("Your text is kept in"), "\(gone)")

        try editor(evergear, #"echo "A day" > "$1"; echo damaged > "$EVERGEAR_HOME/store.sqlite""#)
        let damaged = try run(evergear, ["draft", "add"])
        let kept = evergear.home.appending(path: "edits/draft-new.txt")
        #expect(damaged.status != 0 && damaged.screen.contains("Your text is kept in \(kept.path)"), "\(damaged)")
        #expect(damaged.screen.contains("`evergear draft add --file \(kept.path)` goes on with it."), "\(damaged)")
        #expect(try String(contentsOf: kept, encoding: .utf8) == "A day\n")
    }
}
