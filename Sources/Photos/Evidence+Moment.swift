import Notes
import System

/// What is known of a photo's moment outside the dates of its metadata.
struct MomentFacts {
    /// UTC, by the GPS receiver.
    var gpsTime: LocalTime?
    /// What the JSON file beside it says.
    var takeout: Timestamp?
    /// The file's.
    var name: String
    /// Of the file, in nanoseconds since 1970.
    var modified: Int64
    /// Is added to what the camera's clock showed, be it in the metadata or in the name.
    var shift: TimeShift?
    /// Whose offset a time gets that has none, unless the user names one.
    var zone: Zone
    var namedZone: Zone?
}

/// The moment that evergear goes by.
struct MomentChoice {
    var moment: Moment
    var source: MomentSource
    var offsetSource: OffsetSource
    /// False where it is the file's own, or noon for want of one.
    var hasTimeOfDay: Bool
}

extension Evidence {
    /// What counts as the moment: the first date of the chain, else another of the metadata, Takeout, the file's name, the
    /// file's own time. Where the first of the chain says when the file was last changed, Takeout and the name come first.
    ///
    /// Where the first of them is a day alone, the time of day is that of the next that falls on it, else noon.
    mutating func moment(_ facts: MomentFacts) -> MomentChoice {
        let claims = MomentJudge(facts).claims(clues)
        let taken = claims[0]
        var (choice, reason) = (taken.choice, taken.reason)
        var refining: Int?
        if let day = taken.day {
            refining = claims.firstIndex { $0.refines(day) }
            if let refining {
                choice = claims[refining].choice
                reason += "; the time of day by \(claims[refining].name)"
            } else {
                choice.hasTimeOfDay = false
                reason += "; no time of day is told: noon \(day.day == nil ? "of its first day " : "")stands for it"
            }
        }
        judged(taken.found, reason, isTaken: true)
        for (index, claim) in claims.enumerated().dropFirst() {
            let isTaken = index == refining
            judged(claim.found, isTaken ? "in what \(taken.name) gives" : claim.lost(to: taken), isTaken: isTaken)
        }
        for candidate in claims[refining ?? 0].because { note(candidate) }
        return choice
    }
}

/// One answer to the question when.
private struct MomentClaim {
    /// Where it is noted among the candidates, or what is to be noted.
    var found: Evidence.Found
    /// Spelled as the others are told of it: `Takeout` comes first.
    var name: String
    var source: MomentSource
    /// At noon where there is only a day.
    var moment: Moment
    var offsetSource: OffsetSource
    /// Why it is taken, if it is.
    var reason: String
    var day: PartialDate?
    var isOfChain = false
    var isLastChange = false
    /// What else led to the moment, to be told if it is taken.
    var because: [Candidate] = []

    var choice: MomentChoice {
        MomentChoice(
            moment: moment, source: source, offsetSource: offsetSource, hasTimeOfDay: source != .fileTime)
    }

    /// True where it gives the time of day that a date is silent about. In a month or a year the file's own may be any.
    func refines(_ date: PartialDate) -> Bool {
        day == nil && date.contains(moment.local) && (source != .fileTime || date.day != nil)
    }

    /// Why it is not taken, which wants a word where it would have come first but for being of the last change.
    func lost(to other: MomentClaim) -> String {
        let reason = "\(other.name) comes first"
        guard isLastChange else { return reason }
        if case .noted(let place) = found, case .noted(let otherPlace) = other.found, place > otherPlace {
            return reason
        }
        return "it says when the file was last changed; " + reason
    }
}

/// Makes moments of what was found.
private struct MomentJudge {
    private let facts: MomentFacts
    private let zone: Zone
    private let zoneSource: OffsetSource
    private let named: FileNameTime?

    init(_ facts: MomentFacts) {
        self.facts = facts
        zone = facts.namedZone ?? facts.zone
        zoneSource = facts.namedZone == nil ? .system : .option
        named = FileNameTime(facts.name)
    }

