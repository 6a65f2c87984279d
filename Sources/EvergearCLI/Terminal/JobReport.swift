import Notes
import Storage
import System

/// A job for machines.
struct JobJSON: Encodable {
    let id: Int64
    let uid: String
    let draft: Int64?
    let part: Int
    let parts: Int
    let title: String
    let layout: String
    let destination: String
    let state: String
    let bytes: Int64
    let queued: String
    @Null var notBefore: String?
    let code: String?
    let message: String?
    /// The file that it is in.
    let path: String?
    let pathHex: String?
    let guid: String?
    let sha256: String?
    let delivered: String?
    /// There and true where somebody said that it has arrived.
    let byHand: Bool?
    /// Only where one job is asked for.
    let attempts: [AttemptJSON]?
    /// The note's ENML, where it is asked for.
    let content: String?

    init(_ job: Job, attempts: [Attempt]? = nil, content: String? = nil) {
        id = job.id
        uid = job.uid
        draft = job.draft
        part = job.part
        parts = job.parts
        title = job.title
        layout = job.layout
        destination = job.destination
        state = job.state.rawValue
        bytes = job.bytes
        queued = job.queued.iso8601
        notBefore = job.notBefore?.iso8601
        code = job.failure?.code
        message = job.failure?.message
        let place = job.receipt?.path.map(PathName.init)
        path = place?.path
        pathHex = place?.pathHex
        guid = job.receipt?.guid
        sha256 = job.receipt?.sha256
        delivered = job.receipt?.delivered.iso8601
        byHand = job.receipt?.isByHand == true ? true : nil
        self.attempts = attempts?.map(AttemptJSON.init)
        self.content = content
    }
}

struct AttemptJSON: Encodable {
    let number: Int
    let started: String
    let ended: String?
    let outcome: String?
    let code: String?
    let message: String?
    let bytes: Int64?

    init(_ attempt: Attempt) {
        number = attempt.number
        started = attempt.started.iso8601
        ended = attempt.ended?.iso8601
        outcome = attempt.outcome?.rawValue
        code = attempt.failure?.code
        message = attempt.failure?.message
        bytes = attempt.bytes
    }
}

/// `queue status --json`.
struct QueueStatusJSON: Encodable {
    let queued: Int
    let sending: Int
    let uncertain: Int
    let parked: Int
    let sent: Int
    let cancelled: Int
    let bytesWaiting: Int64
    /// When the first job that waits is tried or looked for again. ISO 8601.
    @Null var nextAttempt: String?
    let paused: Bool
    let jobs: [JobJSON]
    /// Left out where no job is parked.
    let reasons: [ReasonJSON]?
    /// Left out where none is closed.
    let gates: [GateJSON]?

    /// Why jobs are parked.
    struct ReasonJSON: Encodable {
        let code: String
        let message: String
        let jobs: Int
    }

    /// An account that takes nothing now.
    struct GateJSON: Encodable {
        let account: String
        let code: String
        let message: String
        /// ISO 8601; null: until somebody does something about it.
        @Null var notBefore: String?
    }

    init(_ counts: QueueCounts, jobs: [Job], reasons: [(failure: JobFailure, jobs: Int)], gates: [Gate]) {
        queued = counts[.queued]
        sending = counts[.sending]
        uncertain = counts[.uncertain]
        parked = counts[.parked]
        sent = counts[.sent]
        cancelled = counts[.cancelled]
        bytesWaiting = counts.bytesWaiting
        nextAttempt = [counts.nextTry, counts.nextLook].compactMap(\.self).min()?.iso8601
        paused = counts.isPaused
        self.jobs = jobs.map { JobJSON($0) }
        let parked = reasons.map { ReasonJSON(code: $0.failure.code, message: $0.failure.message, jobs: $0.jobs) }
        self.reasons = parked.isEmpty ? nil : parked
        let closed = gates.map { gate in
            GateJSON(
                account: gate.account, code: gate.reason.code, message: gate.reason.message,
                notBefore: gate.notBefore?.iso8601)
        }
        self.gates = closed.isEmpty ? nil : closed
    }
}

enum JobReport {
    static func table(_ jobs: [Job], now: Timestamp) -> Table {
        var table = Table([
            ("job", .right), ("draft", .right), ("title", .title), ("size", .right), ("state", .whole), ("", .left),
        ])
        for job in jobs {
            table.add([
                "\(job.id)", job.draft.map(String.init) ?? "", job.title, Words.size(job.bytes), job.state.rawValue,
                explanation(job, now: now),
            ])
        }
        return table
    }

    static func lines(_ job: Job, attempts: [Attempt], now: Timestamp) -> [String] {
        var lines = [
            "Job \(job.id): \(job.title)",
            "  " + (job.draft.map { "of draft \($0)" } ?? "its draft was removed")
                + (job.parts > 1 ? ", part \(job.part) of \(job.parts)" : ""),
            "  layout \(job.layout), \(Words.size(job.bytes)), to \(job.destination)",
            "  \(job.state.words)" + (explanation(job, now: now).isEmpty ? "" : ": \(explanation(job, now: now))"),
        ]
        if let receipt = job.receipt {
            lines.append("  \(DeliveryReport.time(receipt.delivered)), \(DeliveryReport.place(of: job))")
            if let sha256 = receipt.sha256 { lines.append("  SHA-256 of the file \(sha256)") }
        }
        if job.state == .parked || job.state == .uncertain { lines.append("  " + job.state.advice(job.id)) }
        return lines + attempts.map { "  " + line($0, now: now) }
    }

    static func line(_ attempt: Attempt, now: Timestamp) -> String {
        "attempt \(attempt.number), \(Words.relative(attempt.started, to: now)): "
            + (attempt.outcome?.rawValue ?? "goes on")
            + (attempt.failure.map { " (\($0.code)): \($0.message)" } ?? "")
    }

    /// What a job waits for, for behind a colon: `next look in 14 minutes`; nil where it waits for no time.
    static func next(_ job: Job, now: Timestamp) -> String? {
        guard let time = job.notBefore, time > now else { return nil }
        return "next \(job.state == .uncertain ? "look" : "try") \(Words.later(time, from: now))"
    }

    private static func explanation(_ job: Job, now: Timestamp) -> String {
        switch job.state {
        case .queued, .uncertain:
            let reason = job.failure?.message ?? ""
            guard let next = next(job, now: now) else { return reason }
            return next + (reason.isEmpty ? "" : ": \(reason)")
        case .sent: return job.receipt.map { Words.relative($0.delivered, to: now) } ?? ""
        default: return job.failure?.message ?? ""
        }
    }
}
