public import Thrift

/// What the service gives as its reason (`EDAMErrorCode` of Evernote's IDL). A newer service may have others.
public struct EDAMErrorCode: RawRepresentable, ThriftValue, Hashable, CustomStringConvertible {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let unknown = EDAMErrorCode(rawValue: 1)
    public static let badDataFormat = EDAMErrorCode(rawValue: 2)
    public static let permissionDenied = EDAMErrorCode(rawValue: 3)
    public static let internalError = EDAMErrorCode(rawValue: 4)
    public static let dataRequired = EDAMErrorCode(rawValue: 5)
    public static let limitReached = EDAMErrorCode(rawValue: 6)
    public static let quotaReached = EDAMErrorCode(rawValue: 7)
    public static let invalidAuth = EDAMErrorCode(rawValue: 8)
    public static let authExpired = EDAMErrorCode(rawValue: 9)
    public static let dataConflict = EDAMErrorCode(rawValue: 10)
    public static let enmlValidation = EDAMErrorCode(rawValue: 11)
    public static let shardUnavailable = EDAMErrorCode(rawValue: 12)
    public static let lenTooShort = EDAMErrorCode(rawValue: 13)
    public static let lenTooLong = EDAMErrorCode(rawValue: 14)
    public static let tooFew = EDAMErrorCode(rawValue: 15)
    public static let tooMany = EDAMErrorCode(rawValue: 16)
    public static let unsupportedOperation = EDAMErrorCode(rawValue: 17)
    public static let takenDown = EDAMErrorCode(rawValue: 18)
    public static let rateLimitReached = EDAMErrorCode(rawValue: 19)
    public static let businessSecurityLoginRequired = EDAMErrorCode(rawValue: 20)
    public static let deviceLimitReached = EDAMErrorCode(rawValue: 21)
    public static let openIDAlreadyTaken = EDAMErrorCode(rawValue: 22)
    public static let invalidOpenIDToken = EDAMErrorCode(rawValue: 23)
    public static let userNotAssociated = EDAMErrorCode(rawValue: 24)
    public static let userNotRegistered = EDAMErrorCode(rawValue: 25)
    public static let userAlreadyAssociated = EDAMErrorCode(rawValue: 26)
    public static let accountClear = EDAMErrorCode(rawValue: 27)
    public static let ssoAuthenticationRequired = EDAMErrorCode(rawValue: 28)

    /// As the IDL spells it: `QUOTA_REACHED`.
    public var description: String {
        Self.names.indices.contains(Int(rawValue) - 1) ? Self.names[Int(rawValue) - 1] : "error \(rawValue)"
    }

    private static let names = [
        "UNKNOWN", "BAD_DATA_FORMAT", "PERMISSION_DENIED", "INTERNAL_ERROR", "DATA_REQUIRED", "LIMIT_REACHED",
        "QUOTA_REACHED", "INVALID_AUTH", "AUTH_EXPIRED", "DATA_CONFLICT", "ENML_VALIDATION", "SHARD_UNAVAILABLE",
        "LEN_TOO_SHORT", "LEN_TOO_LONG", "TOO_FEW", "TOO_MANY", "UNSUPPORTED_OPERATION", "TAKEN_DOWN",
        "RATE_LIMIT_REACHED", "BUSINESS_SECURITY_LOGIN_REQUIRED", "DEVICE_LIMIT_REACHED", "OPENID_ALREADY_TAKEN",
        "INVALID_OPENID_TOKEN", "USER_NOT_ASSOCIATED", "USER_NOT_REGISTERED", "USER_ALREADY_ASSOCIATED",
        "ACCOUNT_CLEAR", "SSO_AUTHENTICATION_REQUIRED",
    ]
}
