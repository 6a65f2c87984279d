import CXML2
import Glibc
public import Notes
public import System

/// Where a GPS logger was, and when: the track points of GPX files (topografix.com/GPX/1/1, and 1.0 before it).
///
/// A place is interpolated, in a straight line by time, between the two points next to an instant if these are at most
/// `longestGap` apart, whichever segment or file each is from. Else the nearer of the two counts as it is, if it is no
/// further away than `longestReach`. Nothing else is known of where somebody was.
public struct GPXTrack: Sendable {
    public struct Point: Hashable, Sendable {
        public var time: Timestamp
        public var latitude: Double
        public var longitude: Double
        /// Metres.
        public var altitude: Double?

        public init(time: Timestamp, latitude: Double, longitude: Double, altitude: Double? = nil) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }

    /// By time, one for each instant.
    public private(set) var points: [Point] = []
    /// True where a file ended in the middle, as a logger's does whose battery died. What it said until then counts.
    public private(set) var isCutShort = false

    /// Milliseconds. Ten minutes: a walker is then within a kilometre.
    public static let longestGap: Int64 = 600_000
    /// Milliseconds.
    public static let longestReach: Int64 = 60_000
    /// Bytes of a file: some two weeks, second by second.
    public static let longest = 256 << 20
    public static let mostPoints = 4_000_000

    public init() {}

    public init(points: [Point]) { add(points) }

    /// Takes a file's points along.
    /// - Throws: `GPXError`; then nothing is added.
    public mutating func add(_ file: FilePath) throws(GPXError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.readText(file, limit: Self.longest)
        } catch {
            throw error.code == EFBIG ? .tooLong : .unreadable(error)
        }
        try add(bytes)
    }

    /// Takes the points of a file in memory along.
    /// - Throws: `GPXError`; then nothing is added.
    public mutating func add(_ bytes: [UInt8]) throws(GPXError) {
        guard bytes.count <= Self.longest else { throw .tooLong }
        var reader = GPXReader()
        try reader.read(bytes)
        guard !reader.points.isEmpty else { throw .noPoints }
        guard points.count + reader.points.count <= Self.mostPoints else { throw .tooManyPoints }
        add(reader.points)
        isCutShort = isCutShort || reader.isCutShort
    }

    /// Points may come in any order and twice; of those of one instant the first counts.
    private mutating func add(_ more: [Point]) {
        let known = points.count
        let all = points + more
        let isSorted = zip(all.dropFirst(max(0, known - 1)), all.dropFirst(max(1, known))).allSatisfy {
            $0.time < $1.time
        }
        if isSorted {
            points = all
            return
        }
        // Swift's sort is stable, so the first of an instant stays first.
        points = []
        points.reserveCapacity(all.count)
        for point in all.sorted(by: { $0.time < $1.time }) where point.time != points.last?.time {
            points.append(point)
        }
    }

    /// A place by the track.
    public struct Fix: Hashable, Sendable {
        public var place: Place
        /// The points that it is from; the same one twice where the nearer one counts as it is.
        public var before: Timestamp
        public var after: Timestamp

        /// Why, in words.
        public var reason: String {
            before == after
                ? "the track's point at \(before.iso8601)"
                : "between the track's points at \(before.iso8601) and \(after.iso8601)"
        }
    }

    /// - Returns: nil where no point is near enough in time.
    public func fix(at instant: Timestamp) -> Fix? {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].time < instant { low = middle + 1 } else { high = middle }
        }
        let after = low < points.count ? points[low] : nil
        let before = low > 0 ? points[low - 1] : nil
        if let before, let after, let gap = Self.gap(before.time, after.time), gap <= Self.longestGap {
            return Self.between(before, after, at: instant)
        }
        let near = [before, after].compactMap(\.self).compactMap { point in
            Self.gap(point.time, instant).map { (point, $0) }
        }.min { $0.1 < $1.1 }
        guard let (point, distance) = near, distance <= Self.longestReach,
            let place = Place(latitude: point.latitude, longitude: point.longitude, altitude: point.altitude)
        else { return nil }
        return Fix(place: place, before: point.time, after: point.time)
    }

    private static func gap(_ a: Timestamp, _ b: Timestamp) -> Int64? {
        let (apart, overflow) = b.milliseconds.subtractingReportingOverflow(a.milliseconds)
        return overflow || apart == .min ? nil : abs(apart)
    }

    private static func between(_ a: Point, _ b: Point, at instant: Timestamp) -> Fix? {
        // Points of one instant are dropped, so the two differ.
        let part =
            Double(instant.milliseconds - a.time.milliseconds) / Double(b.time.milliseconds - a.time.milliseconds)
        if part >= 1 {
            return Place(latitude: b.latitude, longitude: b.longitude, altitude: b.altitude).map {
                Fix(place: $0, before: b.time, after: b.time)
            }
        }
        // The short way round, over the date line where that is shorter.
        var east = b.longitude - a.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var longitude = a.longitude + east * part
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let altitude = a.altitude.flatMap { low in b.altitude.map { low + ($0 - low) * part } }
        let place = Place(
            latitude: a.latitude + (b.latitude - a.latitude) * part, longitude: longitude, altitude: altitude)
        return place.map { Fix(place: $0, before: a.time, after: b.time) }
    }
}

