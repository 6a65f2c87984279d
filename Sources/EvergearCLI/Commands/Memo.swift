import Notes
import Storage
import System

/// `evergear memo`: the cards of a draft, one at a time.
struct MemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memo",
        abstract: "Add, edit, move and remove the memos of a draft",
        discussion: """
            A memo is a card: words, photos (mostly one), or both. Its number is the one that `evergear draft show`
            prints in brackets, and stays while the memo moves. To change many at once, use `evergear draft edit`.
            """,
        subcommands: [MemoAdd.self, MemoEdit.self, MemoMove.self, MemoRemove.self])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct MemoAdd: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a memo at the end of a draft",
        discussion: "    evergear memo add last \"The view from the bridge\" --photo IMG_0412.JPG")

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Argument(help: "The words; several are joined by spaces. A lone - reads the standard input.")
    var text: [String] = []

    @Option(
        name: .customLong("photo"), help: "A photo of this memo, which is copied and never changed (default: none).")
    var photos: [FilePath] = []

    @Option(
        help: """
            When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00] (default: when the first photo was taken, else \
            now).
            """)
    var at: Moment?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681 (default: where the first photo was taken, if it says).")
    var place: Place?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if text.isEmpty && photos.isEmpty { throw ValidationError("a memo needs words or a --photo") }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let target = try context.draft(draft, in: store)
        var memo = Memo(text: try TextInput(words: text).read() ?? "")
        if memo.isEmpty && photos.isEmpty {
            throw NothingToKeep(sentence: "the memo has neither words nor a photo. Nothing was kept.")
        }
        if writing.dryRun {
            try context.output.report(
                "Would add a memo to draft \(target.id), \(Words.title(target.title)).",
                ChangeJSON(change: .added, dryRun: true, draft: target.id))
            return .success
        }
        let intake = context.photoIntake(store)
        var sources: [BlobKey: PhotoSource] = [:]
        for path in photos {
            let taken = try intake.take(path)
            sources[taken.photo.blob] = taken.source
            memo.photos.append(taken.photo)
        }
        memo.moment = context.inSystemZone(at) ?? memo.photos.first?.moment ?? context.moment()
        memo.place = place ?? memo.photos.first?.place
        let added = try store.addMemo(memo, to: target.id, sources: sources, now: context.now())
        if global.json {
            try context.output.json(MemoAdded(draft: target, memo: added))
        } else {
            context.output.report("Memo \(added.number) of draft \(target.id), \(Words.title(target.title))")
        }
        return .success
    }
}

/// What `memo add` prints for machines.
private struct MemoAdded: Encodable {
    let id: Int
    let uid: String
    let title: String

    init(draft: Draft, memo: Memo) {
        id = memo.number
        uid = "evergear://draft/\(draft.uid)/memo/\(memo.number)"
        title = draft.title
    }
}

struct MemoEdit: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the words, the time, the place or the photos of a memo",
        discussion: """
            Without TEXT and without an option, the memo's words open in your editor ($VISUAL, $EDITOR, else vi); the input
            has to be a terminal then.
            """)

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Argument(help: ArgumentHelp("The memo's number in the draft.", valueName: "MEMO"))
    var memo: Int

    @Argument(help: "The new words; \"\" for none. A lone - reads the standard input.")
    var text: [String] = []

    @Option(help: "When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00]; \"\" for none (default: as it is).")
    var at: Replacement<Moment>?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681; \"\" for none (default: as it is).")
    var place: Replacement<Place>?

    @Option(
        help: ArgumentHelp(
            "Take the photo or video of this name out of the memo (default: none).", valueName: "NAME"))
    var without: [String] = []

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let draft = try context.draft(draft, in: store)
        let old = try draft.memo(memo)
        for name in without where !old.photos.contains(where: { $0.name == name }) {
            throw NoSuchPhoto(name: name, memo: memo, draft: draft.id)
        }
        if text.isEmpty && (at != nil || place != nil || !without.isEmpty) {
            try change(old, of: draft, in: store, context) { set(on: &$0, context) }
            return .success
        }
        // An input that is nobody's, as in a script, would take the memo's words away.
        if text.isEmpty, !StandardStream.input.isTerminal {
            throw ValidationError("give the words, or a lone - to read them from the standard input")
        }
        let editing = TextInput.Editing(
            text: old.text, name: "draft-\(draft.id)-memo-\(memo)",
            command: { "evergear memo edit \(draft.id) \(memo) - < \($0)" })
        let kept: Void? = try TextInput(words: text).read(orEdit: editing, in: context) { words in
            try change(old, of: draft, in: store, context) { memo throws(StoreError) in
                // Words that are as they were when they were read, or as they are to be, nobody loses.
                guard memo.text == old.text || memo.text == words else {
                    throw .changedMeanwhile(draft: draft.id)
                }
                memo.text = words
                set(on: &memo, context)
            }
        }
        if kept == nil {
            try context.output.report(
                "Nothing was changed.",
                ChangeJSON(change: .unchanged, dryRun: writing.dryRun, draft: draft.id, memo: memo))
        }
        return .success
    }

    private func set(on memo: inout Memo, _ context: Context) {
        memo.photos.removeAll { without.contains($0.name) }
        if let at { memo.moment = context.inSystemZone(at.value) }
        if let place { memo.place = place.value }
    }

    private func change(
        _ old: Memo, of draft: Draft, in store: Store, _ context: Context,
        _ change: (inout Memo) throws(StoreError) -> Void
    ) throws {
        var changed = old
        try change(&changed)
        if changed.isEmpty {
            throw NothingToKeep(
                sentence: "memo \(memo) would have neither words nor a photo. Remove it with "
                    + "`evergear memo rm \(draft.id) \(memo)`.")
        }
        if !writing.dryRun { try store.changeMemo(old.id, at: context.now(), change) }
        try context.output.report(
            "\(writing.dryRun ? "Would change" : "Changed") memo \(memo) of draft \(draft.id).",
            ChangeJSON(change: .changed, dryRun: writing.dryRun, draft: draft.id, memo: memo))
    }
}

