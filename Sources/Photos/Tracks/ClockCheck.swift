public import Notes

/// Notices a camera whose clock is off, by the photos in which a GPS receiver wrote the time as well. It only says so:
/// nothing is changed.
///
/// For each camera the median over at least three photos counts, since a receiver may repeat an old fix. A difference that
/// is a whole number of quarter hours is a time zone, not a wrong clock, and a day or 1024 weeks are the receiver's fault.
public struct ClockCheck: Sendable {
    /// Seconds that the clocks of a camera and of GPS differ by, over the photos of a camera.
    private struct Clock {
        /// Photos whose time has an offset: what is left is wrong.
        var known: [Int64] = []
        /// Photos whose time has none: what is left after the nearest zone in use.
        var guessed: [Int64] = []
    }

    private var clocks: [String: Clock] = [:]

    public init() {}

    /// - Parameters:
    ///   - camera: What tells cameras apart: make and model.
    ///   - local: What the camera's clock showed.
    ///   - offset: Seconds east of UTC, where the file says so itself.
    ///   - assumedOffset: The offset that is taken for want of one, to which a clock is compared that is off by days.
    ///   - gpsTime: UTC, by the receiver.
    public mutating func add(
        camera: String, local: LocalTime, offset: Int?, assumedOffset: Int = 0, gpsTime: LocalTime
    ) {
        let difference = local.seconds - gpsTime.seconds
        if let offset {
            let right = Int64(offset)
            let rest = Evidence.withoutWrongDay(difference, within: right - 3600...right + 3600) - right
            clocks[camera, default: Clock()].known.append(rest)
        } else {
            // From the westernmost zone to the easternmost.
            let difference = Evidence.withoutWrongDay(difference, within: -12 * 3600 - 900...14 * 3600 + 900)
            let zone = Evidence.nearestZone(to: difference)
            let rest = difference - Int64(zone)
            let isOfAZone = rest.magnitude <= 900
            clocks[camera, default: Clock()].guessed.append(isOfAZone ? rest : difference - Int64(assumedOffset))
        }
    }

    /// Takes a photo along whose EXIF has both times; of others nothing is known.
    public mutating func add(_ reading: PhotoReading) {
        guard let gpsTime = reading.gpsTime, let moment = reading.moment, let camera = reading.camera,
            reading.hasTimeOfDay, case .metadata(let source) = reading.momentSource, source.hasPrefix("EXIF")
        else { return }
        let name = [camera.make, camera.model].compactMap(\.self).joined(separator: " ")
        add(
            camera: name, local: moment.local, offset: reading.offsetSource == .tag ? moment.offset : nil,
            assumedOffset: moment.offset ?? 0, gpsTime: gpsTime)
    }

    /// What was found of one camera.
    public struct Finding: Hashable, Sendable {
        public enum Verdict: Hashable, Sendable {
            /// Within a minute.
            case right
            /// Seconds that the clock is ahead, negative where it is behind.
            case off(seconds: Int64)
            /// Seconds, a whole number of quarter hours: the camera was set to another zone than its files say.
            case otherZone(seconds: Int64)
            /// The photos do not agree.
            case unsteady
        }

        public var camera: String
        public var photos: Int
        public var verdict: Verdict

        /// What would mend it; nil where nothing is to be mended.
        public var suggestion: TimeShift? {
            switch verdict {
            case .off(let seconds), .otherZone(let seconds): TimeShift(seconds: -seconds)
            case .right, .unsteady: nil
            }
        }

        /// In words, for a person, without a full stop; nil where there is nothing to say.
        public var sentence: String? {
            switch verdict {
            case .right, .unsteady: return nil
            case .off(let seconds):
                let shift = TimeShift(seconds: -seconds)
                return
                    "the clock of \(camera) is \(Self.words(seconds)), by the GPS time of \(photos) photos; --time-shift \(shift) would mend that"
            case .otherZone(let seconds):
                let shift = TimeShift(seconds: -seconds)
                return
                    "\(camera) is set to another time zone than its photos say: \(Self.words(seconds)), by the GPS time of \(photos) photos; --time-shift \(shift) would mend that"
            }
        }

        private static func words(_ seconds: Int64) -> String {
            TimeShift.words(seconds.magnitude, most: 2) + (seconds > 0 ? " ahead" : " behind")
        }
    }

    /// One finding for each camera with enough photos, by the camera's name.
    public var findings: [Finding] {
        clocks.sorted { $0.key < $1.key }.compactMap { camera, clock in
            if clock.known.count >= Self.fewest { return Self.finding(camera, clock.known, isZoneKnown: true) }
            if clock.guessed.count >= Self.fewest { return Self.finding(camera, clock.guessed, isZoneKnown: false) }
            return nil
        }
    }

    private static let fewest = 3
    /// Seconds: nobody minds less, and a fix may be that old.
    private static let tolerance: UInt64 = 60

    private static func finding(_ camera: String, _ differences: [Int64], isZoneKnown: Bool) -> Finding {
        let middle = median(differences)
        let spread = median(differences.map { Int64(clamping: ($0 - middle).magnitude) })
        var verdict: Finding.Verdict
        if spread > tolerance {
            verdict = .unsteady
        } else if middle.magnitude < tolerance {
            verdict = .right
        } else {
            verdict = .off(seconds: middle)
            let quarters = (Double(middle) / 900).rounded() * 900
            let isQuarters = quarters != 0 && (Double(middle) - quarters).magnitude < Double(tolerance)
            // From the westernmost zone to the easternmost it is 26 hours.
            if isQuarters, middle.magnitude <= 26 * 3600 {
                // Without an offset, a quarter of an hour more or less may be another zone or a wrong clock.
                verdict = isZoneKnown ? .otherZone(seconds: Int64(quarters)) : .unsteady
            }
        }
        return Finding(camera: camera, photos: differences.count, verdict: verdict)
    }

    private static func median(_ numbers: [Int64]) -> Int64 {
        let sorted = numbers.sorted()
        return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
    }
}
