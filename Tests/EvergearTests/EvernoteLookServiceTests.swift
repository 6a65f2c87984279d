import Foundation
import Testing
import Workbench

/// Looking at an account: its notebooks and tags, and whether what was delivered is as it was sent.
@Suite("looking at Evernote") struct EvernoteLookServiceTests {
    let evergear: Evergear
    let peer: EvernotePeer

    init() throws {
        evergear = try Evergear()
        peer = try EvernotePeer("--tls")
        evergear.use(peer)
    }

    @Test("notebooks are asked once and told with their age; --refresh asks again") func notebooks() throws {
        try peer.official("store.createNotebook(token, Notebook(name='日記 📓'))")
        let first = try evergear.run("notebooks")
        #expect(first.status == 0 && first.output.contains("日記 📓") && first.output.contains("default"), "\(first)")
        let names = try peer.notebooks()
        let rows = try evergear.run("notebooks", "--json").objects()
        #expect(Set(rows.compactMap { $0["guid"] as? String }) == Set(names.keys))
        #expect(rows.first { $0["default"] as? Bool == true }?["name"] as? String == "First Notebook")
        #expect(rows.allSatisfy { $0["asked"] is String })
        #expect(try peer.stats().requests["listNotebooks"] == 2, "once by us, once by the other client")
        try peer.official("store.createNotebook(token, Notebook(name='Later'))")
        #expect(try !evergear.run("notebooks").output.contains("Later"))
        #expect(try evergear.run("notebooks", "--refresh").output.contains("Later"))
        // As if it had been asked two days ago.
        try age(by: 2 * 86_400_000)
        let old = try evergear.run("notebooks")
        #expect(old.errors.contains("2 days ago") && old.errors.contains("--refresh"), "\(old)")
        peer.stop()
        #expect(try evergear.run("notebooks").status == 0)
        let away = try evergear.run("notebooks", "--refresh")
        #expect(away.status == 75 && away.errors.contains("cannot be reached"), "\(away)")
    }

    @Test("tags are asked once and told with their age; --refresh asks again") func tags() throws {
        let none = try evergear.run("tags")
        #expect(none.output.isEmpty && none.errors.contains("There are no tags"), "\(none)")
        try peer.official("store.createTag(token, Tag(name='旅行 🗻')); store.createTag(token, Tag(name='Abc'))")
        #expect(try evergear.run("tags").output.isEmpty)
        #expect(try evergear.run("tags", "--refresh").output == "Abc\n旅行 🗻\n")
        let rows = try evergear.run("tags", "--json").objects()
        #expect(rows.map { $0["name"] as? String } == ["Abc", "旅行 🗻"] && rows.allSatisfy { $0["asked"] is String })
        #expect(try peer.stats().requests["listTags"] == 2)
        try age(by: 3 * 3_600_000)
        #expect(try evergear.run("tags").errors.contains("3 hours ago"))
        #expect(try peer.stats().warnings == [])
    }

