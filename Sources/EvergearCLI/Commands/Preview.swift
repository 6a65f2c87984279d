import Notes
import System

struct PreviewCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Make a page that shows a draft in the four layouts",
        discussion: "One HTML file with the pictures in it: no script, and nothing is fetched from anywhere.")

    @Argument(help: "The draft: its number, its address, or last.")
    var draft: DraftReference

    @Option(
        name: [.customShort("o"), .long],
        help: """
            Write the page to FILE, which must not be there yet; - is the standard output (default: a file named by \
            the title in the folder for notes).
            """)
    var output: FilePath?

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("preview") }
}
