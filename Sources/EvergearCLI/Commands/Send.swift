import Notes
import Storage
import System

struct SendCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Make notes of drafts and deliver them",
        discussion: """
            Each draft becomes a note, or parts of at most 100 photos, and is delivered: into one ENEX file for each
            notebook, or into an Evernote account. Without DRAFT, every unsent draft that is not held goes; they are listed first, and a terminal is
            asked when there are several.

            A draft that is unchanged since it went the same way is not sent twice, unless you say --again.

            Exit status: 0 when all is delivered or there is nothing to send, 3 when some drafts were refused and the
            rest went, 75 when something waits for later.
            """)

    @Argument(help: "The drafts: numbers, addresses, or last; without any, all unsent ones that are not held.")
    var drafts: [DraftReference] = []

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Limits") var parts: PartOptions
    @OptionGroup(title: "Uploading") var transfer: TransferOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let network = Network(context, network, transfer)
        try sending.check(in: context, network)
        let store = try context.openStore()
        let chosen = try context.drafts(drafts, in: store)
        if drafts.isEmpty {
            for draft in chosen { context.output.remark("  \(draft.id)  \(Words.title(draft.title))") }
            if chosen.count > 1, !writing.dryRun,
                try !context.output.confirm("Send these \(chosen.count) drafts", isAnswered: sending.yes)
            {
                context.output.report("Nothing was sent.")
                return .success
            }
        }
        let work = try Sending(
            context, store, look: look, parts: parts, options: sending, network: network)
        return try writing.dryRun ? work.show(chosen) : work.send(chosen)
    }
}

/// Where notes go, and what is asked before.
struct SendingOptions: ParsableArguments {
    @Option(
        help: """
            Where to: enex, enex:FOLDER, or evernote (default: the setting to, else enex, which is \
            $EVERGEAR_HOME/notes, else ~/evergear).
            """)
    var to: DestinationAddress?

    @Flag(help: "Only queue the notes; `evergear queue run` delivers them.")
    var noWait = false

    @Flag(help: "Stay until everything is delivered, or needs you.")
    var wait = false

    @Flag(help: "Make a new note of a draft that was delivered before.")
    var again = false

    @Flag(
        help: """
            Replace the note that the draft made before, instead of making another; a note that somebody else has changed \
            since is not written over (evernote only).
            """)
    var update = false

    @Option(help: "Write a line for every photo, and where it went, to FILE, as CSV (default: none).")
    var report: FilePath?

    @Flag(name: [.customShort("y"), .long], help: "Do not ask on a terminal.")
    var yes = false

    @Flag(help: "Make a notebook that the account does not have (evernote only).")
    var createNotebook = false

    @Option(help: "Begin another ENEX file after SIZE bytes (default: the setting enexSplit, else 200M).")
    var enexSplit: ByteSize?

    /// Refuses what cannot be, before anything is done.
    /// - Throws: `UpdateNeedsAccount`, `ReportUnwritable`.
    func check(in context: Context, _ network: Network, updates: Bool = false) throws {
        let destination = try JobDestination(to ?? context.configuration.to, service: network.service, in: context)
        if update || updates, !JobDestination.isAccount(destination.address) { throw UpdateNeedsAccount() }
        if let report { try PhotoReportFile.check(report) }
    }

    func validate() throws(ValidationError) {
        if update, again { throw ValidationError("--update and --again contradict each other") }
        if wait, noWait { throw ValidationError("--wait and --no-wait contradict each other") }
    }
}

/// A file that was delivered is never changed.
struct UpdateNeedsAccount: ExplainedError {
    var sentence: String {
        "a note can be replaced in an account alone (--to evernote): a file that was delivered is never changed. --again "
            + "makes a new one."
    }
    var status: ExitStatus { .usage }
}
