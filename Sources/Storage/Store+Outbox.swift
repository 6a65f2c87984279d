public import Notes
import SQLite
public import System

// What happens to jobs. Each change is one transaction, together with its attempt and its receipt; whether it may
// happen is said by `JobState.after` alone. Whether a draft was sent follows from its jobs, and so is never behind.

extension Store {
    /// Puts notes into the outbox, all or none. The blobs that they name are synced before.
    ///
    /// Jobs of the same draft, destination and layout that are still queued or parked are replaced: they become
    /// cancelled, with the reason `replaced`.
    /// - Returns: The jobs' numbers.
    /// - Throws: `noSuchDraft`; `draftInOutbox` where such a job is being sent or uncertain.
    public func enqueue(_ jobs: [NewJob], at now: Timestamp) throws(StoreError) -> [Int64] {
        try blobs.sync()
        return try changing { try put(jobs, at: now) }
    }

    /// As `enqueue`, unless exactly these notes were delivered already: by another process, while they were made here.
    /// - Returns: nil where they were.
    public func enqueueOnce(_ jobs: [NewJob], at now: Timestamp) throws(StoreError) -> [Int64]? {
        try blobs.sync()
        return try changing {
            if let job = jobs.first {
                let delivered = try deliveredJobs(
                    draftHash: job.draftHash, destination: job.destination, layout: job.layout)
                if !delivered.isEmpty { return nil }
            }
            return try put(jobs, at: now)
        }
    }

    private func put(_ jobs: [NewJob], at now: Timestamp) throws -> [Int64] {
        var seen: Set<[String]> = []
        for job in jobs where seen.insert([String(job.draft), job.destination, job.layout]).inserted {
            try makeRoom(for: job, at: now)
        }
        return try jobs.map { try insert($0, at: now) }
    }

    /// Begins to work: jobs are claimed in the name of what is returned, for as long as it lives.
    public func beginWork() throws(StoreError) -> WorkerLock {
        try reading { try WorkerLock(in: folder / "workers") }
    }

    /// Takes jobs in hand and begins an attempt at each: those of the numbers given that are queued and due.
    /// - Parameter target: The file chosen for them: it is known before its first byte is written.
    /// - Returns: The jobs that are this worker's now, in the order given. Nobody else has them.
    public func claim(
        _ ids: [Int64], by worker: WorkerLock, target: FilePath? = nil, at now: Timestamp
    ) throws(StoreError) -> [Job] {
        try changing { try take(ids, worker.id, target, now) }
    }

    /// Chooses the file for jobs in hand, before its first byte is written.
    /// - Throws: `noSuchJob`; `illegalTransition` where one is not being sent.
    public func setTarget(_ target: FilePath, of ids: [Int64]) throws(StoreError) {
        try changing {
            for id in ids {
                let state = try state(of: id)
                guard state == .sending else {
                    throw StoreError.illegalTransition(job: id, state: state, event: .claim)
                }
                try db.execute(
                    "UPDATE job SET target = ?2 WHERE id = ?1", [.integer(id), .blob(target.bytes)])
            }
        }
    }

    /// The jobs were delivered, all of them: those of one file together.
    /// - Throws: `noSuchJob`, `illegalTransition`, as all that follow.
    public func succeed(
        _ deliveries: [(job: Int64, receipt: Receipt)], at now: Timestamp
    ) throws(StoreError) {
        try changing {
            for (job, receipt) in deliveries {
                try move(job, .succeed, at: now)
                try endAttempt(of: job, .sent, bytes: receipt.bytes, at: now)
                try keep(receipt, of: job)
            }
        }
    }

    /// Not now.
    /// - Parameters:
    ///   - time: Not tried before; nil: as soon as somebody takes it.
    ///   - failure: What went wrong, which costs the job a try; nil: nothing did, as when somebody pressed Ctrl-C.
    public func postpone(
        _ ids: [Int64], until time: Timestamp?, because failure: JobFailure?, at now: Timestamp
    ) throws(StoreError) {
        try changing {
            for id in ids {
                let before = try move(id, .postpone, notBefore: time, because: failure, at: now)
                guard before == .sending else { continue }
                try endAttempt(of: id, .postponed, failure, at: now)
                if failure != nil { try countTry(of: id) }
            }
        }
    }

    /// The service or the file says no: it waits for a person.
    public func park(_ ids: [Int64], because failure: JobFailure, at now: Timestamp) throws(StoreError) {
        try changing {
            for id in ids {
                let before = try move(id, .park, because: failure, at: now)
                if before == .sending { try endAttempt(of: id, .parked, failure, at: now) }
            }
        }
    }

