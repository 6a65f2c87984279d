import EDAM
import FoundationEssentials
import System

/// The tokens that `evergear auth login` took, or the commands that print them, one for each service. Nobody else can
/// read the file.
struct AccessFile {
    /// What is kept for a service.
    enum Entry: Hashable {
        case token(AccessToken)
        /// Run by `/bin/sh` each time a token is needed, as a password manager's is.
        case command(String)
    }

    private let path: FilePath

    init(_ home: Home) { path = home.data / "access.json" }

    /// - Throws: `SystemError`, `AccessFileUnreadable`.
    func entry(of service: Service) throws -> Entry? {
        guard let kept = try all()[service.description] else { return nil }
        if let command = kept.command { return .command(command) }
        guard let token = kept.token.flatMap({ AccessToken($0) }) else { throw AccessFileUnreadable(path: path) }
        return .token(token)
    }

    /// - Parameter entry: nil: nothing is kept for the service any more.
    /// - Throws: `SystemError`, `AccessFileUnreadable`.
    func set(_ entry: Entry?, of service: Service) throws {
        var kept = try all()
        switch entry {
        case nil: kept[service.description] = nil
        case .token(let token): kept[service.description] = Kept(token: token.secret, command: nil)
        case .command(let command): kept[service.description] = Kept(token: nil, command: command)
        }
        try Files.makeFolder(path.folder)
        try Files.replace(path, with: Array(JSONEncoder().encode(kept)), mode: 0o600)
    }

    private struct Kept: Codable {
        var token: String?
        var command: String?
    }

    private func all() throws -> [String: Kept] {
        if !Files.exists(path) { return [:] }
        let bytes = try Files.read(path, limit: 1 << 20)
        // What went wrong is not told: the decoder's words could have the token in them.
        guard let kept = try? JSONDecoder().decode([String: Kept].self, from: Data(bytes)) else {
            throw AccessFileUnreadable(path: path)
        }
        return kept
    }
}

/// The file of tokens has been changed by something else.
struct AccessFileUnreadable: ExplainedError {
    let path: FilePath
    var sentence: String { "\(path) cannot be understood. Remove it, and log in again with `evergear auth login`." }
    var status: ExitStatus { .authentication }
}
