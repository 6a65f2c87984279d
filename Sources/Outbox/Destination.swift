public import Storage

/// Where notes go.
public protocol Destination {
    /// How many jobs may have to be delivered together, at most.
    var mostTogether: Int { get }
    /// Milliseconds after a look for a note that was not there, within which it may still appear. 0: one look is
    /// certain.
    var settlingTime: Int64 { get }

    /// Which of the jobs that are due have to be delivered together with the first: into one file, say.
    /// - Parameter due: At least one job, the longest waiting first.
    func batch(from due: [Job]) -> [Job]

    /// Delivers jobs, all or none: once it returns, they are there for good.
    /// - Returns: A receipt for each job, in their order.
    /// - Throws: `DeliveryFailure`; `StoreError`.
    func deliver(_ handover: Handover) throws -> [Receipt]

    /// Looks for jobs whose outcome is not known, and clears away what a broken delivery left.
    /// - Returns: What came of it, by the job's number. The others are not there.
    /// - Throws: `DeliveryFailure`; `StoreError`.
    func find(_ handover: Handover) throws -> [Int64: Finding]
}

/// What a look for a job found.
public enum Finding: Hashable, Sendable {
    case arrived(Receipt)
    /// A part of it, which was kept (`Handover.keep`): the rest can be sent.
    case begun
}

/// Hears how the work goes. Each kind of output has its own.
public protocol ProgressReporter {
    func began(_ jobs: [Job])
    /// Bytes of notes that have gone, since the last call.
    func advanced(by bytes: Int64)
    /// Jobs that were in hand together.
    func ended(_ jobs: [Job])
}
