public import HTTP
public import Thrift

/// Why a call to the service came to nothing, or may have.
public enum EDAMError: Error, Hashable, Sendable {
    /// The request is at fault, or the account's state (`EDAMUserException`): `parameter` says which of its parts.
    case user(EDAMErrorCode, parameter: String?)
    /// The service is at fault, or wants to be left alone (`EDAMSystemException`), and for how many seconds.
    case system(EDAMErrorCode, message: String?, rateLimitDuration: Int?)
    /// Something that the request names is not there (`EDAMNotFoundException`): `Note.notebookGuid` and its value.
    case notFound(identifier: String?, key: String?)
    /// The service's Thrift layer could not make the call, or its handler broke down.
    case application(ApplicationError)
    /// What came back is no reply to this call.
    case protocolBroken(ThriftError)
    /// Nothing came back, or not the whole of it.
    case http(HTTPError)
    /// An HTTP status other than 200, and the seconds that the service wants to be left alone.
    case status(Int, retryAfter: Int?)
    /// The service names an address that its token is not for.
    case addressRefused(String)
    /// A text or a body that is too long for the protocol: over 2³¹ - 1 bytes.
    case tooLong
    /// A person pressed Ctrl-C when the whole request had gone and no reply had come.
    case interrupted

    /// Whether what was asked for may have been done all the same: then it is to be looked for before it is asked again.
    public var mayHaveArrived: Bool {
        switch self {
        case .user(let code, parameter: _), .system(let code, message: _, rateLimitDuration: _):
            code == .unknown || code == .internalError
        case .notFound, .addressRefused, .tooLong: false
        case .application(let error):
            // These it says before it hands the call on.
            ![
                .unknownMethod, .invalidMessageType, .protocolError, .invalidTransform, .invalidProtocol,
                .unsupportedClientType,
            ].contains(error.kind)
        case .protocolBroken, .interrupted: true
        case .http(let error): error.bodySent
        case .status(503, retryAfter: _?): false  // it says that it is not able to, and when it will be
        // A gateway knows nothing of what became of it, whenever it wants to be asked again.
        case .status(let status, retryAfter: _): status < 300 || status >= 500
        }
    }

    /// Seconds that the service wants to be left alone, where it says so.
    public var wait: Int? {
        switch self {
        case .system(_, message: _, let rateLimitDuration): rateLimitDuration
        case .status(_, let retryAfter): retryAfter
        default: nil
        }
    }

    /// The same without a secret that the other side repeats: errors are printed and kept.
    func hiding(_ secret: String) -> EDAMError {
        func cleaned(_ text: String?) -> String? { text?.replacing(secret, with: "…") }
        switch self {
        case .user(let code, let parameter): return .user(code, parameter: cleaned(parameter))
        case .system(let code, let message, let rateLimitDuration):
            return .system(code, message: cleaned(message), rateLimitDuration: rateLimitDuration)
        case .notFound(let identifier, let key): return .notFound(identifier: cleaned(identifier), key: cleaned(key))
        case .application(var answer):
            answer.message = cleaned(answer.message)
            return .application(answer)
        case .addressRefused(let text): return .addressRefused(text.replacing(secret, with: "…"))
        case .protocolBroken, .http, .status, .tooLong, .interrupted: return self
        }
    }
}
