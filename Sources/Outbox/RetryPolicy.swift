/// Decides what happens to a job after a failed attempt. Pure: the same question has the same answer.
public struct RetryPolicy: Sendable {
    public enum Decision: Hashable, Sendable {
        /// Again, after so many milliseconds.
        case retry(after: Int64)
        /// The destination may hold the note: look before sending again.
        case lookFirst
        /// Nobody retries by itself.
        case park
        /// As if it had not been tried.
        case putBack
    }

    /// Tries before a job is parked.
    public var attempts = 8
    /// Milliseconds before the second try; doubled for each further one. Restic's and rclone's ranges are alike.
    public var base: Int64 = 2_000
    /// The longest wait, in milliseconds.
    public var cap: Int64 = 900_000

    public init() {}

    /// - Parameters:
    ///   - attempt: The number of the attempt that failed, from 1.
    ///   - jitter: 0 to 1, a share of the whole wait ("full jitter"), so that many jobs that failed together do not
    ///     come back together. Tests pass 1.
    public func decision(
        after failure: DeliveryFailure, attempt: Int, jitter: Double = .random(in: 0...1)
    ) -> Decision {
        switch failure.kind {
        case .interrupted: .putBack
        case .rejected: .park
        case .outcomeUnknown: .lookFirst
        case .unreachable where attempt >= attempts: .park
        case .unreachable: .retry(after: Int64(Double(longestWait(after: attempt)) * jitter))
        }
    }

    /// The wait before jitter: base, twice base, four times base … up to the cap, in milliseconds.
    func longestWait(after attempt: Int) -> Int64 {
        let doublings = min(max(attempt, 1) - 1, 40)
        let (wait, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        return overflow ? cap : min(wait, cap)
    }
}
