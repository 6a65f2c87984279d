/// `evergear`: the table of contents.
struct Evergear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evergear",
        abstract: "Turns what happened, in words and photos, into well-made notes",
        discussion: """
            A folder of photos into a note, in one command:

                evergear upload ~/Pictures/Kyoto

            or step by step:

                evergear import ~/Pictures/Kyoto     read the photos into a draft
                evergear draft edit last             write captions, drop and move photos
                evergear preview last                look at the note before it is sent
                evergear send last                   write the note where it is to go

            Notes go into ENEX files, which Evernote, Joplin, Obsidian and others import; no account is needed. With a
            token for Evernote (`evergear auth login`), `--to evernote` puts them into the account itself. Files and photos
            that are read are never changed.

            A draft is named by its number, by its address (evergear://draft/…), or as `last`.

            Settings come from config.json5 in $EVERGEAR_HOME, else in ~/.config/evergear; EVERGEAR_<SETTING> in the
            environment stands above the file (EVERGEAR_LAYOUT, EVERGEAR_PHOTOS_PER_NOTE), an option above both.

            Exit status:

            \(statuses)
            """,
        subcommands: [
            ImportCommand.self,
            UploadCommand.self,
            DraftCommand.self,
            MemoCommand.self,
            PlanCommand.self,
            PreviewCommand.self,
            SendCommand.self,
            ExportCommand.self,
            QueueCommand.self,
            LogCommand.self,
            SentCommand.self,
            PruneCommand.self,
            CheckCommand.self,
            ExplainCommand.self,
            AuthCommand.self,
            NotebooksCommand.self,
            TagsCommand.self,
        ])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    @Flag(name: .customLong("version"), help: "Show the program's version.")
    var showVersion = false

    private static var statuses: String {
        ExitStatus.allCases.map { status in
            let number = "\(status.rawValue)"
            return String(repeating: " ", count: 7 - number.count) + number + "  " + status.meaning
        }.joined(separator: "\n")
    }
}
