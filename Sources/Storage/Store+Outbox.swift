public import Notes
import SQLite
public import System

// What happens to jobs. Each change is one transaction, together with its attempt and its receipt; whether it may
// happen is said by `JobState.after` alone. Whether a draft was sent follows from its jobs, and so is never behind.

extension Store {
    /// Begins to work: jobs are claimed in the name of what is returned, for as long as it lives.
    public func beginWork() throws(StoreError) -> WorkerLock {
        try reading { try WorkerLock(in: folder / "workers") }
    }

    /// Takes jobs in hand and begins an attempt at each: those of the numbers given that are queued and due.
    /// - Parameter target: The file chosen for them: it is known before its first byte is written.
    /// - Returns: The jobs that are this worker's now, in the order given. Nobody else has them. None of an account whose
    ///   gate is closed: another worker may have heard just now that it is.
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
                try requireSending(id)
                try db.execute(
                    "UPDATE job SET target = ?2 WHERE id = ?1", [.integer(id), .blob(target.bytes)])
            }
        }
    }

    /// Notes how far the service had counted before the first byte of a job in hand, so that the note is found by what
    /// came after.
    /// - Throws: `noSuchJob`; `illegalTransition` where it is not being sent.
    public func setUpdateCount(_ count: Int64, of id: Int64) throws(StoreError) {
        try changing {
            try requireSending(id)
            try db.execute("UPDATE job SET update_count = ?2 WHERE id = ?1", [.integer(id), .integer(count)])
        }
    }

    /// Keeps what a service has of a job that is sent in steps. A step that arrived gives the job all its tries back.
    /// - Throws: `noSuchJob`; `illegalTransition` where it is neither being sent nor uncertain.
    public func setUpload(_ upload: Upload, of id: Int64) throws(StoreError) {
        try changing {
            let state = try state(of: id)
            guard state == .sending || state == .uncertain else {
                throw StoreError.illegalTransition(job: id, state: state, event: .claim)
            }
            try db.execute(
                "UPDATE job SET upload = ?2, tries = 0 WHERE id = ?1", [.integer(id), .text(try JSON.encode(upload))])
            try supersede(note: upload.guid, by: id)
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
    ///   - failure: What went wrong; nil: nothing did, as when somebody pressed Ctrl-C.
    ///   - costsTry: Whether it counts against the job. What concerns a whole account does not.
    public func postpone(
        _ ids: [Int64], until time: Timestamp?, because failure: JobFailure?, costsTry: Bool = true, at now: Timestamp
    ) throws(StoreError) {
        try changing {
            for id in ids {
                let before = try move(id, .postpone, notBefore: time, because: failure, at: now)
                guard before == .sending else { continue }
                try endAttempt(of: id, .postponed, failure, at: now)
                if failure != nil, costsTry { try countTry(of: id) }
            }
        }
    }

    /// The service or the file says no: it waits for a person.
    public func park(_ ids: [Int64], because failure: JobFailure, at now: Timestamp) throws(StoreError) {
        try changing {
            for id in ids {
                let before = try move(id, .park, because: failure, at: now)
                if before == .sending { try endAttempt(of: id, .parked, failure, at: now) }
                if failure.isOfAnother, let upload = try job(id).upload { try supersede(note: upload.guid, by: id) }
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

    /// Uncertain jobs were looked for and not found, or could not be looked for: they stay uncertain.
    /// - Parameters:
    ///   - time: Not looked for again before.
    ///   - isAbsent: Whether the look told that it is not there; the first such look is remembered.
    public func keepLooking(
        _ ids: [Int64], after time: Timestamp?, isAbsent: Bool, because failure: JobFailure?, at now: Timestamp
    ) throws(StoreError) {
        try changing {
            for id in ids {
                try move(id, .postpone, notBefore: time, because: failure, at: now)
                guard isAbsent else { continue }
                try db.execute(
                    "UPDATE job SET looked = coalesce(looked, ?2) WHERE id = ?1",
                    [.integer(id), .integer(now.milliseconds)])
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

    /// Queues parked jobs again, and lets waiting ones wait no longer. They have all their tries before them. One whose
    /// begun note is gone, or was changed by somebody else, begins anew.
    /// - Parameter uncertain: Whether also those that may have arrived: a person has looked, and takes it upon them.
    public func retry(_ ids: [Int64], alsoUncertain uncertain: Bool = false, at now: Timestamp) throws(StoreError) {
        try changing {
            for id in ids {
                let job = try job(id)
                if job.state == .uncertain, !uncertain { continue }
                let begins = job.failure?.isOfAnother ?? false
                try db.execute(
                    "UPDATE job SET tries = 0, upload = iif(?2, NULL, upload) WHERE id = ?1",
                    [.integer(id), Value(begins)])
                try move(id, .retry, at: now)
            }
        }
    }

    /// Makes a change that goes by a look at jobs, unless one of them has been in other hands since.
    /// - Returns: false where one was, and nothing was changed.
    @discardableResult
    public func ifUntouched(_ jobs: [Job], _ change: () throws -> Void) throws(StoreError) -> Bool {
        try changing {
            let isUntouched = try jobs.allSatisfy { seen in
                let job = try job(seen.id)
                return (job.state, job.attempts, job.looked) == (seen.state, seen.attempts, seen.looked)
            }
            if isUntouched { try change() }
            return isUntouched
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

    /// Sends queued and parked jobs elsewhere: queued there as if they had never been tried.
    ///
    /// One that cannot go there stays as it is, and is no reason to leave the others.
    /// - Returns: Why, for those that stay: `noSuchJob`, `illegalTransition`, `alreadyThere`.
    public func redirect(
        _ ids: [Int64], to destination: String, at now: Timestamp
    ) throws(StoreError) -> [(job: Int64, error: StoreError)] {
        try changing {
            var left: [(job: Int64, error: StoreError)] = []
            for id in ids {
                do {
                    try redirect(id, to: destination, at: now)
                } catch let error as StoreError {
                    left.append((id, error))
                }
            }
            return left
        }
    }

    // Inside a transaction

    /// - Throws: Before anything is changed.
    private func redirect(_ id: Int64, to destination: String, at now: Timestamp) throws {
        let job = try job(id)
        if job.state == .queued || job.state == .parked, job.destination != destination,
            let same = try sameNote(as: job, at: destination)
        {
            throw StoreError.alreadyThere(job: id, other: same.job, state: same.state)
        }
        try move(id, .redirect, at: now)
        // What was begun elsewhere, and what the note was to replace there, is of no use here.
        try db.execute(
            """
            UPDATE job SET destination = ?2, tries = 0, target = NULL, update_count = NULL, looked = NULL,
                upload = iif(destination = ?2, upload, NULL)
            WHERE id = ?1
            """, [.integer(id), .text(destination)])
    }

    /// The job of the same part of the same draft that is on its way to a destination, or was delivered there.
    private func sameNote(as job: Job, at destination: String) throws -> (job: Int64, state: JobState)? {
        let columns: [Value] = [.text(job.draftHash), .text(destination), .text(job.layout), Value(job.part)]
        let sent = try db.first(
            """
            SELECT id FROM job INDEXED BY job_of_content
            WHERE draft_hash = ?1 AND destination = ?2 AND layout = ?3 AND part = ?4 AND state = 'sent' LIMIT 1
            """, columns
        ) { row in row.integer(0) }
        if let sent { return (sent, .sent) }
        guard let draft = job.draft else { return nil }
        return try db.first(
            """
            SELECT id, state FROM job WHERE draft = ?5 AND draft_hash = ?1 AND destination = ?2 AND layout = ?3
                AND part = ?4 AND state IN ('queued', 'sending', 'uncertain', 'parked') LIMIT 1
            """, columns + [.integer(draft)]
        ) { row in (row.integer(0), JobState(rawValue: row.text(1)) ?? .uncertain) }
    }

    private func take(_ ids: [Int64], _ worker: String, _ target: FilePath?, _ now: Timestamp) throws -> [Job] {
        var taken: [Job] = []
        for id in ids {
            guard try isDue(id, now) else { continue }
            try move(id, .claim, worker: worker, at: now)
            try db.execute(
                """
                UPDATE job SET attempts = attempts + 1, target = ?2, update_count = NULL, looked = NULL WHERE id = ?1
                """,
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
            """
            SELECT state = 'queued' AND job.not_before <= ?2 AND NOT EXISTS (
                SELECT 1 FROM gate WHERE account = destination AND (gate.not_before IS NULL OR gate.not_before > ?2))
            FROM job WHERE id = ?1
            """,
            [.integer(id), .integer(now.milliseconds)]
        ) { row in row.bool(0) } ?? false
    }

    private func requireSending(_ id: Int64) throws {
        let state = try state(of: id)
        guard state == .sending else { throw StoreError.illegalTransition(job: id, state: state, event: .claim) }
    }

    /// The one place where a job's state changes.
    /// - Returns: The state before.
    @discardableResult
    func move(
        _ id: Int64, _ event: JobEvent, notBefore: Timestamp? = nil, because failure: JobFailure? = nil,
        worker: String? = nil, at now: Timestamp
    ) throws -> JobState {
        let before = try state(of: id)
        guard let after = before.after(event) else {
            throw StoreError.illegalTransition(job: id, state: before, event: event)
        }
        try db.execute(
            """
            UPDATE job SET state = ?2, not_before = ?3, code = ?4, message = ?5, worker = ?6, waits_since = ?7 WHERE id = ?1
            """,
            [.integer(id), .text(after.rawValue), .integer(notBefore?.milliseconds ?? 0)]
                + [Value(failure?.code), Value(failure?.message), Value(worker)]
                + [Value(notBefore == nil ? nil : now.milliseconds)])
        return before
    }

    func state(of id: Int64) throws -> JobState {
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
        if let guid = receipt.guid { try supersede(note: guid, by: job) }
    }
}
