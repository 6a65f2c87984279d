public import System

/// Why a file is no photo that can be imported.
public enum PhotoError: Error, Hashable, Sendable {
    case empty
    /// Neither a photo nor a video by its first bytes.
    case notAPhoto
    /// The file ends before its picture begins.
    case truncated
    /// The structure is broken before the picture begins.
    case damaged
    /// Somebody wrote to it meanwhile.
    case changedWhileRead
    /// The system would not open or read it.
    case unreadable(SystemError)

    /// Stable once released.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .notAPhoto: "not_a_photo"
        case .truncated: "truncated"
        case .damaged: "damaged"
        case .changedWhileRead: "changed_while_read"
        case .unreadable: "unreadable"
        }
    }

    /// In words, for a person: what is the matter with the file.
    public var reason: String {
        switch self {
        case .empty: "the file is empty"
        case .notAPhoto: "neither a photo nor a video"
        case .truncated: "the file ends before its picture begins"
        case .damaged: "the file is damaged: no picture can be found in it"
        case .changedWhileRead: "the file changed while it was read; try again when nobody writes to it"
        case .unreadable(let error): error.reason
        }
    }
}

/// What a reader of the file should know. The raw values are stable once released.
public enum PhotoWarning: String, CaseIterable, Hashable, Sendable {
    case blankDate = "blank_date"
    case unreadableDate = "unreadable_date"
    /// Readable, but not written as the standard asks.
    case nonstandardDate = "nonstandard_date"
    /// PNG's tIME: the last change, in UTC.
    case pngTimeIsLastChange = "png_time_is_utc_of_last_change"
    /// Latitude and longitude are both 0: no fix, or scrubbed. No position is given.
    case nullIsland = "null_island"
    /// No hemisphere is given: the position is taken as stored.
    case gpsReferenceMissing = "gps_ref_missing"
    case gpsOutOfRange = "gps_out_of_range"
    /// Latitude without longitude, or the other way round.
    case gpsHalf = "gps_half"
    case gpsFromXMP = "gps_from_xmp"
    /// EXIF's orientation is outside 1 to 8: shown as stored.
    case orientationNotAllowed = "orientation_not_allowed"
    /// HEIF whose EXIF asks for a turn that the file itself does not: readers differ.
    case orientationWithoutTurn = "exif_orientation_without_irot"
    case thumbnailNotAPicture = "thumbnail_not_a_jpeg"
    /// The file ends before its picture does. Looked for on import only, as it takes a walk through the picture.
    case cutShort = "cut_short"
    /// The extension says another type than the content is.
    case misnamed = "misnamed"
    /// Metadata in a compression that is not read here (Brotli, in JPEG XL).
    case packedMetadata = "metadata_not_unpacked"
}
