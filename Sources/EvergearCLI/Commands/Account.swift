import EDAM
import Notes
import Storage
import System

// What there is in an account.

struct NotebooksCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "notebooks",
        abstract: "List the notebooks of the Evernote account",
        discussion: AccountListOptions.discussion)

    @OptionGroup var list: AccountListOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let entry = try list.entry(in: context, isKnown: { $0.notebooks != nil }) { account in
            _ = try account.notebooks(isFresh: true)
        }
        let notebooks = (entry.notebooks ?? []).sorted { $0.name.lowercased() < $1.name.lowercased() }
        let output = context.output
        if output.isJSON {
            for notebook in notebooks { try output.json(NotebookJSON(notebook, asked: entry.notebooksAsked)) }
            return .success
        }
        var table = Table([("notebook", .left), ("", .left), ("GUID", .whole)])
        for notebook in notebooks {
            table.add([notebook.name, notebook.isDefault ? "default" : "", notebook.guid])
        }
        output.lines(table.lines(width: output.columns))
        list.tellAge(entry.notebooksAsked, in: context)
        return .success
    }

    struct NotebookJSON: Encodable {
        let name: String
        let guid: String
        let isDefault: Bool
        @Null var asked: String?

        init(_ notebook: NotebookName, asked: Int64?) {
            name = notebook.name
            guid = notebook.guid
            isDefault = notebook.isDefault
            self.asked = asked.map { Timestamp(milliseconds: $0).iso8601 }
        }

        enum CodingKeys: String, CodingKey {
            case name, guid, asked
            case isDefault = "default"
        }
    }
}

struct TagsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "List the tags of the Evernote account",
        discussion: AccountListOptions.discussion)

    @OptionGroup var list: AccountListOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let entry = try list.entry(in: context, isKnown: { $0.tags != nil }) { account in
            _ = try account.tags()
        }
        let tags = (entry.tags ?? []).sorted { $0.lowercased() < $1.lowercased() }
        let output = context.output
        if output.isJSON {
            let asked = entry.tagsAsked.map { Timestamp(milliseconds: $0).iso8601 }
            for tag in tags { try output.json(TagJSON(name: tag, asked: asked)) }
            return .success
        }
        if tags.isEmpty { output.remark("There are no tags in the account.") }
        output.lines(tags)
        list.tellAge(entry.tagsAsked, in: context)
        return .success
    }

    struct TagJSON: Encodable {
        let name: String
        @Null var asked: String?
    }
}

/// A list of an account that is kept from one time to the next.
struct AccountListOptions: ParsableArguments {
    static let discussion = "What was heard last is shown with its age; --refresh asks the service."

    @Flag(help: "Ask the service.")
    var refresh = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    /// What is known of the account, once the service was asked where that is wanted or needed.
    func entry(
        in context: Context, isKnown: (AccountCache.Entry) -> Bool, ask: (EvernoteAccount) throws -> Void
    ) throws -> AccountCache.Entry {
        let network = Network(context, network)
        let cache = AccountCache(context.home)
        if refresh || !isKnown(cache.entry(of: network.service)) {
            try ask(EvernoteAccount(network.service, context, try context.openStore(), network))
        }
        return cache.entry(of: network.service)
    }

    /// Says how old a list is, where it is not of this moment.
    func tellAge(_ asked: Int64?, in context: Context) {
        guard let asked, context.now().milliseconds - asked > 1_000 else { return }
        let age = Words.relative(Timestamp(milliseconds: asked), to: context.now())
        context.output.remark("This was asked \(age). --refresh asks again.")
    }
}
