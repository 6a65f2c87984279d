import Foundation
import Testing

/// kill -9 at any moment: what was acknowledged is there, nothing is half, and the same command completes the rest.
@Suite("sudden death") struct KillTests {
    @Test("draft add: an acknowledged draft is there, any other is whole or absent") func draftAdd() throws {
        let evergear = try Evergear()
        var dice = Dice()
        let photo = try ImportCommandTests.somePhoto().path
        func words(_ title: String) -> [String] {
            ["draft", "add", "--json", "--photo", photo, "--tag", "a", "--tag", "b", "\(title)\nbody of \(title)"]
        }
        var time = try evergear.time(words("first"))
        var acknowledged: [String] = ["first"]
        var kills = 0
        for number in 1...14 {
            let ended = try evergear.killed(words("draft \(number)"), within: &time, &dice)
            kills += ended.wasRunning ? 1 : 0
            if ended.run.output.hasSuffix("\n") { acknowledged.append("draft \(number)") }
            #expect(try evergear.damage() == "", "seed \(dice.seed), draft \(number), \(ended)")
        }
        let drafts = try evergear.run("draft", "list", "--json").objects()
        let titles = drafts.compactMap { $0["title"] as? String }
        #expect(Set(titles).count == titles.count, "seed \(dice.seed): \(titles)")
        #expect(Set(titles).isSuperset(of: acknowledged), "seed \(dice.seed): \(titles), acknowledged \(acknowledged)")
        for title in titles {
            let id = try #require(drafts.first { $0["title"] as? String == title }?["id"] as? Int)
            let draft = try evergear.run("draft", "show", "\(id)", "--json").object()
            #expect((draft["text"] as? String) == "\(title)\nbody of \(title)", "seed \(dice.seed)")
            #expect(draft["tags"] as? [String] == ["a", "b"], "seed \(dice.seed)")
            let memos = try #require(draft["memos"] as? [[String: Any]])
            #expect(memos.map { ($0["photos"] as? [Any])?.count } == [1], "seed \(dice.seed)")
        }
        #expect(kills > 0)
    }

    @Test("draft edit: the draft is the old one or the new one") func draftEdit() throws {
        let evergear = try Evergear()
        var dice = Dice()
        try evergear.run("draft", "add", "Title\nold")
        let memos = (1...40).map { "[new]\nmemo \($0)\n" }.joined(separator: "\n")
        try evergear.run("draft", "edit", "last", "--from", "-", input: "Title\nold\n\n" + memos)
        let old = try evergear.run("draft", "edit", "last", "--print").output
        let blocks = (1...40).reversed().map { "[\($0)]\nmemo \($0), changed\n" }
        var time = try evergear.time(
            ["draft", "edit", "last", "--from", "-"], input: "Title\nnew\n\n" + blocks.joined(separator: "\n"))
        let new = try evergear.run("draft", "edit", "last", "--print").output
        #expect(try evergear.run("draft", "edit", "last", "--from", "-", input: old).status == 0)
        #expect(try evergear.run("draft", "edit", "last", "--print").output == old)
        var kills = 0
        for number in 1...14 {
            let wanted = number % 2 == 1 ? new : old
            let before = try evergear.run("draft", "edit", "last", "--print").output
            let ended = try evergear.killed(
                ["draft", "edit", "last", "--from", "-"], input: wanted, within: &time, &dice)
            kills += ended.wasRunning ? 1 : 0
            let after = try evergear.run("draft", "edit", "last", "--print").output
            let why: Comment = "seed \(dice.seed), edit \(number), \(ended)"
            #expect(after == wanted || after == before, why)
            if ended.run.output.contains("hanged") { #expect(after == wanted, why) }
            #expect(try evergear.damage() == "", why)
        }
        #expect(kills > 0)
    }

    @Test("memo add: an acknowledged memo is there with all of its photos") func memoAdd() throws {
        let evergear = try Evergear()
        var dice = Dice()
        let photos = try evergear.manyPhotos(30)
        try evergear.run("draft", "add", "Title")
        func words(_ number: Int) -> [String] {
            let files = [number * 2 - 1, number * 2].map { photos.appending(path: "IMG_\($0).jpg").path }
            return ["memo", "add", "last", "memo \(number)", "--json", "--photo", files[0], "--photo", files[1]]
        }
        var time = try evergear.time(words(15))
        var acknowledged = ["memo 15"]
        for number in 1...12 {
            let ended = try evergear.killed(words(number), within: &time, &dice)
            if ended.run.output.hasSuffix("\n") { acknowledged.append("memo \(number)") }
            let memos = try #require(
                try evergear.run("draft", "show", "last", "--json").object()["memos"] as? [[String: Any]])
            let texts = memos.compactMap { $0["text"] as? String }
            let why: Comment = "seed \(dice.seed), memo \(number), \(ended)"
            #expect(Set(texts).isSuperset(of: acknowledged) && Set(texts).count == texts.count, why)
            #expect(memos.allSatisfy { ($0["photos"] as? [Any])?.count == 2 }, why)
            #expect(try evergear.damage() == "", why)
        }
    }

