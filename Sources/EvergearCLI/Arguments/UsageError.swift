/// A command line that cannot be understood. Exit status 64.
struct UsageError: Error, Hashable {
    /// What is wrong, without a full stop.
    let message: String
    /// What may have been meant.
    let suggestion: String?
    /// The command whose help tells more: `evergear draft add`.
    var command: String

    init(_ message: String, suggestion: String? = nil, command: String = "evergear") {
        self.message = message
        self.suggestion = suggestion
        self.command = command
    }

    func of(_ command: String) -> UsageError {
        UsageError(message, suggestion: suggestion, command: command)
    }
}

/// Thrown by `validate()`: values that do not go together. Exit status 64.
struct ValidationError: Error, Hashable {
    /// What is wrong, without a full stop.
    let message: String

    init(_ message: String) { self.message = message }
}