/// A memo has no photo of a name that was given.
private struct NoSuchPhoto: ExplainedError {
    let name: String
    let memo: Int
    let draft: Int64

    var sentence: String {
        "memo \(memo) of draft \(draft) has no photo \(name). `evergear draft show \(draft)` names them."
    }
    var status: ExitStatus { .noInput }
}

struct MemoMove: Command {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a memo within its draft",
        discussion: """
                evergear memo move last 7 1            to the first place
                evergear memo move last 7 --after 3    behind memo 3
            """)

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Argument(help: ArgumentHelp("The memo's number in the draft.", valueName: "MEMO"))
    var memo: Int

    @Argument(help: ArgumentHelp("The place in the draft that it gets, counted from 1.", valueName: "PLACE"))
    var to: Int?

    @Option(help: ArgumentHelp("Before the memo of this number (default: none).", valueName: "MEMO"))
    var before: Int?

    @Option(help: ArgumentHelp("Behind the memo of this number (default: none).", valueName: "MEMO"))
    var after: Int?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        let given = [to, before, after].count { $0 != nil }
        if given != 1 { throw ValidationError("say where to: a PLACE, --before, or --after") }
        if let to, to < 1 { throw ValidationError("places are counted from 1") }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let draft = try context.draft(draft, in: store)
        let moved = try draft.memo(memo)
        let others = draft.memos.filter { $0.id != moved.id }
        var target = (to ?? 1) - 1
        if let neighbour = before ?? after {
            let other = try draft.memo(neighbour)
            let index = others.firstIndex { $0.id == other.id } ?? 0
            target = before != nil ? index : index + 1
        }
        if !writing.dryRun { try store.moveMemo(moved.id, to: target, now: context.now()) }
        try context.output.report(
            "\(writing.dryRun ? "Would move" : "Moved") memo \(memo) of draft \(draft.id) to place "
                + "\(min(target, others.count) + 1).",
            ChangeJSON(change: .moved, dryRun: writing.dryRun, draft: draft.id, memo: memo))
        return .success
    }
}

struct MemoRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove memos from their draft",
        discussion: "The files that the photos came from stay as they are.")

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Argument(help: ArgumentHelp("The memos' numbers in the draft.", valueName: "MEMO"))
    var memos: [Int]

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let draft = try context.draft(draft, in: store)
        let found = try memos.map { try draft.memo($0) }
        // One that is named twice is removed once.
        for memo in draft.memos.filter({ memo in found.contains { $0.id == memo.id } }) {
            if !writing.dryRun { try store.removeMemo(memo.id, now: context.now()) }
            try context.output.report(
                "\(writing.dryRun ? "Would remove" : "Removed") memo \(memo.number) of draft \(draft.id).",
                ChangeJSON(change: .removed, dryRun: writing.dryRun, draft: draft.id, memo: memo.number))
        }
        return .success
    }
}
