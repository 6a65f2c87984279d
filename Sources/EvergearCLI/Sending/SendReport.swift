import Notes
import Storage
import System

/// The last line of `send --json`.
struct SendSummary: Encodable {
    let event = "summary"
    let sent: Int
    let waiting: Int
    let parked: Int
    let refused: Int
    let notes: [Note]

    struct Note: Encodable {
        let draft: Int64?
        let part: Int
        let parts: Int
        let title: String
        let destination: String
        let state: String
        let path: String?

        init(_ job: Job) {
            draft = job.draft
            part = job.part
            parts = job.parts
            title = job.title
            destination = job.destination
            state = job.state.rawValue
            path = job.receipt?.path?.description
        }
    }

    init(_ jobs: [Job], refused: Int) {
        sent = jobs.count { $0.state == .sent }
        waiting = jobs.count { $0.state == .queued || $0.state == .uncertain }
        parked = jobs.count { $0.state == .parked }
        self.refused = refused
        notes = jobs.map(Note.init)
    }
}

enum SendReport {
    /// Where the notes are, and how they get into an app.
    static func lines(_ jobs: [Job]) -> [String] {
        let sent = jobs.filter { $0.state == .sent }
        var lines: [String] = []
        var files: [FilePath] = []
        for job in sent { if let path = job.receipt?.path, !files.contains(path) { files.append(path) } }
        for file in files {
            let notes = sent.filter { $0.receipt?.path == file }
            let bytes = notes.reduce(0) { $0 + $1.bytes }
            lines.append("\(Words.count(notes.count, "note")), \(Words.size(bytes)), in \(file)")
        }
        return files.isEmpty ? lines : lines + howToImport
    }

    static let howToImport = [
        "Evernote: File > Import > Evernote export file (.enex)",
        "Joplin: File > Import > ENEX - Evernote Export File (as Markdown)",
        "Obsidian: command palette > Import data (Importer plug-in) > Evernote (.enex)",
    ]
}
