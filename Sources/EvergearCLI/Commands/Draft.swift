import Layouts
import Notes
import Storage
import System

/// `evergear draft`: drafts, kept until they are sent and after.
struct DraftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Write, list, show, edit, hold and remove drafts",
        discussion: """
            A draft is a text, whose first line is the title, and memos in order. A memo has words, photos, or both, and
            a time and place of its own.
            """,
        subcommands: [
            DraftAdd.self, DraftList.self, DraftShow.self, DraftEditCommand.self, DraftHold.self, DraftRemove.self,
        ])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct DraftAdd: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Keep a text, with photos or without, as a new draft",
        discussion: """
            The first line is the title. Without TEXT, and without --file or --photo, your editor ($VISUAL, $EDITOR,
            else vi) opens where the input is a terminal; else the standard input is read.

                evergear draft add "Lunch by the river" --photo IMG_0412.JPG --tag food
                git log -1 | evergear draft add -
            """)

    @Argument(help: "The text; several words are joined by spaces. A lone - reads the standard input.")
    var text: [String] = []

    @Option(
        name: [.customShort("f"), .long],
        help: "Read the text from FILE; - is the standard input (default: TEXT, else the editor).")
    var file: FilePath?

    @Option(
        name: .customLong("photo"),
        help: "Add a memo with this photo, which is copied and never changed (default: none).")
    var photos: [FilePath] = []

    @Option(help: "The notebook that the note goes into (default: the setting notebook, else the importer's own).")
    var notebook: String?

    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag (default: the setting tags, else none).", valueName: "TAG"))
    var tags: [String] = []

    @Option(
        help: """
            How the note will look: full, thumbs+full, thumbs, plain, or a stylesheet (default: what `evergear send` \
            says then).
            """)
    var layout: LayoutChoice?

    @Option(
        help: """
            When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00]; without an offset, in the zone of this machine \
            (default: the earliest memo's time, else now).
            """)
    var at: Moment?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681, south and west negative (default: nowhere).")
    var place: Place?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if file != nil && !text.isEmpty { throw ValidationError("TEXT and --file both give the text; use one of them") }
        if text.count > 1 && text.contains("-") {
            throw ValidationError("a - reads the standard input only when it is all there is of TEXT")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        try context.check(layout)
        if text.isEmpty, file == nil, let photo = photos.first {
            try keep(FileNames.stem(photo.name.description), isTitleGenerated: true, in: context)
            return .success
        }
        let editing = TextInput.Editing(text: "", name: "draft-new", command: { "evergear draft add --file \($0)" })
        let kept: Void? = try TextInput(words: text, file: file).read(orEdit: editing, in: context) { text in
            try keep(text, isTitleGenerated: false, in: context)
        }
        if kept == nil { context.output.remark("Nothing was written, and nothing kept.") }
        return .success
    }

    private func keep(_ text: String, isTitleGenerated: Bool, in context: Context) throws {
        let now = context.now()
        if Draft.split(text).title.isEmpty {
            throw NothingToKeep(sentence: "the text has not a word in it, and so no title. Nothing was kept.")
        }
        var draft = Draft(
            uid: UID.make(at: now), text: text, isTitleGenerated: isTitleGenerated,
            notebook: notebook ?? context.configuration.notebook,
            tags: tags.isEmpty ? context.configuration.tags : tags,
            layout: layout?.stored, moment: context.inSystemZone(at), place: place, created: now, updated: now)
        if writing.dryRun {
            try context.output.report(
                "Would add \"\(Words.title(draft.title))\" with \(Words.count(photos.count, "photo")).",
                ChangeJSON(change: .added, dryRun: true))
            return
        }
        let store = try context.openStore()
        let intake = context.photoIntake(store)
        var sources: [BlobKey: PhotoSource] = [:]
        for path in photos {
            let taken = try intake.take(path)
            sources[taken.photo.blob] = taken.source
            draft.memos.append(Memo(photos: [taken.photo], moment: taken.photo.moment, place: taken.photo.place))
        }
        let added = try store.addDraft(draft, sources: sources)
        if global.json {
            try context.output.json(DraftAdded(added))
        } else {
            context.output.report("Draft \(added.id): \(Words.title(added.title))")
        }
        context.remarkOnNames(of: added)
    }
}

