import Foundation
import Testing

@Suite("several at once") struct ConcurrencyTests {
    @Test("four imports of different folders, on a store that is not there yet: each makes its draft whole")
    func imports() throws {
        let evergear = try Evergear()
        let folders = try (1...4).map { try evergear.manyPhotos(40, in: "folder \($0)") }
        let ended = try evergear.runTogether(folders.map { ["import", $0.path] })
        #expect(ended.allSatisfy { $0.status == 0 }, "\(ended)")
        let drafts = try evergear.run("draft", "list", "--json").objects()
        #expect(drafts.compactMap { $0["photos"] as? Int } == [40, 40, 40, 40])
        #expect(try evergear.damage() == "")
    }

    @Test("one folder imported by four at once: every photo is there") func sameFolder() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(40)
        let ended = try evergear.runTogether(Array(repeating: ["import", folder.path], count: 4))
        #expect(ended.allSatisfy { $0.status == 0 }, "\(ended)")
        let drafts = try evergear.run("draft", "list", "--json").objects()
        // Those that began before it had committed may have made drafts of their own, of what they did not see there yet.
        #expect(drafts.contains { $0["photos"] as? Int == 40 }, "\(drafts)")
        #expect(try evergear.damage() == "")
    }

    @Test("four sends at once: every note is delivered exactly once") func sends() throws {
        let evergear = try Evergear()
        let photos = try evergear.manyPhotos(12)
        for number in 1...12 {
            let photo = photos.appending(path: "IMG_\(number).jpg").path
            try evergear.run("draft", "add", "Note \(number)", "--notebook", "Book \(number % 2)", "--photo", photo)
        }
        let ended = try evergear.runTogether(Array(repeating: ["send", "-y", "--layout", "plain"], count: 4))
        // A draft that another is just sending is refused for now.
        #expect(ended.allSatisfy { [0, 3, 75].contains($0.status) }, "\(ended)")
        #expect(try evergear.damage() == "")
        let rest = try evergear.run("send", "-y", "--layout", "plain")
        #expect(rest.status == 0, "\(rest)")
        let notes = try evergear.delivered()
        #expect(notes.map(\.title).sorted() == (1...12).map { "Note \($0)" }.sorted(), "\(ended)")
        #expect(Set(notes.map(\.address)).count == notes.count)
    }

    @Test("the same parts sent at once: each note goes once, is told of once, and each status has a sentence")
    func sameParts() throws {
        let evergear = try Evergear()
        try evergear.run("import", evergear.manyPhotos(5).path)
        let send = ["send", "last", "--photos-per-note", "1", "--layout", "plain", "--enex-split", "1"]
        let ended = try evergear.runTogether([send, send, ["queue", "run"]])
        for run in ended { #expect(run.status == 0 || run.status == 75 && !run.errors.isEmpty, "\(ended)") }
        // Where it was not delivered here, the line says so.
        let counted = ended.flatMap { $0.output.split(separator: "\n") }.filter { $0.hasSuffix(".enex") }
            .compactMap { line in line.split(separator: " ").first.flatMap { Int($0) } }.reduce(0, +)
        let last = try evergear.run(send)
        #expect(last.status == 0, "\(last)")
        #expect(try evergear.delivered().count == 5)
        #expect(counted <= 5, "\(ended)")
    }

    @Test("drafts added by eight at once are all there") func drafts() throws {
        let evergear = try Evergear()
        let ended = try evergear.runTogether((1...8).map { ["draft", "add", "Draft \($0)"] })
        #expect(ended.allSatisfy { $0.status == 0 }, "\(ended)")
        let titles = try evergear.run("draft", "list", "--json").objects().compactMap { $0["title"] as? String }
        #expect(Set(titles) == Set((1...8).map { "Draft \($0)" }) && titles.count == 8)
    }
}
