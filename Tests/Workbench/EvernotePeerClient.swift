import FoundationEssentials
import System

extension EvernotePeer {
    /// What another program of the account's owner does: `script` is Python with the official client's `store`, `users`,
    /// `token` and types at hand.
    /// - Returns: What it prints.
    /// - Throws: `Failure`.
    @discardableResult
    public func official(_ script: String) throws -> String {
        let prelude = """
            import json, ssl, sys
            from evernote.edam.notestore import NoteStore
            from evernote.edam.type.ttypes import *
            from evernote.edam.userstore import UserStore
            from thrift.protocol.TBinaryProtocol import TBinaryProtocol
            from thrift.transport.THttpClient import THttpClient
            notes, users, token, ca = sys.argv[1:]
            trust = ssl.create_default_context(cafile=ca) if ca else None
            protocol = lambda address: TBinaryProtocol(THttpClient(address, ssl_context=trust))
            store, users = NoteStore.Client(protocol(notes)), UserStore.Client(protocol(users))

            """
        let (output, status) = try run(
            Self.python,
            ["-W", "ignore", "-c", prelude + script, noteStore, userStore, token, caFile?.description ?? ""])
        guard status == .status(0) else { throw Failure(description: "the official client: \(status) \(output)") }
        return output
    }

    /// Whose account it is: the name and the user name.
    public func owner() throws -> (name: String, user: String) {
        let lines = try official("user = users.getUser(token); print(user.name); print(user.username)").split(
            separator: "\n")
        guard lines.count == 2 else { throw Failure(description: "the account has no name") }
        return (String(lines[0]), String(lines[1]))
    }

    /// Names of the account's tags, by GUID.
    public func tags() throws -> [String: String] {
        try names("print(json.dumps({tag.guid: tag.name for tag in store.listTags(token)}))")
    }

    /// Names of the account's notebooks, by GUID.
    public func notebooks() throws -> [String: String] {
        try names("print(json.dumps({notebook.guid: notebook.name for notebook in store.listNotebooks(token)}))")
    }

    private func names(_ script: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(official(script).utf8))
    }
}