    /// All that says when, the strongest first. There is always one: the file's own time.
    func claims(_ clues: [Evidence.Clue]) -> [MomentClaim] {
        let dates = clues.compactMap(claim)
        let chain = dates.filter { $0.isOfChain && $0.day == nil }
        let rest = dates.filter { !$0.isOfChain || $0.day != nil }
        let isLastChange = (chain.first ?? rest.first)?.isLastChange ?? false
        let lack = isLastChange ? "the date of the metadata is that of the last change" : "the metadata give no date"
        let others = [takeout(lack), name(lack)].compactMap(\.self)
        return isLastChange ? others + chain + rest + [fileTime] : chain + rest + others + [fileTime]
    }

    private func inZone(_ instant: Timestamp) -> Moment {
        let offset = zone.offset(at: instant.milliseconds / 1000)
        return instant.moment(offset: offset, isAssumed: zoneSource == .system)
    }

    private func local(_ time: LocalTime) -> Moment {
        Moment(time, offset: zone.offset(atLocal: time.seconds), isOffsetAssumed: zoneSource == .system)
    }

    /// What the user says of the camera's clock, and the note of it.
    private func shifted(_ time: LocalTime, _ source: String) -> (LocalTime, [Candidate]) {
        guard let shift = facts.shift, let shifted = shift.applied(to: time) else { return (time, []) }
        return (
            shifted,
            [
                Candidate(
                    kind: .time, value: shifted.description, source: "time shift", isTaken: true,
                    reason: "\(source) and \(shift), as asked")
            ]
        )
    }

    // MARK: Dates of the metadata

    private func claim(_ clue: Evidence.Clue) -> MomentClaim? {
        let source = MomentSource.metadata(clue.source)
        switch clue.date {
        case .day(let day):
            guard let noon = day.noon else { return nil }
            return MomentClaim(
                found: .noted(clue.candidate), name: clue.source, source: source, moment: local(noon),
                offsetSource: zoneSource, reason: "a \(day.unit) alone", day: day, isOfChain: clue.isOfChain,
                isLastChange: clue.isLastChange)
        case .time(let date):
            let (time, shift) = shifted(date.local, clue.source)
            var claim = MomentClaim(
                found: .noted(clue.candidate), name: clue.source, source: source, moment: Moment(time),
                offsetSource: .tag, reason: "the first in order that can be read", isOfChain: clue.isOfChain,
                because: shift)
            settle(&claim, date, LocalTime(seconds: time.seconds, nanosecond: Self.nanosecond(date.fraction)))
            if clue.isLastChange, date.isUTC, claim.offsetSource != .fileName {
                // As it is written: nobody saw a clock when a program last saved the file.
                (claim.moment, claim.offsetSource) = (Moment(time, offset: 0), .tag)
                claim.reason = "the first in order that can be read; it is UTC"
            }
            if clue.isLastChange {
                if let witness = witness(date) {
                    claim.reason = "the date of the last change, and \(witness) agrees"
                } else {
                    claim.isLastChange = true
                    claim.reason += "; it says when the file was last changed"
                }
            }
            return claim
        }
    }

    /// Gives a date its offset: its own, else by what tells UTC beside the local time, else the zone's.
    private func settle(_ claim: inout MomentClaim, _ date: Evidence.Captured, _ time: LocalTime) {
        if date.isUTC { return settleUTC(&claim, date, time) }
        let difference = facts.gpsTime.flatMap { Evidence.offset(of: time, byGPS: $0) }
        if let gpsTime = facts.gpsTime {
            let reason =
                date.offset != nil
                ? "the date has an offset of its own"
                : difference != nil ? "the difference to \(date.source)" : "too far from \(date.source) for an offset"
            claim.because.append(
                Candidate(
                    kind: .offset, value: gpsTime.description + "Z", source: "EXIF GPS time (UTC)",
                    isTaken: date.offset == nil && difference != nil, reason: reason))
        }
        if let offset = date.offset {
            claim.moment = Moment(time, offset: offset)
        } else if let difference {
            (claim.moment, claim.offsetSource) = (Moment(time, offset: difference), .gps)
        } else {
            (claim.moment, claim.offsetSource) = (local(time), zoneSource)
        }
    }

