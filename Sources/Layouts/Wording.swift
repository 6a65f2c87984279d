import Notes

/// The languages in which a note's own words are written.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"

    /// From a language tag or the name of a locale: `ja`, `ja-JP`, `ja_JP.UTF-8`. `C` and `POSIX` are English.
    ///
    /// - Returns: nil for a language that there are no words in.
    public init?(tag: String) {
        switch tag.split(whereSeparator: { "-_.@".contains($0) }).first?.lowercased() {
        case "en", "c", "posix": self = .english
        case "ja": self = .japanese
        default: return nil
        }
    }
}

/// The few words that a note says by itself.
struct Wording {
    let language: Language

    /// The heading over the large pictures.
    var photos: String { language == .japanese ? "写真" : "Photos" }

    /// `Sunday 3 May 2026`, `2026年5月3日（日）`.
    func day(_ time: LocalTime) -> String {
        switch language {
        case .english: "\(Self.weekdays[time.weekday]) \(time.day) \(Self.months[time.month - 1]) \(time.year)"
        case .japanese: "\(time.year)年\(time.month)月\(time.day)日（\(Self.kanjiWeekdays[time.weekday])）"
        }
    }

    /// `3 May`, `5月3日`.
    func shortDay(_ time: LocalTime) -> String {
        switch language {
        case .english: "\(time.day) \(Self.months[time.month - 1])"
        case .japanese: "\(time.month)月\(time.day)日"
        }
    }

    /// `05:48`: 24 hours, no seconds.
    static func clock(_ time: LocalTime) -> String {
        "\(time.hour < 10 ? "0" : "")\(time.hour):\(time.minute < 10 ? "0" : "")\(time.minute)"
    }

    /// `UTC+9`, `UTC+5:30`, `UTC`.
    static func zone(_ offset: Int) -> String {
        let minutes = abs(offset) / 60
        guard minutes > 0 else { return "UTC" }
        let rest = minutes % 60
        return "UTC\(offset < 0 ? "-" : "+")\(minutes / 60)" + (rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")
    }

    /// What a contact sheet holds: `18 photos`.
    func count(ofPhotos count: Int) -> String {
        switch language {
        case .english: count == 1 ? "1 photo" : "\(count) photos"
        case .japanese: "写真 \(count) 枚"
        }
    }

    /// What stands for a picture that can't be seen: `Photo, 06:02`.
    func photo(at time: LocalTime) -> String {
        language == .japanese ? "写真 \(Self.clock(time))" : "Photo, \(Self.clock(time))"
    }

    /// The first line of a note that is one of several.
    func top(_ part: NotePart) -> String {
        switch language {
        case .english:
            "Part \(part.number) of \(part.count)."
                + (part.previousTitle.map { " Continued from “\($0)”." } ?? "")
        case .japanese:
            "全\(part.count)回の\(part.number)。" + (part.previousTitle.map { "「\($0)」のつづき。" } ?? "")
        }
    }

    /// The last line of a note that is one of several; nil on the last of them.
    func end(_ part: NotePart) -> String? {
        part.nextTitle.map { language == .japanese ? "「\($0)」へつづく。" : "Continues in “\($0)”." }
    }

    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let kanjiWeekdays = ["日", "月", "火", "水", "木", "金", "土"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

/// Which of a draft's notes this is. They name each other by title: a note that does not exist yet has no address.
public struct NotePart: Hashable, Sendable {
    /// From 1.
    public var number: Int
    public var count: Int
    /// Titles as they are on the notes: `Biwa (1/3)`.
    public var previousTitle: String?
    public var nextTitle: String?

    public init(number: Int, count: Int, previousTitle: String? = nil, nextTitle: String? = nil) {
        self.number = number
        self.count = count
        self.previousTitle = previousTitle
        self.nextTitle = nextTitle
    }
}