    /// The answer was lost: they may have arrived.
    /// - Parameter time: Not looked for before.
    public func markUncertain(
        _ ids: [Int64], until time: Timestamp? = nil, because failure: JobFailure, at now: Timestamp
    ) throws(StoreError) {
        try changing {
            for id in ids {
                try move(id, .lose, notBefore: time, because: failure, at: now)
                try endAttempt(of: id, .unknown, failure, at: now)
                try countTry(of: id)
            }
        }
    }

    /// An uncertain job was looked for and found, or a person says that it, or a parked one, has arrived.
    public func adopt(_ id: Int64, receipt: Receipt, at now: Timestamp) throws(StoreError) {
        try changing {
            try move(id, .find, at: now)
            try keep(receipt, of: id)
        }
    }

    /// An uncertain job was looked for and has not arrived: it is queued again.
    public func requeue(_ ids: [Int64], at now: Timestamp) throws(StoreError) {
        try changing { for id in ids { try move(id, .miss, at: now) } }
    }

    /// Gives jobs up. One in a worker's hands, or that has arrived, is refused.
    public func cancel(_ ids: [Int64], because failure: JobFailure? = nil, at now: Timestamp) throws(StoreError) {
        try changing { for id in ids { try move(id, .cancel, because: failure, at: now) } }
    }

    /// Queues parked jobs again, and lets waiting ones wait no longer. They have all their tries before them.
    public func retry(_ ids: [Int64], at now: Timestamp) throws(StoreError) {
        try changing {
            for id in ids {
                try move(id, .retry, at: now)
                try db.execute("UPDATE job SET tries = 0 WHERE id = ?1", [.integer(id)])
            }
        }
    }

    /// Finds the jobs that dead workers had in hand and makes them uncertain, with the reason `abandoned`.
    ///
    /// A worker is dead when the kernel gives its lock to us; until all is written we keep it, so that two who come at
    /// once do not do the same.
    /// - Returns: The jobs found.
    public func recoverAbandonedJobs(at now: Timestamp) throws(StoreError) -> [Job] {
        let workers = folder / "workers"
        return try reading {
            var names = Set(
                try db.all("SELECT DISTINCT worker FROM job WHERE worker IS NOT NULL") { row in row.text(0) })
            if Files.isFolder(workers) { names.formUnion(try Files.names(in: workers).map(\.description)) }
            var dead: [(name: String, lock: KernelLock?)] = []
            for name in names.sorted() {
                let lock = try KernelLock.takeOver(workers / name)
                if lock != nil || !Files.exists(workers / name) { dead.append((name, lock)) }
            }
            if dead.isEmpty { return [] }
            let failure = JobFailure(code: "abandoned", message: "The program ended while the note was being sent.")
            let found = try changing {
                let ids = try dead.flatMap { worker in
                    try db.all("SELECT id FROM job WHERE worker = ?1 ORDER BY id", [.text(worker.name)]) { row in
                        row.integer(0)
                    }
                }
                for id in ids {
                    try move(id, .lose, because: failure, at: now)
                    try endAttempt(of: id, .abandoned, failure, at: now)
                    try countTry(of: id)
                }
                return try ids.map { try job($0) }
            }
            for case (_, let lock?) in dead { try Files.remove(lock.path) }
            return found
        }
    }

    /// Stops all deliveries, or lets them go on.
    public func setPaused(_ isPaused: Bool) throws(StoreError) {
        try changing {
            if isPaused {
                try db.execute("INSERT OR REPLACE INTO mark (name, value) VALUES ('paused', '1')")
            } else {
                try db.execute("DELETE FROM mark WHERE name = 'paused'")
            }
        }
    }

    /// Closes an account's gate; one that is closed for longer stays so.
    public func closeGate(_ gate: Gate) throws(StoreError) {
        try changing {
            try db.execute(
                """
                INSERT INTO gate (account, not_before, reason) VALUES (?1, ?2, ?3)
                ON CONFLICT (account) DO UPDATE SET not_before = excluded.not_before, reason = excluded.reason
                WHERE excluded.not_before > not_before
                """, [.text(gate.account), .integer(gate.notBefore.milliseconds), .text(gate.reason)])
        }
    }

    /// Opens an account's gate.
    public func openGate(_ account: String) throws(StoreError) {
        try changing { try db.execute("DELETE FROM gate WHERE account = ?1", [.text(account)]) }
    }

    // Inside a transaction

    private func take(_ ids: [Int64], _ worker: String, _ target: FilePath?, _ now: Timestamp) throws -> [Job] {
        var taken: [Job] = []
        for id in ids {
            guard try isDue(id, now) else { continue }
            try move(id, .claim, worker: worker, at: now)
            try db.execute(
                "UPDATE job SET attempts = attempts + 1, target = ?2 WHERE id = ?1",
                [.integer(id), Value(target?.bytes)])
            try db.execute(
                """
                INSERT INTO attempt (job, number, worker, started)
                SELECT id, attempts, ?2, ?3 FROM job WHERE id = ?1
                """, [.integer(id), .text(worker), .integer(now.milliseconds)])
            taken.append(try job(id))
        }
        return taken
    }

