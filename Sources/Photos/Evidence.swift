import Notes
import System

/// Weighs what was found about when and where, and remembers why.
struct Evidence {
    private(set) var candidates: [Candidate] = []
    private(set) var warnings: [PhotoWarning] = []

    // MARK: When

    struct Captured {
        /// To the second.
        var local: LocalTime
        var source: String
        var offset: Int?
        var offsetSource: String?
        var fraction: String?
        /// True where `local` is UTC by the format's text, and no offset tells of the local time.
        var isUTC = false
        /// Seconds, as `StoredDate` has it.
        var length: Int64 = 0
    }

    /// A date that can be read, for the moment to be chosen from.
    struct Clue {
        enum Date {
            case time(Captured)
            case day(PartialDate)
        }
        var date: Date
        var source: String
        var isLastChange: Bool
        /// False for one that is no part of the chain.
        var isOfChain: Bool
        /// Where it stands among the candidates.
        var candidate: Int
    }

    /// In the order of the chain.
    private(set) var clues: [Clue] = []

    /// The first date of the chain that is one. An offset counts only where it belongs to that very date.
    /// - Parameter others: Dates that are no part of the chain, and count for the moment alone.
    mutating func captured(_ chain: [StoredDate], others: [StoredDate] = []) -> Captured? {
        var chosen: Captured?
        for date in chain {
            let read = weigh(date, isOfChain: true)
            if chosen != nil { continue }
            switch read {
            case .blank: warn(.blankDate)
            case .unreadable, .partial: warn(.unreadableDate)
            case .date(let read):
                if date.source.hasPrefix("EXIF"), !read.isStandard { warn(.nonstandardDate) }
                if date.source == "PNG ModifyDate" { warn(.pngTimeIsLastChange) }
                chosen = captured(date, read)
            }
        }
        for date in others { _ = weigh(date, isOfChain: false) }
        return chosen
    }

    /// Notes a date, and keeps one that can be read: what is taken of those is told with the moment.
    private mutating func weigh(_ date: StoredDate, isOfChain: Bool) -> DateText {
        let text = DateText(date.text)
        func keep(_ found: Clue.Date) {
            clues.append(
                Clue(
                    date: found, source: date.source, isLastChange: date.isLastChange, isOfChain: isOfChain,
                    candidate: candidates.count))
            note(.time, date.text, date.source, "")
        }
        switch text {
        case .blank: note(.time, date.text, date.source, "blank: the clock was not set, or the tag was emptied")
        case .unreadable: note(.time, date.text, date.source, "no date and time of day that exists")
        case .date(let read): keep(.time(captured(date, read)))
        case .partial(let day): keep(.day(day))
        }
        return text
    }

    private func captured(_ date: StoredDate, _ read: DateText.Date) -> Captured {
        let tagged = date.offset.flatMap(OffsetText.read)
        let inside = read.offset ?? (date.isUTC ? 0 : nil)
        let fraction = date.fraction.map(MetadataText.trim).flatMap { digits in
            !digits.isEmpty && digits.utf8.allSatisfy(DateText.isDigit) ? digits : nil
        }
        return Captured(
            local: read.local, source: date.source, offset: tagged ?? inside,
            offsetSource: tagged != nil ? date.offsetSource : inside != nil ? date.source : nil,
            fraction: fraction ?? read.fraction, isUTC: date.isUTC && tagged == nil && read.offset == nil,
            length: date.length)
    }

    /// The offset of a camera's clock, by a UTC time of the same moment: the zone in use somewhere on earth that is
    /// nearest, if the rest is under five minutes (clocks drift, and a fix may be some minutes old).
    static func offset(of local: LocalTime, fromUTC utc: LocalTime) -> Int? {
        offset(by: local.seconds - utc.seconds)
    }

    /// The same, where a GPS receiver tells UTC, and may be wrong about the day.
    static func offset(of local: LocalTime, byGPS utc: LocalTime) -> Int? {
        offset(by: withoutWrongDay(local.seconds - utc.seconds, within: -43_200 - 300...50_400 + 300))
    }

    private static func offset(by difference: Int64) -> Int? {
        let nearest = nearestZone(to: difference)
        return (Int64(nearest) - difference).magnitude < 300 ? nearest : nil
    }

