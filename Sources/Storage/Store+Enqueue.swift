public import Notes
import SQLite

// How notes get into the outbox, frozen.

extension Store {
    /// Puts notes into the outbox, all or none. The blobs that they name are synced before.
    ///
    /// Jobs of the same draft, destination and layout that are still queued or parked are replaced: they become
    /// cancelled, with the reason `replaced`. A note of which a part has arrived is gone on with by the job that takes
    /// the place, so that it is not left behind.
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
        var begun: [Place: Upload] = [:]
        for job in jobs where seen.insert([String(job.draft), job.destination, job.layout]).inserted {
            let parts = jobs.filter { Place($0, part: 1) == Place(job, part: 1) }
            try begun.merge(makeRoom(for: parts, at: now)) { _, new in new }
        }
        return try jobs.map { job in
            var job = job
            job.replaces = begun[Place(job, part: job.part)] ?? job.replaces
            return try insert(job, of: updated[job.draft] ?? now, at: now)
        }
    }

    /// Which part of what goes where.
    private struct Place: Hashable {
        let draft: Int64
        let destination: String
        let layout: String
        let part: Int

        init(_ job: NewJob, part: Int) {
            (draft, destination, layout, self.part) = (job.draft, job.destination, job.layout, part)
        }
    }

    /// - Parameter new: The parts of one draft, in one layout, for one destination.
    /// - Returns: What a service has of the jobs that go, for those that take their places.
    private func makeRoom(for new: [NewJob], at now: Timestamp) throws -> [Place: Upload] {
        guard let first = new.first else { return [:] }
        let present = try db.all(
            """
            SELECT id FROM job WHERE draft = ?1 AND destination = ?2 AND layout = ?3
                AND state IN ('queued', 'sending', 'uncertain', 'parked') ORDER BY id
            """, [.integer(first.draft), .text(first.destination), .text(first.layout)]
        ) { row in row.integer(0) }
        var begun: [Place: Upload] = [:]
        for old in try present.map(job) {
            guard old.state == .queued || old.state == .parked else {
                throw StoreError.draftInOutbox(draft: first.draft, job: old.id, state: old.state)
            }
            var what =
                old.draftHash == first.draftHash
                ? "The draft was queued again as it is, and that took its place."
                : "A newer version of the draft took its place."
            if let upload = try handedOn(old, to: new.first { $0.part == old.part }) {
                begun[Place(first, part: old.part)] = upload
            } else if let upload = old.upload, upload.resources > 0 {
                what += " What the service has of it stays there: it is the note \(upload.guid)."
            }
            try move(old.id, .cancel, because: JobFailure(code: "replaced", message: what), at: now)
        }
        return begun
    }

    /// The note that a job has begun, where another may go on with it: not one that somebody else has changed or removed,
    /// and one that was delivered only where the other is to replace it.
    private func handedOn(_ old: Job, to new: NewJob?) throws -> Upload? {
        guard let new, let upload = old.upload, old.failure?.isOfAnother != true else { return nil }
        if let replaces = new.replaces {
            if replaces.guid != upload.guid { return nil }
        } else if try hasReceipt(note: upload.guid) {
            return nil
        }
        return Upload(guid: upload.guid, usn: upload.usn, resources: 0)
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
