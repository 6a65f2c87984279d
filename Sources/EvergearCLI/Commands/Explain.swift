import Notes
import System

struct ExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a photo's metadata tells, and why evergear goes by it",
        discussion: """
            When, where, which way up, which camera; every date and place that was found, where it was found, and why it
            was taken or not. Nothing is written.

            Exit status: 0 when all were read, 3 when some were, 65 when none.
            """)

    @Argument(help: "The photos.")
    var photos: [FilePath]

    @Flag(help: "Leave out the MD5, for which the whole file is read.")
    var noHash = false

    @Option(
        help: """
            The zone of times whose photo names none, such as Asia/Tokyo (default: the setting timeZone, else this \
            machine's).
            """)
    var timeZone: NamedZone?

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("explain") }
}
