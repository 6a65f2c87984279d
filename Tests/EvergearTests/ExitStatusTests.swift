import Foundation
import Testing

/// Each status of the contract once, and what goes to which stream. 77 comes with the first destination that has
/// accounts.
@Suite("exit statuses and streams") struct ExitStatusTests {
    @Test("each exit status means what the contract says") func statuses() throws {
        let evergear = try Evergear()
        let good = try evergear.manyPhotos(2, in: "good")
        let mixed = try evergear.manyPhotos(1, in: "mixed")
        _ = try evergear.file("mixed/words.jpg", "words")
        _ = try evergear.file("bad/words.jpg", "words")
        let file = try evergear.file("file").path
        let cases: [(Int32, [String])] = [
            (0, ["import", good.path]), (0, ["send", "last"]), (0, ["send"]),
            (1, ["export", "last", "-o", file]), (3, ["import", mixed.path]), (3, ["upload", mixed.path, "--again"]),
            (64, ["send", "--nonsense"]), (64, ["send", "--wait", "--no-wait"]), (64, []),
            (65, ["import", evergear.home.appending(path: "bad").path]),
            (66, ["draft", "show", "99"]), (66, ["import", file + "/nowhere"]),
            (66, ["queue", "show", "99"]), (75, ["send", "1", "--again", "--to", "enex:\(file)"]),
            (78, ["draft", "list", "--config", file]),
        ]
        for (status, words) in cases {
            let run = try evergear.run(words)
            #expect(run.status == status, "\(words): \(run)")
            if ![0, 3].contains(status) { #expect(run.errors.contains("evergear"), "\(words): \(run)") }
        }
    }

    @Test("--json puts JSON and nothing else on the standard output, on success and on failure") func json() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(2)
        _ = try evergear.file("many/words.jpg", "words")
        let page = evergear.home.appending(path: "page.html").path
        let file = evergear.home.appending(path: "out.enex").path
        let commands = [
            ["import", photos.path], ["import", photos.path, "-n"], ["draft", "add", "x\u{1b}[31m\u{202e}"],
            ["memo", "add", "last", "y"], ["draft", "list"], ["draft", "show", "1"], ["draft", "show", "99"],
            ["plan"], ["plan", "1"], ["preview", "1", "-o", page], ["export", "1", "-o", file],
            ["export", "1", "-o", file], ["send", "-y"], ["send", "1"], ["send"], ["queue", "status"],
            ["queue", "list", "--all"], ["queue", "show", "1"], ["queue", "show", "99"], ["queue", "run"],
            ["queue", "cancel", "1"], ["upload", photos.path], ["explain", photos.path + "/words.jpg"],
            ["explain", photos.path + "/IMG_1.jpg"], ["draft", "edit", "1", "--from", "nowhere"],
            ["draft", "hold", "2"], ["memo", "rm", "2", "1"], ["draft", "rm", "2"], ["nonsense"],
        ]
        for command in commands {
            let run = try evergear.run(command + ["--json"])
            #expect(throws: Never.self, "\(command): \(run)") { try run.objects() }
            let isClean = run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202e}" }
            #expect(isClean, "\(command): \(run)")
        }
        for command in [["preview", "1", "-o", "-"], ["draft", "edit", "1", "--print"]] {
            let run = try evergear.run(command + ["--json"])
            #expect(run.status == 64 && run.output.isEmpty, "what it prints is no JSON: \(run)")
        }
        for command in [["preview", "1", "-n"], ["export", "1", "-n", "-o", file + "2"]] {
            #expect(try evergear.run(command + ["--json"]).object()["path"] is String, "\(command)")
        }
    }

    @Test("--json says what a command has changed, or would") func changes() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Ridge")
        let cases: [(String, [String])] = [
            ("added", ["draft", "add", "x", "-n"]), ("added", ["memo", "add", "1", "x", "-n"]),
            ("changed", ["draft", "edit", "1", "--tag", "rain"]), ("held", ["draft", "hold", "1"]),
            ("released", ["draft", "hold", "1", "--off", "-n"]), ("changed", ["memo", "edit", "1", "1", "y"]),
            ("moved", ["memo", "move", "1", "2", "1"]), ("removed", ["memo", "rm", "1", "2"]),
            ("paused", ["queue", "pause"]), ("resumed", ["queue", "resume"]), ("unchanged", ["auth", "logout"]),
            ("cancelled", ["queue", "cancel", "1", "-n"]), ("retried", ["queue", "retry", "1"]),
            ("cancelled", ["queue", "cancel", "1"]), ("removed", ["draft", "rm", "1", "-y"]),
        ]
        for words in ["one", "two"] { try evergear.run("memo", "add", "1", words) }
        #expect(try evergear.run("send", "1", "--no-wait").status == 0)
        for (change, words) in cases {
            let run = try evergear.run(words + ["--json"])
            #expect(run.status == 0, "\(words): \(run)")
            let said = try run.object()
            #expect(said["change"] as? String == change, "\(words): \(run)")
            #expect(said["dry_run"] as? Bool == words.contains("-n"), "\(words): \(run)")
        }
    }

    @Test("-q says nothing on success, and every problem otherwise") func quiet() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(2)
        let page = evergear.home.appending(path: "page.html").path
        let file = evergear.home.appending(path: "out.enex").path
        for command in [
            ["import", photos.path], ["import", photos.path], ["draft", "add", "x"], ["memo", "add", "last", "y"],
            ["memo", "edit", "last", "1", "z"], ["memo", "move", "last", "1", "1"], ["draft", "hold", "2"],
            ["draft", "hold", "--off", "2"], ["draft", "edit", "last", "--layout", "plain"],
            ["preview", "1", "-o", page], ["export", "1", "-o", file], ["send", "-y"], ["send", "1"], ["send"],
            ["queue", "run"], ["draft", "rm", "2"],
        ] {
            let run = try evergear.run(command + ["-q"])
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(command): \(run)")
        }
        _ = try evergear.file("many/words.jpg", "words")
        for command in [["import", photos.path], ["export", "1", "-o", file], ["draft", "show", "99"]] {
            let run = try evergear.run(command + ["-q"])
            #expect(run.status != 0 && run.errors.hasPrefix("evergear: "), "\(command): \(run)")
        }
    }
}
