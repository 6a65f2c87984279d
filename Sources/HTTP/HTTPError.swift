public import System

public struct HTTPError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case unresolved, noConnection, tls, proxy, timedOut, broken, replyTooLong
        case bodyUnreadable(SystemError?)
    }
    public var kind: Kind
    public var bodySent: Bool
    public var message: String

    public init(kind: Kind, bodySent: Bool, message: String) {
        self.kind = kind
        self.bodySent = bodySent
        self.message = message
    }
}
