import Notes

struct PlanCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show which notes a draft would make, with photos and bytes, before anything is queued",
        discussion: """
            For the originals, and for the picture size at which the draft would fit one note. Nothing is written.
            """)

    @Argument(help: "The drafts: numbers, addresses, or last; without any, all unsent ones that are not held.")
    var drafts: [DraftReference] = []

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Limits") var parts: PartOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus { throw NotBuiltYet("plan") }
}