/// Reads track points one by one, so that memory holds no tree.
private struct GPXReader {
    private(set) var points: [GPXTrack.Point] = []
    private(set) var isCutShort = false

    private enum Field { case time, altitude }

    mutating func read(_ bytes: [UInt8]) throws(GPXError) {
        // Complaints about the encoding go past the reader's options to stderr. This handler is one for the thread.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        defer { xmlSetStructuredErrorFunc(nil, nil) }
        var failure: GPXError?
        bytes.withUnsafeBytes { buffer in
            do throws(GPXError) { try walk(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private mutating func walk(_ bytes: UnsafeRawBufferPointer) throws(GPXError) {
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard !bytes.isEmpty, let reader = xmlReaderForMemory(start, Int32(bytes.count), nil, nil, Int32(options))
        else {
            throw .notGPX
        }
        defer { xmlFreeTextReader(reader) }
        var hasRoot = false
        var point: (latitude: Double, longitude: Double, depth: Int32)?
        var time: Timestamp?
        var altitude: Double?
        var field: Field?
        var text = ""
        var status = xmlTextReaderRead(reader)
        while status == 1 {
            let depth = xmlTextReaderDepth(reader)
            switch UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
            case XML_READER_TYPE_DOCUMENT_TYPE.rawValue: throw .documentType
            case XML_READER_TYPE_ELEMENT.rawValue:
                let name = Self.name(reader)
                if !hasRoot {
                    guard name == "gpx" else { throw .notGPX }
                    hasRoot = true
                } else if name == "trkpt" {
                    let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
                    (time, altitude) = (nil, nil)
                    point = isEmpty ? nil : Self.position(reader).map { ($0.latitude, $0.longitude, depth) }
                } else if let point, depth == point.depth + 1, xmlTextReaderIsEmptyElement(reader) == 0 {
                    field = name == "time" ? .time : name == "ele" ? .altitude : nil
                    text = ""
                }
            case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue:
                if field != nil, text.utf8.count < 64, let value = xmlTextReaderConstValue(reader) {
                    text += String(cString: value).prefix(64)
                }
            case XML_READER_TYPE_END_ELEMENT.rawValue:
                guard let (latitude, longitude, place) = point else { break }
                if depth == place + 1 {
                    switch field {
                    case .time: time = Self.time(text)
                    case .altitude: altitude = Double(MetadataText.trim(text)).flatMap { $0.isFinite ? $0 : nil }
                    case nil: break
                    }
                    field = nil
                } else if depth == place {
                    point = nil
                    guard let time else { break }
                    guard points.count < GPXTrack.mostPoints else { throw .tooManyPoints }
                    points.append(.init(time: time, latitude: latitude, longitude: longitude, altitude: altitude))
                }
            default: break
            }
            status = xmlTextReaderRead(reader)
        }
        guard hasRoot else { throw .notGPX }
        isCutShort = status < 0
    }

    private static func name(_ reader: xmlTextReaderPtr) -> String {
        xmlTextReaderConstLocalName(reader).map { String(cString: $0) } ?? ""
    }

    private static func position(_ reader: xmlTextReaderPtr) -> (latitude: Double, longitude: Double)? {
        var latitude: Double?
        var longitude: Double?
        while xmlTextReaderMoveToNextAttribute(reader) == 1 {
            guard let text = xmlTextReaderConstValue(reader) else { continue }
            switch name(reader) {
            case "lat": latitude = Double(MetadataText.trim(String(String(cString: text).prefix(64))))
            case "lon": longitude = Double(MetadataText.trim(String(String(cString: text).prefix(64))))
            default: continue
            }
        }
        xmlTextReaderMoveToElement(reader)
        // 0,0 is what a receiver without a fix writes.
        guard let latitude, let longitude, Place(latitude: latitude, longitude: longitude) != nil,
            latitude != 0 || longitude != 0
        else { return nil }
        return (latitude, longitude)
    }

    /// ISO 8601; without a zone it is UTC, as the format says.
    private static func time(_ text: String) -> Timestamp? { Moment(iso8601: MetadataText.trim(text))?.timestamp }
}
