public import Notes

/// Writes time, place and camera of a photo into a JPEG that was made of it, as EXIF 2.32 (CIPA DC-008) has them.
///
/// Nothing else is taken over: a copy that went out smaller or as JPEG is upright already, and has no maker note.
public enum EXIFWriter {
    /// - Parameter jpeg: A JPEG without EXIF.
    /// - Returns: The same with an EXIF segment in front; unchanged where the photo says nothing, or the bytes are no JPEG.
    public static func adding(_ photo: Photo, to jpeg: [UInt8]) -> [UInt8] {
        guard jpeg.starts(with: [0xff, 0xd8]), photo.moment != nil || photo.place != nil || photo.camera != nil else {
            return jpeg
        }
        let block = block(of: photo)
        // Lengths of what goes in are bounded below; a segment's own is a 16-bit number.
        guard block.count + 8 <= 0xffff else { return jpeg }
        let length = block.count + 8
        return [0xff, 0xd8, 0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + Array("Exif\0\0".utf8) + block
            + jpeg[2...]
    }

    private static func block(of photo: Photo) -> [UInt8] {
        var image: [Field] = [.short(Tag.orientation, 1)]
        if let make = photo.camera?.make { image.append(.text(Tag.make, make)) }
        if let model = photo.camera?.model { image.append(.text(Tag.model, model)) }
        var exif: [Field] = []
        if let moment = photo.moment {
            let local = moment.local
            exif.append(.text(Tag.dateTimeOriginal, date(local)))
            if let offset = moment.knownOffset {
                exif.append(.text(Tag.offsetTimeOriginal, Moment.describe(offset: offset)))
            }
            if local.nanosecond > 0, let fraction = local.description.split(separator: ".").last {
                exif.append(.text(Tag.subSecTimeOriginal, String(fraction)))
            }
        }
        var gps: [Field] = []
        if let place = photo.place {
            gps.append(.text(Tag.latitudeReference, place.latitude < 0 ? "S" : "N"))
            gps.append(.rationals(Tag.latitude, degrees(place.latitude)))
            gps.append(.text(Tag.longitudeReference, place.longitude < 0 ? "W" : "E"))
            gps.append(.rationals(Tag.longitude, degrees(place.longitude)))
            if let altitude = place.altitude, abs(altitude) < 4_000_000 {
                gps.append(.byte(Tag.altitudeReference, altitude < 0 ? 1 : 0))
                gps.append(.rationals(Tag.altitude, [(UInt32((abs(altitude) * 1000).rounded()), 1000)]))
            }
        }
        // IFD0, then the two that it points to, each with its values behind it.
        let pointers = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
        var next = 8 + size(of: image, extra: pointers)
        if !exif.isEmpty {
            image.append(.long(Tag.exifDirectory, UInt32(next)))
            next += size(of: exif)
        }
        if !gps.isEmpty { image.append(.long(Tag.gpsDirectory, UInt32(next))) }
        var bytes: [UInt8] = Array("MM".utf8) + big(UInt16(42)) + big(UInt32(8))
        for directory in [image, exif, gps] where !directory.isEmpty { append(directory, to: &bytes) }
        return bytes
    }

    /// `2026:05:03 05:48:00`.
    private static func date(_ local: LocalTime) -> String {
        let iso = Array(local.description)
        return String(iso[..<10]).replacing("-", with: ":") + " " + String(iso[11..<19])
    }

    /// Degrees, minutes and hundred-thousandths of a second: a millimetre or less.
    private static func degrees(_ value: Double) -> [(UInt32, UInt32)] {
        let total = (abs(value) * 3600 * 100_000).rounded()
        let seconds = total.truncatingRemainder(dividingBy: 6_000_000)
        let minutes = ((total - seconds) / 6_000_000).truncatingRemainder(dividingBy: 60)
        let whole = ((total - seconds) / 6_000_000 - minutes) / 60
        return [(UInt32(whole), 1), (UInt32(minutes), 1), (UInt32(seconds), 100_000)]
    }

    private struct Field {
        let tag: UInt16
        let type: UInt16
        let count: Int
        let value: [UInt8]

        static func byte(_ tag: UInt16, _ value: UInt8) -> Field { Field(tag: tag, type: 1, count: 1, value: [value]) }
        static func short(_ tag: UInt16, _ value: UInt16) -> Field {
            Field(tag: tag, type: 3, count: 1, value: big(value))
        }
        static func long(_ tag: UInt16, _ value: UInt32) -> Field {
            Field(tag: tag, type: 4, count: 1, value: big(value))
        }
        static func text(_ tag: UInt16, _ text: String) -> Field {
            let bytes = Array(text.utf8.prefix(1_000)) + [0]
            return Field(tag: tag, type: 2, count: bytes.count, value: bytes)
        }
        static func rationals(_ tag: UInt16, _ values: [(UInt32, UInt32)]) -> Field {
            Field(tag: tag, type: 5, count: values.count, value: values.flatMap { big($0.0) + big($0.1) })
        }

        /// Bytes behind the directory: those of a value that does not fit into its entry, made even.
        var outside: Int { value.count <= 4 ? 0 : value.count + value.count % 2 }
    }

    private static func size(of directory: [Field], extra: Int = 0) -> Int {
        2 + (directory.count + extra) * 12 + 4 + directory.reduce(0) { $0 + $1.outside }
    }

    private static func append(_ directory: [Field], to bytes: inout [UInt8]) {
        var place = bytes.count + 2 + directory.count * 12 + 4
        bytes += big(UInt16(directory.count))
        // Entries stand in the order of their tags.
        let sorted = directory.sorted { $0.tag < $1.tag }
        for field in sorted {
            bytes += big(field.tag) + big(field.type) + big(UInt32(field.count))
            if field.outside == 0 {
                bytes += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                bytes += big(UInt32(place))
                place += field.outside
            }
        }
        bytes += big(UInt32(0))
        for field in sorted where field.outside > 0 {
            bytes += field.value + [UInt8](repeating: 0, count: field.value.count % 2)
        }
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * $0)) }
    }
}