    @Test("verify finds what was delivered as it was sent, and whatever has changed since") func verify() throws {
        let photos = try evergear.manyPhotos(2)
        for title in ["same", "retitled", "rewritten", "robbed", "trashed", "expunged"] {
            try evergear.run("draft", "add", title, "--photo", photos.appending(path: "IMG_1.jpg").path)
        }
        try evergear.run("send", "1", "2", "3", "4", "5", "6", "--layout", "full", "--transfers", "1")
        let all = try evergear.run("queue", "verify")
        #expect(all.status == 0 && all.output.components(separatedBy: "as it was sent").count == 7, "\(all)")
        try peer.official(
            """
            from evernote.edam.notestore.ttypes import NoteFilter, NotesMetadataResultSpec
            found = store.findNotesMetadata(token, NoteFilter(), 0, 10, NotesMetadataResultSpec(includeTitle=True)).notes
            guids = {note.title: note.guid for note in found}
            store.updateNote(token, Note(guid=guids["retitled"], title="Other"))
            content = store.getNote(token, guids["rewritten"], True, False, False, False).content
            changed = content.replace("</en-note>", "<div>more</div></en-note>")
            store.updateNote(token, Note(guid=guids["rewritten"], title="rewritten", content=changed))
            empty = content[:content.index("<en-note")] + "<en-note/>"
            store.updateNote(token, Note(guid=guids["robbed"], title="robbed", content=empty, resources=[]))
            store.deleteNote(token, guids["trashed"])
            store.expungeNote(token, guids["expunged"])
            """)
        let run = try evergear.run("queue", "verify", "--json")
        #expect(run.status == 3, "\(run)")
        let verdicts = try run.objects()
        let title = { (row: [String: Any]) in row["title"] as? String ?? "" }
        let told = Dictionary(uniqueKeysWithValues: verdicts.map { (title($0), $0["verdict"] as? String) })
        #expect(
            told == [
                "same": "same", "retitled": "different", "rewritten": "different", "robbed": "different",
                "trashed": "different", "expunged": "missing",
            ])
        let differences = Dictionary(
            uniqueKeysWithValues: verdicts.map { (title($0), $0["differences"] as? [String] ?? []) })
        #expect(differences["retitled"] == ["the title"] && differences["rewritten"] == ["the text"])
        #expect(differences["robbed"] == ["the text", "IMG_1.jpg is missing"])
        #expect(differences["trashed"]?.first?.contains("trash") == true)
        let missing = try evergear.run("queue", "verify", "6")
        #expect(missing.status == 1 && missing.errors.contains("not there any more"), "\(missing)")
        #expect(try evergear.run("queue", "verify", "1").status == 0)
        #expect(try evergear.run("queue", "verify", "99").status == 66)
        #expect(try peer.stats().warnings == [])
        peer.stop()
        let away = try evergear.run("queue", "verify", "1")
        #expect(away.status == 75 && away.errors.contains("could not be looked at"), "\(away)")
    }

    @Test("verify finds the bytes of a photo changed at the service") func bytes() throws {
        try evergear.run("draft", "add", "x", "--photo", ImportCommandTests.somePhoto().path)
        try evergear.run("send", "last", "--layout", "full")
        let hash = try #require(try evergear.frozen(1).resources.first?.md5)
        try peer.damage(hash)
        let run = try evergear.run("queue", "verify", "--json")
        #expect(run.status == 1, "\(run)")
        #expect((try run.object()["differences"] as? [String])?.count == 1, "\(run)")
    }

    @Test("verify looks into ENEX files too") func enex() throws {
        evergear.environment["EVERGEAR_TO"] = nil
        for title in ["a", "b", "c"] {
            try evergear.run("draft", "add", title, "--notebook", title, "--photo", ImportCommandTests.somePhoto().path)
        }
        try evergear.run("send", "-y", "--layout", "full")
        #expect(try evergear.run("queue", "verify").status == 0)
        let files = try evergear.enexFiles()
        #expect(files.map(\.lastPathComponent) == ["a.enex", "b.enex", "c.enex"])
        try FileManager.default.removeItem(at: files[0])
        let text = try String(contentsOf: files[1], encoding: .utf8)
        try text.replacingOccurrences(of: "<title>b</title>", with: "<title>B</title>")
            .write(to: files[1], atomically: true, encoding: .utf8)
        let rows = try evergear.run("queue", "verify", "--json").objects()
        #expect(rows.map { $0["verdict"] as? String } == ["missing", "different", "same"])
        try Data("no ENEX".utf8).write(to: files[1])
        let broken = try evergear.run("queue", "verify", "2")
        #expect(broken.status != 0 && broken.errors.contains("job 2"), "\(broken)")
    }

    @Test("plan says what the account takes and what is left of it") func plan() throws {
        try evergear.run("draft", "add", "x", "--photo", ImportCommandTests.somePhoto().path)
        let run = try evergear.run("plan", "last")
        #expect(run.status == 0 && run.output.contains("of this month's upload left"), "\(run)")
        // EDAM_NOTE_SIZE_MAX_PREMIUM of the interface.
        #expect(run.output.contains("notes of up to 210 MB") || run.output.contains("notes of up to 200 MB"), "\(run)")
        let note = try #require(
            (try evergear.run("plan", "last", "--json").object()["notes"] as? [[String: Any]])?.first)
        #expect(note["reason"] is NSNull)
        #expect(try evergear.run("plan", "last", "--to", "evernote").status == 0)
        #expect(try !evergear.run("plan", "last", "--to", "enex").output.contains("upload left"))
        #expect(try peer.stats().requests["createNote"] == nil)
        // Known limits hold while nobody answers.
        peer.stop()
        let away = try evergear.run("plan", "last")
        #expect(away.status == 0 && away.output.contains("of this month's upload left"), "\(away)")
        #expect(away.errors.contains("could not be asked"), "\(away)")
    }

    /// Makes what was heard older.
    private func age(by milliseconds: Int64) throws {
        let file = evergear.home.appending(path: "accounts.json")
        let read = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        var entries = try #require(read as? [String: [String: Any]])
        for (service, var entry) in entries {
            for name in ["notebooksAsked", "tagsAsked"] {
                if let asked = entry[name] as? Int64 { entry[name] = asked - milliseconds }
            }
            entries[service] = entry
        }
        try JSONSerialization.data(withJSONObject: entries).write(to: file)
    }
}