    private func isDue(_ id: Int64, _ now: Timestamp) throws -> Bool {
        try db.first(
            "SELECT state = 'queued' AND not_before <= ?2 FROM job WHERE id = ?1",
            [.integer(id), .integer(now.milliseconds)]
        ) { row in row.bool(0) } ?? false
    }

    /// The one place where a job's state changes.
    /// - Returns: The state before.
    @discardableResult
    private func move(
        _ id: Int64, _ event: JobEvent, notBefore: Timestamp? = nil, because failure: JobFailure? = nil,
        worker: String? = nil, at now: Timestamp
    ) throws -> JobState {
        let before = try state(of: id)
        guard let after = before.after(event) else {
            throw StoreError.illegalTransition(job: id, state: before, event: event)
        }
        try db.execute(
            "UPDATE job SET state = ?2, not_before = ?3, code = ?4, message = ?5, worker = ?6 WHERE id = ?1",
            [.integer(id), .text(after.rawValue), .integer(notBefore?.milliseconds ?? 0)]
                + [Value(failure?.code), Value(failure?.message), Value(worker)])
        return before
    }

    private func state(of id: Int64) throws -> JobState {
        let state = try db.first("SELECT state FROM job WHERE id = ?1", [.integer(id)]) { row in row.text(0) }
        guard let state else { throw StoreError.noSuchJob(id) }
        guard let known = JobState(rawValue: state) else { throw Undecodable(description: "a job's state: \(state)") }
        return known
    }

    private func endAttempt(
        of job: Int64, _ outcome: Attempt.Outcome, _ failure: JobFailure? = nil, bytes: Int64? = nil, at now: Timestamp
    ) throws {
        try db.execute(
            """
            UPDATE attempt SET ended = ?2, outcome = ?3, code = ?4, message = ?5, parameter = ?6, bytes = ?7
            WHERE job = ?1 AND number = (SELECT attempts FROM job WHERE id = ?1)
            """,
            [.integer(job), .integer(now.milliseconds), .text(outcome.rawValue), Value(failure?.code)]
                + [Value(failure?.message), Value(failure?.parameter), Value(bytes)])
    }

    private func countTry(of job: Int64) throws {
        try db.execute("UPDATE job SET tries = tries + 1 WHERE id = ?1", [.integer(job)])
    }

    private func keep(_ receipt: Receipt, of job: Int64) throws {
        try db.execute(
            """
            INSERT INTO receipt (job, delivered, path, guid, usn, sha256, bytes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [.integer(job), .integer(receipt.delivered.milliseconds), Value(receipt.path?.bytes)]
                + [Value(receipt.guid), Value(receipt.usn), Value(receipt.sha256), Value(receipt.bytes)])
    }

    private func makeRoom(for new: NewJob, at now: Timestamp) throws {
        let isThere = try db.first("SELECT 1 FROM draft WHERE id = ?1", [.integer(new.draft)]) { row in row.bool(0) }
        guard isThere == true else { throw StoreError.noSuchDraft(new.draft) }
        let present = try db.all(
            """
            SELECT id FROM job WHERE draft = ?1 AND destination = ?2 AND layout = ?3
                AND state IN ('queued', 'sending', 'uncertain', 'parked') ORDER BY id
            """, [.integer(new.draft), .text(new.destination), .text(new.layout)]
        ) { row in row.integer(0) }
        let replaced = JobFailure(code: "replaced", message: "A newer version of the draft took its place.")
        for id in present {
            let state = try state(of: id)
            guard state == .queued || state == .parked else {
                throw StoreError.draftInOutbox(draft: new.draft, job: id, state: state)
            }
            try move(id, .cancel, because: replaced, at: now)
        }
    }

    private func insert(_ new: NewJob, at now: Timestamp) throws -> Int64 {
        let note = new.note
        try db.execute(
            """
            INSERT INTO job (uid, draft, draft_hash, layout, batch, part, parts, destination, title, bytes, queued,
                state, notebook, tags, created, created_offset, updated, attributes, enml)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'queued', ?12, ?13, ?14, ?15, ?16, ?17, ?18)
            """,
            [.text(note.uid), .integer(new.draft), .text(new.draftHash), .text(new.layout), .text(new.batch)]
                + [Value(new.part), Value(new.parts), .text(new.destination), .text(note.title), .integer(note.size)]
                + [.integer(now.milliseconds), Value(note.notebook), .text(try JSON.encode(note.tags))]
                + [.integer(note.created.milliseconds), Value(note.createdOffset)]
                + [.integer(note.updated.milliseconds)]
                + [.text(try JSON.encode(note.attributes)), .text(note.enml)])
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
