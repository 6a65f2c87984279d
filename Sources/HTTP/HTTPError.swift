public import System

/// Why a request has no reply.
public struct HTTPError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The host's name leads to no address.
        case unresolved
        /// Nobody takes the connection, or it ends before it stands.
        case noConnection
        /// The other side could not prove who it is, or both know no common way to speak in secret.
        case tls
        /// The proxy that the environment names is not found, or refuses.
        case proxy
        /// The connection did not come about, bytes stopped moving, or the reply took too long.
        case timedOut
        /// The connection ended before the reply did.
        case broken
        /// What came is no HTTP, or packed in a way that cannot be unpacked.
        case badReply
        /// The reply has more bytes than the request allows, or headers without end.
        case replyTooLong
        /// A file of the body cannot be read.
        case bodyUnreadable(SystemError)
        /// A file of the body has fewer bytes than it was to give.
        case bodyShorter(FilePath)
        /// Nothing was tried: libcurl refuses what it was told, or a header has characters that no header may have.
        case unusable
    }

    public let kind: Kind
    /// True where the last byte of the body was handed to the connection: the request may have arrived, and have been
    /// obeyed. False where it surely has not been.
    public let bodySent: Bool
    /// What happened, in one line of libcurl's words or ours. No header and no body is in it.
    public let message: String

    public init(_ kind: Kind, bodySent: Bool = false, message: String) {
        self.kind = kind
        self.bodySent = bodySent
        self.message = message
    }

    /// A stable name.
    public var code: String {
        switch kind {
        case .unresolved: "host-unresolved"
        case .noConnection: "no-connection"
        case .tls: "tls-failed"
        case .proxy: "proxy-failed"
        case .timedOut: "timed-out"
        case .broken: "connection-broken"
        case .badReply: "bad-reply"
        case .replyTooLong: "reply-too-long"
        case .bodyUnreadable: "body-unreadable"
        case .bodyShorter: "body-shorter"
        case .unusable: "http-unusable"
        }
    }
}
