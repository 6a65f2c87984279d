public import Notes

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
        /// This job cannot go before a time, by no fault of its own.
        case held(until: Timestamp)
        /// The account takes nothing before a time; nil: before a person has done something about it.
        case accountClosed(until: Timestamp?)
        /// The user pressed Ctrl-C; nothing was delivered.
        case interrupted
    }

    public let kind: Kind
    /// A stable code for scripts: `disk_full`, `body-changed`.
    public let code: String
    /// In words, for people: what and where.
    public let message: String
    /// What the service says it is about: `Note.title`.
    public let parameter: String?
    /// The one job of the batch that is to blame, where it is one.
    public let job: Int64?

    public init(_ kind: Kind, code: String, message: String, parameter: String? = nil, job: Int64? = nil) {
        self.kind = kind
        self.code = code
        self.message = message
        self.parameter = parameter
        self.job = job
    }
}
