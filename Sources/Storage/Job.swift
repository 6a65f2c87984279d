public import Notes
import SQLite
public import System

/// A note on its way into the outbox. From here on it is frozen: no change of the draft or of a layout reaches it.
public struct NewJob: Hashable, Sendable {
    public var note: Note
    /// The draft it was made of.
    public var draft: Int64
    /// The draft's `updated` when it was read for the note; nil: it is taken for unchanged since.
    public var draftUpdated: Timestamp?
    /// A hash of all that the note depends on, the draft's `uid` included: by it, what was delivered and has not
    /// changed is known.
    public var draftHash: String
    /// By name or as a stylesheet's path.
    public var layout: String
    /// A UUID, version 7: equal for the parts of a draft that are sent together, and for nothing else.
    public var batch: String
    /// From 1.
    public var part: Int
    public var parts: Int
    /// `enex:` with a folder, or an account.
    public var destination: String
    /// The delivered note that this one is a newer version of; nil: a note of its own.
    public var replaces: Upload?

    public init(
        note: Note, draft: Int64, draftUpdated: Timestamp? = nil, draftHash: String, layout: String, batch: String,
        part: Int = 1, parts: Int = 1,
        destination: String, replaces: Upload? = nil
    ) {
        self.note = note
        self.draft = draft
        self.draftUpdated = draftUpdated
        self.draftHash = draftHash
        self.layout = layout
        self.batch = batch
        self.part = part
        self.parts = parts
        self.destination = destination
        self.replaces = replaces
    }
}

/// A note in the outbox, without its content: that is asked for apart (`Store.note(ofJob:)`).
public struct Job: Hashable, Sendable {
    public var id: Int64
    /// The note's UUID.
    public var uid: String
    /// nil: the draft was removed since.
    public var draft: Int64?
    public var draftHash: String
    public var layout: String
    public var batch: String
    /// From 1.
    public var part: Int
    public var parts: Int
    public var destination: String
    public var title: String
    public var notebook: String?
    /// What counts against a note's limit.
    public var bytes: Int64
    /// When it was put into the outbox.
    public var queued: Timestamp
    public var state: JobState
    /// Not tried before; nil: at once.
    public var notBefore: Timestamp?
    /// Why it is where it is, where there is something to say.
    public var failure: JobFailure?
    /// How many were begun.
    public var attempts: Int
    /// How many failed since it was queued, or since a person last asked for it: those that count against it.
    public var tries: Int
    /// The file that was chosen for it before the first byte.
    public var target: FilePath?
    /// The service's update count before the last attempt's first byte: what arrived came after it.
    public var updateCount: Int64?
    /// What a service has of a note that is sent in steps, or is to replace a delivered one.
    public var upload: Upload?
    /// When it was first looked for, since its answer was lost.
    public var looked: Timestamp?
    public var receipt: Receipt?
}

/// What a service has of a note that is sent in steps, or is to replace a delivered one.
public struct Upload: Hashable, Sendable, Codable {
    /// The note's number at the service.
    public var guid: String
    /// The service's update sequence number of what is there.
    public var usn: Int64
    /// How many of the note's resources are there, the first ones. 0 in a note that is to be replaced, or gone on with.
    public var resources: Int

    public init(guid: String, usn: Int64, resources: Int) {
        self.guid = guid
        self.usn = usn
        self.resources = resources
    }
}

/// Why something did not go well.
public struct JobFailure: Hashable, Sendable {
    /// Whether the note that a job was to go on with is not there any more as this program left it.
    var isOfAnother: Bool { code == "note_gone" || code == "conflict" }

    /// A stable word: `quota_reached`, `disk_full`, `replaced`.
    public var code: String
    /// For people.
    public var message: String
    /// What the service says it is about: `Note.title`.
    public var parameter: String?

    public init(code: String, message: String, parameter: String? = nil) {
        self.code = code
        self.message = message
        self.parameter = parameter
    }
}

/// The proof of a delivery.
public struct Receipt: Hashable, Sendable {
    public var delivered: Timestamp
    /// The ENEX file.
    public var path: FilePath?
    /// The note's number at the service.
    public var guid: String?
    /// The service's update sequence number.
    public var usn: Int64?
    /// Of the ENEX file, in hexadecimal digits.
    public var sha256: String?
    /// Bytes delivered.
    public var bytes: Int64?

    /// True where a person said that it has arrived: nothing is known of where it is, and it proves nothing of the
    /// photos in it.
    public var isByHand: Bool { path == nil && guid == nil }

    public init(
        delivered: Timestamp, path: FilePath? = nil, guid: String? = nil, usn: Int64? = nil, sha256: String? = nil,
        bytes: Int64? = nil
    ) {
        self.delivered = delivered
        self.path = path
        self.guid = guid
        self.usn = usn
        self.sha256 = sha256
        self.bytes = bytes
    }
}

