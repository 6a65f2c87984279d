import Notes
import System

struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write drafts into an ENEX file of a name that you choose, without the queue",
        discussion: """
            The drafts count as sent only after `evergear send`. A file that is there is never written over; what does
            not fit in one goes into FILE 2.enex, and so on.
            """)

    @Argument(help: "The drafts: numbers, addresses, or last.")
    var drafts: [DraftReference]

    @Option(name: [.customShort("o"), .long], help: "Write FILE, which must not be there yet.")
    var output: FilePath

    @Option(help: "Begin another file after SIZE bytes (default: the setting enexSplit, else 200M).")
    var enexSplit: ByteSize?

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Limits") var parts: PartOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("export") }
}
