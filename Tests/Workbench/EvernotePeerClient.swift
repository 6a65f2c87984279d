import FoundationEssentials
import System

extension EvernotePeer {
    /// What another program of the account's owner does: `script` is Python with the official client's `store`, `token` and
    /// types at hand.
    /// - Returns: What it prints.
    /// - Throws: `Failure`.
    @discardableResult
    public func official(_ script: String) throws -> String {
        let prelude = """
            import json, ssl, sys
            from evernote.edam.notestore import NoteStore
            from evernote.edam.type.ttypes import *
            from thrift.protocol.TBinaryProtocol import TBinaryProtocol
            from thrift.transport.THttpClient import THttpClient
            address, token, ca = sys.argv[1:]
            trust = ssl.create_default_context(cafile=ca) if ca else None
            store = NoteStore.Client(TBinaryProtocol(THttpClient(address, ssl_context=trust)))

            """
        let (output, status) = try run(
            Self.python, ["-W", "ignore", "-c", prelude + script, noteStore, token, caFile?.description ?? ""])
        guard status == .status(0) else { throw Failure(description: "the official client: \(status) \(output)") }
        return output
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