    @Test("import: the same command completes, and no photo is there twice") func importFolder() throws {
        var dice = Dice()
        let count = 80
        let seedHome = try Evergear()
        let photos = try seedHome.manyPhotos(count)
        var time = try seedHome.time(["import", photos.path])
        var evergear = try Evergear()
        var partly = 0
        for number in 1...10 {
            let ended = try evergear.killed(["import", photos.path], within: &time, &dice)
            let why: Comment = "seed \(dice.seed), import \(number), \(ended)"
            guard FileManager.default.fileExists(atPath: evergear.home.appending(path: "store.sqlite").path) else {
                continue
            }
            // The store may be an empty file yet: opening it makes it whole.
            let drafts = try evergear.run("draft", "list", "--json")
            #expect(drafts.status == 0, why)
            #expect(try evergear.damage() == "", why)
            let here = try drafts.objects().first.flatMap { $0["photos"] as? Int } ?? 0
            partly += here > 0 && here < count ? 1 : 0
            // Every third goes on where the death left it; the others begin anew.
            if number % 3 == 0 || here == count {
                let rest = try evergear.run("import", "--json", photos.path)
                #expect(rest.status == 0, why)
                let summary = try rest.object()
                #expect(summary["imported"] as? Int == count - here, why)
                #expect((summary["duplicates"] as? [Any])?.count == here, why)
                let draft = try evergear.run("draft", "show", "last", "--json").object()
                let names = try #require(draft["memos"] as? [[String: Any]]).compactMap {
                    ($0["photos"] as? [[String: Any]])?.first?["name"] as? String
                }
                #expect(names == (1...count).map { "IMG_\($0).jpg" }, why)
                #expect(try evergear.damage() == "", why)
                let left = try FileManager.default.contentsOfDirectory(
                    atPath: evergear.home.appending(path: "temporary").path)
                #expect(left.isEmpty, why)
                evergear = try Evergear()
            }
        }
    }

    @Test("send: every note arrives exactly once, and no file is half") func send() throws {
        let evergear = try Evergear()
        var dice = Dice()
        let photos = try evergear.manyPhotos(24)
        func draft(_ number: Int) throws {
            let file = photos.appending(path: "IMG_\(number).jpg").path
            let run = try evergear.run(
                "draft", "add", "Note \(number)", "--notebook", "Book \(number % 3)", "--photo", file)
            #expect(run.status == 0)
        }
        try draft(24)
        var time = try evergear.time(["send", "-y", "--layout", "plain"])
        var kills = 0
        for number in 1...12 {
            try draft(2 * number - 1)
            if number < 12 { try draft(2 * number) }
            let ended = try evergear.killed(["send", "-y", "--layout", "plain"], within: &time, &dice)
            kills += ended.wasRunning ? 1 : 0
            let why: Comment = "seed \(dice.seed), send \(number), \(ended)"
            #expect(try evergear.damage() == "", why)
            let addresses = try evergear.delivered().map(\.address)
            #expect(Set(addresses).count == addresses.count, why)
        }
        #expect(kills > 0)
        let run = try evergear.run("send", "-y", "--layout", "plain")
        #expect(run.status == 0, "seed \(dice.seed): \(run)")
        let notes = try evergear.delivered()
        #expect(notes.map(\.title).sorted() == (1...24).map { "Note \($0)" }.sorted(), "seed \(dice.seed)")
        #expect(Set(notes.map(\.address)).count == 24, "seed \(dice.seed)")
        let status = try evergear.run("queue", "status", "--json").object()
        #expect(status["sent"] as? Int == 24 && status["queued"] as? Int == 0, "seed \(dice.seed): \(status)")
        #expect(try evergear.enexFiles().allSatisfy { $0.pathExtension == "enex" }, "no temporary file is left")
    }
}
