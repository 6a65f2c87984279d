import CExif
import Notes

/// What an EXIF block says, as read by libexif. Dates are still text here: `Evidence` judges them.
struct EXIFReader {
    private let data: EXIFData
    private let block: EXIFBlock

    /// - Returns: nil where libexif gets no memory.
    init?(_ block: EXIFBlock) {
        guard let data = EXIFData(block.packed()) else { return nil }
        self.data = data
        self.block = block
    }

    var make: String? { data.text(.image, Tag.make) }
    var model: String? { data.text(.image, Tag.model) }
    /// As stored, even outside 1 to 8.
    var orientation: Int? { data.numbers(.image, Tag.orientation).first.flatMap { $0 }.flatMap(Int.init(exactly:)) }
    var rating: Int? { data.numbers(.image, Tag.rating).first.flatMap { $0 }.flatMap(Int.init(exactly:)) }
    var thumbnail: EXIFBlock.Thumbnail { block.thumbnail }
    var contentIdentifier: String? { block.contentIdentifier }

    /// ImageDescription and UserComment: what the camera wrote into them by itself as well.
    var descriptions: [String] {
        [data.text(.image, Tag.imageDescription), data.comment(.exif, Tag.userComment)].compactMap(\.self)
    }

    /// The dates, the best first, each with the offset and the sub-seconds of its own kind.
    var dates: [StoredDate] {
        [
            date(
                "DateTimeOriginal", Tag.dateTimeOriginal, "OffsetTimeOriginal", Tag.offsetTimeOriginal,
                Tag.subSecTimeOriginal),
            date("CreateDate", Tag.createDate, "OffsetTimeDigitized", Tag.offsetTimeDigitized, Tag.subSecTimeDigitized),
            date("ModifyDate", Tag.modifyDate, "OffsetTime", Tag.offsetTime, Tag.subSecTime),
        ].compactMap(\.self)
    }

    private func date(
        _ name: String, _ tag: UInt16, _ offsetName: String, _ offsetTag: UInt16, _ fractionTag: UInt16
    ) -> StoredDate? {
        // ModifyDate's place is IFD0, the others' is the EXIF directory; either is found in the other as well.
        let order: [EXIFData.Directory] = tag == Tag.modifyDate ? [.image, .exif] : [.exif, .image]
        func first(_ tag: UInt16) -> String? { order.lazy.compactMap { data.rawText($0, tag) }.first }
        guard let text = first(tag) else { return nil }
        return StoredDate(
            source: "EXIF " + name, text: text,
            offset: data.rawText(.exif, offsetTag) ?? data.rawText(.image, offsetTag),
            offsetSource: "EXIF " + offsetName,
            fraction: data.rawText(.exif, fractionTag) ?? data.rawText(.image, fractionTag),
            isLastChange: tag == Tag.modifyDate)
    }

    /// Where, by the GPS directory; nil where it has none of latitude, longitude, altitude.
    var position: StoredPosition? {
        let latitude = degrees(Tag.latitude)
        let longitude = degrees(Tag.longitude)
        let altitude = data.numbers(.gps, Tag.altitude).first ?? nil
        if latitude == nil && longitude == nil && altitude == nil { return nil }
        return StoredPosition(
            source: "EXIF GPS", latitude: latitude, longitude: longitude,
            latitudeReference: data.text(.gps, Tag.latitudeReference),
            longitudeReference: data.text(.gps, Tag.longitudeReference),
            altitude: altitude.map { isBelowSea ? -$0 : $0 })
    }

    /// 1 and, of the ellipsoid, 3; as a number or, where software wrote it so, as a digit.
    private var isBelowSea: Bool {
        switch data.numbers(.gps, Tag.altitudeReference).first {
        case 1?, 3?, 49?, 51?: true
        default: data.text(.gps, Tag.altitudeReference) == "1"
        }
    }

    /// Degrees, minutes and seconds as fractions; as text where software wrote them so. Without degrees nothing is
    /// known; minutes and seconds that are x/0 count as none.
    private func degrees(_ tag: UInt16) -> Double? {
        var parts = data.numbers(.gps, tag)
        if parts.isEmpty, let text = data.text(.gps, tag) {
            parts = text.prefix(128).split { !$0.isNumber && $0 != "." && $0 != "-" }.map { Double($0) }
        }
        guard let whole = parts.first ?? nil else { return nil }
        let rest = zip(parts.dropFirst(), [60.0, 3600.0]).reduce(0) { $0 + ($1.0 ?? 0) / $1.1 }
        let value = whole + rest
        return value.isFinite ? value : nil
    }

    /// When the GPS receiver got its fix, in UTC.
    var gpsTime: LocalTime? {
        let time = data.numbers(.gps, Tag.gpsTime)
        guard let date = data.text(.gps, Tag.gpsDate), time.count == 3,
            let hour = time[0].flatMap({ Int(exactly: $0.rounded(.down)) }),
            let minute = time[1].flatMap({ Int(exactly: $0.rounded(.down)) }),
            let second = time[2].flatMap({ Int(exactly: $0.rounded(.down)) })
        else { return nil }
        let parts = date.split { !$0.isNumber }.map { Int($0) ?? 0 }
        guard parts.count == 3 else { return nil }
        return LocalTime(year: parts[0], month: parts[1], day: parts[2], hour: hour, minute: minute, second: second)
    }
}

