import FoundationEssentials
import Notes
import SQLite

// How the values of Notes stand in columns. What is read from a row begins at the column given.

extension Optional where Wrapped == Moment {
    /// Four columns: wall-clock seconds, nanosecond, offset, whether the offset was assumed.
    var columns: [Value] {
        guard let self else { return [.null, .null, .null, .null] }
        return [
            .integer(self.local.seconds), .integer(Int64(self.local.nanosecond)), Value(self.offset),
            Value(self.isOffsetAssumed),
        ]
    }
}

extension Optional where Wrapped == Place {
    /// Four columns: latitude, longitude, altitude, name.
    var columns: [Value] {
        [Value(self?.latitude), Value(self?.longitude), Value(self?.altitude), Value(self?.name)]
    }
}

extension Optional where Wrapped == PixelSize {
    /// Two columns: width, height.
    var columns: [Value] { [Value(self?.width), Value(self?.height)] }
}

extension BlobKey {
    /// Three columns: MD5, size, serial.
    var columns: [Value] { [.blob(md5.bytes), .integer(size), .integer(Int64(serial))] }
}

extension Row {
    func moment(at column: Int) -> Moment? {
        guard let seconds = optionalInteger(column) else { return nil }
        let nanosecond = Int32(clamping: integer(column + 1))
        return Moment(
            LocalTime(seconds: seconds, nanosecond: min(max(nanosecond, 0), 999_999_999)),
            offset: optionalInteger(column + 2).map(Int.init), isOffsetAssumed: bool(column + 3))
    }

    func place(at column: Int) -> Place? {
        guard let latitude = optionalReal(column), let longitude = optionalReal(column + 1) else { return nil }
        return Place(
            latitude: latitude, longitude: longitude, altitude: optionalReal(column + 2), name: optionalText(column + 3)
        )
    }

    func pixels(at column: Int) -> PixelSize? {
        PixelSize(width: Int(integer(column)), height: Int(integer(column + 1)))
    }

    func blobKey(at column: Int) throws -> BlobKey {
        guard let md5 = MD5(bytes: blob(column)) else {
            throw Undecodable(description: "an MD5 of other than 16 bytes")
        }
        return BlobKey(md5: md5, size: integer(column + 1), serial: Int(integer(column + 2)))
    }

    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: integer(column)) }
}

/// A value in the store that this program cannot have written.
struct Undecodable: Error, CustomStringConvertible {
    let description: String
}

/// Lists and attributes are kept as JSON, with sorted keys.
enum JSON {
    static func encode(_ tags: [String]) throws -> String {
        tags.isEmpty ? "[]" : try encode(tags as any Encodable)
    }

    static func encode(_ value: any Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A file can claim an altitude of 0/0 metres.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode(tags text: String) throws -> [String] {
        text == "[]" ? [] : try decode([String].self, text)
    }

    static func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(text.utf8))
    }
}
