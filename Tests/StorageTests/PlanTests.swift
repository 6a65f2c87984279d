import Notes
import System
import Testing
import Workbench

@testable import SQLite
@testable import Storage

/// With 100,000 jobs, drafts and photos, what every command asks is still found by an index.
@Suite struct PlanTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
        try store.db.run(
            """
            BEGIN;
            \(numbers) INSERT INTO draft (uid, text, title_generated, tags, created, updated, held)
                SELECT 'draft' || i, 'Draft', 0, '[]', i, i, 0 FROM n;
            \(numbers) INSERT INTO memo (draft, number, position, text) SELECT i, 1, 0, '' FROM n;
            \(numbers) INSERT INTO photo (draft, md5, size, serial, mime, orientation, name, source_path,
                    source_modified)
                SELECT i, unhex32(i), 1, 0, 'image/jpeg', 1, 'IMG', CAST('/card/' || i AS BLOB), 1 FROM n;
            INSERT INTO memo_photo (memo, position, photo) SELECT id, 0, id FROM memo;
            \(numbers) INSERT INTO job (uid, draft, draft_hash, layout, batch, part, parts, destination, title, bytes,
                    queued, state, not_before, tags, created, updated, attributes, enml, draft_updated)
                SELECT 'job' || i, i, 'hash' || i, 'full', 'batch' || i, 1, 1, 'enex:/notes', 'Title', 100,
                    1, iif(i % 10 < 6, 'queued', 'sent'), iif(i % 1000 = 0, 9000000000000, 0), '[]', 1, 1, '{}',
                    '<en-note/>', i FROM n;
            INSERT INTO job_resource (job, position, md5, size, serial, mime, attributes)
                SELECT id, 0, unhex32(id), 1, 0, 'image/jpeg', '{"fileName":"a.jpg"}' FROM job;
            INSERT INTO receipt (job, delivered, guid) SELECT id, id, 'guid' || id FROM job WHERE state = 'sent';
            COMMIT;
            """.replacing("unhex32(i)", with: "CAST(printf('%016d', i) AS BLOB)")
                .replacing("unhex32(id)", with: "CAST(printf('%016d', id) AS BLOB)"))
    }

    @Test("no statement reads a large table from end to end")
    func plans() throws {
        // Each call leaves its statements prepared.
        let counts = try store.queueCounts()
        #expect([counts[.queued], counts[.sent]] == [60_000, 40_000])
        #expect(counts.bytesWaiting == 6_000_000)
        #expect(counts.nextTry == Timestamp(milliseconds: 9_000_000_000_000))
        #expect(try store.jobs(in: JobState.allCases, newestFirst: true, limit: 20).count == 20)
        #expect(try store.jobs(in: JobState.allCases, limit: 20).map(\.id) == Array(1...20))
        #expect(try store.waitingDestinations() == ["enex:/notes"])
        let worker = try store.beginWork()
        let claimed = try store.claimDue(at: "enex:/notes", limit: 6, by: worker, now: time(0)).map(\.id)
        #expect(claimed == [1, 2, 3, 4, 5, 10])
        let failed = JobFailure(code: "c", message: "m")
        try store.setTarget("/notes/a", of: claimed)
        try store.succeed([(claimed[0], Receipt(delivered: time(1)))], at: time(1))
        try store.postpone([claimed[1]], until: time(9), because: failed, at: time(1))
        try store.park([claimed[2]], because: failed, at: time(1))
        try store.markUncertain([claimed[3]], because: failed, at: time(1))
        try store.adopt(claimed[3], receipt: Receipt(delivered: time(1)), at: time(1))
        try store.cancel([claimed[2]], at: time(1))
        #expect(try store.recoverAbandonedJobs(at: time(2)) == [])
        #expect(try store.lastFailure() != nil)
        try store.closeGate(Gate(account: "me", notBefore: time(9), reason: failed), at: time(2))
        try store.restartWaits { time(1) }
        #expect(try store.attempts(ofJob: 1).count == 1)
        #expect(try store.note(ofJob: 1).resources.count == 1)
        #expect(try store.jobs(ofDraft: 7).map(\.id) == [7])
        #expect(try store.deliveredJobs(draftHash: "hash7", destination: "enex:/notes", layout: "full").count == 1)
        #expect(try store.draftStanding(7).state == .sent)
        var draft = try store.draft(7)
        #expect(try store.draft(uid: "draft7") == draft)
        #expect(try store.draftWithoutMemos(7).memos.isEmpty)
        #expect(try store.memoMoments(of: 7).map(\.id) == [7])
        #expect(try store.vouched(for: draft.photos[0].blob) != nil)
        #expect(try store.delivery(of: draft.photos[0].blob)?.path == "/card/7")
        #expect(try store.uses(of: draft.photos[0].blob).count == 1)
        #expect(try store.imported("/card/7", size: 1, modified: 1).map(\.memo) == [7])
        #expect(try store.source(ofPhoto: 7)?.path == "/card/7")
        #expect(try store.drafts(ofFolder: "/card").isEmpty)
        #expect(try store.lastDraft() == 100_000)
        #expect(try store.deliveries(limit: 4).map(\.id) == [4, 1, 99_999, 99_998])
        #expect(try store.deliveryCount() == 40_002)
        #expect(try store.deliveredFiles().count == 40_000)
        #expect(try store.parkedReasons().isEmpty)
        #expect(try store.redirect([5], to: "enex:/elsewhere", at: time(3)).map(\.job) == [5])
        #expect(try store.redirect([12], to: "enex:/elsewhere", at: time(3)).isEmpty)
        #expect(try store.forsakenJobs().isEmpty)
        _ = try store.addPhotos([makeNew(1), makeNew(1)], to: 7, at: time(3))
        _ = try store.addMemo(Memo(), to: 7, at: 0, now: time(3))
        draft = try store.draft(7)
        try store.moveMemo(draft.memos[0].id, to: 1, now: time(4))
        try store.changeMemo(draft.memos[0].id, at: time(4)) { $0.photos = [] }
        try store.orderMemos(of: 7, at: time(4)) { $0.map(\.id).reversed() }
        try store.removeMemo(draft.memos[0].id, now: time(4))
        try store.changeDraft(7, at: time(4)) { $0.notebook = "x" }
        try store.rewriteDraft(7, expecting: store.draft(7).updated, text: "x", memos: [], at: time(5))
        _ = try store.enqueue([makeJob(draft: 7), makeJob(draft: 8, layout: "thumbs")], at: time(6))
        try store.removeDraft(17)
        _ = try store.copy(of: makePhoto(1).blob, by: "thumb")
        _ = try store.blobs.add([1])
        #expect(try store.unreferencedBlobs().count == 1)
        let plain = try store.prunable(deliveredBefore: time(9), withUndelivered: true)
        #expect(plain.map(\.reason) == [.unnamed])

        let lock = try store.beginImport {}
        #expect(try store.takeInHand(8, in: [.sent]))
        try store.putDown(8)
        try store.noteUnchanged([1], draftUpdated: time(7))
        try store.hold(8, true)
        withExtendedLifetime(lock) {}

        let statements = store.db.preparedSQL.filter { sql in
            ["SELECT", "UPDATE", "DELETE", "INSERT"].contains { sql.hasPrefix($0) }
        }
        #expect(statements.count > 50)
        for sql in statements {
            let parameters = sql.matches(of: /\?(\d+)/).compactMap { Int($0.1) }.max() ?? 0
            let plan = try store.db.all(
                "EXPLAIN QUERY PLAN " + sql, Array(repeating: .null, count: parameters)
            ) { row in row.text(3) }
            for step in plan where step.hasPrefix("SCAN") && step != "SCAN CONSTANT ROW" {
                // The jobs in workers' hands and the drafts in an import's: a handful, in indexes of their own. An account
                // has one gate.
                let few = [
                    "SCAN job USING COVERING INDEX job_of_worker", "SCAN draft USING INDEX draft_in_hand", "SCAN gate",
                ]
                #expect(few.contains(step), "\(sql)")
            }
            // From a row on to the table's end is as far as from end to end.
            #expect(!plan.contains { $0.contains("(rowid>?)") }, "\(sql)")
            // A photo is looked for by its bytes; one draft may have 100,000 memos.
            if sql.contains("p.md5 = ?1") {
                #expect(!plan.contains { $0.contains("memo_of_draft") }, "\(sql)")
            }
            // Sorting is for the few jobs of one draft.
            let sorts = plan.contains { $0.hasPrefix("USE TEMP B-TREE") }
            #expect(!sorts || !sql.contains("FROM job") || sql.contains("draft = ?1"), "\(sql)")
        }
    }
}
