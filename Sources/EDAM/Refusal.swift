import Thrift

/// The exceptions that calls declare. A result has one of them in place of its value.
enum Refusal {
    case user, system, notFound

    /// - Returns: The error that it stands for.
    func read(from reader: inout BinaryReader) throws(ThriftError) -> EDAMError {
        switch self {
        case .user:
            let exception = try UserException(from: &reader)
            return .user(exception.errorCode ?? .unknown, parameter: exception.parameter)
        case .system:
            let exception = try SystemException(from: &reader)
            return .system(
                exception.errorCode ?? .unknown, message: exception.message,
                rateLimitDuration: exception.rateLimitDuration.map { max(0, Int($0)) })
        case .notFound:
            let exception = try NotFoundException(from: &reader)
            return .notFound(identifier: exception.identifier, key: exception.key)
        }
    }
}

private struct UserException: ThriftStruct {
    var errorCode: EDAMErrorCode?
    var parameter: String?

    static let fields: [Field<UserException>] = [Field(1, \.errorCode), Field(2, \.parameter)]
}

private struct SystemException: ThriftStruct {
    var errorCode: EDAMErrorCode?
    var message: String?
    /// Seconds.
    var rateLimitDuration: Int32?

    static let fields: [Field<SystemException>] = [
        Field(1, \.errorCode), Field(2, \.message), Field(3, \.rateLimitDuration),
    ]
}

private struct NotFoundException: ThriftStruct {
    var identifier: String?
    var key: String?

    static let fields: [Field<NotFoundException>] = [Field(1, \.identifier), Field(2, \.key)]
}
