import Notes
import Storage

extension Context {
    /// The drafts that a command is about: those named, else every unsent one that is not held.
    /// - Throws: `NoSuchDraft`, `StoreError`.
    func drafts(_ references: [DraftReference], in store: Store) throws -> [Draft] {
        if !references.isEmpty {
            var seen: Set<Int64> = []
            return try references.map { try draft($0, in: store) }.filter { seen.insert($0.id).inserted }
        }
        return try store.draftSummaries().filter { $0.state == .unsent && !$0.isHeld }.map { try store.draft($0.id) }
    }
}
