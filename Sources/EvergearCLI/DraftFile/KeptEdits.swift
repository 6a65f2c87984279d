import System

/// Texts of edits that did not come to their end. They stay for a while, and `prune` takes them away after that.
struct KeptEdits {
    /// How long they stay at least.
    static let days: Int64 = 30

    private let folder: FilePath

    init(_ home: Home) { folder = home.edits }

    /// All there are; one that an editor has open just now is among them.
    var all: [FilePath] {
        ((try? Files.names(in: folder)) ?? []).map { folder / $0 }.filter { (try? Files.status($0))?.kind == .file }
    }

    /// Those of a draft as a whole: `draft-3.txt`, `draft-3-2.txt`.
    func ofDraft(_ number: Int64) -> [FilePath] {
        all.filter { path in
            let parts = path.name.description.split(separator: ".")[0].split(separator: "-")
            return parts.first == "draft" && parts.dropFirst().allSatisfy { Int64($0) != nil }
                && parts.dropFirst().first == "\(number)"
        }
    }

    /// Those that nobody has changed for `days`.
    /// - Parameter now: Milliseconds since 1970.
    func old(at now: Int64) -> [FilePath] {
        let limit = now - Self.days * 86_400_000
        return all.filter { path in
            guard let status = try? Files.status(path) else { return false }
            return status.modified / 1_000_000 < limit
        }
    }

    /// Removes a text that was taken up again; a file anywhere else stays.
    func remove(_ file: FilePath) {
        guard let here = try? Files.resolve(folder), let there = try? Files.resolve(file), there.folder == here else {
            return
        }
        try? Files.remove(there)
    }
}

extension FilePath {
    /// As a word for a shell, for a command that is to be copied.
    var shellWord: String {
        let isPlain = description.unicodeScalars.allSatisfy { scalar in
            !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "/._-+,:@%".unicodeScalars.contains(scalar)
        }
        return isPlain ? description : "'" + description.replacing("'", with: "'\\''") + "'"
    }
}
