import Foundation
import System
import Testing
import Workbench

/// Who may come in, and where the token is seen: nowhere.
@Suite("the token for Evernote") struct EvernoteAccessServiceTests {
    let evergear: Evergear

    init() throws { evergear = try Evergear() }

    /// The files of the program's home, but the one that the token is kept in.
    private func filesWith(_ secret: String) throws -> [String] {
        let needle = Data(secret.utf8)
        let names = try FileManager.default.subpathsOfDirectory(atPath: evergear.home.path)
        return names.filter { name in
            let content = try? Data(contentsOf: evergear.home.appending(path: name))
            return name != "access.json" && content?.range(of: needle) != nil
        }
    }

    @Test("without a token what is sent is queued, and goes once there is one") func none() throws {
        let peer = try EvernotePeer("--tls")
        evergear.use(peer, token: nil)
        try evergear.run("draft", "add", "waits")
        let run = try evergear.run("send", "last")
        #expect(run.status == 77 && run.errors.contains("auth login") && run.errors.contains("--to enex"), "\(run)")
        #expect(try evergear.standing(ofJob: 1).state == "queued")
        #expect(try peer.stats().requests == [:])
        let status = try evergear.run("auth", "status")
        #expect(status.status == 77 && status.output.contains("No account is needed for ENEX"), "\(status)")
        let login = try evergear.run("auth", "login", input: peer.token + "\n")
        let owner = try peer.owner().name
        #expect(login.status == 0 && login.output.contains(owner), "\(login)")
        let sent = try evergear.run("queue", "run")
        #expect(sent.status == 0, "\(sent)")
        #expect(try peer.notes().map(\.title) == ["waits"])
        #expect(try peer.stats().warnings == [])
    }

    @Test("a token that comes by the environment lets what waited go, as a login does") func environment() throws {
        let peer = try EvernotePeer()
        evergear.use(peer, token: nil)
        try evergear.run("draft", "add", "waits")
        #expect(try evergear.run("send", "last").status == 77)
        #expect(try evergear.run("queue", "run").status == 77)
        evergear.environment["EVERGEAR_TOKEN"] = "S=s1:U=1:E=fff:wrong"
        let wrong = try evergear.run("queue", "run")
        #expect(wrong.status == 77 && wrong.errors.contains("does not accept the token"), "\(wrong)")
        // One that was refused is not tried again before somebody has looked.
        evergear.environment["EVERGEAR_TOKEN"] = peer.token
        #expect(try evergear.run("queue", "run").status == 77)
        #expect(try evergear.run("auth", "status").status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try peer.notes().count == 1)
    }

    @Test("login takes a token from the standard input, a file, or a command that runs at each use") func ways() throws
    {
        let peer = try EvernotePeer("--tls")
        evergear.use(peer, token: nil)
        let file = try evergear.file("token.txt", "  \(peer.token)\n")
        #expect(try evergear.run("auth", "login", "--token-file", file.path).status == 0)
        #expect(try evergear.run("auth", "status").status == 0)
        #expect(try evergear.run("auth", "logout").status == 0)
        #expect(try evergear.run("auth", "status").status == 77)

        // The command notes what it was run with.
        let ran = evergear.home.appending(path: "ran")
        let command = "env >> '\(ran.path)'; cat '\(file.path)'"
        evergear.environment["EVERGEAR_TOKEN"] = "S=s1:U=9:from-the-environment"
        let login = try evergear.run("auth", "login", "--token-command", command)
        #expect(login.status == 0, "\(login)")
        evergear.environment["EVERGEAR_TOKEN"] = nil
        func runs() throws -> Int {
            try String(contentsOf: ran, encoding: .utf8).components(separatedBy: "EVERGEAR_HOME=").count - 1
        }
        let before = try runs()
        #expect(before == 1)
        #expect(try evergear.run("auth", "status").status == 0)
        try evergear.run("draft", "add", "x")
        #expect(try evergear.run("send", "last").status == 0)
        #expect(try runs() > before + 1)
        #expect(try !String(contentsOf: ran, encoding: .utf8).contains("EVERGEAR_TOKEN"))
        let kept = try String(contentsOf: evergear.home.appending(path: "access.json"), encoding: .utf8)
        #expect(!kept.contains(peer.token))
        // It is not there any more: nothing of what it is, or says, is told but its name.
        try FileManager.default.removeItem(at: file)
        let failed = try evergear.run("notebooks", "--refresh")
        #expect(failed.status == 77 && failed.errors.contains("Run it by hand"), "\(failed)")
        for tokens in [["--token-file", ran.path, "--token-command", "true"], ["--token-file", "nowhere"]] {
            #expect([64, 66].contains(try evergear.run(["auth", "login"] + tokens).status))
        }
        #expect(try evergear.run("auth", "login", input: "two words\n").status == 77)
        #expect(try evergear.run("auth", "login", input: "").status == 77)
    }

