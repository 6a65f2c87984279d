import Foundation
import Testing

/// What is imported of photos that are somewhere already, from outside.
@Suite("import, duplicates") struct ImportDuplicateTests {
    private func summary(_ run: Evergear.Run) throws -> (imported: Int, duplicates: [[String: Any]]) {
        #expect(run.status == 0, "\(run)")
        let object = try run.object()
        return (
            try #require(object["imported"] as? Int), try #require(object["duplicates"] as? [[String: Any]])
        )
    }

    /// Another folder with the same files.
    private func copy(of folder: URL, _ evergear: Evergear, _ name: String) throws -> URL {
        let copy = evergear.home.appending(path: name)
        try FileManager.default.copyItem(at: folder, to: copy)
        return copy
    }

    @Test("a photo that another draft has is a duplicate, and --duplicates keep takes it") func otherDraft() throws {
        let evergear = try Evergear()
        let card = try evergear.manyPhotos(3)
        try evergear.run("import", card.path)
        let dry = try summary(evergear.run("import", "-n", "--json", card.path))
        #expect(dry.imported == 0 && dry.duplicates.count == 3, "a rehearsal knows what was taken")
        let copy = try copy(of: card, evergear, "copy")

        let run = try evergear.run("import", "-v", copy.path)
        #expect(run.output.contains("3 files found: 0 imported, 3 duplicates, 0 skipped, 0 failed."), "\(run)")
        #expect(run.output.contains("3 already in draft 1; --duplicates keep imports them all the same."), "\(run)")
        #expect(
            run.errors.contains(
                "duplicate \(copy.path)/IMG_2.jpg, the same as \(card.path)/IMG_2.jpg, in draft 1"), "\(run)")
        let skipped = try summary(evergear.run("import", "--json", copy.path))
        #expect(skipped.imported == 0 && skipped.duplicates.count == 3)
        #expect(skipped.duplicates.allSatisfy { $0["draft"] as? Int == 1 && $0["delivered"] == nil })
        #expect(try evergear.run("draft", "list", "--json").objects().count == 1)

        #expect(try summary(evergear.run("import", "--json", copy.path, "--duplicates", "keep")).imported == 3)
        #expect(try evergear.run("draft", "list", "--json").objects().count == 2)
        let again = try summary(evergear.run("import", "--json", copy.path, "--duplicates", "keep"))
        #expect(again.imported == 0 && again.duplicates.count == 3, "within one draft, a photo is there once")
        #expect(try evergear.run("import", copy.path, "--duplicates", "maybe").status == 64)
    }

    @Test("what was delivered is a duplicate, also where its draft is gone or a converted copy went out")
    func delivered() throws {
        let evergear = try Evergear()
        let card = try evergear.manyPhotos(2)
        try evergear.run("import", card.path)
        #expect(try evergear.run("send", "last", "--layout", "thumbs").status == 0)
        try FileManager.default.copyItem(
            at: card.appending(path: "IMG_1.jpg"), to: card.appending(path: "IMG_1 copy.jpg"))
        for _ in 1...2 {
            let run = try evergear.run("import", card.path)
            #expect(run.output.contains("3 already delivered on "), "\(run)")
            let again = try summary(evergear.run("import", "--json", card.path))
            #expect(again.imported == 0 && again.duplicates.count == 3)
            #expect(again.duplicates.allSatisfy { ($0["delivered"] as? String)?.hasSuffix("Z") == true })
            #expect(again.duplicates.allSatisfy { ($0["of"] as? String)?.hasPrefix(card.path) == true })
            try evergear.run("draft", "rm", "1", "-y")
        }
        #expect(try evergear.run("draft", "list", "--json").output.isEmpty)
        let kept = try summary(evergear.run("import", "--json", card.path, "--duplicates", "keep"))
        #expect(kept.imported == 2 && kept.duplicates.count == 1)
    }

    @Test("a folder that was sent makes a new draft of its late photos only, or of all with --duplicates keep")
    func sentFolder() throws {
        let evergear = try Evergear()
        let card = try evergear.manyPhotos(2)
        try evergear.run("import", card.path)
        try evergear.run("send", "last", "--layout", "plain")
        let late = try evergear.manyPhotos(1, in: "late").appending(path: "IMG_1.jpg")
        try FileManager.default.moveItem(at: late, to: card.appending(path: "late.jpg"))
        let run = try summary(evergear.run("import", "--json", card.path))
        #expect(run.imported == 1 && run.duplicates.count == 2)
        try evergear.run("send", "last", "--layout", "plain")
        #expect(try summary(evergear.run("import", "--json", card.path, "--duplicates", "keep")).imported == 3)
        #expect(try evergear.run("draft", "list", "--json").objects().count == 3)
    }

    @Test("with --into only the photos of that draft count") func into() throws {
        let evergear = try Evergear()
        let card = try evergear.manyPhotos(2)
        try evergear.run("import", card.path)
        try evergear.run("send", "last", "--layout", "plain")
        try evergear.run("draft", "add", "Once more")
        #expect(try summary(evergear.run("import", "--json", card.path, "--into", "last")).imported == 2)
        let again = try summary(evergear.run("import", "--json", card.path, "--into", "last"))
        #expect(again.imported == 0 && again.duplicates.count == 2)
    }

    @Test("a photo that somebody dropped from another draft is not there any more") func dropped() throws {
        let evergear = try Evergear()
        let card = try evergear.manyPhotos(2)
        try evergear.run("import", card.path)
        #expect(try evergear.run("memo", "rm", "last", "1").status == 0)
        let run = try summary(evergear.run("import", "--json", try copy(of: card, evergear, "copy").path))
        #expect(run.imported == 1 && run.duplicates.count == 1)
    }
}
