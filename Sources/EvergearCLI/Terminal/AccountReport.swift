import EDAM
import Notes
import System

/// What is told of an account.
struct AccountReport {
    let service: Service
    /// nil: the service could not be asked.
    let standing: AccountStanding?
    let expires: Timestamp?
    let source: Access.Source
    let now: Timestamp

    var lines: [String] {
        var lines = ["Service: \(service)"]
        if let standing {
            let names = [standing.name, standing.username].compactMap(\.self)
            lines.append(
                "Account: " + (names.isEmpty ? "without a name" : names.joined(separator: ", "))
                    + (standing.plan.map { " · \($0)" } ?? ""))
            lines += limits(standing)
            let asked = Timestamp(milliseconds: standing.asked)
            if now.milliseconds - asked.milliseconds > 60_000 {
                lines.append("This is what the service said \(Words.relative(asked, to: now)).")
            }
        }
        switch source {
        case .environment: lines.append("The token comes from \(Access.variable).")
        case .kept: lines.append("The token is kept here.")
        case .command(let command): lines.append("The token is printed by a command (\(Access.name(of: command)) …).")
        }
        if let expires {
            lines.append(
                expires > now
                    ? "It is good for \(Words.duration(seconds: (expires.milliseconds - now.milliseconds) / 1000))."
                    : "It expired \(Words.relative(expires, to: now)). `evergear auth login` takes a new one.")
        }
        return lines
    }

    private func limits(_ standing: AccountStanding) -> [String] {
        var lines: [String] = []
        if let left = standing.uploadLeft, let limit = standing.uploadLimit {
            let until = standing.monthEnds.map {
                "; the next month begins \(Words.relative(Timestamp(milliseconds: $0), to: now))"
            }
            lines.append("Upload: \(Words.size(left)) of \(Words.size(limit)) left this month\(until ?? "")")
        }
        var most: [String] = []
        if let size = standing.noteSizeMax { most.append("notes of \(Words.size(size))") }
        if let size = standing.resourceSizeMax { most.append("files of \(Words.size(size))") }
        if let count = standing.notesMax { most.append("\(count) notes") }
        if let count = standing.notebooksMax { most.append("\(count) notebooks") }
        if let count = standing.tagsMax { most.append("\(count) tags") }
        if !most.isEmpty { lines.append("Takes at most " + Words.list(most)) }
        return lines
    }

    /// For someone without a token.
    static func waysIn(to service: Service) -> [String] {
        [
            "There is no token for \(service).",
            "",
            "No account is needed for ENEX files: `evergear send --to enex` writes what Evernote, Joplin, Obsidian and",
            "others import.",
            "",
            "For Evernote itself a token has to be brought along; the service gives no new keys to programs. Ways that",
            "people use today:",
            "  · a developer token or an API key that you already have",
            "  · a token that another program of yours holds for your account, as evernote-backup's init-db gets one",
            "",
            "Then: `evergear auth login < FILE`, or `evergear auth login --token-command \"pass show evernote\"`.",
        ]
    }

    /// `auth login|status --json`.
    struct JSON: Encodable {
        let service: String
        let reachable: Bool
        @Null var user: String?
        @Null var name: String?
        @Null var plan: String?
        @Null var uploadLimit: Int64?
        @Null var uploadLeft: Int64?
        @Null var uploadUntil: String?
        @Null var noteSizeMax: Int64?
        @Null var resourceSizeMax: Int64?
        @Null var notesMax: Int32?
        @Null var notebooksMax: Int32?
        @Null var tagsMax: Int32?
        /// When the service said so.
        @Null var asked: String?
        @Null var tokenFrom: String?
        @Null var tokenExpires: String?
        @Null var tokenDaysLeft: Int64?
        @Null var problem: String?

        init(service: Service, problem: String?) {
            self.service = service.description
            self.problem = problem
            reachable = false
        }

        fileprivate init(_ report: AccountReport, problem: String?) {
            service = report.service.description
            reachable = problem == nil
            self.problem = problem
            let standing = report.standing
            user = standing?.username
            name = standing?.name
            plan = standing?.plan
            uploadLimit = standing?.uploadLimit
            uploadLeft = standing?.uploadLeft
            uploadUntil = standing?.monthEnds.map { Timestamp(milliseconds: $0).iso8601 }
            noteSizeMax = standing?.noteSizeMax
            resourceSizeMax = standing?.resourceSizeMax
            notesMax = standing?.notesMax
            notebooksMax = standing?.notebooksMax
            tagsMax = standing?.tagsMax
            asked = standing.map { Timestamp(milliseconds: $0.asked).iso8601 }
            switch report.source {
            case .environment: tokenFrom = "environment"
            case .kept: tokenFrom = "kept"
            case .command: tokenFrom = "command"
            }
            tokenExpires = report.expires?.iso8601
            tokenDaysLeft = report.expires.map { max(0, $0.milliseconds - report.now.milliseconds) / 86_400_000 }
        }
    }

    func json(problem: String?) -> JSON { JSON(self, problem: problem) }
}

extension Access.Source {
    init(_ entry: AccessFile.Entry) {
        switch entry {
        case .token: self = .kept
        case .command(let command): self = .command(command)
        }
    }
}
