/// Ratings that are asked for: `4+`, `4`, `3-5`.
struct RatingRange: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    let stars: ClosedRange<Int>

    init?(argument text: String) {
        func number(_ text: Substring) -> Int? {
            guard text.utf8.count == 1, let number = Int(text), (0...5).contains(number) else { return nil }
            return number
        }
        let bounds = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        if text.hasSuffix("+") {
            guard let least = number(text.dropLast()) else { return nil }
            stars = least...5
        } else if bounds.count == 2 {
            guard let least = number(bounds[0]), let most = number(bounds[1]), least <= most else { return nil }
            stars = least...most
        } else {
            guard let only = number(text[...]) else { return nil }
            stars = only...only
        }
    }

    /// - Parameter rating: nil where nobody rated, which counts as 0.
    func contains(_ rating: Int?) -> Bool { stars.contains(rating ?? 0) }

    var description: String {
        if stars.lowerBound == stars.upperBound { return "\(stars.lowerBound)" }
        return stars.upperBound == 5 ? "\(stars.lowerBound)+" : "\(stars.lowerBound)-\(stars.upperBound)"
    }

    static let expectation = "stars such as 4+, 4 or 3-5 (0 to 5)"
    static let valueName = "STARS"
}
