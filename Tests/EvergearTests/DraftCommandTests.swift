import Foundation
import Testing

@Suite("draft and memo commands") struct DraftCommandTests {
    @Test("the first line of a draft is its title") func firstLineIsTitle() throws {
        let evergear = try Evergear()
        let added = try evergear.run("draft", "add", "--json", "Rain on the ridge\nWe turned back at noon.")
        #expect(added.status == 0)
        let draft = try added.object()
        #expect(draft["title"] as? String == "Rain on the ridge")
        #expect(draft["id"] as? Int == 1)

        let shown = try evergear.run("draft", "show", "1")
        #expect(shown.status == 0)
        #expect(shown.output.contains("Rain on the ridge"))
        #expect(shown.output.contains("We turned back at noon."))
    }

    @Test("a draft comes from standard input, from a file, and from several words")
    func sourcesOfText() throws {
        let evergear = try Evergear()
        let file = try evergear.file("note.txt", "From a file\nbody")
        #expect(
            try evergear.run("draft", "add", "-", "--json", input: "From stdin\nx").object()["title"] as? String
                == "From stdin")
        #expect(
            try evergear.run("draft", "add", "-f", file.path, "--json").object()["title"] as? String == "From a file")
        #expect(try evergear.run("draft", "add", "two", "words", "--json").object()["title"] as? String == "two words")
        let list = try evergear.run("draft", "list", "--json").objects()
        #expect(list.compactMap { $0["title"] as? String } == ["From stdin", "From a file", "two words"])
    }

    @Test("a draft is named by its number, its uid, its address, or last") func namesOfADraft() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "one")
        let uid = try #require(try evergear.run("draft", "add", "two", "--json").object()["uid"] as? String)
        for name in ["2", "last", "evergear://draft/\(uid)"] {
            let shown = try evergear.run("draft", "show", name, "--json")
            #expect(try shown.object()["title"] as? String == "two", "\(name)")
        }
        for name in ["3", "evergear://draft/01234567-89ab-7def-8123-456789abcdef"] {
            let run = try evergear.run("draft", "show", name)
            #expect(run.status == 66, "\(name): \(run)")
            #expect(run.errors.hasPrefix("evergear: "))
        }
        for name in ["0", "-1", "nothing", "evergear://draft/x"] {
            #expect(try evergear.run("draft", "show", "--", name).status == 64, "\(name)")
        }
    }

    @Test("notebook, tags, layout, time and place are kept") func attributesAreKept() throws {
        let evergear = try Evergear()
        try evergear.run(
            "draft", "add", "Lake", "--notebook", "Travel", "--tag", "biwa", "--tag", "bicycle", "--layout",
            "thumbs-full",
            "--at", "2026-05-03T05:48+09:00", "--place", "-33.8598,151.2083")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        #expect(draft["notebook"] as? String == "Travel")
        #expect(draft["tags"] as? [String] == ["biwa", "bicycle"])
        #expect(draft["layout"] as? String == "thumbs+full")
        #expect(draft["time"] as? String == "2026-05-03T05:48:00+09:00")
        let place = try #require(draft["place"] as? [String: Any])
        #expect(place["latitude"] as? Double == -33.8598)
        #expect(place["longitude"] as? Double == 151.2083)
    }

    @Test("a memo takes time and place from its photo") func memoFromPhoto() throws {
        let evergear = try Evergear()
        let photo = Evergear.fixtures.appending(path: "2024-05-01 Hakone/IMG_0409.JPG").path
        try evergear.run("draft", "add", "One photo")
        let explained = try evergear.run("explain", "--json", photo).object()
        let added = try evergear.run("memo", "add", "last", "By the water", "--photo", photo)
        #expect(added.status == 0, "\(added)")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        let memo = try #require((draft["memos"] as? [[String: Any]])?.first)
        #expect(memo["text"] as? String == "By the water")
        let captured = try #require(explained["captured"] as? String)
        #expect((memo["time"] as? String)?.hasPrefix(captured) == true)
        #expect((memo["photos"] as? [[String: Any]])?.count == 1)
    }

    @Test("memos are edited, moved and removed") func memosChange() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        for text in ["a", "b", "c"] { try evergear.run("memo", "add", "last", text) }
        func texts() throws -> [String] {
            let draft = try evergear.run("draft", "show", "last", "--json").object()
            return try #require(draft["memos"] as? [[String: Any]]).compactMap { $0["text"] as? String }
        }
        #expect(try texts() == ["a", "b", "c"])
        #expect(try evergear.run("memo", "move", "last", "3", "1").status == 0)
        #expect(try texts() == ["c", "a", "b"])
        // A memo is named by its number, which it keeps while it moves.
        #expect(try evergear.run("memo", "edit", "last", "1", "changed").status == 0)
        #expect(try texts() == ["c", "changed", "b"])
        #expect(try evergear.run("memo", "rm", "last", "3").status == 0)
        #expect(try texts() == ["changed", "b"])
        #expect(try evergear.run("memo", "rm", "last", "9").status == 66)
        #expect(try texts() == ["changed", "b"])
    }

    @Test("a whole draft is edited as one text file") func editAsFile() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title\nBody")
        for text in ["first", "second", "third"] { try evergear.run("memo", "add", "last", text) }
        evergear.environment["EDITOR"] = "cat"
        let printed = try evergear.run("draft", "edit", "last")
        #expect(printed.status == 0, "\(printed)")
        let edit = "New title\nNew body\n\n[3]\nthird, now first\n\n[1]\nfirst\n"
        let run = try evergear.run("draft", "edit", "last", "--from", "-", input: edit)
        #expect(run.status == 0, "\(run)")
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        #expect(draft["title"] as? String == "New title")
        #expect(
            try #require(draft["memos"] as? [[String: Any]]).compactMap { $0["text"] as? String } == [
                "third, now first", "first",
            ])
    }

    @Test("a mistake in the edited text gives line and reason and changes nothing") func editMistake() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try evergear.run("memo", "add", "last", "first")
        let before = try evergear.run("draft", "show", "last", "--json").output
        let run = try evergear.run("draft", "edit", "last", "--from", "-", input: "Title\n\n[7]\nno such memo\n")
        #expect(run.status == 65)
        #expect(run.errors.contains("line 3"), "\(run)")
        #expect(try evergear.run("draft", "show", "last", "--json").output == before)
    }

    @Test("all drafts and jobs that are named are known before anything happens to one of them") func named() throws {
        let evergear = try Evergear()
        for title in ["1", "2", "3"] { try evergear.run("draft", "add", title) }
        let ids = { try evergear.run("draft", "list", "--json").objects().compactMap { $0["id"] as? Int } }
        #expect(try evergear.run("draft", "rm", "1", "99", "2").status == 66)
        #expect(try evergear.run("draft", "hold", "1", "99").status == 66)
        #expect(try ids() == [1, 2, 3])
        #expect(try !evergear.run("draft", "show", "1").output.contains("held"))
        let removed = try evergear.run("draft", "rm", "3", "last", "last")
        #expect(removed.status == 0, "\(removed)")
        #expect(try ids() == [1, 2], "the last is one of those that are there at the beginning")
        try evergear.run("send", "1", "--no-wait")
        let cancelled = try evergear.run("queue", "cancel", "1", "1")
        #expect(cancelled.status == 0, "\(cancelled)")
    }

    @Test("an input that is nobody's takes no words away from a memo") func nobodysInput() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "Title")
        try evergear.run("memo", "add", "last", "first")
        for input in ["", "2\n3\n"] {
            let run = try evergear.run("memo", "edit", "last", "1", input: input)
            #expect(run.status == 64 && run.errors.contains("a lone - to read them"), "\(run)")
        }
        #expect(try evergear.run("memo", "edit", "last", "1", "-", input: "second").status == 0)
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        #expect((draft["memos"] as? [[String: Any]])?.first?["text"] as? String == "second")
    }

    @Test("a time that no ENEX file can say is refused") func farTimes() throws {
        let evergear = try Evergear()
        for time in ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00+09:00"] {
            #expect(try evergear.run("draft", "add", "Far", "--at", time).status == 64)
        }
        for time in ["9999-12-31T23:59:59Z", "0001-01-01T00:00Z"] {
            #expect(try evergear.run("draft", "add", "Far", "--at", time).status == 0)
        }
    }

    @Test("a draft is removed, and a held one is not sent by itself") func removeAndHold() throws {
        let evergear = try Evergear()
        try evergear.run("draft", "add", "one")
        try evergear.run("draft", "add", "two")
        #expect(try evergear.run("draft", "rm", "1").status == 0)
        #expect(try evergear.run("draft", "show", "1").status == 66)
        #expect(try evergear.run("draft", "hold", "2").status == 0)
        let sent = try evergear.run("send")
        #expect(sent.status == 0)
        #expect(sent.output.contains("othing to send") || sent.errors.contains("othing to send"), "\(sent)")
    }

    @Test("a text without a single word is refused") func emptyText() throws {
        let evergear = try Evergear()
        let run = try evergear.run("draft", "add", "-", input: " \n\n")
        #expect(run.status == 65, "\(run)")
        #expect(try evergear.run("draft", "list", "--json").output.isEmpty)
    }
}
