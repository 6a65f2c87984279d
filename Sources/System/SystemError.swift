import Glibc

/// A call to the operating system that failed.
public struct SystemError: Error, Hashable, Sendable {
    /// The `errno`.
    public let code: Int32
    /// The call: `open`, `fsync`.
    public let call: String
    /// What it was about, where it was about a file.
    public let path: FilePath?

    public init(code: Int32, call: String, path: FilePath? = nil) {
        self.code = code
        self.call = call
        self.path = path
    }

    /// The system's own words for the code: `No space left on device`.
    public var reason: String { String(cString: strerror(code)) }
}

/// Runs a call that answers -1 with an `errno`, again where a signal broke in, and turns a failure into an error.
@discardableResult
public func systemCall<Result: FixedWidthInteger & SignedInteger>(
    _ name: String, _ path: FilePath? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(code: code, call: name, path: path) }
        if Interrupt.isRaised { throw SystemError(code: code, call: name, path: path) }
    }
}
