import EDAM
import Glibc
import System

/// Where a token comes from: the environment, else what `evergear auth login` keeps.
struct Access {
    /// Which way it came, as `auth status` tells it.
    enum Source: Hashable {
        /// `EVERGEAR_TOKEN`.
        case environment
        /// The file that `auth login` writes.
        case kept
        /// A command that `auth login` was told.
        case command(String)
    }

    /// The variable that has a token, and that no child of this program gets to see.
    static let variable = "EVERGEAR_TOKEN"

    let token: AccessToken
    let source: Source

    /// - Throws: `NoAccess`, `AccessRefused`, `SystemError`, `AccessFileUnreadable`.
    init(to service: Service, in context: Context) throws {
        if let text = context.environment.text(Self.variable) {
            guard let token = AccessToken(text) else { throw AccessRefused(what: Self.variable) }
            self.token = token
            source = .environment
            return
        }
        switch try AccessFile(context.home).entry(of: service) {
        case nil: throw NoAccess(service: service)
        case .token(let token):
            self.token = token
            source = .kept
        case .command(let command):
            token = try Self.token(printedBy: command, in: context)
            source = .command(command)
        }
    }

    /// Runs a command and takes the first line that it prints.
    /// - Throws: `TokenCommandFailed`, `SystemError`.
    static func token(printedBy command: String, in context: Context) throws -> AccessToken {
        var child = try ChildProcess("/bin/sh", ["-c", command], environment: context.environment.forChildren)
        child.closeInput()
        let printed = try child.readAll(limit: longest)
        let ending = child.wait()
        guard ending == .status(0) else { throw TokenCommandFailed(command: command, ending: ending) }
        let line = printed.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first ?? []
        guard let token = AccessToken(String(decoding: line, as: UTF8.self)) else {
            throw AccessRefused(what: "what the command \(Self.name(of: command)) prints")
        }
        return token
    }

    /// Its first word: the rest may hold a secret.
    static func name(of command: String) -> String { String(command.prefix { $0 != " " }) }

    /// Bytes of what is said to be a token.
    static let longest = 65_536
}

/// Nobody has logged in.
struct NoAccess: ExplainedError {
    let service: Service
    var sentence: String {
        "there is no token for \(service). `evergear auth login` takes one (`evergear auth status` says how to get it); "
            + "ENEX files need none: `evergear send --to enex`."
    }
    var status: ExitStatus { .authentication }
}

/// What should be a token cannot be one. What it is, is not repeated.
struct AccessRefused: ExplainedError {
    let what: String
    var sentence: String { "\(what) is no token: a token is one line of plain characters, without spaces." }
    var status: ExitStatus { .authentication }
}

/// The command that should print the token did not.
struct TokenCommandFailed: ExplainedError {
    let command: String
    let ending: ChildProcess.Ending
    var sentence: String {
        "the command that prints the token, \(Access.name(of: command)), \(ending.words). Run it by hand to see why."
    }
    var status: ExitStatus { .authentication }
}

extension Environment {
    /// What a child gets: everything but the token.
    var forChildren: [String] { entries(without: [Access.variable]).map { String(decoding: $0, as: UTF8.self) } }
}
