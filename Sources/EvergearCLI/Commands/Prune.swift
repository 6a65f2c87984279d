import Notes
import Storage
import System

struct PruneCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Free what the store keeps of photos that were delivered, and what it can make again",
        discussion: """
            Freed are: originals whose own bytes a receipt lists, once they were delivered long enough ago and no unsent
            draft has them; thumbnails and other copies, which are made again when they are needed; what a crash left; texts of edits that
            were given up over 30 days ago.
            Nothing that a job still has before it is freed. An original that went out in another shape (a thumbnail, a
            HEIC as JPEG, without its place), or whose job was marked as sent by hand, stays.

            --undelivered also deletes what was dropped without ever having been delivered: photos of removed drafts and
            of dropped memos, and what jobs that were given up alone have. They are listed, and a terminal is asked.

            The files that photos were imported from are not touched. What was delivered is not imported anew afterwards;
            to send a draft again whose originals were freed, bring them back with `evergear import --into DRAFT FILE`.
            """)

    @Option(
        help: ArgumentHelp(
            "Keep originals for DAYS after their delivery (default: the setting keepOriginals, else 30).",
            valueName: "DAYS"))
    var keepOriginals: Int?

    @Flag(help: "Also delete what was dropped and never delivered, after a question.")
    var undelivered = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask on a terminal.")
    var yes = false

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) { try Limits.keepOriginals.check(keepOriginals, "--keep-originals") }

    func run(in context: Context) throws -> ExitStatus {
        let store = try writing.dryRun ? context.openStoreToRead() : context.openStore()
        let output = context.output
        let days = Int64(keepOriginals ?? context.configuration.keepOriginals)
        // What was delivered this very moment is older than no days, too.
        let time = Timestamp(milliseconds: context.now().milliseconds - days * 86_400_000 + (days == 0 ? 1 : 0))
        let all = try store.prunable(deliveredBefore: time, withUndelivered: true)
        let dropped = all.filter(\.reason.isUndelivered)
        var wanted = all.filter { !$0.reason.isUndelivered }
        var jobs = undelivered ? try store.forsakenJobs() : []
        if undelivered, !(dropped.isEmpty && jobs.isEmpty) {
            output.lines(
                dropped.map(\.line) + jobs.map { "job \($0.id), \($0.title): its text, as its draft was removed" })
            if try writing.dryRun || ask(dropped, jobs, output) {
                wanted += dropped
            } else {
                jobs = []
            }
        }
        var freed = wanted
        if !writing.dryRun, !(wanted.isEmpty && jobs.isEmpty) {
            freed = try store.prune(wanted, deliveredBefore: time, jobs: jobs.map(\.id)) {
                output.remark("Waiting until another evergear has kept what it is taking in.")
            }
        }
        let edits = KeptEdits(context.home).old(at: context.now().milliseconds)
        if !writing.dryRun { for file in edits { try Files.remove(file) } }
        if output.isJSON {
            try output.json(
                PruneJSON(
                    freed, isDry: writing.dryRun, jobs: jobs, dropped: undelivered ? dropped : [], edits: edits.count))
            return .success
        }
        if edits.isEmpty || !freed.isEmpty { output.report(Self.summary(freed, isDry: writing.dryRun)) }
        if !edits.isEmpty {
            output.report(
                "\(writing.dryRun ? "Would remove" : "Removed") \(Words.count(edits.count, "text")) of edits that were given "
                    + "up over \(KeptEdits.days) days ago.")
        }
        if !jobs.isEmpty {
            output.report(
                "\(writing.dryRun ? "Would forget" : "Forgot") \(Words.count(jobs.count, "job")) that were given up.")
        }
        if !undelivered, !dropped.isEmpty {
            output.report(
                "\(Words.count(dropped.count, "photo")), \(Words.size(dropped.bytes)), that were dropped and never delivered "
                    + "stay; `evergear prune --undelivered` lists them.")
        }
        return .success
    }

    private func ask(_ dropped: [Prunable], _ jobs: [Job], _ output: Output) throws -> Bool {
        let what = [
            dropped.isEmpty ? nil : "\(Words.count(dropped.count, "photo")), \(Words.size(dropped.bytes))",
            jobs.isEmpty ? nil : Words.count(jobs.count, "job"),
        ].compactMap(\.self)
        return try output.confirm("Delete \(Words.list(what)), for good", isAnswered: yes)
    }

    private static func summary(_ freed: [Prunable], isDry: Bool) -> String {
        if freed.isEmpty { return "There is nothing to free." }
        let parts = Prunable.Reason.allCases.compactMap { reason -> String? in
            let those = freed.filter { $0.reason == reason }
            return those.isEmpty ? nil : "\(reason.words(those.count)) (\(Words.size(those.bytes)))"
        }
        return "\(isDry ? "Would free" : "Freed") \(Words.size(freed.bytes)): \(Words.list(parts))."
    }
}

/// `prune --json`.
private struct PruneJSON: Encodable {
    let dryRun: Bool
    let blobs: Int
    let bytes: Int64
    /// By reason, each of which is there.
    let freed: [String: Share]
    /// What `--undelivered` lists.
    let undelivered: [Item]
    /// Jobs that were forgotten.
    let jobs: [Int64]
    /// Texts of edits that were given up.
    let edits: Int

    struct Share: Encodable {
        let blobs: Int
        let bytes: Int64
    }

    struct Item: Encodable {
        let reason: String
        let name: String?
        let path: String?
        let pathHex: String?
        let md5: String
        let bytes: Int64
    }

    init(_ freed: [Prunable], isDry: Bool, jobs: [Job], dropped: [Prunable], edits: Int) {
        self.edits = edits
        dryRun = isDry
        blobs = freed.count
        bytes = freed.bytes
        self.freed = Dictionary(
            uniqueKeysWithValues: Prunable.Reason.allCases.map { reason in
                let those = freed.filter { $0.reason == reason }
                return (reason.rawValue, Share(blobs: those.count, bytes: those.bytes))
            })
        undelivered = dropped.map { item in
            let path = item.path.map(PathName.init)
            return Item(
                reason: item.reason.rawValue, name: item.name, path: path?.path, pathHex: path?.pathHex,
                md5: item.blob.md5.hex, bytes: item.blob.size)
        }
        self.jobs = jobs.map(\.id)
    }
}

extension [Prunable] {
    fileprivate var bytes: Int64 { reduce(0) { $0 + $1.blob.size } }
}

extension Prunable {
    fileprivate var line: String {
        let place = path.map { ", from \($0)" } ?? ""
        return "\(name ?? blob.description), \(Words.size(blob.size)), \(reason.words(1))\(place)"
    }
}

extension Prunable.Reason {
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .delivered: Words.count(count, "original") + " that \(count == 1 ? "was" : "were") delivered"
        case .copy: Words.count(count, "copy", "copies") + " that can be made again"
        case .unnamed: Words.count(count, "file") + " that a crash left"
        case .removedDraft: Words.count(count, "photo") + " of removed drafts"
        case .droppedMemo: Words.count(count, "photo") + " of dropped memos"
        case .cancelledJob: Words.count(count, "photo") + " of jobs that were given up"
        }
    }
}
