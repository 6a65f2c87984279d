public import Notes
import SQLite

// What holds deliveries back: the whole queue, or an account's gate.

extension Store {
    /// True while all deliveries are stopped.
    public func isQueuePaused() throws(StoreError) -> Bool { try reading { try isPaused() } }

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
    public func closeGate(_ gate: Gate, at now: Timestamp) throws(StoreError) {
        try changing {
            try db.execute(
                """
                INSERT INTO gate (account, not_before, code, message, closed, for_person) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (account, for_person) DO UPDATE SET not_before = excluded.not_before, code = excluded.code,
                    message = excluded.message, closed = excluded.closed
                WHERE excluded.not_before IS NULL OR excluded.not_before > not_before
                """,
                [.text(gate.account), Value(gate.notBefore?.milliseconds), .text(gate.reason.code)]
                    + [.text(gate.reason.message), .integer(now.milliseconds), Value(gate.isForPerson)])
        }
    }

    /// Opens an account's gate as far as a person may: what the service ordered by the clock stays.
    public func openGate(_ account: String) throws(StoreError) {
        try changing { try db.execute("DELETE FROM gate WHERE account = ?1 AND for_person", [.text(account)]) }
    }

    /// The gate of an account where it is closed; nil: calls are free. Where both hold it, what the service ordered.
    public func closedGate(_ account: String, at now: Timestamp) throws(StoreError) -> Gate? {
        try closedGates(at: now).first { $0.account == account }
    }

    /// All gates that are closed. An account may be twice among them: what the service ordered comes first.
    public func closedGates(at now: Timestamp) throws(StoreError) -> [Gate] {
        try reading {
            try db.all(
                """
                SELECT account, not_before, code, message FROM gate WHERE not_before IS NULL OR not_before > ?1
                ORDER BY account, for_person
                """, [.integer(now.milliseconds)]
            ) { row in
                Gate(
                    account: row.text(0), notBefore: row.isNull(1) ? nil : row.timestamp(1),
                    reason: JobFailure(code: row.text(2), message: row.text(3)))
            }
        }
    }

    /// Lets waits that a clock ordered which was ahead begin anew, for as long as they were ordered: of a gate, of a job
    /// before its next try, and between the first look for a job and the last.
    /// - Parameter clock: Asked after what was ordered is known: two processes that read theirs one after the other are no
    ///   wrong clock.
    public func restartWaits(by clock: () -> Timestamp) throws(StoreError) {
        let latest = try reading { try latestOrder() }
        guard latest > clock().milliseconds else { return }
        try changing {
            let now = Value.integer(clock().milliseconds)
            try db.execute(
                "UPDATE gate SET not_before = ?1 + (not_before - closed), closed = ?1 WHERE closed > ?1", [now])
            try db.execute(
                """
                UPDATE job INDEXED BY job_waits_since
                SET not_before = ?1 + (not_before - waits_since), waits_since = ?1 WHERE waits_since > ?1
                """, [now])
            try db.execute(
                "UPDATE job INDEXED BY job_of_state SET looked = ?1 WHERE state = 'uncertain' AND looked > ?1", [now])
        }
    }

    /// When the latest wait was ordered, in milliseconds; 0 where there is none.
    private func latestOrder() throws -> Int64 {
        try [
            "SELECT max(closed) FROM gate",
            "SELECT max(waits_since) FROM job INDEXED BY job_waits_since WHERE waits_since IS NOT NULL",
            "SELECT max(looked) FROM job INDEXED BY job_of_state WHERE state = 'uncertain'",
        ].map { try db.first($0) { row in row.optionalInteger(0) ?? 0 } ?? 0 }.max() ?? 0
    }

    func isPaused() throws -> Bool {
        try db.first("SELECT 1 FROM mark WHERE name = 'paused'") { row in row.bool(0) } ?? false
    }
}
