/// What a command has changed, for machines: `--json` of those that have nothing else to show.
struct ChangeJSON: Encodable {
    enum Change: String, Encodable {
        case added, changed, unchanged, moved, removed, kept, held, released, retried, cancelled, paused, resumed,
            forgotten
    }

    let change: Change
    /// With `-n`: nothing was changed yet.
    let dryRun: Bool
    /// Its number; left out where it is about no draft.
    var draft: Int64?
    /// Its number in the draft; left out as well.
    var memo: Int?
    /// Its number; left out as well.
    var job: Int64?
}

extension Output {
    /// What was done: a line for people, an object for machines.
    func report(_ text: String, _ value: some Encodable) throws {
        if isJSON { try json(value) } else { report(text) }
    }

    /// The same of several jobs, for machines alone.
    func changes(_ change: ChangeJSON.Change, of jobs: [Int64], dryRun: Bool) throws {
        guard isJSON else { return }
        for job in jobs { try json(ChangeJSON(change: change, dryRun: dryRun, job: job)) }
    }
}
