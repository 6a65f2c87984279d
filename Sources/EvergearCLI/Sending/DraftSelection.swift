import Notes
import Storage

extension Context {
    /// The drafts that a command is about: those named, else every unsent one that is not held.
    ///
    /// One that an import has in hand is among them, so that who wanted to send it is told; drafts that were changed since
    /// they were sent are named and left out, since only a person knows whether another note is wanted.
    /// - Throws: `NoSuchDraft`, `StoreError`.
    func drafts(_ references: [DraftReference], in store: Store) throws -> [Draft] {
        if !references.isEmpty { return try named(references, in: store) }
        let all = try store.draftSummaries().filter { !$0.isHeld }
        tell(all.filter { $0.standing.isChanged && !$0.standing.isBeingImported })
        return try all.filter { $0.standing.state == .unsent }.map { try store.draft($0.id) }
    }

    /// All that are named, each once, before anything happens to one of them: `last` is another one afterwards.
    /// - Throws: `NoSuchDraft`, `StoreError`.
    func named(_ references: [DraftReference], in store: Store) throws -> [Draft] {
        var seen: Set<Int64> = []
        return try references.map { try draft($0, in: store) }.filter { seen.insert($0.id).inserted }
    }

    private func tell(_ changed: [DraftSummary]) {
        guard let first = changed.first else { return }
        let named = changed.prefix(Self.mostNamed).map { "\($0.id), \(Words.title($0.title))" }
        let rest = changed.count - named.count
        let list = named.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        output.remark(
            "changed since \(changed.count == 1 ? "it was" : "they were") sent, and left out: \(list). "
                + "`evergear send \(first.id)` makes a new note; with --update it replaces the one in the account.")
    }

    private static let mostNamed = 5
}
