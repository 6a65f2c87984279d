public import Notes
import SQLite
import System

// What is in the outbox, for those who look. Nothing here reads a table from end to end; where SQLite, which does not
// know how many jobs are in which state, would choose another index, the statement names it.

extension Store {
    /// How many jobs are in each state, and what waits.
    public func queueCounts() throws(StoreError) -> QueueCounts {
        try reading {
            var counts = QueueCounts(jobs: [:], bytesWaiting: 0, isPaused: try isPaused())
            for state in JobState.allCases {
                try db.forEach(
                    "SELECT count(*), coalesce(sum(bytes), 0) FROM job WHERE state = ?1", [.text(state.rawValue)]
                ) { row in
                    counts.jobs[state] = Int(row.integer(0))
                    if state.isOpen { counts.bytesWaiting += row.integer(1) }
                }
            }
            counts.nextTry = try db.first(
                """
                SELECT not_before FROM job INDEXED BY job_waiting
                WHERE state = 'queued' AND not_before > 0 ORDER BY not_before LIMIT 1
                """
            ) { row in row.timestamp(0) }
            counts.nextLook =
                try db.first(
                    """
                    SELECT min(not_before) FROM job INDEXED BY job_of_state WHERE state = 'uncertain' AND not_before > 0
                    """
                ) { row in row.isNull(0) ? nil : row.timestamp(0) } ?? nil
            return counts
        }
    }

    /// Jobs in some states.
    /// - Parameter newestFirst: By number; otherwise the oldest comes first.
    public func jobs(
        in states: some Sequence<JobState>, newestFirst: Bool = false, limit: Int = .max
    ) throws(StoreError) -> [Job] {
        try reading {
            let found = try states.flatMap { state in
                try db.all(
                    """
                    SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id
                    WHERE j.state = ?1 ORDER BY j.id \(newestFirst ? "DESC" : "ASC") LIMIT ?2
                    """, [.text(state.rawValue), Value(limit)], Job.init)
            }
            return Array(found.sorted { newestFirst ? $0.id > $1.id : $0.id < $1.id }.prefix(limit))
        }
    }

    /// One job.
    /// - Throws: `noSuchJob`.
    public func job(_ id: Int64) throws(StoreError) -> Job {
        try reading {
            let job = try db.first(
                "SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id WHERE j.id = ?1",
                [.integer(id)], Job.init)
            guard let job else { throw StoreError.noSuchJob(id) }
            return job
        }
    }

    /// The job of a note, by the note's UUID; nil where there is none.
    public func job(uid: String) throws(StoreError) -> Job? {
        try reading {
            try db.first(
                "SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id WHERE j.uid = ?1", [.text(uid)],
                Job.init)
        }
    }

    /// All jobs of a draft, the oldest first.
    public func jobs(ofDraft draft: Int64) throws(StoreError) -> [Job] {
        try reading {
            try db.all(
                """
                SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id
                WHERE j.draft = ?1 ORDER BY j.id
                """, [.integer(draft)], Job.init)
        }
    }

    /// How far the worker of a job is that is being sent: since when, and bytes that have gone of what it has in hand. nil
    /// for a job that nobody has in hand.
    public func course(ofJob id: Int64) throws(StoreError) -> (since: Timestamp, bytes: Int64)? {
        try reading { () throws -> (since: Timestamp, bytes: Int64)? in
            let found = try db.first(
                """
                SELECT j.worker, a.started FROM job j JOIN attempt a ON a.job = j.id AND a.number = j.attempts
                WHERE j.id = ?1 AND j.worker IS NOT NULL
                """, [.integer(id)]
            ) { row in (row.text(0), row.timestamp(1)) }
            guard let (worker, since) = found else { return nil }
            return (since, WorkerLock.bytes(told: worker, in: folder / "workers") ?? 0)
        }
    }

    /// The note of a job, as it was frozen.
    /// - Throws: `noSuchJob`.
    public func note(ofJob id: Int64) throws(StoreError) -> Note {
        try reading {
            let found = try db.first(
                """
                SELECT uid, title, enml, created, updated, notebook, tags, attributes, created_offset FROM job
                WHERE id = ?1
                """, [.integer(id)]
            ) { row in
                Note(
                    uid: row.text(0), title: row.text(1), enml: row.text(2), created: row.timestamp(3),
                    createdOffset: row.optionalInteger(8).map(Int.init), updated: row.timestamp(4),
                    notebook: row.optionalText(5),
                    tags: try JSON.decode(tags: row.text(6)),
                    attributes: try JSON.decode(NoteAttributes.self, row.text(7)), resources: [])
            }
            guard var note = found else { throw StoreError.noSuchJob(id) }
            note.resources = try db.all(
                """
                SELECT md5, size, serial, mime, width, height, attributes FROM job_resource
                WHERE job = ?1 ORDER BY position
                """, [.integer(id)]
            ) { row in
                Resource(
                    blob: try row.blobKey(at: 0), mime: row.text(3), pixels: row.pixels(at: 4),
                    attributes: try JSON.decode(ResourceAttributes.self, row.text(6)))
            }
            return note
        }
    }

    /// The tries of a job, the first one first.
    public func attempts(ofJob id: Int64) throws(StoreError) -> [Attempt] {
        try reading {
            try db.all(
                "SELECT \(Attempt.columns) FROM attempt WHERE job = ?1 ORDER BY number", [.integer(id)], Attempt.init)
        }
    }

