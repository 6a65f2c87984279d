import Notes
import Photos
import Storage
import System

struct ImportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read photos into drafts, a draft for each folder and a memo for each photo",
        discussion: """
            Photos are copied into the store in the order in which they were taken, so that a card may be pulled out.
            Source files are never changed, moved or deleted. What a file is, is decided by its content and not by its
            name. Every file is accounted for: found = imported + duplicates + skipped + failed, each with its reason. What
            goes with another photo counts among the skipped; what Ctrl-C kept from being looked at is counted apart.
            Failed is what is a photo or a video by its name and cannot be read as one; any other file is skipped.

            Files that belong together make one memo: an edited copy and its original, the still and the video of a Live
            Photo, a RAW file and its JPEG or HEIC. What lies beside a photo is read with it, where the photo itself says
            nothing: XMP (.xmp), a caption (.txt), the JSON of a Google Takeout. Videos stay out, unless --videos attach
            asks for them: then that of a Live Photo comes into the memo of its still, and one by itself is a memo.

            A folder or file that is named twice, however it is spelled, counts once, and what lies in a folder that is
            named as well is a part of that folder.

            Importing a folder again continues its draft while that is not sent; after that, what is new becomes a
            draft of its own. A photo that another draft has, or that was delivered, is a duplicate, unless --into or
            --duplicates keep asks for it once more.

            Exit status: 0 when nothing failed, 3 when something failed, 65 when something failed and no photo could be
            used: none was imported, none is there already, and none is left out by --since, --until, --rating, --videos
            or --min-age.
            """)

    @OptionGroup var photos: ImportOptions

    @Option(help: "Put all photos into this draft: a number, an address, or last (default: drafts of their own).")
    var into: DraftReference?

    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if into != nil && photos.title != nil {
            throw ValidationError("--into has its title already; leave out --title, or use `evergear draft edit`")
        }
        if into != nil && photos.groupBy != .folder {
            throw ValidationError("--into makes no drafts to group; leave out --group-by")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let target = try into.map { try context.draft($0, in: store) }
        let tally = try photos.run(in: context, store, into: target, isDry: writing.dryRun)
        if let target, tally.imported > 0, try store.draftStanding(target.id).isChanged {
            context.output.remark(
                "Draft \(target.id) was sent before these came: `evergear send \(target.id)` makes a new note; with --update "
                    + "it replaces the one in the account.")
        }
        return tally.status
    }
}

struct UploadCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Import photos and send the drafts they make, in one go",
        discussion: """
            As `evergear import` and then `evergear send` of what it made. The good photos go, and those that failed are
            named.

            Exit status: 0 when all went, 3 when something failed and the rest went, 65 when no photo could be used, as with
            `evergear import`.
            """)

    /// What becomes of photos that come late to a folder that was delivered.
    enum Late: String, CaseIterable, Sendable, ExpressibleByArgument {
        /// A note of their own.
        case new
        /// They go into the note that is there.
        case update
    }

    @OptionGroup var photos: ImportOptions

    @Option(
        help: """
            Photos that come late to a folder that was delivered make a note of their own (new), or go into the note that is \
            there (update, evernote only).
            """)
    var late = Late.new

    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Limits") var parts: PartOptions
    @OptionGroup(title: "Uploading") var transfer: TransferOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var writing: DryRunOption
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let store = try context.openStore()
        let network = Network(context, network, transfer)
        try sending.check(in: context, network, updates: late == .update)
        let tally = try photos.run(
            in: context, store, into: nil, isDry: writing.dryRun, continuesDelivered: late == .update)
        let made = try tally.drafts.map { try store.draft($0.id) }.filter { !$0.memos.isEmpty }
        if writing.dryRun || made.isEmpty { return tally.status }
        var work = try Sending(
            context, store, look: look, parts: parts, options: sending,
            updates: late == .update, network: network)
        for left in tally.failed { work.report?.add(notImported: left.path, state: "failed", reason: left.reason) }
        for left in tally.skipped { work.report?.add(notImported: left.path, state: "skipped", reason: left.reason) }
        for same in tally.duplicates {
            work.report?.add(notImported: same.path, state: "duplicate", reason: "of \(same.of)")
        }
        let sent = try work.send(made)
        return tally.status.and(sent)
    }
}

/// Which photos, and which drafts they make.
struct ImportOptions: ParsableArguments {
    enum DuplicatePolicy: String, CaseIterable, Sendable, ExpressibleByArgument {
        case skip, keep
    }

    enum VideoPolicy: String, CaseIterable, Sendable, ExpressibleByArgument {
        case skip, attach
    }

    enum TagSource: String, CaseIterable, Sendable, ExpressibleByArgument {
        case keywords
    }

    enum GroupBy: String, CaseIterable, Sendable, ExpressibleByArgument {
        case folder, day, none
    }

    @Argument(help: ArgumentHelp("Folders and photos.", valueName: "FOLDER|FILE"))
    var sources: [FilePath] = []

    @Option(
        help: """
            Read the names of folders and photos from FILE, one a line or with NUL after each; - is the standard input \
            (default: none).
            """)
    var filesFrom: FilePath?

    @Option(
        help: """
            The title of each draft, in which {folder}, {date} and {count} stand for what they say (default: {folder} \
            and the dates of the photos).
            """)
    var title: String?

    @Option(help: "What makes a draft: folder (each one given), day (each day of the photos), or none (all in one).")
    var groupBy = GroupBy.folder

    @Flag(help: "Leave out the folders in a folder (default: they are read too).")
    var noRecursive = false

