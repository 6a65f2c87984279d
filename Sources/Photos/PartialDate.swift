import Notes

/// A date that says no time of day, or not even a day or a month: `1965-07-01`, `1965-07`, `1965`.
struct PartialDate: Hashable {
    let year: Int
    let month: Int?
    let day: Int?

    /// - Returns: nil for a day that does not exist, and for years in which nobody could have taken a photo.
    init?(year: Int, month: Int? = nil, day: Int? = nil) {
        guard (1820...2199).contains(year), month != nil || day == nil,
            LocalTime(year: year, month: month ?? 1, day: day ?? 1) != nil
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Noon, which stands for an unknown time of day; of the first day or month where none is said.
    var noon: LocalTime? { LocalTime(year: year, month: month ?? 1, day: day ?? 1, hour: 12) }

    /// True for a time within it.
    func contains(_ time: LocalTime) -> Bool {
        time.year == year && (month ?? time.month) == time.month && (day ?? time.day) == time.day
    }

    /// What it is: `day`, `month` or `year`.
    var unit: String { day != nil ? "day" : month != nil ? "month" : "year" }
}
