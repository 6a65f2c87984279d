/// Why a delivery did not end in receipts.
public struct DeliveryFailure: Error, Hashable, Sendable {
    /// What the failure means for the jobs of the batch.
    public enum Kind: Hashable, Sendable {
        /// The destination could not take it now (no space, no connection): another try may succeed.
        case unreachable
        /// The destination, or the note itself, says no: nobody retries by itself.
        case rejected
        /// It may have been delivered: look before anything is sent again.
        case outcomeUnknown
        /// The user pressed Ctrl-C; nothing was delivered, and no try is spent.
        case interrupted
    }

    public let kind: Kind
    /// A stable code for scripts: `no_space`, `read_only`, `blob_missing`.
    public let code: String
    /// What the failure is about: a file, a parameter of the service.
    public let parameter: String?
    /// In words, for people.
    public let message: String

    public init(_ kind: Kind, code: String, parameter: String? = nil, message: String) {
        self.kind = kind
        self.code = code
        self.parameter = parameter
        self.message = message
    }
}