/// One try to deliver a job.
public struct Attempt: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case sent, postponed, parked
        /// The answer was lost.
        case unknown
        /// The worker died.
        case abandoned
    }

    public var job: Int64
    /// From 1.
    public var number: Int
    public var worker: String
    public var started: Timestamp
    /// nil while it goes on.
    public var ended: Timestamp?
    public var outcome: Outcome?
    public var failure: JobFailure?
    public var bytes: Int64?
}

/// The outbox at a glance.
public struct QueueCounts: Hashable, Sendable {
    /// How many jobs are in each state; `sent` are those with a receipt.
    public var jobs: [JobState: Int]
    /// Of the jobs that are queued, being sent or uncertain.
    public var bytesWaiting: Int64
    /// The earliest time that a queued job waits for; nil where none waits.
    public var nextTry: Timestamp?
    /// The earliest time before which an uncertain job is not looked for again; nil where none waits.
    public var nextLook: Timestamp?
    public var isPaused: Bool

    public subscript(state: JobState) -> Int { jobs[state] ?? 0 }

    /// Jobs that may still be delivered by themselves, or have been, unknown to us.
    public var open: Int { JobState.allCases.filter(\.isOpen).reduce(0) { $0 + self[$1] } }
}

/// A stop for everything that goes to an account: no calls at all before it is over.
public struct Gate: Hashable, Sendable {
    public var account: String
    /// When it opens by itself; nil: somebody has to open it.
    public var notBefore: Timestamp?
    public var reason: JobFailure

    public init(account: String, notBefore: Timestamp?, reason: JobFailure) {
        self.account = account
        self.notBefore = notBefore
        self.reason = reason
    }

    /// Whether a person can mend what closed it, and say so. Nobody can where the service asked to be left alone.
    public var isForPerson: Bool { notBefore == nil || reason.code == "quota_reached" }

    public func isClosed(at now: Timestamp) -> Bool { notBefore.map { $0 > now } ?? true }
}

extension Job {
    /// What `init(_:)` reads.
    static let columns = """
        j.id, j.uid, j.draft, j.draft_hash, j.layout, j.batch, j.part, j.parts, j.destination, j.title, j.notebook,
        j.bytes, j.queued, j.state, j.not_before, j.code, j.message, j.attempts, j.target,
        r.delivered, r.path, r.guid, r.usn, r.sha256, r.bytes, j.tries, j.update_count, j.upload, j.looked
        """

    init(_ row: borrowing Row) throws {
        guard let state = JobState(rawValue: row.text(13)) else {
            throw Undecodable(description: "a job's state: \(row.text(13))")
        }
        var receipt: Receipt?
        if !row.isNull(19) {
            receipt = Receipt(
                delivered: row.timestamp(19), path: row.optionalBlob(20).map { FilePath(bytes: $0) },
                guid: row.optionalText(21), usn: row.optionalInteger(22), sha256: row.optionalText(23),
                bytes: row.optionalInteger(24))
        }
        self.init(
            id: row.integer(0), uid: row.text(1), draft: row.optionalInteger(2), draftHash: row.text(3),
            layout: row.text(4), batch: row.text(5), part: Int(row.integer(6)), parts: Int(row.integer(7)),
            destination: row.text(8), title: row.text(9), notebook: row.optionalText(10), bytes: row.integer(11),
            queued: row.timestamp(12), state: state, notBefore: row.integer(14) == 0 ? nil : row.timestamp(14),
            failure: row.optionalText(15).map { JobFailure(code: $0, message: row.text(16)) },
            attempts: Int(row.integer(17)), tries: Int(row.integer(25)),
            target: row.optionalBlob(18).map { FilePath(bytes: $0) }, updateCount: row.optionalInteger(26),
            upload: try row.optionalText(27).map { try JSON.decode(Upload.self, $0) },
            looked: row.isNull(28) ? nil : row.timestamp(28), receipt: receipt)
    }
}

extension Attempt {
    /// What `init(_:)` reads.
    static let columns = "job, number, worker, started, ended, outcome, code, message, parameter, bytes"

    init(_ row: borrowing Row) {
        self.init(
            job: row.integer(0), number: Int(row.integer(1)), worker: row.text(2), started: row.timestamp(3),
            ended: row.isNull(4) ? nil : row.timestamp(4), outcome: Outcome(rawValue: row.text(5)),
            failure: row.optionalText(6).map {
                JobFailure(code: $0, message: row.text(7), parameter: row.optionalText(8))
            }, bytes: row.optionalInteger(9))
    }
}