    @Flag(help: "Follow links that lead out of the folder (default: they are skipped with a reason).")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Only files whose name or path within the folder fits: *.jpg, day1/** (default: all).", valueName: "GLOB"))
    var include: [Glob] = []

    @Option(
        help: ArgumentHelp(
            """
            No files or folders whose name or path fits (default: what is never a photo: hidden files and folders, \
            @eaDir, .DS_Store, Thumbs.db, which stay out in any case).
            """, valueName: "GLOB"))
    var exclude: [Glob] = []

    @Option(help: "Only photos taken at this time or later: 2024-05-01, or with a time of day (default: all).")
    var since: Moment?

    @Option(help: "Only photos taken before this time; of a day alone, that day still counts (default: all).")
    var until: Moment?

    @Option(
        help: """
            Leave what was changed less than this ago: it may still be on its way here. 90s, 2m, 1h or 1d (default: take \
            all).
            """)
    var minAge: Age?

    @Option(
        help: """
            Only photos with so many stars: 4+, 4 or 3-5. What nobody rated has 0; what was rejected stays out (default: \
            all).
            """)
    var rating: RatingRange?

    @Option(
        help: """
            Which becomes a memo where an edited copy lies beside its original (IMG_E1234 beside IMG_1234, x-edited \
            beside x): prefer (the edited copy), both, or original.
            """)
    var edited = EditedPolicy.prefer

    @Option(
        help: """
            What becomes of videos (MP4, MOV): skip, or attach (they go out as they are; that of a Live Photo is in the \
            memo of its still, any other is a memo of its own).
            """)
    var videos = VideoPolicy.skip

    @Option(
        help: """
            What becomes of photos that another draft has already, or that were delivered: skip, or keep (they are \
            imported all the same). Within one draft, a photo is there once in any case.
            """)
    var duplicates = DuplicatePolicy.skip

    @OptionGroup var reading: ReadingOptions

    @Option(help: "The notebook that the notes go into (default: the setting notebook, else the importer's own).")
    var notebook: String?

    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag (default: the setting tags, else none).", valueName: "TAG"))
    var tags: [String] = []

    @Option(
        help: """
            Tags that the photos give their draft beside those of --tag: keywords, each once, at most 100 in all \
            (default: none).
            """)
    var tagsFrom: TagSource?

    func validate() throws(ValidationError) {
        if sources.isEmpty && filesFrom == nil {
            throw ValidationError("say what to import: folders, photos, or --files-from")
        }
        if let title { try Self.check(title) }
        if let since, let until, (since.offset == nil) == (until.offset == nil),
            !Moment.isEarlier(since, than: until.endOfDayIfBare)
        {
            throw ValidationError("no photo is taken after --since \(since) and before --until \(until)")
        }
    }

    /// The words in braces that a title may have.
    static let titleWords = ["{folder}", "{date}", "{count}"]

    private static func check(_ title: String) throws(ValidationError) {
        if Draft.split(title).title.isEmpty {
            throw ValidationError(
                "--title is empty; leave it out, and the title is made of the folder's name and the dates")
        }
        var rest = title[...]
        while let end = rest.firstIndex(of: "}") {
            if let start = rest[..<end].lastIndex(of: "{") {
                let word = String(rest[start...end])
                // Braces around anything else are the title's own.
                let isWord = word.count > 2 && word.dropFirst().dropLast().allSatisfy(\.isLetter)
                if isWord, !titleWords.contains(word) {
                    throw ValidationError("--title knows \(Words.list(titleWords)), and no \(word)")
                }
            }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Imports, and says what became of every file.
    /// - Parameter continuesDelivered: Whether a folder's draft is continued that was delivered already.
    /// - Throws: `StoreError`; `Interrupted`, with what was done until then kept and told.
    func run(
        in context: Context, _ store: Store, into: Draft?, isDry: Bool, continuesDelivered: Bool = false
    ) throws -> ImportTally {
        var tally = ImportTally()
        let reader = try reading.reader(context)
        let looking = Progress(context.output, "Reading")
        let search = ImportSearch(options: self, reader: reader, progress: looking)
        let groups = try search.groups(&tally)
        looking.finish()
        let photos = groups.lazy.flatMap(\.photos)
        let total = photos.reduce(0) { $0 + 1 + $1.videos.count }
        let found = tally.found + total
        let progress = Progress(
            context.output, isDry ? "Looking at" : "Importing", totalItems: total,
            totalBytes: isDry ? nil : photos.reduce(0) { $0 + $1.size })
        let work = PhotoImport(
            context: context, store: store, options: self,
            intake: PhotoIntake(blobs: store.blobs, reader: reader), into: into, continuesDelivered: continuesDelivered,
            progress: progress)
        let lock =
            try isDry
            ? nil : store.beginImport { context.output.remark("Waiting for another import into this store to end.") }
        defer { withExtendedLifetime(lock) {} }
        do {
            if isDry { try work.foresee(groups, &tally) } else { try work.run(groups, &tally) }
        } catch is Interrupted {
            progress.finish()
            tally.notReached = found - tally.found
            try ImportReport.print(tally, isDry: isDry, context)
            if !isDry { context.output.remark("The same command continues.") }
            throw Interrupted()
        }
        progress.finish()
        try ImportReport.print(tally, isDry: isDry, context)
        return tally
    }
}

extension Glob: ExpressibleByArgument {
    init?(argument: String) {
        self.init(argument)
        if !isComplete { return nil }
    }
    static var expectation: String { "a pattern such as *.jpg or day1/**, in which each [ has its ]" }
    static var valueName: String { "GLOB" }
}
