public import Notes

/// What a photo's file says of itself, and what that comes to.
public struct PhotoReading: Sendable {
    /// By content; nil for what is neither photo nor video.
    public var format: PhotoFormat?
    /// Why it can't be imported; nil for a good photo. What could be read is given all the same.
    public var error: PhotoError?
    /// Bytes.
    public var size: Int64

    /// As stored, by the container's own word and never by EXIF's.
    public var pixels: PixelSize?
    /// As EXIF has it, even outside 1 to 8.
    public var orientation: Int?
    /// How to turn the stored pixels to see them upright, 1 to 8: in HEIF by `irot` and `imir` alone, else by EXIF.
    public var turn = 1

    /// The local time that the metadata gives, to the second, and the tag it is from: `EXIF DateTimeOriginal`.
    public var captured: LocalTime?
    public var capturedFrom: String?
    /// Seconds east of UTC, by the tag that belongs to `captured`.
    public var offset: Int?
    public var offsetFrom: String?
    /// The digits behind the seconds, as written: `05`.
    public var subsec: String?

    /// UTC, where a GPS receiver wrote the time as well.
    public var gpsTime: LocalTime?

    /// What evergear goes by.
    public var moment: Moment?
    public var momentSource: MomentSource?
    public var offsetSource: OffsetSource?
    /// False where the time of day is the file's own, or noon for want of one: then nobody knows when it was to the hour.
    public var hasTimeOfDay = true

    /// Degrees, south negative; nil for 0,0.
    public var latitude: Double?
    /// Degrees, west negative; nil for 0,0.
    public var longitude: Double?
    /// Metres, negative below the sea.
    public var altitude: Double?
    /// True for a video with tracks or boxes that are not read and may tell where it was taken.
    public var mayHidePlace = false

    public var make: String?
    public var model: String?
    public var hasEmbeddedThumbnail = false

    /// What somebody wrote about it: XMP's, IPTC's or EXIF's description.
    public var description: String?
    public var keywords: [String] = []
    /// 0 to 5, -1 for rejected.
    public var rating: Int?
    /// The same in the still and the video of a Live Photo.
    public var contentIdentifier: String?

    /// Every date and place found, and why it was or was not taken.
    public var candidates: [Candidate] = []
    public var warnings: [PhotoWarning] = []

    public init(format: PhotoFormat?, size: Int64, error: PhotoError? = nil) {
        self.format = format
        self.size = size
        self.error = error
    }

    public var mime: String? { format?.mime }
    /// As seen upright.
    public var displaySize: PixelSize? { turn >= 5 ? pixels?.turned : pixels }
    public var camera: Camera? { Camera(make: make, model: model) }
    public var place: Place? {
        guard let latitude, let longitude else { return nil }
        return Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    /// As a draft has it.
    /// - Throws: `error`, where there is one.
    public func photo(blob: BlobKey, name: String) throws(PhotoError) -> Photo {
        if let error { throw error }
        guard let mime else { throw .notAPhoto }
        return Photo(
            blob: blob, mime: mime, pixels: pixels, orientation: turn, name: name, moment: moment, place: place,
            camera: camera)
    }
}

/// Where the local time of a moment is from.
public enum MomentSource: Hashable, Sendable, CustomStringConvertible {
    /// The tag.
    case metadata(String)
    /// Weaker: what the camera's program called the file.
    case fileName
    /// Weakest: the last change of the file.
    case fileTime

    public var description: String {
        switch self {
        case .metadata(let tag): tag
        case .fileName: "file-name"
        case .fileTime: "file-time"
        }
    }
}

/// Where the offset of a moment is from.
public enum OffsetSource: String, Hashable, Sendable {
    /// The metadata say it.
    case tag
    /// The difference between the camera's clock and the GPS time.
    case gps
    /// The metadata give UTC, and the file's name the local time.
    case fileName = "file-name"
    /// The zone that the user gave.
    case option
    /// The machine's zone: assumed.
    case system
}

/// A time or a place that was found.
public struct Candidate: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case time, offset, place
    }

    public var kind: Kind
    /// As the file has it.
    public var value: String
    /// `EXIF DateTimeOriginal`, `XMP GPS`, `file-name`.
    public var source: String
    public var isTaken: Bool
    /// Why it was or was not taken, in words.
    public var reason: String
}
