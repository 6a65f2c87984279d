import Foundation
import Testing

@Suite("exit statuses and messages") struct UsageTests {
    @Test(
        "a wrong command line is status 64 and one sentence",
        arguments: [
            ["nonsense"], ["draft", "nonsense"], ["draft", "add", "x", "--nonsense"], ["send", "--layout"],
            ["draft", "add", "x", "--at", "yesterday"], ["draft", "add", "x", "--place", "95,200"],
            ["draft", "add", "x", "--layout", "sideways"], ["import"], ["import", "--since", "2026-13-01", "."],
            ["send", "--photos-per-note", "101"], ["send", "--photos-per-note", "0"],
            ["import", ".", "--time-zone", "Asia/Tokio"],
        ])
    func usage(_ arguments: [String]) throws {
        let evergear = try Evergear()
        let run = try evergear.run(arguments)
        #expect(run.status == 64, "\(arguments): \(run)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("evergear: "), "\(run)")
    }

    @Test("the help of every command goes to standard output, status 0") func help() throws {
        let evergear = try Evergear()
        let commands = [
            [], ["draft"], ["draft", "add"], ["draft", "edit"], ["memo", "add"], ["import"], ["upload"], ["plan"],
            ["send"],
            ["export"], ["preview"], ["queue"], ["queue", "status"], ["explain"],
        ]
        for command in commands {
            let run = try evergear.run(command + ["--help"])
            #expect(run.status == 0, "\(command): \(run)")
            #expect(run.output.contains("USAGE") || run.output.contains("Usage"), "\(command): \(run)")
            #expect(run.errors.isEmpty, "\(command)")
        }
    }

    @Test("a configuration with an unknown key or broken text is status 78") func configuration() throws {
        let evergear = try Evergear()
        _ = try evergear.file("config.json5", "{ layuot: 'thumbs' }")
        let unknown = try evergear.run("draft", "list")
        #expect(unknown.status == 78)
        #expect(unknown.errors.contains("layuot") && unknown.errors.contains("config.json5"), "\(unknown)")
        _ = try evergear.file("config.json5", "{ layout: ")
        #expect(try evergear.run("draft", "list").status == 78)
        _ = try evergear.file("config.json5", "// a comment\n{ layout: 'thumbs', }")
        #expect(try evergear.run("draft", "list").status == 0)
        // A stylesheet that the setting names: not there, and there, as seen from anywhere.
        try evergear.run("draft", "add", "Title")
        _ = try evergear.file("config.json5", "{ layout: '/none/mine.xsl' }")
        #expect(try evergear.run("plan", "last").status == 78)
        _ = try evergear.file("config.json5", "{ layout: '~/mine.xsl' }")
        #expect(try evergear.run("plan", "last").status == 78)
        _ = try evergear.file(
            "mine.xsl",
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:import href='full.xsl'/></xsl:stylesheet>"
        )
        evergear.environment["HOME"] = evergear.home.path
        let own = try evergear.run("plan", "last")
        #expect(own.status == 0, "\(own)")
    }

    @Test("a store made by a newer evergear is refused with a sentence") func newerStore() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "x")
        let store = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: evergear.home.path).first {
                $0.hasSuffix(".sqlite") || $0.hasSuffix(".db")
            })
        let sqlite = Process()
        sqlite.executableURL = URL(filePath: "/usr/bin/env")
        sqlite.arguments = [
            "python3", "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=9999'); c.commit()",
            evergear.home.appending(path: store).path,
        ]
        try sqlite.run()
        sqlite.waitUntilExit()
        let run = try evergear.run("draft", "list")
        #expect(run.status == 78 || run.status == 1, "\(run)")
        #expect(run.errors.contains("newer"), "\(run)")
    }
}
