import EDAM
import Notes
import Storage
import System

// What there is in an account.

struct NotebooksCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "notebooks",
        abstract: "List the notebooks of the Evernote account",
        discussion: "What was heard last is shown with its age; --refresh asks the service.")

    @Flag(help: "Ask the service.")
    var refresh = false

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let network = Network(context, network)
        let cache = AccountCache(context.home)
        if refresh || cache.entry(of: network.service).notebooks == nil {
            _ = try EvernoteAccount(network.service, context, try context.openStore(), network).notebooks(isFresh: true)
        }
        let entry = cache.entry(of: network.service)
        let notebooks = (entry.notebooks ?? []).sorted { $0.name.lowercased() < $1.name.lowercased() }
        let output = context.output
        if output.isJSON {
            for notebook in notebooks { try output.json(NotebookJSON(notebook, asked: entry.notebooksAsked)) }
            return .success
        }
        var table = Table([("notebook", .left), ("", .left), ("GUID", .left)])
        for notebook in notebooks {
            table.add([notebook.name, notebook.isDefault ? "default" : "", notebook.guid])
        }
        output.lines(table.lines(width: output.columns))
        output.tellAge(entry.notebooksAsked, in: context)
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
        discussion: "What was heard last is shown with its age; --refresh asks the service.")

    @Flag(help: "Ask the service.")
    var refresh = false

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let network = Network(context, network)
        let cache = AccountCache(context.home)
        if refresh || cache.entry(of: network.service).tags == nil {
            let account = EvernoteAccount(network.service, context, try context.openStore(), network)
            let tags = try account.notes().listTags().compactMap(\.name)
            cache.keep(tags: tags, of: network.service, at: context.now())
        }
        let entry = cache.entry(of: network.service)
        let tags = (entry.tags ?? []).sorted { $0.lowercased() < $1.lowercased() }
        let output = context.output
        if output.isJSON {
            let asked = entry.tagsAsked.map { Timestamp(milliseconds: $0).iso8601 }
            for tag in tags { try output.json(TagJSON(name: tag, asked: asked)) }
            return .success
        }
        output.lines(tags)
        output.tellAge(entry.tagsAsked, in: context)
        return .success
    }

    struct TagJSON: Encodable {
        let name: String
        @Null var asked: String?
    }
}

extension Output {
    /// Says how old a list is, where it is not of this moment.
    fileprivate func tellAge(_ asked: Int64?, in context: Context) {
        guard let asked, context.now().milliseconds - asked > 1_000 else { return }
        let age = Words.relative(Timestamp(milliseconds: asked), to: context.now())
        remark("This was asked \(age). --refresh asks again.")
    }
}
