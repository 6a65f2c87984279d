public import HTTP

/// Which Evernote: the service for the world, the one for China, or one at an address of its own.
public enum Service: Hashable, Sendable, CustomStringConvertible {
    case production
    case china
    case other(WebAddress)

    /// - Parameter text: `production`, `china`, `https://HOST[:PORT]`; `http` only to this machine itself.
    /// - Throws: `ServiceError`.
    public init(_ text: String) throws(ServiceError) {
        switch text {
        case "production": self = .production
        case "china": self = .china
        default:
            guard let address = WebAddress(text) else { throw .notAnAddress(text) }
            guard address.isSecure || address.isLoopback else { throw .plainHTTP(text) }
            self = .other(address)
        }
    }

    /// As `init(_:)` reads it: `production`, `https://localhost:8080`.
    public var description: String {
        switch self {
        case .production: "production"
        case .china: "china"
        case .other(let address): address.path == "/" ? String(address.text.dropLast()) : address.text
        }
    }

    /// Where `UserStore` is.
    ///
    /// - Throws: `EDAMError.addressRefused`, for an address that no path can be added to.
    public var userStore: WebAddress {
        get throws(EDAMError) {
            let text = base.hasSuffix("/") ? base + "edam/user" : base + "/edam/user"
            guard let address = WebAddress(text) else { throw .addressRefused(text) }
            return address
        }
    }

    /// The note store that a reply of the service names, once it is seen to be the service's own: https on its domain.
    /// A service on this machine may name any port of the machine, and plain http.
    ///
    /// - Throws: `EDAMError.addressRefused`: the token is not for that address.
    public func noteStore(_ text: String) throws(EDAMError) -> WebAddress {
        guard let address = WebAddress(text) else { throw .addressRefused(text) }
        if isLoopback, address.isLoopback { return address }
        guard address.isSecure, address.isWithin(domain: domain) else { throw .addressRefused(text) }
        return address
    }

    private var base: String {
        switch self {
        case .production: "https://www.evernote.com"
        case .china: "https://app.yinxiang.com"
        case .other(let address): address.text
        }
    }

    private var domain: String {
        switch self {
        case .production: "evernote.com"
        case .china: "yinxiang.com"
        case .other(let address): address.host
        }
    }

    private var isLoopback: Bool {
        if case .other(let address) = self { address.isLoopback } else { false }
    }
}

/// Why a text names no service.
public enum ServiceError: Error, Hashable, Sendable {
    /// Neither a service's name nor an address.
    case notAnAddress(String)
    /// Whoever listens between here and there would have the token.
    case plainHTTP(String)
}
