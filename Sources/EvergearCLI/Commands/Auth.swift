import EDAM
import Glibc
import HTTP
import Notes
import Storage
import System

/// `evergear auth`: access to an account.
struct AuthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Give evergear access to an Evernote account, see what it may do, and take it back",
        discussion: """
            ENEX files need no account at all. For Evernote a token is needed: a line of text that lets a program into
            one account. `evergear auth status` says how to get one.
            """,
        subcommands: [AuthLogin.self, AuthStatus.self, AuthLogout.self])

    @OptionGroup(title: "Everywhere") var global: GlobalOptions
}

struct AuthLogin: Command {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Take a token, or a command that prints one",
        discussion: """
            The token is read from the standard input, from a file, or printed by a command each time it is needed:

                evergear auth login < token.txt
                evergear auth login --token-command "pass show evernote"

            It is kept in a file that only you can read, and is never shown. EVERGEAR_TOKEN in the environment stands
            above it. A token is never an argument: other users of a machine can see those.

            The service is asked whose it is; a token that it refuses is not kept. Exit status: 0 when it was taken, 75 when
            it was kept and the service could not be asked, 77 when it was refused.
            """)

    @Option(help: "Read the token from FILE (default: from the standard input).")
    var tokenFile: FilePath?

    @Option(
        help: ArgumentHelp("Run COMMAND by /bin/sh whenever the token is needed (default: none).", valueName: "COMMAND")
    )
    var tokenCommand: String?

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if tokenFile != nil, tokenCommand != nil {
            throw ValidationError("--token-file and --token-command contradict each other")
        }
    }

    func run(in context: Context) throws -> ExitStatus {
        let network = Network(context, network)
        let entry = try entry(in: context)
        let token =
            switch entry {
            case .token(let token): token
            case .command(let command): try Access.token(printedBy: command, in: context)
            }
        let store = try context.openStore()
        let account = EvernoteAccount(network.service, context, store, network, token: token)
        var heard: AccountStanding?
        var unreached: String?
        do {
            heard = try account.ask()
        } catch let error as any ExplainedError where error.status != .authentication && error.status != .interrupted {
            unreached = error.sentence
        }
        try AccessFile(context.home).set(entry, of: network.service)
        try account.reopen()
        let report = AccountReport(
            service: network.service, standing: heard, expires: token.expires, source: .init(entry), now: context.now())
        if context.output.isJSON {
            try context.output.json(report.json(problem: unreached))
        } else {
            if let unreached { context.output.problem("the token is kept, and could not be tried: \(unreached)") }
            context.output.lines(report.lines)
        }
        if context.environment.text(Access.variable) != nil {
            context.output.remark("\(Access.variable) is set, and stands above what was kept now.")
        }
        return unreached == nil ? .success : .notNow
    }

    private func entry(in context: Context) throws -> AccessFile.Entry {
        if let tokenCommand { return .command(tokenCommand) }
        if let tokenFile {
            let text = String(decoding: try Files.readText(tokenFile, limit: Access.longest), as: UTF8.self)
            guard let token = AccessToken(text) else { throw AccessRefused(what: "what is in \(tokenFile)") }
            return .token(token)
        }
        let bytes =
            StandardStream.input.isTerminal
            ? try StandardStream.input.readHiddenLine(limit: Access.longest) {
                context.output.remark("Paste the token and press Return. It is not shown.")
            } : try StandardStream.input.readAll(limit: Access.longest)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let token = AccessToken(text) else { throw AccessRefused(what: "what came from the standard input") }
        return .token(token)
    }
}

struct AuthStatus: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whose account it is, what it may hold, what is left of this month's upload, and what to do next",
        discussion:
            "Exit status: 0 when the service answers, 75 when it cannot be reached now, 77 when there is no token or it is "
            + "refused.")

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let network = Network(context, network)
        let access: Access
        do {
            access = try Access(to: network.service, in: context)
        } catch let error as NoAccess {
            if context.output.isJSON {
                try context.output.json(AccountReport.JSON(service: network.service, problem: error.sentence))
            } else {
                context.output.lines(AccountReport.waysIn(to: network.service))
            }
            return error.status
        }
        let account = EvernoteAccount(network.service, context, try context.openStore(), network, token: access.token)
        var status = ExitStatus.success
        var problem: String?
        var standing: AccountStanding?
        do {
            standing = try account.ask()
            // The token is good, whatever was wrong with the one before.
            try account.reopenForAccess()
        } catch let error as any ExplainedError where error.status != .interrupted {
            (status, problem) = (error.status, error.sentence)
            // What was heard last time is better than nothing.
            standing = AccountCache(context.home).entry(of: network.service).standing
        }
        let report = AccountReport(
            service: network.service, standing: standing, expires: access.token.expires, source: access.source,
            now: context.now())
        if context.output.isJSON {
            try context.output.json(report.json(problem: problem))
        } else {
            context.output.lines(report.lines)
            if let problem { context.output.problem(problem) }
        }
        return status
    }
}

struct AuthLogout: Command {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the token",
        discussion: "Jobs that are queued for the account stay, and wait for the next login.")

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let service = Network(context, network).service
        let file = AccessFile(context.home)
        let isThere = try file.entry(of: service) != nil
        try file.set(nil, of: service)
        AccountCache(context.home).forget(service)
        try context.output.report(
            isThere ? "The token for \(service) is forgotten." : "There was no token for \(service).",
            ChangeJSON(change: isThere ? .forgotten : .unchanged, dryRun: false))
        if context.environment.text(Access.variable) != nil {
            context.output.remark("\(Access.variable) is still set in this environment.")
        }
        return .success
    }
}
