/// A POST.
public struct Request: Sendable {
    public var address: WebAddress
    public var headers: [(name: String, value: String)]
    public var body: Body
    /// Bytes that the reply's body may have, after gunzip.
    public var replyLimit: Int

    public init(address: WebAddress, headers: [(name: String, value: String)] = [], body: Body, replyLimit: Int) {
        self.address = address
        self.headers = headers
        self.body = body
        self.replyLimit = replyLimit
    }
}