    @Test("a token that the service refuses is not kept; one that could not be tried is") func refused() throws {
        let peer = try EvernotePeer("--tls", "--expired-token", "S=s1:U=2:E=1:old")
        evergear.use(peer, token: nil)
        for token in ["S=s1:U=1:E=fff:wrong", "S=s1:U=2:E=1:old", "no-classic-form"] {
            let run = try evergear.run("auth", "login", input: token)
            #expect(run.status == 77 && run.errors.contains("auth login"), "\(run)")
            #expect(!run.errors.contains(token) && !run.output.contains(token))
            #expect(try evergear.run("auth", "status").status == 77)
        }
        peer.stop()
        let run = try evergear.run("auth", "login", input: peer.token)
        #expect(run.status == 75 && run.errors.contains("could not be tried"), "\(run)")
        try peer.restart()
        evergear.environment["EVERGEAR_CA_FILE"] = peer.caFile?.description
        #expect(try evergear.run("auth", "status").status == 0)
    }

    @Test("a token that may only read sends nothing, and a new one sends what waited") func reading() throws {
        let reader = "S=s1:U=1:E=fffffffffff:reader"
        let peer = try EvernotePeer("--readonly-token", reader)
        evergear.use(peer, token: nil)
        #expect(try evergear.run("auth", "login", input: reader).status == 0)
        try evergear.run("draft", "add", "x")
        let run = try evergear.run("send", "last")
        #expect(run.status == 77 && run.errors.contains("auth login"), "\(run)")
        #expect(try evergear.standing(ofJob: 1).state == "queued")
        #expect(try evergear.run("auth", "login", input: peer.token).status == 0)
        #expect(try evergear.run("queue", "run").status == 0)
        #expect(try peer.notes().count == 1)
    }

