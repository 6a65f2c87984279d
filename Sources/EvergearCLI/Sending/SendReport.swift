import Notes
import Storage
import System

// What `send`, `upload` and `queue run` print: for machines a stream of events with a summary last, for people where
// the files are.

/// `{"event":"progress"}`: how far the sending is.
struct ProgressEvent: Encodable {
    let event = "progress"
    /// Bytes of notes that have gone.
    let bytes: Int64
    let total: Int64
}

/// `{"event":"sent"}`, `waiting`, `parked`, `uncertain`: a job that a delivery ended for.
struct DeliveryEvent: Encodable {
    let event: String
    let job: Int64
    let draft: Int64?
    let title: String
    let path: String?
    let pathHex: String?
    let guid: String?
    let code: String?
    let message: String?

    init(_ job: Job) {
        event = job.state == .queued ? "waiting" : job.state.rawValue
        self.job = job.id
        draft = job.draft
        title = job.title
        let place = job.receipt?.path.map(PathName.init)
        path = place?.path
        pathHex = place?.pathHex
        guid = job.receipt?.guid
        code = job.failure?.code
        message = job.failure?.message
    }
}

/// A draft that made no job: `{"event":"parked"}` for one that was refused, or `{"event":"already_delivered"}`.
struct DraftEvent: Encodable {
    let event: String
    let draft: Int64
    let title: String
    let path: String?
    let message: String?

    init(refused draft: Draft, _ failure: Failure) {
        self.init("parked", draft, path: nil, message: failure.sentence)
    }

    init(alreadyDelivered draft: Draft, _ path: FilePath?) {
        self.init("already_delivered", draft, path: path, message: nil)
    }

    private init(_ event: String, _ draft: Draft, path: FilePath?, message: String?) {
        self.event = event
        self.draft = draft.id
        title = draft.title
        self.path = path?.description
        self.message = message
    }
}

/// The last line of `--json`.
struct SendSummary: Encodable {
    let event = "summary"
    let sent: Int
    /// Everything in the outbox that is queued, in a worker's hands, or uncertain, from earlier runs too.
    let waiting: Int
    /// Drafts that were refused count with them.
    let parked: Int
    /// Notes that were there before; they are in the list too.
    let alreadyDelivered: Int
    let notes: [Note]

    struct Note: Encodable {
        let draft: Int64?
        let part: Int
        let parts: Int
        let title: String
        let destination: String
        let state: String
        let path: String?
        let pathHex: String?
        let guid: String?

        init(_ job: Job) {
            draft = job.draft
            part = job.part
            parts = job.parts
            title = job.title
            destination = job.destination
            state = job.state.rawValue
            let place = job.receipt?.path.map(PathName.init)
            path = place?.path
            pathHex = place?.pathHex
            guid = job.receipt?.guid
        }
    }

    init(_ jobs: [Job], _ tally: Sending.Tally = Sending.Tally(), outbox: QueueCounts) {
        sent = jobs.count { $0.state == .sent }
        waiting = outbox.open
        parked = jobs.count { $0.state == .parked } + tally.refused.count
        alreadyDelivered = tally.alreadyDelivered.count
        notes = (jobs + tally.alreadyDelivered).map(Note.init)
    }
}

enum SendReport {
    /// Where the notes are, and how they get into an app.
    /// - Parameter elsewhere: Those that another process delivered meanwhile, which tells of them as well.
    static func lines(_ jobs: [Job], elsewhere: [Job] = []) -> [String] {
        let all = jobs + elsewhere
        let hasFiles = all.contains { $0.state == .sent && $0.receipt?.path != nil }
        return places(of: jobs) + places(of: elsewhere).map { "\($0), delivered by another evergear" }
            + (hasFiles ? howToImport : [])
    }

    private static func places(of jobs: [Job]) -> [String] {
        let sent = jobs.filter { $0.state == .sent }
        var files: [FilePath] = []
        for job in sent { if let path = job.receipt?.path, !files.contains(path) { files.append(path) } }
        let uploaded = Dictionary(grouping: sent.filter { $0.receipt?.guid != nil }, by: \.destination)
        let accounts = uploaded.sorted { $0.key < $1.key }.map { address, jobs in
            "\(Words.count(jobs.count, "note")), \(Words.size(jobs.reduce(0) { $0 + $1.bytes })), in the account at \(address)"
        }
        return accounts
            + files.map { file in
                let notes = sent.filter { $0.receipt?.path == file }
                let bytes = notes.reduce(0) { $0 + $1.bytes }
                return "\(Words.count(notes.count, "note")), \(Words.size(bytes)), in \(file)"
            }
    }

    static let howToImport = [
        "Evernote: File > Import > Evernote export file (.enex)",
        "Joplin: File > Import > ENEX - Evernote Export File (as Markdown)",
        "Obsidian: command palette > Import data (Importer plug-in) > Evernote (.enex)",
    ]
}
