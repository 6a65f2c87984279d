import Notes
import Storage
import System

/// `--report FILE.csv`: a line for every photo of a run, with what became of it. RFC 4180, UTF-8, its first line the
/// names of the columns.
struct PhotoReportFile {
    private static let columns = [
        "photo", "md5", "bytes", "draft", "memo", "title", "state", "destination", "where", "delivered", "reason",
    ]

    private let path: FilePath
    private var lines: [[String]] = [Self.columns]

    init(_ path: FilePath) { self.path = path }

    /// Refuses a file that cannot be written, before anything is sent.
    /// - Throws: `ReportUnwritable`.
    static func check(_ path: FilePath) throws(ReportUnwritable) {
        do throws(SystemError) {
            try Files.checkReplaceable(path)
        } catch { throw ReportUnwritable(path: path, reason: error) }
    }

    /// Adds the photos of drafts, and where their notes went, and writes the file.
    /// - Throws: `StoreError`, `ReportLost`.
    func write(_ jobs: [Job], from store: Store) throws {
        var lines = lines
        for (draft, jobs) in Dictionary(grouping: jobs, by: \.draft).sorted(by: { ($0.key ?? 0) < ($1.key ?? 0) }) {
            guard let draft, let whole = try Self.draft(draft, in: store) else { continue }
            let notes = try jobs.map { job in (job, try store.originals(ofJob: job.id)) }
            for memo in whole.memos {
                for photo in memo.photos {
                    // A photo of a part that went before this run, or of none, has no line.
                    for (job, photos) in notes where photos.contains(photo.blob) {
                        let receipt = job.receipt
                        lines.append([
                            photo.name, photo.blob.md5.hex, String(photo.blob.size), String(draft), String(memo.number),
                            job.title, job.state.rawValue, job.destination,
                            receipt?.path?.description ?? receipt?.guid ?? "", receipt?.delivered.iso8601 ?? "",
                            job.state == .sent ? "" : job.failure?.message ?? "",
                        ])
                    }
                }
            }
        }
        let text = lines.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
        do throws(SystemError) {
            try Files.replace(path, with: Array(text.utf8), mode: 0o644, keepsMode: true)
        } catch { throw ReportLost(path: path, reason: error) }
    }

    /// - Returns: nil for one that was removed while its notes were on their way.
    private static func draft(_ id: Int64, in store: Store) throws(StoreError) -> Draft? {
        do {
            return try store.draft(id)
        } catch {
            if case .noSuchDraft = error { return nil }
            throw error
        }
    }

    /// Files that an import did not bring into a draft.
    mutating func add(notImported path: FilePath, state: String, reason: String) {
        lines.append([path.description, "", "", "", "", "", state, "", "", "", reason])
    }

    /// What a spreadsheet would take for a formula is text here as everywhere.
    private static func quoted(_ text: String) -> String {
        let safe = text.first.map { "=+-@\t\r".contains($0) } ?? false ? "'" + text : text
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

/// A report that there is no place for.
struct ReportUnwritable: ExplainedError {
    let path: FilePath
    let reason: SystemError
    var sentence: String { "the report \(path) cannot be written, so nothing was begun: \(reason.sentence)" }
    var status: ExitStatus { .failed }
}

/// A report that could not be written at the end, when the notes had gone.
struct ReportLost: ExplainedError {
    let path: FilePath
    let reason: SystemError
    var sentence: String {
        "the report \(path) could not be written: \(reason.sentence) What was delivered is delivered all the same: "
            + "`evergear log` lists it."
    }
    var status: ExitStatus { .failed }
}
