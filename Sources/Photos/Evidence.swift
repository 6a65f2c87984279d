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
    }

    /// The first date of the chain that is one. An offset counts only where it belongs to that very date.
    mutating func captured(_ dates: [StoredDate]) -> Captured? {
        var chosen: Captured?
        for date in dates {
            switch DateText(date.text) {
            case .blank:
                if chosen == nil { warn(.blankDate) }
                note(.time, date.text, date.source, "blank: the clock was not set, or the tag was emptied")
            case .unreadable:
                if chosen == nil { warn(.unreadableDate) }
                note(.time, date.text, date.source, "no date and time of day that exists")
            case .date(let read):
                if let chosen {
                    note(.time, date.text, date.source, "\(chosen.source) comes first")
                    continue
                }
                if date.source.hasPrefix("EXIF"), !read.isStandard { warn(.nonstandardDate) }
                if date.source == "PNG ModifyDate" { warn(.pngTimeIsLastChange) }
                chosen = captured(date, read)
                note(.time, date.text, date.source, "the first in order that can be read", isTaken: true)
            }
        }
        return chosen
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
            fraction: fraction ?? read.fraction)
    }

    /// What counts as the moment, from the strongest source to the weakest.
    /// - Parameters:
    ///   - gpsTime: UTC, by the GPS receiver.
    ///   - takeout: What the JSON file beside it says.
    ///   - modified: Nanoseconds since 1970.
    ///   - shift: Is added to what the camera's clock showed, be it in the metadata or in the name.
    mutating func moment(
        _ captured: Captured?, gpsTime: LocalTime?, takeout: Timestamp?, name: String, modified: Int64,
        shift: TimeShift?, zone: Zone, namedZone: Zone?
    ) -> (moment: Moment, source: MomentSource, offsetSource: OffsetSource) {
        let (zone, zoneSource) = namedZone.map { ($0, OffsetSource.option) } ?? (zone, .system)
        func inZone(_ instant: Timestamp) -> Moment {
            let offset = zone.offset(at: instant.milliseconds / 1000)
            return instant.moment(offset: offset, isAssumed: zoneSource == .system)
        }
        func local(_ time: LocalTime) -> Moment {
            Moment(time, offset: zone.offset(atLocal: time.seconds), isOffsetAssumed: zoneSource == .system)
        }

        let fromName = FileNameTime(name)
        let fromFile = inZone(Timestamp(milliseconds: modified / 1_000_000))
        if var captured {
            captured.local = shifted(captured.local, by: shift, captured.source)
            if let takeout { note(.time, takeout.iso8601, "Takeout photoTakenTime", "\(captured.source) comes first") }
            if let fromName { note(.time, fromName.local.description, "file-name", "\(captured.source) comes first") }
            note(.time, fromFile.local.description, "file-time", "\(captured.source) comes first")
            let time = LocalTime(seconds: captured.local.seconds, nanosecond: Self.nanosecond(captured.fraction))
            let difference = gpsTime.flatMap { Self.offset(of: captured.local, fromUTC: $0) }
            if let gpsTime {
                note(
                    .offset, gpsTime.description + "Z", "EXIF GPS time (UTC)",
                    captured.offset != nil
                        ? "the date has an offset of its own"
                        : difference != nil
                            ? "the difference to \(captured.source)" : "too far from \(captured.source) for an offset",
                    isTaken: captured.offset == nil && difference != nil)
            }
            let source = MomentSource.metadata(captured.source)
            if let offset = captured.offset { return (Moment(time, offset: offset), source, .tag) }
            if let difference { return (Moment(time, offset: difference), source, .gps) }
            return (local(time), source, zoneSource)
        }
        if let takeout {
            note(.time, takeout.iso8601, "Takeout photoTakenTime", "the metadata give no date", isTaken: true)
            if let fromName { note(.time, fromName.local.description, "file-name", "Takeout comes first") }
            note(.time, fromFile.local.description, "file-time", "Takeout comes first")
            return (inZone(takeout), .metadata("Takeout photoTakenTime"), zoneSource)
        }
        if let fromName {
            note(
                .time, fromName.local.description, "file-name",
                "the metadata give no date" + (fromName.isUTC ? "; names of this kind hold UTC" : ""), isTaken: true)
            note(.time, fromFile.local.description, "file-time", "the file's name comes first")
            let named = shifted(fromName.local, by: shift, "the file's name")
            let moment = fromName.isUTC ? inZone(Moment(named).timestamp) : local(named)
            return (moment, .fileName, zoneSource)
        }
        note(.time, fromFile.local.description, "file-time", "neither metadata nor name give a date", isTaken: true)
        return (fromFile, .fileTime, zoneSource)
    }

    private mutating func shifted(_ local: LocalTime, by shift: TimeShift?, _ source: String) -> LocalTime {
        guard let shift, let shifted = shift.applied(to: local) else { return local }
        note(.time, shifted.description, "time shift", "\(source) and \(shift), as asked", isTaken: true)
        return shifted
    }

    private static func nanosecond(_ digits: String?) -> Int32 {
        guard let digits = digits?.utf8.prefix(9) else { return 0 }
        let value = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
        return (digits.count..<9).reduce(value) { value, _ in value * 10 }
    }

    /// The offset of a camera's clock, by a GPS time of the same moment: the zone in use somewhere on earth that is
    /// nearest, if the rest is under five minutes (clocks drift, and a fix may be some minutes old).
    static func offset(of local: LocalTime, fromUTC utc: LocalTime) -> Int? {
        let difference = local.seconds - utc.seconds
        let nearest = nearestZone(to: difference)
        return (Int64(nearest) - difference).magnitude < 300 ? nearest : nil
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
    mutating func position(_ found: [StoredPosition]) -> Position {
        var position = Position()
        var chosen: String?
        for stored in found {
            if position.altitude == nil, stored.altitude?.isFinite == true { position.altitude = stored.altitude }
            if stored.latitude == nil && stored.longitude == nil { continue }
            let latitude = signed(stored.latitude, stored.latitudeReference, "S", stored)
            let longitude = signed(stored.longitude, stored.longitudeReference, "W", stored)
            let value = [latitude, longitude].map { $0.map { "\($0)" } ?? "?" }.joined(separator: ",")
            if let chosen {
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

    private mutating func note(
        _ kind: Candidate.Kind, _ value: String, _ source: String, _ reason: String, isTaken: Bool = false
    ) {
        candidates.append(
            Candidate(kind: kind, value: value, source: source, isTaken: isTaken, reason: reason))
    }
}
