/// How long ago something was, as people write it: `90s`, `2m`, `1h`, `1d`.
struct Age: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    let seconds: Int64

    init?(argument text: String) {
        guard let unit = text.last, let factor = Self.units[unit], let number = Int64(text.dropLast()),
            (1...1_000_000).contains(number)
        else { return nil }
        seconds = number * factor
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// True for a change that is less than this ago. A clock that sets the files' times may be ahead of ours; what is
    /// further in the future than this says nothing.
    /// - Parameters:
    ///   - modified: Nanoseconds since 1970.
    ///   - now: Milliseconds since 1970.
    func isYounger(_ modified: Int64, at now: Int64) -> Bool {
        let (apart, overflow) = now.subtractingReportingOverflow(modified / 1_000_000)
        return !overflow && apart.magnitude < UInt64(seconds) * 1000
    }

    var description: String {
        let unit = Self.units.filter { seconds % $0.value == 0 }.max { $0.value < $1.value }
        return unit.map { "\(seconds / $0.value)\($0.key)" } ?? "\(seconds)s"
    }

    static let expectation = "a time such as 90s, 2m, 1h or 1d"
    static let valueName = "TIME"
}
