import Notes

/// What a walk through a container finds: where the metadata lies and what the container itself says. Nothing in it is
/// interpreted yet.
struct Contents {
    var format: PhotoFormat
    /// As stored, by the container's own word.
    var pixels: PixelSize?
    /// The first EXIF block.
    var exif: EXIFBlock?
    /// The first XMP packet.
    var xmp: Region?
    /// The first IPTC record.
    var iptc: Region?
    /// HEIF and videos say by themselves which way up they are, 1 to 8; nil where EXIF decides.
    var turn: Int?
    /// True where `irot` or `imir` stands with the primary item.
    var hasTurnBox = false
    /// Dates that the container keeps outside EXIF and XMP, the best first.
    var dates: [StoredDate] = []
    /// A video's own words: where, the best first, which camera, which still it belongs to.
    var positions: [StoredPosition] = []
    /// True where parts of a video that are not read may tell a place.
    var mayHidePlace = false
    var make: String?
    var model: String?
    var contentIdentifier: String?
    /// Description or caption outside EXIF, XMP and IPTC.
    var description: String?
    /// True where metadata is there that this program does not unpack.
    var hasPackedMetadata = false
    /// True where the container's structure broke before its size was found.
    var isDamaged = false

    init(_ format: PhotoFormat) { self.format = format }
}

/// A date as a file has it, not yet read.
struct StoredDate {
    /// Spelled for people: `EXIF DateTimeOriginal`.
    var source: String
    var text: String
    /// What stands in the offset and the sub-second tag that belong to this date.
    var offset: String?
    var offsetSource: String?
    var fraction: String?
    /// True where the format says that it is UTC.
    var isUTC = false
    /// Seconds from the beginning of a recording to this date, where it may be that of its end.
    var length: Int64 = 0
    /// True where it says when the file was last changed, and not when the picture was made.
    var isLastChange = false
}

/// A position as a file has it: decimal degrees without signs, and the letters that give the signs.
struct StoredPosition {
    /// Spelled for people: `EXIF GPS`.
    var source: String
    var latitude: Double?
    var longitude: Double?
    /// `N`, `S`, `E`, `W`, in the file's own spelling; nil where it has none.
    var latitudeReference: String?
    var longitudeReference: String?
    /// Metres, with the sign applied.
    var altitude: Double?
    /// True where the values carry their signs, as in ISO 6709.
    var isSigned = false
}
