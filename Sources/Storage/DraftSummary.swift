public import Notes

/// What became of a draft, computed from its jobs.
public enum DraftState: String, Hashable, Sendable, CaseIterable {
    case unsent, queued, sending, uncertain, parked
    /// Some parts arrived, and the others were given up.
    case partlySent = "partly sent"
    case sent

    /// From the jobs of the last time it was sent: how many are in each state.
    init(_ jobs: [JobState: Int]) {
        let has = { (state: JobState) in (jobs[state] ?? 0) > 0 }
        self =
            if has(.sending) {
                .sending
            } else if has(.uncertain) {
                .uncertain
            } else if has(.queued) {
                .queued
            } else if has(.parked) {
                .parked
            } else if has(.sent) {
                has(.cancelled) ? .partlySent : .sent
            } else {
                .unsent
            }
    }
}

/// How a draft stands.
public struct DraftStanding: Hashable, Sendable {
    public var state: DraftState
    /// Since the notes were made that the state tells of.
    public var isChanged = false
    /// By a process that lives: it is not whole yet.
    public var isBeingImported = false
}

/// A draft as it stands in a list.
public struct DraftSummary: Hashable, Sendable {
    public var id: Int64
    public var uid: String
    public var title: String
    public var standing: DraftStanding
    /// How many.
    public var memos: Int
    /// How many.
    public var photos: Int
    public var created: Timestamp
    public var updated: Timestamp
    public var isHeld: Bool
}
