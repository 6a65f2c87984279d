import Notes
import SQLite
import System
import Testing
import Workbench

@testable import Storage

@Suite struct TogetherTests {
    let folder: TemporaryFolder
    var home: FilePath { folder.path / "home" }

    init() throws { folder = try TemporaryFolder() }

    @Test("several that make the store at once make one")
    func making() async throws {
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask { _ = try Store(folder: home).addDraft(makeDraft("\(number)")) }
            }
            try await group.waitForAll()
        }
        let store = try folder.store()
        #expect(try store.draftSummaries().count == 6)
        #expect(try store.db.first("PRAGMA journal_mode") { row in row.text(0) } == "wal")
    }

    @Test("workers on one outbox never claim the same job, while others write")
    func claiming() async throws {
        let count = 300
        let home = home
        let store = try folder.store()
        let draft = try store.addDraft(makeDraft())
        let ids = try store.enqueue((0..<count).map { makeJob(draft: draft.id, layout: "\($0)") }, at: time(0))
        let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = try Store(folder: home)
                    let worker = try store.beginWork()
                    var mine: [Int64] = []
                    while true {
                        let due = try store.dueJobs(at: "enex:/notes", now: time(1), limit: 7)
                        if due.isEmpty { return mine }
                        let jobs = try store.claim(due.map(\.id), by: worker, at: time(1))
                        #expect(try store.recoverAbandonedJobs(at: time(1)) == [])
                        try store.succeed(jobs.map { ($0.id, Receipt(delivered: time(2))) }, at: time(2))
                        mine += jobs.map(\.id)
                    }
                }
            }
            group.addTask {
                let store = try Store(folder: home)
                for number in 0..<50 {
                    _ = try store.addPhotos([try makeNew(number)], to: draft.id, at: time(1))
                }
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.sorted() == ids)
        #expect(try store.queueCounts()[.sent] == count)
        #expect(try store.jobs(in: [.sent]).allSatisfy { $0.attempts == 1 })
        #expect(try store.draft(draft.id).memos.count == 50)
        #expect(try store.db.first("PRAGMA integrity_check") { row in row.text(0) } == "ok")
    }
}
