import EDAM
import FoundationEssentials
import Notes
import System

/// What was last heard of accounts, for commands that can do without asking, and while nothing can be asked. It is a
/// convenience: where it cannot be read or written, nothing is lost.
struct AccountCache {
    /// What is known of one service's account. Times are milliseconds since 1970.
    struct Entry: Codable, Hashable {
        var standing: AccountStanding?
        var notebooks: [NotebookName]?
        var notebooksAsked: Int64?
        var tags: [String]?
        var tagsAsked: Int64?
    }

    private let path: FilePath

    init(_ home: Home) { path = home.data / "accounts.json" }

    func entry(of service: Service) -> Entry { all()[service.description] ?? Entry() }

    func keep(_ standing: AccountStanding, of service: Service) {
        change(service) { entry in
            // Another account: nothing else holds for it.
            if let known = entry.standing?.user, known != standing.user { entry = Entry() }
            entry.standing = standing
        }
    }

    func keep(notebooks: [NotebookName], of service: Service, at now: Timestamp) {
        change(service) { entry in
            entry.notebooks = notebooks
            entry.notebooksAsked = now.milliseconds
        }
    }

    func keep(tags: [String], of service: Service, at now: Timestamp) {
        change(service) { entry in
            entry.tags = tags
            entry.tagsAsked = now.milliseconds
        }
    }

    /// Forgets an account.
    func forget(_ service: Service) { change(service) { $0 = Entry() } }

    private func all() -> [String: Entry] {
        guard let bytes = try? Files.read(path, limit: 64 << 20) else { return [:] }
        return (try? JSONDecoder().decode([String: Entry].self, from: Data(bytes))) ?? [:]
    }

    private func change(_ service: Service, _ body: (inout Entry) -> Void) {
        var entries = all()
        body(&entries[service.description, default: Entry()])
        guard let data = try? JSONEncoder().encode(entries) else { return }
        try? Files.makeFolder(path.folder)
        try? Files.replace(path, with: Array(data), mode: 0o600)
    }
}
