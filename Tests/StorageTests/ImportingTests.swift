import Notes
import System
import Testing
import Workbench

@testable import Storage

/// Drafts that an import has in hand, and those that are not what their notes were made of.
struct ImportingTests {
    let folder: TemporaryFolder
    let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try folder.store()
    }

    private func failure(_ body: () throws -> Void) -> StoreError? {
        do { try body() } catch { return error as? StoreError }
        return nil
    }

    @Test("no note is made of a draft that an import has in hand; of one whose import has died it is")
    func inHand() throws {
        var lock: ImportLock? = try store.beginImport { Issue.record("nobody else imports") }
        let draft = try store.addDraft(makeDraft(), isInHand: true)
        #expect(try store.draftStanding(draft.id).isBeingImported)
        #expect(try store.draftSummaries().map(\.standing.isBeingImported) == [true])
        #expect(failure { _ = try store.enqueue([makeJob(draft: draft.id)], at: time(1)) } == .draftInHand(draft.id))
        #expect(
            failure { _ = try store.enqueueOnce([makeJob(draft: draft.id)], at: time(1)) } == .draftInHand(draft.id))
        try store.putDown(draft.id)
        #expect(try store.draftStanding(draft.id).isBeingImported == false)
        #expect(try store.takeInHand(draft.id, in: [.sent]) == false)
        #expect(try store.takeInHand(draft.id, in: [.unsent]))
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try store.draftStanding(draft.id).isBeingImported == false)
        let jobs = try store.enqueue([makeJob(draft: draft.id)], at: time(1))
        #expect(jobs.count == 1)
        // The next import has nothing in hand yet.
        let next = try store.beginImport {}
        #expect(try store.draftStanding(draft.id) == DraftStanding(state: .queued))
        withExtendedLifetime(next) {}
    }

    @Test("notes of a draft that was changed meanwhile are not taken")
    func changedMeanwhile() throws {
        let draft = try store.addDraft(makeDraft())
        var job = makeJob(draft: draft.id)
        job.draftUpdated = draft.updated
        _ = try store.addMemo(Memo(text: "later"), to: draft.id, now: time(2))
        #expect(failure { _ = try store.enqueue([job], at: time(3)) } == .changedMeanwhile(draft: draft.id))
        job.draftUpdated = try store.draft(draft.id).updated
        let jobs = try store.enqueue([job], at: time(3))
        #expect(try store.draftStanding(draft.id) == DraftStanding(state: .queued))
        _ = try store.addMemo(Memo(text: "later still"), to: draft.id, now: time(4))
        #expect(try store.draftStanding(draft.id).isChanged)
        #expect(try store.draftSummaries().map(\.standing.isChanged) == [true])
        try store.noteUnchanged(jobs, draftUpdated: try store.draft(draft.id).updated)
        #expect(try store.draftStanding(draft.id).isChanged == false)
        try store.hold(draft.id, true)
        #expect(try store.draftStanding(draft.id).isChanged == false)
        #expect(try store.draft(draft.id).isHeld)
    }
}
