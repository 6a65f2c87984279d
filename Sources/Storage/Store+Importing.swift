public import Notes
import SQLite
import System

// One import at a time, and no draft goes out that an import has in hand: half of its photos would never go.

/// What a process holds while it imports into a store.
public final class ImportLock: Sendable {
    private let lock: KernelLock

    fileprivate init(_ lock: KernelLock) { self.lock = lock }
}

extension Store {
    private var importLock: FilePath { folder / "import.lock" }

    /// Waits until nobody else imports into this store, and keeps it so for as long as what is returned lives.
    /// - Parameter waiting: Called where somebody else does.
    /// - Throws: `readOnly`, `interrupted`, `system`.
    public func beginImport(waiting: () -> Void) throws(StoreError) -> ImportLock {
        do {
            let lock = try KernelLock.wait(for: importLock, waiting: waiting)
            // Of an import that died.
            try changing { try db.execute("UPDATE draft SET importing = 0 WHERE importing = 1") }
            return ImportLock(lock)
        } catch { throw StoreError(error, in: folder) }
    }

    /// True while a process that lives imports into this store.
    var isImporting: Bool {
        get throws {
            guard Files.exists(importLock) else { return false }
            return try !KernelLock.isFree(importLock)
        }
    }

    /// Marks a draft as one that the import under way adds to, so that no note is made of it meanwhile.
    /// - Returns: False where its state is none of `states`: then nothing is marked.
    public func takeInHand(_ draft: Int64, in states: Set<DraftState>) throws(StoreError) -> Bool {
        try changing {
            guard try states.contains(draftStanding(draft).state) else { return false }
            try db.execute("UPDATE draft SET importing = 1 WHERE id = ?1", [.integer(draft)])
            return true
        }
    }

    /// Ends that.
    public func putDown(_ draft: Int64) throws(StoreError) {
        try changing { try db.execute("UPDATE draft SET importing = 0 WHERE id = ?1", [.integer(draft)]) }
    }

    /// What notes are made of must be whole, and what it was when they were made.
    /// - Throws: `noSuchDraft`, `draftInHand`, `changedMeanwhile`.
    func requireWhole(_ draft: Int64, as updated: Timestamp?) throws -> Timestamp {
        guard let found = try presence(ofDraft: draft) else { throw StoreError.noSuchDraft(draft) }
        if found.isBeingImported { throw StoreError.draftInHand(draft) }
        if let updated, updated != found.updated { throw StoreError.changedMeanwhile(draft: draft) }
        return found.updated
    }

    /// When a draft was changed last, and whether an import has it in hand; nil where there is none.
    func presence(ofDraft draft: Int64) throws -> (updated: Timestamp, isBeingImported: Bool)? {
        let found = try db.first("SELECT updated, importing FROM draft WHERE id = ?1", [.integer(draft)]) { row in
            (updated: row.timestamp(0), isInHand: row.bool(1))
        }
        return try found.map { ($0.updated, try $0.isInHand && isImporting) }
    }

    /// Of a draft that was changed, and is what it was when its notes were made: they are of it as it is now.
    public func noteUnchanged(_ jobs: [Int64], draftUpdated: Timestamp) throws(StoreError) {
        try changing {
            for job in jobs {
                try db.execute(
                    "UPDATE job SET draft_updated = max(draft_updated, ?2) WHERE id = ?1",
                    [.integer(job), .integer(draftUpdated.milliseconds)])
            }
        }
    }
}
