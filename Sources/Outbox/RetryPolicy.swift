public import Notes

/// Decides what happens to a job after a failed attempt. Pure: the same question has the same answer.
public struct RetryPolicy: Sendable {
    public enum Decision: Hashable, Sendable {
        /// Again, after so many milliseconds.
        case retry(after: Int64)
        /// The destination may hold the note: look before sending again.
        case lookFirst
        /// It was not there, and may still come: look again, after so many milliseconds.
        case lookAgain(after: Int64)
        /// Nobody retries by itself.
        case park
        /// As if it had not been tried, and not before a time.
        case hold(until: Timestamp)
        /// As if it had not been tried, and no call to the account before a time; nil: before a person opens it.
        case closeAccount(until: Timestamp?)
        /// As if it had not been tried.
        case putBack
    }

    /// Failed tries after which a job is parked.
    public var tries = 8
    /// Milliseconds before the second try; doubled for each further one. Restic's and rclone's ranges are alike.
    public var base: Int64 = 2_000
    /// The longest wait, in milliseconds.
    public var cap: Int64 = 900_000

    public init() {}

    /// - Parameters:
    ///   - tries: How many have failed, this one included.
    ///   - jitter: 0 to 1, a share of the whole wait ("full jitter"), so that many jobs that failed together do not
    ///     come back together. Tests pass 1.
    public func decision(after failure: DeliveryFailure.Kind, tries: Int, jitter: Double) -> Decision {
        switch failure {
        case .interrupted: .putBack
        case .rejected: .park
        case .held(let time): .hold(until: time)
        case .accountClosed(let time): .closeAccount(until: time)
        case .outcomeUnknown: .lookFirst
        case .unreachable where tries >= self.tries: .park
        case .unreachable: .retry(after: Int64(Double(longestWait(after: tries)) * jitter))
        }
    }

    /// After a look for a job that may have arrived, and has not. What brings the program down each time is not tried
    /// for ever.
    /// - Parameters:
    ///   - tries: How many have failed, the lost one included.
    ///   - looked: Milliseconds since the first look; nil: this was the first.
    ///   - settling: The destination's `settlingTime`: a request that was cut off may still be carried out within it.
    public func decision(afterMissing tries: Int, looked: Int64?, settling: Int64) -> Decision {
        // A first look that is still to come was noted by a clock that was ahead.
        let looked = max(0, looked ?? 0)
        if looked < settling { return .lookAgain(after: settling - looked) }
        return tries >= self.tries ? .park : .retry(after: 0)
    }

    /// The wait before jitter: base, twice base, four times base … up to the cap, in milliseconds.
    func longestWait(after tries: Int) -> Int64 {
        let doublings = min(max(tries, 1) - 1, 40)
        let (wait, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        return overflow ? cap : min(wait, cap)
    }
}
