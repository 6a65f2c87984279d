import Foundation
import Testing

@Suite("several at once") struct ConcurrencyTests {
    /// Starts all, then waits for all.
    private func run(_ evergear: Evergear, _ commands: [[String]]) throws -> [(Int32, String)] {
        let started = try commands.enumerated().map { index, command in
            let process = evergear.process(command)
            let errors = try evergear.file("streams/\(index)")
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            return (process, errors)
        }
        return try started.map { process, errors in
            process.waitUntilExit()
            let status =
                process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return (status, try String(contentsOf: errors, encoding: .utf8))
        }
    }

    @Test("four imports of different folders, on a store that is not there yet: each makes its draft whole")
    func imports() throws {
        let evergear = try Evergear()
        let folders = try (1...4).map { try evergear.manyPhotos(40, in: "folder \($0)") }
        let ended = try run(evergear, folders.map { ["import", $0.path] })
        #expect(ended.allSatisfy { $0.0 == 0 }, "\(ended)")
        let drafts = try evergear.run("draft", "list", "--json").objects()
        #expect(drafts.compactMap { $0["photos"] as? Int } == [40, 40, 40, 40])
        #expect(try evergear.damage() == "")
    }

    @Test("one folder imported by four at once: every photo is there") func sameFolder() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(40)
        let ended = try run(evergear, Array(repeating: ["import", folder.path], count: 4))
        #expect(ended.allSatisfy { $0.0 == 0 }, "\(ended)")
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
        let ended = try run(evergear, Array(repeating: ["send", "-y", "--layout", "plain"], count: 4))
        // A draft that another is just sending is refused for now.
        #expect(ended.allSatisfy { [0, 3, 75].contains($0.0) }, "\(ended)")
        #expect(try evergear.damage() == "")
        let rest = try evergear.run("send", "-y", "--layout", "plain")
        #expect(rest.status == 0, "\(rest)")
        let notes = try evergear.delivered()
        #expect(notes.map(\.title).sorted() == (1...12).map { "Note \($0)" }.sorted(), "\(ended)")
        #expect(Set(notes.map(\.address)).count == notes.count)
    }

    @Test("drafts added by eight at once are all there") func drafts() throws {
        let evergear = try Evergear()
        let ended = try run(evergear, (1...8).map { ["draft", "add", "Draft \($0)"] })
        #expect(ended.allSatisfy { $0.0 == 0 }, "\(ended)")
        let titles = try evergear.run("draft", "list", "--json").objects().compactMap { $0["title"] as? String }
        #expect(Set(titles) == Set((1...8).map { "Draft \($0)" }) && titles.count == 8)
    }
}
