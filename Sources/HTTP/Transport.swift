/// A POST.
public struct Request: Sendable {
    public var address: WebAddress
    /// Names and values. Host, Content-Length, User-Agent and Accept-Encoding are the transport's own.
    public var headers: [(name: String, value: String)]
    public var body: Body
    /// The most bytes that a reply's body may have, unpacked.
    public var replyLimit: Int

    public init(
        _ address: WebAddress, headers: [(name: String, value: String)] = [], body: Body, replyLimit: Int
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        self.replyLimit = replyLimit
    }
}

/// What the other side said, whatever its status: an error and a redirect are replies too.
public struct Reply: Hashable, Sendable {
    public var status: Int
    /// Seconds to wait before the next request, where the other side says so; never negative.
    public var retryAfter: Int?
    /// As sent: `application/x-thrift`, `text/html; charset=utf-8`.
    public var contentType: String?
    /// Unpacked.
    public var body: [UInt8]

    public init(status: Int, retryAfter: Int? = nil, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.contentType = contentType
        self.body = body
    }
}

/// Carries a request to the other side and brings the reply.
public protocol Transport {
    /// - Parameters:
    ///   - advance: Gets the bytes of the body that have gone since its last call.
    /// - Throws: `HTTPError`, and `Interrupted` where a person has pressed Ctrl-C: the request may have arrived then, if
    ///   `advance` has been told of its last byte.
    func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply
}

extension Transport {
    public func send(_ request: Request) throws -> Reply { try send(request) { _ in } }
}

/// How long to wait for what.
public struct Timeouts: Hashable, Sendable {
    /// For a connection: name, TCP, proxy and TLS together.
    public var connect: Duration
    /// For the next byte, while the body goes or the reply comes.
    public var stall: Duration
    /// For the whole reply, once the body has gone; a reply gets a second more for each 1024 bytes that come.
    public var reply: Duration

    public init(connect: Duration = .seconds(30), stall: Duration = .seconds(60), reply: Duration = .seconds(300)) {
        self.connect = connect
        self.stall = stall
        self.reply = reply
    }
}
