public protocol Transport {
    func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply
}
