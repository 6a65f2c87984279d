import Layouts
import Notes
import Storage
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

    func validate() throws(ValidationError) {
        if output == "-" && global.json {
            throw ValidationError("the page is no JSON: give it a name with --output, which --json then tells")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let draft = try context.draft(draft, in: store)
        let making = try NoteMaking(context, store, look: look)
        let target = try output ?? ENEXFile.unusedName(draft.title, fileExtension: "html", in: context.home.notes)
        if let output, output != "-" { try NewFile.check(output) }
        let (page, remarks, turns) = try page(of: draft, standing: standing(of: draft, store), making, context)
        for remark in remarks { context.output.remark(remark) }
        if writing.dryRun {
            try context.output.report("Would write \(target).", PathName(target))
            return .success
        }
        // The more pictures, the smaller: a page is to open at once.
        let longSide = draft.photos.count > 40 ? 1024 : 1280
        func picture(_ resource: Resource) throws -> (mime: String, bytes: [UInt8])? {
            try making.pictures.pagePicture(of: resource, turn: turns[resource.blob] ?? 1, longSide: longSide).map {
                ("image/jpeg", $0)
            }
        }
        if target == "-" {
            try page.write(picture: picture) { context.output.document(String(decoding: $0, as: UTF8.self)) }
            return .success
        }
        if output == nil { try Files.makeFolder(target.folder, mode: 0o755) }
        try Files.writeNew(target) { file in try page.write(picture: picture) { try file.write($0) } }
        try context.output.report("The page: \(target)", PathName(target))
        return .success
    }

    /// The draft in the four layouts, and in its own where that is another. Of a layout that makes no note the page says why.
    private func page(
        of draft: Draft, standing: String, _ making: NoteMaking, _ context: Context
    ) throws -> (page: PreviewPage, remarks: [String], turns: [BlobKey: Int]) {
        let own = making.layout(of: draft)
        var choices = Layout.allCases.map(LayoutChoice.shipped)
        if !choices.contains(own) { choices.append(own) }
        let progress = Progress(context.output, "Preparing", totalItems: draft.photos.count * choices.count)
        defer { progress.finish() }
        var versions: [PreviewPage.Version] = []
        var remarks: [String] = []
        var turns: [BlobKey: Int] = [:]
        for choice in choices {
            do {
                let made = try making.make(draft, layout: choice == own ? nil : choice, progress: progress)
                versions.append(PreviewPage.Version(layout: choice.description, notes: made.notes))
                remarks += made.remarks(on: draft).filter { !remarks.contains($0) }
                turns.merge(made.turns) { first, _ in first }
            } catch {
                // The draft does not go out in this one.
                guard choice != own, let refusal = Refusal(of: draft, error) else { throw error }
                let words = refusal.failure.sentence
                versions.append(PreviewPage.Version(layout: choice.description, refusal: words))
                context.output.remark("draft \(draft.id), layout \(choice): \(words)")
            }
        }
        let page = PreviewPage(
            versions, chosen: own.description, standing: standing, limit: making.limits.bytes, warnings: remarks)
        return (page, remarks, turns)
    }

    private func standing(of draft: Draft, _ store: Store) throws -> String {
        let standing = try store.draftStanding(draft.id)
        if standing.isBeingImported { return standing.words }
        let state = standing.state
        switch state {
        case .unsent: return draft.isHeld ? "held, not sent yet" : "not sent yet"
        case .queued: return "waits to be sent"
        case .sending: return "is being sent"
        case .uncertain: return "may have arrived"
        case .parked: return "parked, not sent yet"
        case .sent, .partlySent:
            let sent = try store.jobs(ofDraft: draft.id).filter { $0.receipt != nil }
            guard let last = sent.last, let time = last.receipt?.delivered else { return state.rawValue }
            let day = time.moment(offset: Zone.system.offset(at: time.milliseconds / 1000)).local.description.prefix(10)
            return "\(state.rawValue) \(day), \(last.layout)"
                + (standing.isChanged ? ", and changed since" : "")
        }
    }
}
