import Notes

struct PlanCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show which notes a draft would make, with photos and bytes, before anything is queued",
        discussion: """
            The pictures are made and kept for the sending, so that the sizes are true; nothing is queued. Where a draft
            becomes parts, the picture size is told at which one note would hold it.
            """)

    @Argument(help: "The drafts: numbers, addresses, or last; without any, all unsent ones that are not held.")
    var drafts: [DraftReference] = []

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Limits") var parts: PartOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let making = try NoteMaking(context, store, look: look, parts: parts)
        try PlanReport(context, store, making).print(context.drafts(drafts, in: store))
        return .success
    }
}