    /// An instant is known, and of the local time nothing but what the file's name shows of it.
    private func settleUTC(_ claim: inout MomentClaim, _ date: Evidence.Captured, _ time: LocalTime) {
        guard let named, let offset = offset(of: named, fromUTC: date) else {
            (claim.moment, claim.offsetSource) = (inZone(Moment(time).timestamp), zoneSource)
            claim.reason += "; it is UTC, and the local time by the zone"
            return
        }
        // Some cameras write their local time where UTC belongs. Then the name shows the same.
        let isLocal = offset == 0
        claim.moment =
            isLocal
            ? local(time)
            : Moment(LocalTime(seconds: time.seconds + Int64(offset), nanosecond: time.nanosecond), offset: offset)
        claim.offsetSource = isLocal ? zoneSource : .fileName
        claim.because.append(
            Candidate(
                kind: .offset, value: named.local.description, source: "file-name", isTaken: true,
                reason: isLocal
                    ? "the same time as \(date.source), which so is no UTC but local time"
                    : "the difference to \(date.source), which is UTC"))
    }

    /// The name may show when a recording began, and the date when it ended.
    private func offset(of named: FileNameTime, fromUTC date: Evidence.Captured) -> Int? {
        if named.isUTC { return nil }
        let beginning = LocalTime(seconds: date.local.seconds - date.length)
        return Evidence.offset(of: named.local, fromUTC: date.local)
            ?? Evidence.offset(of: named.local, fromUTC: beginning)
    }

    /// Who says the same as a date of the last change, which then is that of the picture as well.
    private func witness(_ date: Evidence.Captured) -> String? {
        if let named, !named.isUTC {
            let agrees =
                date.isUTC
                ? offset(of: named, fromUTC: date) != nil : Self.areNear(named.local.seconds, date.local.seconds)
            if agrees { return "the file's name" }
        }
        if let takeout = facts.takeout {
            let utc = takeout.moment(offset: 0).local
            let agrees =
                date.offset.map { Self.areNear(utc.seconds, date.local.seconds - Int64($0)) }
                ?? (Evidence.offset(of: date.local, fromUTC: utc) != nil)
            if agrees { return "Takeout" }
        }
        return nil
    }

    /// Within two minutes.
    private static func areNear(_ a: Int64, _ b: Int64) -> Bool { (a - b).magnitude <= 120 }

    private static func nanosecond(_ digits: String?) -> Int32 {
        guard let digits = digits?.utf8.prefix(9) else { return 0 }
        let value = digits.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
        return (digits.count..<9).reduce(value) { value, _ in value * 10 }
    }

    // MARK: Everything else

    private func takeout(_ lack: String) -> MomentClaim? {
        facts.takeout.map { instant in
            MomentClaim(
                found: .new(instant.iso8601, "Takeout photoTakenTime"), name: "Takeout",
                source: .metadata("Takeout photoTakenTime"), moment: inZone(instant), offsetSource: zoneSource,
                reason: lack)
        }
    }

    private func name(_ lack: String) -> MomentClaim? {
        if let named {
            let (time, shift) = shifted(named.local, "the file's name")
            return MomentClaim(
                found: .new(named.local.description, "file-name"), name: "the file's name", source: .fileName,
                moment: named.isUTC ? inZone(Moment(time).timestamp) : local(time), offsetSource: zoneSource,
                reason: lack + (named.isUTC ? "; names of this kind hold UTC" : ""), because: shift)
        }
        guard let day = FileNameTime.day(facts.name), let noon = day.noon else { return nil }
        return MomentClaim(
            found: .new(String(noon.description.prefix(10)), "file-name"), name: "the file's name", source: .fileName,
            moment: local(noon), offsetSource: zoneSource, reason: lack, day: day)
    }

    private var fileTime: MomentClaim {
        let moment = inZone(Timestamp(milliseconds: facts.modified / 1_000_000))
        return MomentClaim(
            found: .new(moment.local.description, "file-time"), name: "the file's own time", source: .fileTime,
            moment: moment, offsetSource: zoneSource, reason: "neither metadata nor name give a date")
    }
}
