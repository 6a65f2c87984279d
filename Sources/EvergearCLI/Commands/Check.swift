import Glibc
import Hashing
import Notes
import Storage
import System

struct CheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look whether all that the store claims is so: database, photos, receipts",
        discussion: """
            Looked at are the database and what points where in it, the bytes of every photo, copy and job by their
            length, and whether the ENEX files of all receipts are still there. --read reads every byte and compares
            checksums. Nothing is changed or mended; each problem says what to do.

            Exit status: 0 when all is well, 1 when something is wrong.
            """)

    @Flag(help: "Read all photos and ENEX files, and compare their checksums.")
    var read = false

    @Flag(help: "Leave the ENEX files out, because you remove them once they are imported.")
    var noEnex = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try Store(folder: context.home.data, readOnly: true)
        let output = context.output
        let check = StoreCheck(store, KeptEdits(context.home), reads: read, looksAtENEX: !noEnex)
        let progress = Progress(output, "Checking")
        try check.run { progress.advance(bytes: $0) }
        progress.finish()
        if output.isJSON {
            try output.json(check.report)
        } else {
            for problem in check.report.problems { output.line(problem.message) }
            for remark in check.report.remarks { output.report(remark.message) }
            output.report(check.summary)
        }
        return check.report.ok ? .success : .failed
    }
}

/// Looks at everything in a store, and collects what is wrong.
private final class StoreCheck {
    private let store: Store
    private let edits: KeptEdits
    private let reads: Bool
    private let looksAtENEX: Bool
    private(set) var report = Report()

    /// `check --json`.
    struct Report: Encodable {
        var ok: Bool { problems.isEmpty }
        var read = false
        /// Blobs that something names and that are here as they should be.
        var blobs = 0
        var bytes: Int64 = 0
        /// Of those that something names: freed by `prune`.
        var freed = 0
        /// ENEX files that were looked at.
        var files = 0
        var problems: [Finding] = []
        /// What is worth knowing and not wrong.
        var remarks: [Finding] = []

