import Glibc
public import Notes
import SQLite
public import System

/// A blob that may be freed, and why.
public struct Prunable: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A photo whose own bytes were delivered, long enough ago.
        case delivered
        /// A thumbnail, a JPEG of a HEIC and the like: made again when it is needed.
        case copy
        /// Nothing names it: a process died before it could.
        case unnamed
        /// A photo of a draft that was removed.
        case removedDraft = "removed_draft"
        /// A photo of a memo that was dropped from its draft.
        case droppedMemo = "dropped_memo"
        /// What only jobs that were given up name.
        case cancelledJob = "cancelled_job"

        /// True for what may be nowhere else.
        public var isUndelivered: Bool { self == .removedDraft || self == .droppedMemo || self == .cancelledJob }
    }

    public var blob: BlobKey
    public var reason: Reason
    /// The photo's, where it is one.
    public var name: String?
    /// Where the photo was imported from, where somebody said.
    public var path: FilePath?
}

// Freeing blobs. Rows stay: by them what was delivered is not imported anew. Whoever adds blobs holds them until they are
// named (`BlobStore.hold`), and nothing is freed while anybody does.

extension Store {
    /// What `prune` would free, by what is known now.
    /// - Parameters:
    ///   - time: Originals that were delivered later than this stay.
    ///   - withUndelivered: Also what was dropped without ever having been delivered.
    /// - Throws: `interrupted`.
    public func prunable(deliveredBefore time: Timestamp, withUndelivered: Bool) throws(StoreError) -> [Prunable] {
        try reading {
            let sent = try sentDrafts()
            var found: [Prunable] = []
            try blobs.forEachKey { key in
                try Interrupt.check()
                if let item = try prunable(key, deliveredBefore: time, sent: sent),
                    withUndelivered || !item.reason.isUndelivered
                {
                    found.append(item)
                }
            }
            return found
        }
    }

    /// Jobs that were given up, of drafts that were removed: nothing else has their text.
    public func forsakenJobs() throws(StoreError) -> [Job] {
        try reading {
            try db.all(
                """
                SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id
                WHERE j.state = 'cancelled' AND j.draft IS NULL ORDER BY j.id
                """, [], Job.init)
        }
    }

    /// Frees blobs: what of the list may still be freed once nobody else is taking anything in.
    ///
    /// Photos of removed drafts that were never delivered are forgotten with their bytes, and so are the jobs given.
    /// - Parameters:
    ///   - list: As `prunable` gave it.
    ///   - time: As given to `prunable`.
    ///   - jobs: Of `forsakenJobs`.
    ///   - waiting: Called where another process has to be waited for.
    /// - Returns: What was freed.
    /// - Throws: `interrupted`, with a part of it freed; `readOnly`, `system`.
    public func prune(
        _ list: [Prunable], deliveredBefore time: Timestamp, jobs: [Int64] = [], waiting: () -> Void = {}
    ) throws(StoreError) -> [Prunable] {
        try reading {
            var freed: [Prunable] = []
            var rest = list[...]
            var hasWaited = false
            while !rest.isEmpty {
                let some = rest.prefix(Self.mostFreedTogether)
                rest = rest[some.endIndex...]
                freed += try free(some, deliveredBefore: time) {
                    if !hasWaited { waiting() }
                    hasWaited = true
                }
                // Who has waited to take something in has a turn: the kernel's lock knows no queue.
                if !rest.isEmpty { usleep(1_000) }
            }
            // Last: by them it is known what only they name.
            try changing {
                for id in jobs {
                    try db.execute(
                        "DELETE FROM job WHERE id = ?1 AND state = 'cancelled' AND draft IS NULL", [.integer(id)])
                }
            }
            return freed
        }
    }

    /// Others wait for so long.
    private static let mostFreedTogether = 500

    private func free(
        _ list: ArraySlice<Prunable>, deliveredBefore time: Timestamp, waiting: () -> Void
    ) throws -> [Prunable] {
        let lock = try blobs.keepOthersOut(waiting: waiting)
        return try withExtendedLifetime(lock) {
            let sent = try sentDrafts()
            let still = try list.filter { item in
                try Interrupt.check()
                return try Files.exists(blobs.path(of: item.blob))
                    && prunable(item.blob, deliveredBefore: time, sent: sent)?.reason == item.reason
            }
            // Marked before they are removed: what is missing and not marked is lost.
            let freed = try changing {
                let freed = try still.filter { try !isNeeded($0.blob) }
                for item in freed {
                    try db.execute(
                        "INSERT OR IGNORE INTO freed (md5, size, serial) VALUES (?1, ?2, ?3)", item.blob.columns)
                    if item.reason == .removedDraft { try forgetPhotos(of: item.blob) }
                }
                return freed
            }
            for item in freed {
                try Interrupt.check()
                try blobs.remove(item.blob)
            }
            return freed
        }
    }

