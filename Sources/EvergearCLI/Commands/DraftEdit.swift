import Notes
import Storage
import System

struct DraftEditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a draft as one text file: captions, order, and which memos stay",
        discussion: """
            The file opens in your editor ($VISUAL, $EDITOR, else vi). Title and text stand on top, then each memo with
            a line of its own and its caption below:

                [12] IMG_0412.JPG 09:15
                The view from the bridge

            Write below such a line and the photo has a caption; delete the line with its caption and the memo is
            dropped; move it and the photo moves; [new] begins a memo of words. The file itself tells the rest.

            Nothing is changed until all of it is understood. A mistake is told by its line, and the editor opens again, with
            the mistake on top; whoever gives up there is told where the text is kept, and --from goes on with it.
            """)

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Option(help: "Apply this file, as --print writes it, without an editor; - is the standard input (default: none).")
    var from: FilePath?

    @Flag(help: "Print the file and change nothing.")
    var print = false

    @OptionGroup(title: "Instead of the text") var fields: DraftFields
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if from != nil && print {
            throw ValidationError("--from applies a file and --print writes one; use one of them")
        }
        if print && global.json {
            throw ValidationError(
                "--print prints a text file, which is no JSON: `evergear draft show --json` has it all")
        }
        if fields.areGiven && (from != nil || print) {
            throw ValidationError(
                "--from and --print are about the text; change the other fields in a command of its own")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try print ? context.openStoreToRead() : context.openStore()
        let current = try context.draft(draft, in: store)
        if fields.areGiven { return try set(fields, of: current, in: store, context) }
        if print {
            context.output.document(DraftFile.write(current))
            return .success
        }
        let edit: DraftEdit?
        if let from {
            let bytes =
                from == "-"
                ? try StandardStream.input.readAll(limit: 64 << 20) : try Files.readText(from, limit: 64 << 20)
            do throws(DraftFile.Mistake) {
                edit = try DraftFile.parse(bytes, against: current)
            } catch { throw MistakeInFile(file: from == "-" ? "standard input" : from, mistake: error) }
            if let edit { try apply(edit, to: current, in: store, context) }
            if edit != nil, !writing.dryRun, from != "-" { KeptEdits(context.home).remove(from) }
        } else {
            for kept in KeptEdits(context.home).ofDraft(current.id) {
                context.output.remark("A text of an earlier edit is there. \(Self.goingOn(current.id, kept))")
            }
            let session = try EditorSession(
                DraftFile.write(current), named: "draft-\(current.id)", in: context.home,
                environment: context.environment)
            edit = try session.run(
                read: { bytes throws(DraftFile.Mistake) in try DraftFile.parse(bytes, against: current) },
                again: { try context.output.asksAgain($0) }, goingOn: { Self.goingOn(current.id, $0) },
                apply: { edit in
                    try apply(edit, to: current, in: store, context)
                    return edit
                })
        }
        if edit == nil {
            try context.output.report(
                "Nothing was changed: the text was empty.", change(.unchanged, of: current))
        }
        return .success
    }

    private func change(_ change: ChangeJSON.Change, of draft: Draft) -> ChangeJSON {
        ChangeJSON(change: change, dryRun: writing.dryRun, draft: draft.id)
    }

    private static func goingOn(_ draft: Int64, _ file: FilePath) -> String {
        "`evergear draft edit \(draft) --from \(file.shellWord)` goes on with it."
    }

    private func apply(_ edit: DraftEdit, to draft: Draft, in store: Store, _ context: Context) throws {
        if edit.isUnchanged(from: draft) {
            try context.output.report("Nothing was changed.", change(.unchanged, of: draft))
            return
        }
        if Draft.split(edit.text).title.isEmpty {
            throw NothingToKeep(sentence: "the draft would have no title. Nothing was changed.")
        }
        let dropped = edit.dropped(from: draft).count
        if !writing.dryRun {
            try store.rewriteDraft(
                draft.id, expecting: draft.updated, text: edit.text, memos: edit.memos.map { ($0.id, $0.text) },
                moment: context.moment(), at: context.now())
        }
        let verb = writing.dryRun ? "Would change" : "Changed"
        try context.output.report(
            "\(verb) draft \(draft.id): \(Words.count(edit.memos.count, "memo"))"
                + (dropped > 0 ? ", \(dropped) dropped." : "."), change(.changed, of: draft))
    }

    private func set(_ fields: DraftFields, of draft: Draft, in store: Store, _ context: Context) throws -> ExitStatus {
        try context.check(fields.layout?.value)
        var changed = draft
        fields.set(on: &changed, context)
        if !writing.dryRun { try store.changeDraft(draft.id, at: context.now()) { fields.set(on: &$0, context) } }
        try context.output.report(
            "\(writing.dryRun ? "Would change" : "Changed") draft \(draft.id).", change(.changed, of: draft))
        context.remarkOnNames(of: changed)
        return .success
    }
}

/// What a draft has beside its text. Where one is given, `draft edit` sets it and opens no editor.
struct DraftFields: ParsableArguments {
    @Option(help: "The notebook; \"\" for none (default: as it is).")
    var notebook: String?

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp(
            "The tags, in place of those it has; \"\" for none (default: as they are).", valueName: "TAG"))
    var tags: [String] = []

    @Option(help: "How the note will look; \"\" for what `evergear send` says then (default: as it is).")
    var layout: Replacement<LayoutChoice>?

    @Option(help: "When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00]; \"\" for none (default: as it is).")
    var at: Replacement<Moment>?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681; \"\" for none (default: as it is).")
    var place: Replacement<Place>?

    func set(on draft: inout Draft, _ context: Context) {
        if let notebook { draft.notebook = notebook.isEmpty ? nil : notebook }
        if !tags.isEmpty { draft.tags = tags.filter { !$0.isEmpty } }
        if let layout { draft.layout = layout.value?.stored }
        if let at { draft.moment = context.inSystemZone(at.value) }
        if let place { draft.place = place.value }
    }

    var areGiven: Bool { notebook != nil || !tags.isEmpty || layout != nil || at != nil || place != nil }
}