    @Test("status tells whose account it is, what it takes and what is left, for people and for machines")
    func status() throws {
        let peer = try EvernotePeer("--account", "free")
        let expiry = Int(Date().timeIntervalSince1970 * 1000) + 100 * 86_400_000 + 3_600_000
        evergear.use(peer, token: nil)
        let login = try evergear.run("auth", "login", "--json", input: peer.token).object()
        #expect(login["reachable"] as? Bool == true && login["token_from"] as? String == "kept", "\(login)")
        let photo = try ImportCommandTests.somePhoto().path
        try evergear.run("draft", "add", "x", "--photo", photo)
        #expect(try evergear.run("send", "last", "--layout", "full").status == 0)
        let status = try evergear.run("auth", "status", "--json").object()
        #expect(
            Set(status.keys) == [
                "service", "reachable", "user", "name", "plan", "upload_limit", "upload_left", "upload_until",
                "note_size_max", "resource_size_max", "notes_max", "notebooks_max", "tags_max", "asked", "token_from",
                "token_expires", "token_days_left", "problem",
            ])
        let owner = try peer.owner()
        #expect(status["name"] as? String == owner.name && status["user"] as? String == owner.user, "\(status)")
        // Numbers of the interface for a free account.
        #expect(status["upload_limit"] as? Int == 62_914_560 && status["note_size_max"] as? Int == 26_214_400)
        #expect(status["upload_left"] as? Int == 62_914_560 - (try peer.stats().uploaded), "\(status)")
        #expect(status["upload_until"] is String && status["problem"] is NSNull)
        let text = try evergear.run("auth", "status").output
        for words in [owner.name, "left this month", "begins in 30 days", "files of", "kept here"] {
            #expect(text.contains(words), "\(text)")
        }
        // The end that a token of the classic form tells; the service need not be there for it.
        peer.stop()
        evergear.environment["EVERGEAR_TOKEN"] = "S=s1:U=1:E=\(String(expiry, radix: 16)):H=0"
        let away = try evergear.run("auth", "status", "--json")
        #expect(away.status == 75)
        let told = try away.object()
        #expect(told["reachable"] as? Bool == false && told["token_days_left"] as? Int == 100, "\(away)")
        #expect(told["token_from"] as? String == "environment" && told["problem"] is String)
        #expect(told["name"] as? String == owner.name, "what was heard last")
        evergear.environment["EVERGEAR_TOKEN"] = "S=s1:U=1:E=1:H=0"
        #expect(try evergear.run("auth", "status").output.contains("It expired"), "and says so")
    }

    @Test("the token is seen in no output, no error, no log and no file but the one that only its owner can read")
    func secrecy() throws {
        let secret = "S=s1:U=1:E=fffffffffff:C=1:P=1:A=en:V=2:H=0123456789abcdef"
        let peer = try EvernotePeer("--tls", "--token", secret)
        evergear.use(peer, token: nil)
        _ = try evergear.file("config.json5", "{ token: '\(secret)' }")
        var runs: [Evergear.Run] = [try evergear.run("draft", "list")]
        _ = try evergear.file("config.json5", "{}")
        runs.append(try evergear.run("auth", "login", secret))
        runs.append(try evergear.run("auth", "login", "-v", input: secret))
        let kept = evergear.home.appending(path: "access.json")
        let mode = try FileManager.default.attributesOfItem(atPath: kept.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOf: kept, encoding: .utf8).contains(secret))

        try evergear.run("draft", "add", "x", "--photo", ImportCommandTests.somePhoto().path)
        // The other side repeats it in what it answers.
        for fault in [
            EvernotePeer.Fault("createNote", .user, code: "BAD_DATA_FORMAT", parameter: secret),
            .init("createNote", .system, code: "INTERNAL_ERROR", message: secret),
            .init("createNote", .notFound, identifier: secret, key: secret),
            .init("createNote", .http, status: 500), .init("createNote", .garbage, bytes: 40),
        ] {
            try peer.replaceFaults([fault])
            runs.append(try evergear.run("send", "last", "--again", "-v", "--json"))
            runs.append(try evergear.run("send", "last", "--again", "-v"))
        }
        try peer.replaceFaults([])
        for command in [
            ["queue", "run", "-v"], ["queue", "list", "--all", "--json"],
            ["queue", "show", "1", "--content", "--json"],
            ["queue", "log", "1"], ["queue", "status"], ["queue", "verify", "-v"], ["auth", "status", "-v"],
            ["auth", "status", "--json"], ["notebooks", "--refresh", "-v"], ["tags", "--refresh", "--json"],
            ["plan", "last", "-v"],
        ] { runs.append(try evergear.run(command)) }
        evergear.environment["EVERGEAR_TOKEN"] = "not \(secret)"
        runs.append(try evergear.run("auth", "status"))
        evergear.environment["EVERGEAR_TOKEN"] = nil
        _ = try evergear.file("access.json", "{\"\(peer.address)\": {\"token\": \"\(secret)\", }")
        runs.append(try evergear.run("auth", "status"))
        #expect(runs.last?.status == 77)
        for run in runs { #expect(!run.output.contains(secret) && !run.errors.contains(secret), "\(run)") }
        #expect(try filesWith(secret) == [])
    }

    @Test("EVERGEAR_TOKEN reaches no program that is started") func children() throws {
        let peer = try EvernotePeer()
        evergear.use(peer, token: peer.token)
        let seen = evergear.home.appending(path: "seen")
        let script = try evergear.script("noting.sh", "env >> '\(seen.path)'")
        evergear.environment["EDITOR"] = script.path
        #expect(try evergear.run("draft", "add", "x").status == 0)
        try evergear.run("draft", "edit", "last")

        // A decoder that notes what it was started with, and is then the decoder.
        let bin = evergear.home.appending(path: "installed")
        try evergear.copyPrograms("evergear", to: bin)
        let built = Evergear.binary.deletingLastPathComponent()
        _ = try evergear.script(
            "installed/evergear-imaging", "env >> '\(seen.path)'\nexec '\(built.path)/evergear-imaging' \"$@\"")
        try FileManager.default.createDirectory(
            at: evergear.home.appending(path: "share/evergear"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: evergear.home.appending(path: "share/evergear/templates"),
            withDestinationURL: Evergear.fixtures.deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "templates"))
        try evergear.run("memo", "add", "last", "--photo", ImportCommandTests.somePhoto().path)
        let run = try evergear.run(
            ["send", "last", "--layout", "thumbs"], program: bin.appending(path: "evergear"))
        #expect(run.status == 0, "\(run)")
        let text = try String(contentsOf: seen, encoding: .utf8)
        #expect(text.components(separatedBy: "PWD=").count > 2, "both were started: \(text)")
        #expect(!text.contains("EVERGEAR_TOKEN") && !text.contains(peer.token))
    }
}
