import Notes
import Storage
import System

struct SentCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sent",
        abstract: "List the drafts that were sent and where to, or the files whose photos are safely delivered",
        discussion: """
            --paths is for your own mv: it lists the files that were imported and whose own bytes a receipt lists. A photo
            that went out as a thumbnail, as a JPEG made of it or without its place is not among them, nor one that only
            a job marked as sent by hand has. A file that is gone, or is not what was imported any more, is left out and
            named on the standard error.

                evergear sent --paths -0 | xargs -0 -r mv -n -t /mnt/archive --

            evergear itself never moves, changes or deletes a file that it read.
            """)

    @Flag(help: "The files whose photos are safely delivered, a line each, byte for byte.")
    var paths = false

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "With --paths: end each with a NUL and not with a line end, which a name may contain.")
    var null = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if null && !paths { throw ValidationError("-0 is for --paths") }
        if null && global.json { throw ValidationError("-0 and --json contradict each other") }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        try paths ? printPaths(store, context) : printDrafts(store, context)
        return .success
    }

    // MARK: Files

    private struct FileJSON: Encodable {
        let path: String
        let pathHex: String?
        let md5: String
        let bytes: Int64
        let draft: Int64?
        let delivered: String

        init(_ file: DeliveredFile) {
            let name = PathName(file.path)
            path = name.path
            pathHex = name.pathHex
            md5 = file.blob.md5.hex
            bytes = file.blob.size
            draft = file.draft
            delivered = file.delivered.iso8601
        }
    }

    private func printPaths(_ store: Store, _ context: Context) throws {
        let output = context.output
        var rest = try store.deliveredFiles()[...]
        while let first = rest.first {
            try Interrupt.check()
            let contents = rest.prefix { $0.path == first.path }
            rest = rest[contents.endIndex...]
            guard let now = try? Files.status(first.path) else {
                output.remark("left out, it is not there any more: \(first.path)")
                continue
            }
            let same = contents.first {
                now.kind == .file && $0.blob.size == now.size && $0.modified == now.modified
            }
            guard let same else {
                output.remark("left out, it changed since it was imported: \(first.path)")
                continue
            }
            if output.isJSON {
                try output.json(FileJSON(same))
            } else if !null, first.path.bytes.contains(UInt8(ascii: "\n")) {
                output.remark("left out, its name has a line end in it, which only -0 can tell: \(first.path)")
            } else {
                output.document(first.path.bytes + [null ? 0 : UInt8(ascii: "\n")])
            }
        }
    }

    // MARK: Drafts

    /// What was sent of a draft.
    private struct SentDraft: Encodable {
        /// Left out where it was removed since.
        let draft: Int64?
        let title: String
        /// Left out with the draft.
        let state: String?
        var notes: [DeliveryJSON]
    }

    private func printDrafts(_ store: Store, _ context: Context) throws {
        let drafts = Dictionary(uniqueKeysWithValues: try store.draftSummaries().map { ($0.id, $0) })
        // Notes of one draft together; those of removed ones by the sending.
        var order: [String] = []
        var sent: [String: (sent: SentDraft, last: Job)] = [:]
        try store.forEachDelivery { job in
            try Interrupt.check()
            guard let note = DeliveryJSON(job) else { return }
            let key = job.draft.map(String.init) ?? job.batch
            if sent[key] == nil {
                order.append(key)
                let draft = job.draft.flatMap { drafts[$0] }
                sent[key] = (
                    SentDraft(
                        draft: job.draft, title: draft?.title ?? job.title, state: draft?.standing.state.rawValue,
                        notes: []),
                    job
                )
            }
            sent[key]?.sent.notes.append(note)
        }
        let output = context.output
        let all = order.compactMap { sent[$0] }
        if output.isJSON { return try all.forEach { try output.json($0.sent) } }
        if all.isEmpty { return output.line("Nothing was sent yet.") }
        var table = Table([
            ("draft", .right), ("title", .left), ("state", .left), ("notes", .right), ("last", .left), ("", .left),
        ])
        for (sent, last) in all {
            table.add([
                sent.draft.map(String.init) ?? "", sent.title, sent.state ?? "draft removed", "\(sent.notes.count)",
                last.receipt.map { DeliveryReport.time($0.delivered) } ?? "", DeliveryReport.place(of: last),
            ])
        }
        output.lines(table.lines(width: output.columns))
    }
}