    /// True where the bytes were freed by `prune`, and are not lost.
    public func isFreed(_ blob: BlobKey) throws(StoreError) -> Bool {
        try reading {
            try db.first(
                "SELECT 1 FROM freed WHERE md5 = ?1 AND size = ?2 AND serial = ?3", blob.columns
            ) { row in row.bool(0) } ?? false
        }
    }

    /// One that was changed since it was sent is wanted once more.
    private func sentDrafts() throws -> Set<Int64> {
        let sent = try draftStandings().filter { $1.state == .sent }
        return Set(
            try sent.filter { id, standing in
                let updated = try db.first("SELECT updated FROM draft WHERE id = ?1", [.integer(id)]) {
                    $0.timestamp(0)
                }
                return updated.map { standing.made >= $0 } ?? false
            }.keys)
    }

    /// True where a job that may yet be sent has it.
    private func isNeeded(_ blob: BlobKey) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM job_resource s CROSS JOIN job j ON j.id = s.job
            WHERE s.md5 = ?1 AND s.size = ?2 AND s.serial = ?3
                AND j.state IN ('queued', 'sending', 'uncertain', 'parked') LIMIT 1
            """, blob.columns
        ) { row in row.bool(0) } ?? false
    }

    /// - Parameter sent: The drafts that were sent as a whole.
    private func prunable(
        _ blob: BlobKey, deliveredBefore time: Timestamp, sent: Set<Int64>
    ) throws -> Prunable? {
        if try isNeeded(blob) { return nil }
        let photos = try db.all(
            """
            SELECT p.draft, p.name, p.source_path, (SELECT min(m.draft) FROM memo_photo l JOIN memo m ON m.id = l.memo
                WHERE l.photo = p.id)
            FROM photo p WHERE p.md5 = ?1 AND p.size = ?2 AND p.serial = ?3 ORDER BY p.id
            """, blob.columns
        ) { row in
            (
                draft: row.optionalInteger(0), name: row.text(1), path: row.optionalBlob(2).map { FilePath(bytes: $0) },
                shownIn: row.optionalInteger(3)
            )
        }
        let why = { (reason: Prunable.Reason) in
            Prunable(blob: blob, reason: reason, name: photos.first?.name, path: photos.compactMap(\.path).first)
        }
        let jobs = try jobs(naming: blob)
        if photos.isEmpty {
            let isCopy = try db.first(
                "SELECT 1 FROM copy WHERE copy_md5 = ?1 AND copy_size = ?2 AND copy_serial = ?3 LIMIT 1", blob.columns
            ) { row in row.bool(0) }
            if isCopy == true { return why(.copy) }
            if jobs.isEmpty { return why(.unnamed) }
        }
        // A draft that is still to be sent wants its photos, whatever became of others that have them.
        if photos.contains(where: { $0.shownIn.map { !sent.contains($0) } ?? false }) { return nil }
        if let delivered = try vouched(for: blob) { return delivered < time ? why(.delivered) : nil }
        if photos.contains(where: { $0.shownIn != nil }) { return nil }
        if photos.isEmpty { return jobs.contains(.sent) ? nil : why(.cancelledJob) }
        return why(photos.contains { $0.draft != nil } ? .droppedMemo : .removedDraft)
    }

    /// The states of the jobs that have a blob.
    private func jobs(naming blob: BlobKey) throws -> Set<JobState> {
        Set(
            try db.all(
                """
                SELECT j.state FROM job_resource s CROSS JOIN job j ON j.id = s.job
                WHERE s.md5 = ?1 AND s.size = ?2 AND s.serial = ?3
                """, blob.columns
            ) { row in JobState(rawValue: row.text(0)) ?? .uncertain })
    }

    /// Of a removed draft nothing is to be left; what was delivered of it in another shape is still known by that.
    private func forgetPhotos(of blob: BlobKey) throws {
        if try delivery(of: blob) != nil { return }
        try db.execute(
            """
            DELETE FROM photo WHERE md5 = ?1 AND size = ?2 AND serial = ?3 AND draft IS NULL
                AND NOT EXISTS (SELECT 1 FROM memo_photo l WHERE l.photo = photo.id)
            """, blob.columns)
    }
}
