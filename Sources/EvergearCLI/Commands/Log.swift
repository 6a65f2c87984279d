import Notes
import Storage
import System

struct LogCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List every delivery, the newest first: when, what and where to",
        discussion: """
            A note that was delivered again is there once for each time. With --json: one object a line.
            """)

    @Option(help: ArgumentHelp("The newest N alone (default: all).", valueName: "N"))
    var limit: Int?

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if let limit, limit < 1 { throw ValidationError("--limit: \(limit) is not a whole number above 0") }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStoreToRead()
        let output = context.output
        if output.isJSON {
            try store.forEachDelivery(limit: limit ?? .max) { job in
                try Interrupt.check()
                if let delivery = DeliveryJSON(job) { try output.json(delivery) }
            }
            return .success
        }
        var table = Table([
            ("delivered", .whole), ("job", .right), ("draft", .right), ("title", .title), ("size", .right), ("", .path),
        ])
        try store.forEachDelivery(limit: limit ?? .max) { job in
            try Interrupt.check()
            table.add([
                job.receipt.map { DeliveryReport.time($0.delivered) } ?? "", "\(job.id)",
                job.draft.map(String.init) ?? "", job.title, Words.size(job.bytes), DeliveryReport.place(of: job),
            ])
        }
        if table.isEmpty {
            output.line("Nothing was delivered yet.")
            return .success
        }
        output.lines(table.lines(width: output.columns))
        let rest = try limit.map { try store.deliveryCount() - $0 } ?? 0
        if rest > 0 { output.line("and \(rest) before these") }
        return .success
    }
}
