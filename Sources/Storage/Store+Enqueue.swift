public import Notes
import SQLite

// How notes get into the outbox, frozen.

extension Store {
    /// Puts notes into the outbox, all or none. The blobs that they name are synced before.
    ///
    /// Jobs of the same draft, destination and layout that are still queued or parked are replaced: they become
    /// cancelled, with the reason `replaced`.
    /// - Returns: The jobs' numbers.
    /// - Throws: `noSuchDraft`; `draftInHand`; `changedMeanwhile`; `draftInOutbox` where such a job is being sent or
    ///   uncertain.
    public func enqueue(_ jobs: [NewJob], at now: Timestamp) throws(StoreError) -> [Int64] {
        return try naming { try put(jobs, at: now) }
    }

    /// As `enqueue`, unless exactly these notes were delivered already, or some of them were and the others wait: by
    /// another process, while they were made here.
    /// - Returns: nil where they were.
    public func enqueueOnce(_ jobs: [NewJob], at now: Timestamp) throws(StoreError) -> [Int64]? {
        return try naming {
            if let job = jobs.first {
                let delivered = try deliveredJobs(
                    draftHash: job.draftHash, destination: job.destination, layout: job.layout)
                let waiting = try waitingParts(
                    ofDraft: job.draft, draftHash: job.draftHash, destination: job.destination, layout: job.layout)
                if !delivered.isEmpty || !waiting.isEmpty { return nil }
            }
            return try put(jobs, at: now)
        }
    }

    /// Where some parts of the unchanged draft have arrived: lets those that still wait do so no longer, with all their
    /// tries before them. Sent anew, the others would be there twice.
    /// - Returns: The jobs' numbers.
    public func retryWaitingParts(
        ofDraft draft: Int64, draftHash: String, destination: String, layout: String, at now: Timestamp
    ) throws(StoreError) -> [Int64] {
        try changing {
            let parts = try waitingParts(
                ofDraft: draft, draftHash: draftHash, destination: destination, layout: layout)
            try retry(parts, at: now)
            return parts
        }
    }

    private func waitingParts(
        ofDraft draft: Int64, draftHash: String, destination: String, layout: String
    ) throws(StoreError) -> [Int64] {
        let jobs = try jobs(ofDraft: draft).filter {
            ($0.draftHash, $0.destination, $0.layout) == (draftHash, destination, layout)
        }
        let last = jobs.filter { $0.batch == jobs.last?.batch }
        guard last.contains(where: { $0.state == .sent }) else { return [] }
        return last.filter { $0.state == .queued || $0.state == .parked }.map(\.id)
    }

    private func put(_ jobs: [NewJob], at now: Timestamp) throws -> [Int64] {
        var seen: Set<[String]> = []
        var updated: [Int64: Timestamp] = [:]
        for job in jobs { updated[job.draft] = try requireWhole(job.draft, as: job.draftUpdated) }
        for job in jobs where seen.insert([String(job.draft), job.destination, job.layout]).inserted {
            try makeRoom(for: job, at: now)
        }
        return try jobs.map { try insert($0, of: updated[$0.draft] ?? now, at: now) }
    }

    private func makeRoom(for new: NewJob, at now: Timestamp) throws {
        let present = try db.all(
            """
            SELECT id, draft_hash FROM job WHERE draft = ?1 AND destination = ?2 AND layout = ?3
                AND state IN ('queued', 'sending', 'uncertain', 'parked') ORDER BY id
            """, [.integer(new.draft), .text(new.destination), .text(new.layout)]
        ) { row in (row.integer(0), row.text(1)) }
        for (id, hash) in present {
            let state = try state(of: id)
            guard state == .queued || state == .parked else {
                throw StoreError.draftInOutbox(draft: new.draft, job: id, state: state)
            }
            let what =
                hash == new.draftHash
                ? "The draft was queued again as it is, and that took its place."
                : "A newer version of the draft took its place."
            try move(id, .cancel, because: JobFailure(code: "replaced", message: what), at: now)
        }
    }

    private func insert(_ new: NewJob, of updated: Timestamp, at now: Timestamp) throws -> Int64 {
        let note = new.note
        try db.execute(
            """
            INSERT INTO job (uid, draft, draft_hash, layout, batch, part, parts, destination, title, bytes, queued,
                state, notebook, tags, created, created_offset, updated, attributes, enml, upload,
                draft_updated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'queued', ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
                ?20)
            """,
            [.text(note.uid), .integer(new.draft), .text(new.draftHash), .text(new.layout), .text(new.batch)]
                + [Value(new.part), Value(new.parts), .text(new.destination), .text(note.title), .integer(note.size)]
                + [.integer(now.milliseconds), Value(note.notebook), .text(try JSON.encode(note.tags))]
                + [.integer(note.created.milliseconds), Value(note.createdOffset)]
                + [.integer(note.updated.milliseconds)]
                + [.text(try JSON.encode(note.attributes)), .text(note.enml), Value(try new.replaces.map(JSON.encode))]
                + [.integer(updated.milliseconds)])
        let id = db.lastID
        for (position, resource) in note.resources.enumerated() {
            try db.execute(
                """
                INSERT INTO job_resource (job, position, md5, size, serial, mime, width, height, attributes)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """,
                [.integer(id), Value(position)] + resource.blob.columns + [.text(resource.mime)]
                    + resource.pixels.columns + [.text(try JSON.encode(resource.attributes))])
        }
        return id
    }
}
