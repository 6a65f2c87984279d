public import Notes
public import Storage
public import System

/// Where notes go.
public protocol Destination {
    /// Which of the jobs that are due have to be delivered together with the first: into one file, say.
    /// - Parameter due: At least one job, the longest waiting first.
    func batch(from due: [Job]) -> [Job]

    /// Delivers jobs, all or none: once it returns, they are there for good.
    ///
    /// - Parameters:
    ///   - note: The frozen note of a job.
    ///   - choose: Called with the name of what is to be made, before its first byte; it is kept with the jobs, so that
    ///     what a crash left is found by it.
    ///   - advance: Called with bytes of notes that have gone.
    /// - Returns: A receipt for each job, in their order.
    func deliver(
        _ jobs: [Job], note: (Job) throws -> Note, choose: (FilePath) throws -> Void, advance: (Int64) -> Void
    ) throws -> [Receipt]

    /// Looks for jobs whose outcome is not known, and clears away what a broken delivery left.
    /// - Returns: A receipt for each job that is there, by its number. The others certainly are not.
    func find(_ jobs: [Job], note: (Job) throws -> Note) throws -> [Int64: Receipt]
}

/// Hears how the work goes. Each kind of output has its own.
public protocol ProgressReporter {
    func began(_ jobs: [Job])
    /// Bytes of notes that have gone, since the last call.
    func advanced(by bytes: Int64)
    func ended(_ job: Job)
}