    /// A difference between a clock and GPS, in seconds, without what receivers do to the date: old ones count weeks to
    /// 1024 and begin anew, some phones write the local date beside the time in UTC.
    /// - Parameter expected: A difference that is not led into this range so stays as it is.
    static func withoutWrongDay(_ difference: Int64, within expected: ClosedRange<Int64>) -> Int64 {
        let (rollover, day): (Int64, Int64) = (1024 * 7 * 86_400, 86_400)
        for weeks in [0, rollover, 2 * rollover] {
            for days in [0, day, -day] where expected.contains(difference - weeks - days) {
                return difference - weeks - days
            }
        }
        return difference
    }

    /// The zone in use somewhere on earth that is nearest to a difference, both in seconds east of UTC.
    static func nearestZone(to difference: Int64) -> Int {
        zones.min { (Int64($0) - difference).magnitude < (Int64($1) - difference).magnitude } ?? 0
    }

    /// Seconds east of UTC: whole hours, and the halves and quarters that are in use.
    private static let zones =
        (-12...14).map { $0 * 3600 }
        + [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825].map { $0 * 60 }

    // MARK: Where

    struct Position {
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var source: String?
    }

    /// The first position that has a value, with its signs; altitude from the first that has one.
    /// What is no position keeps no other from being taken that lies beside the file.
    mutating func position(_ found: [StoredPosition]) -> Position {
        var position = Position()
        var chosen: String?
        for stored in found {
            if position.altitude == nil, stored.altitude?.isFinite == true { position.altitude = stored.altitude }
            if stored.latitude == nil && stored.longitude == nil { continue }
            let latitude = signed(stored.latitude, stored.latitudeReference, "S", stored)
            let longitude = signed(stored.longitude, stored.longitudeReference, "W", stored)
            let value = [latitude, longitude].map { $0.map { "\($0)" } ?? "?" }.joined(separator: ",")
            if let chosen, position.source != nil || !stored.source.hasPrefix("sidecar") {
                note(.place, value, stored.source, "\(chosen) comes first")
                continue
            }
            chosen = stored.source
            guard let latitude, let longitude else {
                warn(.gpsHalf)
                note(.place, value, stored.source, "half a position is none")
                continue
            }
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
                warn(.gpsOutOfRange)
                note(.place, value, stored.source, "not on the globe")
                continue
            }
            if latitude == 0 && longitude == 0 {
                warn(.nullIsland)
                note(.place, value, stored.source, "0,0 is what a receiver without a fix writes")
                continue
            }
            if stored.source.hasPrefix("XMP") { warn(.gpsFromXMP) }
            note(.place, value, stored.source, "the first in order", isTaken: true)
            (position.latitude, position.longitude, position.source) = (latitude, longitude, stored.source)
        }
        return position
    }

    /// Takes a place that is not the photo's own word, unless there is one already.
    mutating func complete(_ position: inout Position, _ place: Place, _ source: String, _ reason: String) {
        let value = "\(place.latitude),\(place.longitude)"
        if let first = position.source { return note(.place, value, source, "\(first) comes first") }
        note(.place, value, source, reason, isTaken: true)
        position = Position(
            latitude: place.latitude, longitude: place.longitude, altitude: position.altitude ?? place.altitude,
            source: source)
    }

    private mutating func signed(
        _ value: Double?, _ reference: String?, _ negative: String, _ stored: StoredPosition
    ) -> Double? {
        guard let value else { return nil }
        if stored.isSigned { return value }
        guard let letter = reference?.first else {
            warn(.gpsReferenceMissing)
            return value
        }
        return letter.uppercased() == negative ? -abs(value) : value
    }

    // MARK: Notes

    mutating func warn(_ warning: PhotoWarning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// A candidate for the time: one that was noted when it was read, by its place, or one by its value and source.
    enum Found {
        case noted(Int)
        case new(String, String)
    }

    /// Says what became of a candidate for the time.
    mutating func judged(_ found: Found, _ reason: String, isTaken: Bool) {
        switch found {
        case .noted(let index): (candidates[index].reason, candidates[index].isTaken) = (reason, isTaken)
        case .new(let value, let source): note(.time, value, source, reason, isTaken: isTaken)
        }
    }

    mutating func note(_ candidate: Candidate) { candidates.append(candidate) }

    private mutating func note(
        _ kind: Candidate.Kind, _ value: String, _ source: String, _ reason: String, isTaken: Bool = false
    ) {
        note(Candidate(kind: kind, value: value, source: source, isTaken: isTaken, reason: reason))
    }
}
