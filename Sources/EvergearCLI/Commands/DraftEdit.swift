import Notes
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

            A mistake is told by its line, and the file comes back as you left it. Nothing is changed until all of it is
            understood.
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
        if fields.areGiven && (from != nil || print) {
            throw ValidationError(
                "--from and --print are about the text; change the other fields in a command of its own")
        }
    }

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("draft edit") }
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

    @Option(help: "How the note will look (default: as it is).")
    var layout: LayoutChoice?

    @Option(help: "When it was: 2024-05-01, or 2024-05-01T10:11[:12][+09:00] (default: as it is).")
    var at: Moment?

    @Option(help: "Where it was, in degrees: 35.0116,135.7681 (default: as it is).")
    var place: Place?

    var areGiven: Bool { notebook != nil || !tags.isEmpty || layout != nil || at != nil || place != nil }
}
