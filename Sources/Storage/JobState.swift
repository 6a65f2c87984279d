/// Where a job stands.
public enum JobState: String, Hashable, Sendable, CaseIterable {
    /// Waits for its turn, perhaps until a time.
    case queued
    /// A worker has it in hand.
    case sending
    /// It may have arrived: nobody knows. Looked for before anything is sent again.
    case uncertain
    /// The service or the file says no. Nobody retries it by itself: it needs a person.
    case parked
    /// Delivered, with a receipt. Final.
    case sent
    /// Given up or replaced. Final.
    case cancelled

    /// True where it may still be delivered by itself, or has been, unknown to us.
    public var isOpen: Bool { self == .queued || self == .sending || self == .uncertain }
}

/// What happens to a job.
public enum JobEvent: String, Hashable, Sendable, CaseIterable {
    /// A worker takes it in hand.
    case claim
    /// It was delivered.
    case succeed
    /// Not now: again later, or by somebody else.
    case postpone
    /// The service or the file says no.
    case park
    /// The answer was lost, or the worker died: it may have arrived.
    case lose
    /// It was looked for and found, or a person says that it has arrived.
    case find
    /// It was looked for, and has not arrived.
    case miss
    /// A person gives it up, or a newer version replaces it.
    case cancel
    /// A person wants it tried now.
    case retry
    /// A person wants it to go elsewhere.
    case redirect
}

extension JobState {
    /// The state after an event; nil where the event cannot happen in this one.
    public func after(_ event: JobEvent) -> JobState? {
        switch (self, event) {
        case (.queued, .claim): .sending
        case (.queued, .postpone), (.queued, .retry), (.queued, .redirect): .queued
        case (.queued, .park): .parked
        case (.queued, .cancel): .cancelled

        case (.sending, .succeed): .sent
        case (.sending, .postpone): .queued
        case (.sending, .park): .parked
        case (.sending, .lose): .uncertain

        case (.uncertain, .find): .sent
        case (.uncertain, .miss): .queued
        case (.uncertain, .postpone): .uncertain  // no telling yet: looked for again later
        case (.uncertain, .park): .parked
        case (.uncertain, .retry): .queued  // a person takes it upon them that it may be there twice
        // Given up, it would be sent anew with its draft, and be there twice: it is looked for first.
        case (.uncertain, .cancel): nil

        case (.parked, .retry), (.parked, .redirect): .queued
        case (.parked, .find): .sent
        case (.parked, .cancel): .cancelled

        default: nil
        }
    }
}