        private enum CodingKeys: CodingKey { case ok, read, blobs, bytes, freed, files, problems, remarks }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(ok, forKey: .ok)
            try container.encode(read, forKey: .read)
            try container.encode(blobs, forKey: .blobs)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(freed, forKey: .freed)
            try container.encode(files, forKey: .files)
            try container.encode(problems, forKey: .problems)
            try container.encode(remarks, forKey: .remarks)
        }
    }

    struct Finding: Encodable {
        /// A stable word: `missing`, `wrong_bytes`, `enex_missing`.
        let code: String
        /// A sentence with what to do.
        let message: String
        let blob: String?
        let draft: Int64?
        let job: Int64?
        let path: String?
        let pathHex: String?

        init(
            _ code: String, _ message: String, blob: BlobKey? = nil, draft: Int64? = nil, job: Int64? = nil,
            path: FilePath? = nil
        ) {
            self.code = code
            self.message = message
            self.blob = blob?.description
            self.draft = draft
            self.job = job
            let name = path.map(PathName.init)
            self.path = name?.path
            pathHex = name?.pathHex
        }
    }

    init(_ store: Store, _ edits: KeptEdits, reads: Bool, looksAtENEX: Bool) {
        self.store = store
        self.edits = edits
        self.reads = reads
        self.looksAtENEX = looksAtENEX
        report.read = reads
    }

    var summary: String {
        let looked =
            "\(reads ? "read" : "looked at the length of") \(Words.count(report.blobs, "file")) of the store "
            + "(\(Words.size(report.bytes))) and \(Words.count(report.files, "ENEX file"))"
        return (report.ok ? "All is well" : Words.count(report.problems.count, "problem")) + "; \(looked)."
    }

    /// - Parameter advance: Called with the bytes looked at since the last call.
    func run(advance: (Int64) -> Void) throws {
        do {
            for what in try store.databaseProblems() { tellDamage(what) }
            try lookAtFiles(advance: advance)
        } catch StoreError.damaged(_, let what) {
            tellDamage(what)
        }
    }

    private func tellDamage(_ what: String) {
        report.problems.append(
            Finding(
                "database",
                "the database is damaged: \(what). \(StoreError.afterDamage(store.folder))"))
    }

    private func lookAtFiles(advance: (Int64) -> Void) throws {
        for named in try store.namedBlobs() {
            try Interrupt.check()
            try look(at: named)
            advance(named.blob.size)
        }
        if looksAtENEX { try store.deliveredENEX().forEach(look) }
        try tellWhatIsLeft()
    }

    private func look(at named: NamedBlob) throws {
        guard let damage = try store.blobs.damage(of: named.blob, reads: reads) else {
            report.blobs += 1
            report.bytes += named.blob.size
            return
        }
        // A copy is made again, whatever became of it.
        if damage == .missing, try store.isFreed(named.blob) {
            report.freed += 1
            if named.job == nil { return }
        }
        let what =
            switch damage {
            case .missing: "is gone"
            case .wrongSize: "has another length than it had"
            case .wrongBytes: "has other bytes than it had"
            case .unreadable: "cannot be read: the disk may be failing"
            }
        let path = store.blobs.path(of: named.blob)
        let place = [named.draft.map { "draft \($0)" }, named.job.map { "job \($0)" }].compactMap(\.self)
        let name = (named.photo ?? "a copy") + (place.isEmpty ? "" : " of " + Words.list(place))
        let mend =
            if damage != .missing {
                "Remove \(path); then "
                    + (named.draft.map { "`evergear import --into \($0) FILE` brings it back." }
                        ?? "it is made or imported again.")
            } else if let draft = named.draft {
                "`evergear import --into \(draft) FILE` brings it back, from where it was imported."
            } else if named.photo != nil {
                "No draft shows it; importing its file again brings it back."
            } else if let job = named.job {
                "`evergear plan \(try store.job(job).draft.map(String.init) ?? "DRAFT")`, with the options that it was sent "
                    + "with, makes it again; then `evergear queue retry \(job)`."
            } else {
                "It is made again when it is needed."
            }
        let finding = Finding(
            damage.rawValue, "\(name) \(what). \(mend)", blob: named.blob, draft: named.draft, job: named.job,
            path: path)
        let isHarmless = damage == .missing && named.photo == nil && named.job == nil
        if isHarmless { report.remarks.append(finding) } else { report.problems.append(finding) }
    }

    private func look(at file: DeliveredENEX) throws {
        try Interrupt.check()
        report.files += 1
        let what = "\(file.path), in which \(Words.count(file.jobs, "note")) went out,"
        if file.isReplaced || !Files.exists(file.path) {
            let why = file.isReplaced ? "is gone: another file has its name now" : "is not there any more"
            report.problems.append(
                Finding(
                    "enex_missing",
                    "\(what) \(why). If it was imported into an app, all is well (--no-enex leaves such files out); if "
                        + "not, `evergear send --again` makes the notes anew.", job: file.job, path: file.path))
            return
        }
        guard reads, let expected = file.sha256 else { return }
        do throws(SystemError) {
            if try Self.sha256(file.path) == expected { return }
            report.problems.append(
                Finding(
                    "enex_changed",
                    "\(what) has other bytes than it had. `evergear send --again` makes the notes anew.",
                    job: file.job, path: file.path))
        } catch {
            if error.code == EINTR { throw error }
            report.problems.append(
                Finding(
                    "enex_unreadable", "\(what) cannot be read: \(error.words)".asSentence, job: file.job,
                    path: file.path))
        }
    }

    private static func sha256(_ path: FilePath) throws(SystemError) -> String {
        let digest = Digest(.sha256)
        let file = try FileDescriptor.openForReading(path)
        try digest.update(file)
        return MD5.hex(digest.finish())
    }

    private func tellWhatIsLeft() throws {
        let unnamed = try store.unreferencedBlobs()
        if !unnamed.isEmpty {
            let bytes = unnamed.reduce(0) { $0 + $1.size }
            report.remarks.append(
                Finding(
                    "unnamed",
                    "\(Words.count(unnamed.count, "file")) of the store, \(Words.size(bytes)), that nothing names, left by a "
                        + "crash or just being imported. `evergear prune` frees what is left of them."))
        }
        let temporaries = store.blobs.abandonedTemporaries()
        if !temporaries.isEmpty {
            report.remarks.append(
                Finding(
                    "temporary",
                    "\(Words.count(temporaries.count, "temporary file or folder", "temporary files or folders")) that a crash "
                        + "left. The next command that writes, such as `evergear prune`, removes what is left of them.")
            )
        }
        if !edits.all.isEmpty {
            report.remarks.append(
                Finding(
                    "edits",
                    "\(Words.count(edits.all.count, "text")) that edits left or have open: \(Words.list(edits.all.map(\.description))). "
                        + "`evergear prune` removes those that are older than \(KeptEdits.days) days."))
        }
    }
}
