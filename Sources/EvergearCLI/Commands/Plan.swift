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

    @Option(
        help:
            "Where to: enex, enex:FOLDER, or evernote, whose account is then asked what it takes (default: the setting to, else enex)."
    )
    var to: DestinationAddress?

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let network = Network(context, network)
        let destination = try JobDestination(
            to ?? context.configuration.to, service: network.service, in: context)
        let advice = try AccountAdvice(destination, context, store, network)
        let making = try NoteMaking(context, store, look: look, parts: parts, noteSizeMax: advice.noteSizeMax)
        let chosen = try context.drafts(drafts, in: store)
        let refused = try PlanReport(context, store, making, advice).print(chosen, isAlone: chosen.count == 1)
        return Refusal.status(of: refused, isAll: refused.count == chosen.count)
    }
}
