public import Notes
public import Storage
public import System

/// Jobs in a destination's hands: their notes, and what has to be kept about them while they are under way, so that
/// what a crash left is found by it.
public struct Handover {
    public let jobs: [Job]
    private let store: Store
    private let progress: (Int64) -> Void

    /// - Parameter progress: Told of bytes that have gone, since its last call.
    public init(_ jobs: [Job], of store: Store, progress: @escaping (Int64) -> Void) {
        self.jobs = jobs
        self.store = store
        self.progress = progress
    }

    /// The frozen note of a job.
    /// - Throws: `StoreError`, as all that follow.
    public func note(of job: Job) throws -> Note { try store.note(ofJob: job.id) }

    /// Keeps the name of the file that is to be made of all jobs, before its first byte.
    public func choose(_ file: FilePath) throws { try store.setTarget(file, of: jobs.map(\.id)) }

    /// Keeps how far the service had counted, before the first byte of a job.
    public func begin(_ job: Job, after updateCount: Int64) throws {
        try store.setUpdateCount(updateCount, of: job.id)
    }

    /// Keeps what of a job has arrived.
    public func keep(_ upload: Upload, of job: Job) throws { try store.setUpload(upload, of: job.id) }

    /// Tells of bytes of notes that have gone, since the last call.
    public func advance(_ bytes: Int64) { progress(bytes) }
}