struct DraftList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the drafts, the last one first",
        discussion:
            "With --json: one object a line, the first one first, with id, uid, title, state, memos, photos, created and updated."
    )

    @Flag(help: "Only those that are not sent.")
    var unsent = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let all = try store.draftSummaries().filter { !unsent || $0.standing.state != .sent || $0.standing.isChanged }
        if global.json {
            for draft in all { try context.output.json(DraftSummaryJSON(draft)) }
            return .success
        }
        if all.isEmpty {
            context.output.line("No drafts. `evergear draft add` makes one.")
            return .success
        }
        var table = Table([
            ("draft", .right), ("title", .title), ("memos", .right), ("photos", .right), ("state", .whole),
        ])
        for draft in all.reversed() {
            table.add([
                "\(draft.id)", draft.title, "\(draft.memos)", "\(draft.photos)",
                draft.standing.words + (draft.isHeld ? ", held" : ""),
            ])
        }
        context.output.lines(table.lines(width: context.output.columns))
        return .success
    }
}

struct DraftShow: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a draft: its text, and its memos in order with time, place, photos and sizes")

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let found = try context.draft(draft, in: store)
        let standing = try store.draftStanding(found.id)
        let jobs = try store.jobs(ofDraft: found.id)
        var gone: Set<BlobKey> = []
        var failure: StoreError?
        do throws(StoreError) {
            for blob in found.photos.map(\.blob) where try !store.blobs.contains(blob) { gone.insert(blob) }
        } catch { failure = error }
        if global.json {
            try context.output.json(DraftJSON(found, standing: standing, jobs: jobs, gone: gone))
        } else {
            context.output.lines(
                DraftReport.lines(found, standing: standing, jobs: jobs, gone: gone, now: context.now()))
        }
        if let failure {
            context.output.problem(failure.sentence)
            return failure.status
        }
        return .success
    }
}

struct DraftHold: Command {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Keep a draft back: `evergear send` leaves it out unless it is named")

    @Argument(help: "The drafts: numbers, addresses, or last.")
    var drafts: [DraftReference]

    @Flag(help: "Let it go again.")
    var off = false

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        for draft in try context.named(drafts, in: store) {
            if !writing.dryRun { try store.hold(draft.id, !off) }
            let verb = writing.dryRun ? "Would \(off ? "let go" : "hold")" : off ? "Let go" : "Held"
            try context.output.report(
                "\(verb): draft \(draft.id), \(Words.title(draft.title))",
                ChangeJSON(change: off ? .released : .held, dryRun: writing.dryRun, draft: draft.id))
        }
        return .success
    }
}

struct DraftRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove drafts with their memos",
        discussion: """
            The files that the photos came from stay as they are. A draft that is waiting to be sent is not removed:
            cancel its jobs first (`evergear queue cancel`).
            """)

    @Argument(help: "The drafts: numbers, addresses, or last.")
    var drafts: [DraftReference]

    @Flag(name: [.customShort("y"), .long], help: "Do not ask on a terminal.")
    var yes = false

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        for draft in try context.named(drafts, in: store) {
            let what = "draft \(draft.id), \(Words.title(draft.title)) (\(Words.count(draft.memos.count, "memo")))"
            if writing.dryRun {
                try context.output.report(
                    "Would remove \(what)", ChangeJSON(change: .removed, dryRun: true, draft: draft.id))
            } else if try context.output.confirm("Remove \(what)", isAnswered: yes) {
                try store.removeDraft(draft.id)
                try context.output.report(
                    "Removed \(what)", ChangeJSON(change: .removed, dryRun: false, draft: draft.id))
            } else {
                try context.output.report(
                    "Kept \(what)", ChangeJSON(change: .kept, dryRun: false, draft: draft.id))
            }
        }
        return .success
    }
}

/// What `draft add` and `memo add` print for machines.
struct DraftAdded: Encodable {
    let id: Int64
    let uid: String
    let title: String

    init(_ draft: Draft) {
        id = draft.id
        uid = draft.uid
        title = draft.title
    }
}

struct DraftSummaryJSON: Encodable {
    let id: Int64
    let uid: String
    let title: String
    let state: String
    /// Since its notes were made.
    let changed: Bool
    /// By an import that is under way.
    let importing: Bool
    let held: Bool
    let memos: Int
    let photos: Int
    let created: String
    let updated: String

    init(_ draft: DraftSummary) {
        id = draft.id
        uid = draft.uid
        title = draft.title
        state = draft.standing.state.rawValue
        changed = draft.standing.isChanged
        importing = draft.standing.isBeingImported
        held = draft.isHeld
        memos = draft.memos
        photos = draft.photos
        created = draft.created.iso8601
        updated = draft.updated.iso8601
    }
}
