import Notes

/// `evergear queue`: what waits, what went, what needs you.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "See what waits to be delivered, and act on it",
        discussion: """
            Each note that is to be delivered is a job. It is queued, then sent; parked when it needs you; uncertain
            when it may have arrived, which is checked before anything is sent again.
            """,
        subcommands: [
            QueueStatus.self, QueueList.self, QueueShow.self, QueueRetry.self, QueueCancel.self, QueueRun.self,
        ])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct QueueStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how many jobs are in each state, what waits and until when, and the last error in words")

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue status") }
}

struct QueueList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the jobs that are not finished")

    @Flag(help: "Those that are sent or cancelled as well.")
    var all = false

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue list") }
}

struct QueueShow: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a job with every attempt and its receipt")

    @Argument(help: "The job: its number, or the address of its note (evergear://note/…).")
    var job: JobReference

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue show") }
}

struct QueueRetry: Command {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue parked or cancelled jobs again",
        discussion: "They are delivered by the next `evergear queue run` or `evergear send`.")

    @OptionGroup var selection: JobSelection
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue retry") }
}

struct QueueCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Give up jobs that are queued or parked",
        discussion: "Their drafts stay, and can be sent again.")

    @OptionGroup var selection: JobSelection
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue cancel") }
}

struct QueueRun: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver what is queued, until nothing is due",
        discussion:
            "Exit status: 0 when nothing is left, 3 when some jobs are parked, 75 when something waits for later.")

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("queue run") }
}

/// Jobs by name, or all that the command applies to.
struct JobSelection: ParsableArguments {
    @Argument(help: "The jobs: numbers, or addresses of their notes (evergear://note/…).")
    var jobs: [JobReference] = []

    @Flag(help: "All jobs that this applies to.")
    var all = false

    func validate() throws(ValidationError) {
        if jobs.isEmpty != all { throw ValidationError("name the jobs, or say --all") }
    }
}
