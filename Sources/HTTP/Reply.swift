public struct Reply: Hashable, Sendable {
    public var status: Int
    /// Seconds.
    public var retryAfter: Int?
    public var contentType: String?
    public var body: [UInt8]

    public init(status: Int, retryAfter: Int? = nil, contentType: String? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.contentType = contentType
        self.body = body
    }
}
