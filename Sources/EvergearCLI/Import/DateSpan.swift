import Layouts
import Notes

/// The days of some photos, for a title: `3 May 2026`, `3–4 May 2026`, `30 April – 2 May 2026`.
enum DateSpan {
    static func text(_ moments: [Moment], language: Language) -> String {
        guard let first = moments.map(\.local).min(), let last = moments.map(\.local).max() else { return "" }
        let (a, b) = (first.dayNumber, last.dayNumber)
        switch language {
        case .japanese:
            let start = "\(first.year)年\(first.month)月\(first.day)日"
            if a == b { return start }
            let year = first.year == last.year ? "" : "\(last.year)年"
            let month = first.year == last.year && first.month == last.month ? "" : "\(last.month)月"
            return "\(start)〜\(year)\(month)\(last.day)日"
        case .english:
            let end = "\(last.day) \(months[last.month - 1]) \(last.year)"
            if a == b { return end }
            if first.year != last.year { return "\(first.day) \(months[first.month - 1]) \(first.year) – \(end)" }
            if first.month != last.month { return "\(first.day) \(months[first.month - 1]) – \(end)" }
            return "\(first.day)–\(end)"
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
