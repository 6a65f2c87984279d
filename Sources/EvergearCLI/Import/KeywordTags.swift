import Layouts

/// A draft's tags, and the photos' keywords that join them: each once, whatever its case, in the order of first use.
struct KeywordTags {
    private(set) var tags: [String]
    /// Keywords that found no room.
    private(set) var leftOut = 0
    /// All that were met, in lower case: by case alone Evernote does not tell tags apart.
    private var known: Set<String>

    enum Outcome: Equatable {
        case added, known, noRoom
        case refused(NameProblem)
    }

    /// - Parameter tags: Those that the draft has already.
    init(_ tags: [String]) {
        self.tags = tags
        known = Set(tags.map { $0.lowercased() })
    }

    mutating func add(_ keyword: String) -> Outcome {
        do throws(NameProblem) {
            let name = try TagName.fit(keyword).name
            guard known.insert(name.lowercased()).inserted else { return .known }
            guard tags.count < TagName.mostInNote else {
                leftOut += 1
                return .noRoom
            }
            tags.append(name)
            return .added
        } catch {
            return known.insert(keyword.lowercased()).inserted ? .refused(error) : .known
        }
    }
}
