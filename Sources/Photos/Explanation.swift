public import Notes
public import System

/// What `explain --json` prints of a file: one object on one line, its keys stable once released and always in the
/// same order.
public struct Explanation: Sendable {
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

    /// Every key is there, null where the file says nothing; but `path_hex` only where `path` does not name the file,
    /// and `error` only where there is one.
    public var json: String {
        var object = JSONObject()
        object.add("path", .text(path.description))
        if !path.isUTF8 { object.add("path_hex", .text(MD5.hex(path.bytes))) }
        object.add("mime", .text(reading.mime))
        object.add("size", .number(Int(reading.size)))
        if isHashed { object.add("md5", .text(md5?.hex)) }
        object.add("width", .number(reading.pixels?.width))
        object.add("height", .number(reading.pixels?.height))
        object.add("display_width", .number(reading.displaySize?.width))
        object.add("display_height", .number(reading.displaySize?.height))
        object.add("orientation", .number(reading.orientation))
        object.add("captured", .text(reading.captured?.description))
        object.add("captured_from", .text(reading.capturedFrom))
        object.add("offset", .text(reading.offset.map(Moment.describe(offset:))))
        object.add("offset_from", .text(reading.offsetFrom))
        object.add("subsec", .text(reading.subsec))
        object.add("latitude", .degrees(reading.latitude))
        object.add("longitude", .degrees(reading.longitude))
        object.add("altitude", .metres(reading.altitude))
        object.add("make", .text(reading.make))
        object.add("model", .text(reading.model))
        object.add("has_embedded_thumbnail", .bool(reading.hasEmbeddedThumbnail))
        object.add("description", .text(reading.description))
        object.add("keywords", .list(reading.keywords.map { .text($0) }))
        object.add("rating", .number(reading.rating))
        object.add("moment", moment)
        object.add("candidates", .list(reading.candidates.map(candidate)))
        object.add("warnings", .list(reading.warnings.map { .text($0.rawValue) }))
        if let error = reading.error {
            var part = JSONObject()
            part.add("code", .text(error.code))
            part.add("reason", .text(error.reason))
            object.add("error", .object(part))
        }
        return object.text
    }

    private var moment: JSONValue {
        guard let moment = reading.moment else { return .null }
        var part = JSONObject()
        part.add("time", .text(moment.local.description))
        part.add("offset", .text(moment.offset.map(Moment.describe(offset:))))
        part.add("source", .text(reading.momentSource?.description))
        part.add("offset_source", .text(reading.offsetSource?.rawValue))
        return .object(part)
    }

    private func candidate(_ candidate: Candidate) -> JSONValue {
        var part = JSONObject()
        part.add("kind", .text(candidate.kind.rawValue))
        part.add("value", .text(candidate.value))
        part.add("source", .text(candidate.source))
        part.add("taken", .bool(candidate.isTaken))
        part.add("reason", .text(candidate.reason))
        return .object(part)
    }
}

/// JSON as it is printed: keys in the order in which they were added. FoundationEssentials' encoder shuffles them, and
/// takes longer over a photo than reading it does.
private struct JSONObject {
    private var bytes = Array("{".utf8)

    mutating func add(_ key: StaticString, _ value: JSONValue) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes += UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
        value.write(into: &bytes)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

    func write(into other: inout [UInt8]) {
        other += bytes
        other.append(UInt8(ascii: "}"))
    }
}

private enum JSONValue {
    case text(String?)
    case number(Int?)
    /// Six decimals of a degree are a tenth of a metre.
    case degrees(Double?)
    case metres(Double?)
    case bool(Bool)
    case list([JSONValue])
    case object(JSONObject)
    case null

    func write(into bytes: inout [UInt8]) {
        switch self {
        case .text(let text?): Self.quote(text, into: &bytes)
        case .number(let number?): bytes += String(number).utf8
        case .degrees(let number?) where number.isFinite: bytes += "\((number * 1e6).rounded() / 1e6)".utf8
        case .metres(let number?) where number.isFinite: bytes += "\((number * 1e3).rounded() / 1e3)".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(into: &bytes)
        case .text, .number, .degrees, .metres, .null: bytes += "null".utf8
        }
    }

    static func quote(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes += text.utf8
        } else {
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
                case 0..<0x20: bytes += "\\u00\(MD5.hex([byte]))".utf8
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
