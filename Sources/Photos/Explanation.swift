public import Notes
public import System

/// What `explain --json` prints of a file: one object, its keys stable once released.
public struct Explanation: Encodable, Sendable {
    private let path: FilePath
    private let reading: PhotoReading
    private let md5: MD5?
    private let isHashed: Bool

    /// - Parameters:
    ///   - md5: nil where it is not known.
    ///   - isHashed: false leaves the key `md5` out.
    public init(_ reading: PhotoReading, path: FilePath, md5: MD5?, isHashed: Bool = true) {
        self.path = path
        self.reading = reading
        self.md5 = md5
        self.isHashed = isHashed
    }

    private enum Key: String, CodingKey {
        case path, pathHex = "path_hex", mime, size, md5, width, height
        case displayWidth = "display_width", displayHeight = "display_height", orientation
        case captured, capturedFrom = "captured_from", offset, offsetFrom = "offset_from", subsec
        case latitude, longitude, altitude, make, model, hasEmbeddedThumbnail = "has_embedded_thumbnail"
        case description, keywords, rating, moment, candidates, warnings, error
    }

    private enum MomentKey: String, CodingKey {
        case time, offset, source, offsetSource = "offset_source"
    }

    private enum ErrorKey: String, CodingKey {
        case code, reason
    }

    /// Every key is there, null where the file says nothing; but `path_hex` only where `path` does not name the file,
    /// and `error` only where there is one.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(path.description, forKey: .path)
        if !path.isUTF8 { try object.encode(MD5.hex(path.bytes), forKey: .pathHex) }
        try object.encode(reading.mime, forKey: .mime)
        try object.encode(reading.size, forKey: .size)
        if isHashed { try object.encode(md5?.hex, forKey: .md5) }
        try object.encode(reading.pixels?.width, forKey: .width)
        try object.encode(reading.pixels?.height, forKey: .height)
        try object.encode(reading.displaySize?.width, forKey: .displayWidth)
        try object.encode(reading.displaySize?.height, forKey: .displayHeight)
        try object.encode(reading.orientation, forKey: .orientation)
        try object.encode(reading.captured?.description, forKey: .captured)
        try object.encode(reading.capturedFrom, forKey: .capturedFrom)
        try object.encode(reading.offset.map(Moment.describe(offset:)), forKey: .offset)
        try object.encode(reading.offsetFrom, forKey: .offsetFrom)
        try object.encode(reading.subsec, forKey: .subsec)
        try object.encode(reading.latitude.map(Self.rounded), forKey: .latitude)
        try object.encode(reading.longitude.map(Self.rounded), forKey: .longitude)
        try object.encode(reading.altitude.map { ($0 * 1000).rounded() / 1000 }, forKey: .altitude)
        try object.encode(reading.make, forKey: .make)
        try object.encode(reading.model, forKey: .model)
        try object.encode(reading.hasEmbeddedThumbnail, forKey: .hasEmbeddedThumbnail)
        try object.encode(reading.description, forKey: .description)
        try object.encode(reading.keywords, forKey: .keywords)
        try object.encode(reading.rating, forKey: .rating)
        if let moment = reading.moment {
            var part = object.nestedContainer(keyedBy: MomentKey.self, forKey: .moment)
            try part.encode(moment.local.description, forKey: .time)
            try part.encode(moment.offset.map(Moment.describe(offset:)), forKey: .offset)
            try part.encode(reading.momentSource?.description, forKey: .source)
            try part.encode(reading.offsetSource?.rawValue, forKey: .offsetSource)
        } else {
            try object.encodeNil(forKey: .moment)
        }
        try object.encode(reading.candidates, forKey: .candidates)
        try object.encode(reading.warnings.map(\.rawValue), forKey: .warnings)
        if let error = reading.error {
            var part = object.nestedContainer(keyedBy: ErrorKey.self, forKey: .error)
            try part.encode(error.code, forKey: .code)
            try part.encode(error.reason, forKey: .reason)
        }
    }

    /// Six decimals of a degree are a tenth of a metre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
