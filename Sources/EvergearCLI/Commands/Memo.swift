import Notes
import System

/// `evergear memo`: the cards of a draft, one at a time.
struct MemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memo",
        abstract: "Add, edit, move and remove the memos of a draft",
        discussion: """
            A memo is a card: words, photos (mostly one), or both. Its number is the one that `evergear draft show`
            prints, and stays while the memo moves. To change many at once, use `evergear draft edit`.
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

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("memo add") }
}

struct MemoEdit: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the words, the time or the place of a memo",
        discussion: """
            Without TEXT and without an option, the memo's words open in your editor ($VISUAL, $EDITOR, else vi).
            """)

    @Argument(help: "The memo: its number, or its address.")
    var memo: MemoReference

    @Argument(help: "The new words; \"\" for none. A lone - reads the standard input.")
    var text: [String] = []

    @Option(help: "When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00] (default: as it is).")
    var at: Moment?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681 (default: as it is).")
    var place: Place?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("memo edit") }
}

struct MemoMove: Command {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a memo within its draft")

    @Argument(help: "The memo: its number, or its address.")
    var memo: MemoReference

    @Option(help: "To this place in the draft, counted from 1; -1 is the last (default: none).")
    var to: Int?

    @Option(help: "Before this memo (default: none).")
    var before: MemoReference?

    @Option(help: "After this memo (default: none).")
    var after: MemoReference?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        let given = [to != nil, before != nil, after != nil].count { $0 }
        if given != 1 { throw ValidationError("say where to, with one of --to, --before and --after") }
        if to == 0 { throw ValidationError("--to: places are counted from 1") }
    }

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("memo move") }
}

struct MemoRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove memos from their draft",
        discussion: "The files that the photos came from stay as they are.")

    @Argument(help: "The memos: numbers, or addresses.")
    var memos: [MemoReference]

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("memo rm") }
}
