import Layouts
import Notes
import Storage
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

    func validate() throws(ValidationError) {
        // It may become several, and each is there whole or not at all.
        if output == "-" {
            throw ValidationError(
                "an ENEX file gets a name, and does not go to the standard output: --output FILE.enex")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let chosen = try context.drafts(drafts, in: store)
        let making = try NoteMaking(context, store, look: look, parts: parts)
        try NewFile.check(output)
        let progress = Progress(
            context.output, "Preparing", totalItems: chosen.reduce(0) { $0 + $1.photos.count })
        var notes: [Note] = []
        var refused: [ExitStatus] = []
        for draft in chosen {
            do {
                let made = try making.make(draft, progress: progress)
                for remark in made.remarks(on: draft) { context.output.remark(remark) }
                notes += made.notes
            } catch {
                guard let refusal = Refusal(of: draft, error) else { throw error }
                try refusal.tell(context.output, isAlone: chosen.count == 1)
                refused.append(refusal.failure.status)
            }
        }
        progress.finish()
        // One file of some of the drafts is not what was asked for.
        if let status = refused.first {
            context.output.remark("Nothing was written.")
            return status
        }
        if writing.dryRun {
            try context.output.report(
                "Would write \(Words.count(notes.count, "note")) into \(output).", PathName(output))
            return .success
        }
        let split = (enexSplit ?? context.configuration.enexSplit).bytes
        let files = try ENEXFile.write(notes, to: output, split: split, from: store.blobs, at: context.now())
        for file in files {
            try context.output.report("Written: \(file)", PathName(file))
        }
        if !context.output.isJSON, !context.output.isQuiet { context.output.lines(SendReport.howToImport) }
        return .success
    }
}