    /// The last try that did not go well, of the jobs that still have something before them; nil where all did.
    public func lastFailure() throws(StoreError) -> Attempt? {
        try reading {
            try db.first(
                """
                SELECT \(Attempt.columns) FROM attempt INDEXED BY attempt_failed WHERE code IS NOT NULL AND ended > 0
                    AND (SELECT state FROM job WHERE id = attempt.job) IN ('queued', 'sending', 'uncertain', 'parked')
                ORDER BY ended DESC LIMIT 1
                """, [], Attempt.init)
        }
    }

    /// Destinations that have something queued.
    public func waitingDestinations() throws(StoreError) -> [String] {
        try reading {
            var found: [String] = []
            // From one to the next: a DISTINCT would read every queued job.
            while let next = try db.first(
                """
                SELECT destination FROM job INDEXED BY job_due
                WHERE state = 'queued' AND destination > ?1 ORDER BY destination LIMIT 1
                """, [.text(found.last ?? "")], { row in row.text(0) })
            {
                found.append(next)
            }
            return found
        }
    }

    /// What is due at a destination: those that failed least often first, of these the longest waiting.
    public func dueJobs(at destination: String, now: Timestamp, limit: Int) throws(StoreError) -> [Job] {
        try reading { try due(at: destination, now, limit: limit).map { try job($0) } }
    }

    /// The jobs by which exactly this was delivered: every part of the newest sending that is there as a whole, in
    /// order. Empty where there is none.
    public func deliveredJobs(
        draftHash: String, destination: String, layout: String
    ) throws(StoreError) -> [Job] {
        try reading {
            let sent = try db.all(
                """
                SELECT \(Job.columns) FROM job j LEFT JOIN receipt r ON r.job = j.id
                WHERE j.draft_hash = ?1 AND j.destination = ?2 AND j.layout = ?3 AND j.state = 'sent'
                """, [.text(draftHash), .text(destination), .text(layout)], Job.init)
            let batches = Dictionary(grouping: sent, by: \.batch).filter { $1.count == $1.first?.parts }
            return (batches.max { $0.key < $1.key }?.value ?? []).sorted { $0.part < $1.part }
        }
    }

    /// Why jobs are parked: each reason once, that of most jobs first, with how many have it and what the first of them
    /// says.
    public func parkedReasons() throws(StoreError) -> [(failure: JobFailure, jobs: Int)] {
        try reading {
            var found: [(failure: JobFailure, jobs: Int)] = []
            // From one to the next: few reasons, and perhaps very many jobs.
            while let next = try db.first(
                """
                SELECT code, message FROM job INDEXED BY job_parked
                WHERE state = 'parked' AND code > ?1 ORDER BY code, id LIMIT 1
                """, [.text(found.last?.failure.code ?? "")],
                { row in JobFailure(code: row.text(0), message: row.text(1)) })
            {
                let jobs = try db.first(
                    "SELECT count(*) FROM job INDEXED BY job_parked WHERE state = 'parked' AND code = ?1",
                    [.text(next.code)]
                ) { row in Int(row.integer(0)) }
                found.append((next, jobs ?? 0))
            }
            return found.sorted { $0.jobs > $1.jobs }
        }
    }

    /// When there is something to do for a worker: now, later, or never, as nothing waits or somebody has to act first.
    public func nextWork(at now: Timestamp) throws(StoreError) -> Timestamp? {
        try reading {
            var times: [Timestamp] = []
            let waiting = try waitingDestinations()
            let uncertain = try db.all(
                """
                SELECT destination, min(not_before) FROM job INDEXED BY job_of_state WHERE state = 'uncertain'
                GROUP BY destination
                """
            ) { row in (row.text(0), row.timestamp(1)) }
            let closed = try closedGates(at: now)
            for address in Set(waiting + uncertain.map(\.0)) {
                let own = waiting.contains(address) ? try firstDue(at: address) : nil
                let looked = uncertain.first { $0.0 == address }?.1
                guard let first = [own, looked].compactMap(\.self).min() else { continue }
                let gates = closed.filter { $0.account == address }
                let opens = gates.compactMap(\.notBefore)
                // One without a time waits for somebody.
                if opens.count == gates.count { times.append(opens.reduce(first, max)) }
            }
            return times.min()
        }
    }

    /// The earliest time that a queued job of a destination may be tried at.
    private func firstDue(at destination: String) throws -> Timestamp? {
        var first: Timestamp?
        var tries: Int64 = -1
        while let next = try db.first(
            """
            SELECT tries, not_before FROM job INDEXED BY job_due
            WHERE state = 'queued' AND destination = ?1 AND tries > ?2 ORDER BY tries, not_before LIMIT 1
            """, [.text(destination), .integer(tries)], { row in (row.integer(0), row.timestamp(1)) })
        {
            tries = next.0
            first = min(first ?? next.1, next.1)
        }
        return first
    }

    func due(at destination: String, _ now: Timestamp, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        var tries: Int64 = -1
        // By the number of tries: one statement for all would read every job that waits.
        while found.count < limit,
            let next = try db.first(
                """
                SELECT tries FROM job INDEXED BY job_due
                WHERE state = 'queued' AND destination = ?1 AND tries > ?2 ORDER BY tries LIMIT 1
                """, [.text(destination), .integer(tries)], { row in row.integer(0) })
        {
            tries = next
            found += try db.all(
                """
                SELECT id FROM job INDEXED BY job_due
                WHERE state = 'queued' AND destination = ?1 AND tries = ?2 AND not_before <= ?3
                ORDER BY not_before, id LIMIT ?4
                """,
                [.text(destination), .integer(tries), .integer(now.milliseconds), Value(limit - found.count)]
            ) { row in row.integer(0) }
        }
        return found
    }
}