/// The owner of libexif's data. Nothing that points into it leaves this class.
private final class EXIFData {
    enum Directory { case image, exif, gps }

    private let data: UnsafeMutablePointer<ExifData>
    private let order: ExifByteOrder

    init?(_ block: [UInt8]) {
        guard let data = exif_data_new() else { return nil }
        // As stored: nothing dropped because its place is odd, nothing added because the standard asks for it.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_load_data(data, block, UInt32(block.count))
        self.data = data
        order = exif_data_get_byte_order(data)
    }

    deinit { exif_data_unref(data) }

    private func entry(_ directory: Directory, _ tag: UInt16) -> ExifEntry? {
        let content =
            switch directory {
            case .image: data.pointee.ifd.0
            case .exif: data.pointee.ifd.2
            case .gps: data.pointee.ifd.3
            }
        guard let found = exif_content_get_entry(content, ExifTag(rawValue: UInt32(tag))), found.pointee.data != nil
        else { return nil }
        return found.pointee
    }

    private func bytes(_ entry: ExifEntry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: entry.data, count: Int(entry.size))
    }

    /// Text up to its first NUL, spaces and all; nil where the field is of another kind.
    func rawText(_ directory: Directory, _ tag: UInt16) -> String? {
        guard let entry = entry(directory, tag) else { return nil }
        switch entry.format {
        case EXIF_FORMAT_ASCII, EXIF_FORMAT_UNDEFINED, EXIF_FORMAT_BYTE:
            return String(decoding: bytes(entry).prefix { $0 != 0 }, as: UTF8.self)
        default: return nil
        }
    }

    /// Text without what pads it; nil where nothing is left.
    func text(_ directory: Directory, _ tag: UInt16) -> String? {
        guard let entry = entry(directory, tag) else { return nil }
        switch entry.format {
        case EXIF_FORMAT_ASCII, EXIF_FORMAT_UNDEFINED, EXIF_FORMAT_BYTE: return MetadataText.line(Array(bytes(entry)))
        default: return nil
        }
    }

    /// A comment begins with eight bytes that name its encoding, or should: what does not is text from its first byte.
    func comment(_ directory: Directory, _ tag: UInt16) -> String? {
        guard let entry = entry(directory, tag) else { return nil }
        let all = Array(bytes(entry))
        guard all.count >= 8 else { return MetadataText.line(all) }
        let (code, content) = (all.prefix(8), Array(all.dropFirst(8)))
        // Spaces for the NULs are as usual as NULs; behind a NUL in front there may be anything.
        let name = String(decoding: code.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self)
        let isPadded = code.dropFirst(name.utf8.count).allSatisfy { $0 == 0 || $0 == UInt8(ascii: " ") }
        switch name {
        case "UNICODE" where isPadded: return MetadataText.utf16(content, isBig: order == EXIF_BYTE_ORDER_MOTOROLA)
        case "JIS" where isPadded: return nil
        // Ricoh writes "Unicode" before what is none.
        case "ASCII" where isPadded, "Unicode" where isPadded, "" where isPadded || code.first == 0:
            return MetadataText.line(content)
        default: return MetadataText.line(all)
        }
    }

    /// The numbers of a field, at most 16, each nil where it is x/0; empty where the field is absent or holds text.
    func numbers(_ directory: Directory, _ tag: UInt16) -> [Double?] {
        guard let entry = entry(directory, tag), entry.format != EXIF_FORMAT_ASCII else { return [] }
        let width = Int(exif_format_get_size(entry.format))
        guard width > 0, let data = entry.data else { return [] }
        return (0..<min(Int(entry.size) / width, 16)).map { index -> Double? in
            let place = data + index * width
            switch entry.format {
            case EXIF_FORMAT_BYTE: return Double(place.pointee)
            case EXIF_FORMAT_SHORT: return Double(exif_get_short(place, order))
            case EXIF_FORMAT_SSHORT: return Double(exif_get_sshort(place, order))
            case EXIF_FORMAT_LONG: return Double(exif_get_long(place, order))
            case EXIF_FORMAT_SLONG: return Double(exif_get_slong(place, order))
            case EXIF_FORMAT_RATIONAL:
                let fraction = exif_get_rational(place, order)
                return fraction.denominator == 0 ? nil : Double(fraction.numerator) / Double(fraction.denominator)
            case EXIF_FORMAT_SRATIONAL:
                let fraction = exif_get_srational(place, order)
                return fraction.denominator == 0 ? nil : Double(fraction.numerator) / Double(fraction.denominator)
            case EXIF_FORMAT_FLOAT: return Double(Float(bitPattern: exif_get_long(place, order)))
            case EXIF_FORMAT_DOUBLE:
                let (first, second) = (UInt64(exif_get_long(place, order)), UInt64(exif_get_long(place + 4, order)))
                return Double(bitPattern: order == EXIF_BYTE_ORDER_INTEL ? second << 32 | first : first << 32 | second)
            default: return nil
            }
        }
    }
}
