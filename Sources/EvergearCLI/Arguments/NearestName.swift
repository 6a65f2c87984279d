/// The known name that a mistyped one was probably meant to be.
enum NearestName {
    /// - Returns: The name fewest changes away: at most one for short names, two for those from six letters on; or
    ///   the only one that begins with what was typed.
    static func of(_ typed: String, among names: [String]) -> String? {
        let limit = typed.drop { $0 == "-" }.count < 6 ? 1 : 2
        let near = names.map { ($0, distance(typed, $0)) }.filter { $0.1 <= limit }.min { $0.1 < $1.1 }
        if let near { return near.0 }
        let longer = names.filter { typed.count >= 2 && $0.hasPrefix(typed) }
        return longer.count == 1 ? longer.first : nil
    }

    /// Letters to insert, drop or exchange, or neighbours to swap, until one is the other
    /// (optimal string alignment).
    static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first)
        let b = Array(second)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
