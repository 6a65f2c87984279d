/// The key of bytes in the blob store: what they hash to, and how many there are.
public struct BlobKey: Hashable, Sendable, CustomStringConvertible {
    public var md5: MD5
    /// Bytes.
    public var size: Int64
    /// 0, or counted up where other bytes of the same MD5 and size came first.
    public var serial: Int

    public init(md5: MD5, size: Int64, serial: Int = 0) {
        self.md5 = md5
        self.size = size
        self.serial = serial
    }

    /// `d41d8cd98f00b204e9800998ecf8427e-0`, with `-1` and so on behind it for a serial above 0.
    public var description: String { "\(md5.hex)-\(size)" + (serial == 0 ? "" : "-\(serial)") }
}

/// Width and height in pixels, both at least 1.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    /// - Returns: nil unless both are positive.
    public init?(width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// With width and height exchanged, as after a quarter turn.
    public var turned: PixelSize {
        var other = self
        swap(&other.width, &other.height)
        return other
    }

    /// Both sides times a factor, rounded, at least 1.
    public func scaled(by factor: Double) -> PixelSize {
        var other = self
        other.width = max(1, Int((Double(width) * factor).rounded()))
        other.height = max(1, Int((Double(height) * factor).rounded()))
        return other
    }
}

/// An image (or video) file and what its metadata says: when, where, which way up, which camera.
public struct Photo: Hashable, Sendable {
    /// Its number in the store; 0 for one that is not stored.
    public var id: Int64
    public var blob: BlobKey
    /// By content, never by extension: `image/jpeg`.
    public var mime: String
    /// As stored in the file; nil where the file does not say.
    public var pixels: PixelSize?
    /// How to turn the stored pixels to see them upright: the EXIF orientation, 1 to 8, 1 where nothing is to be done.
    public var orientation: Int
    /// The name of the file it came from, for people.
    public var name: String
    public var moment: Moment?
    public var place: Place?
    /// True in a draft on its way out, where neither what is said of the photo nor its bytes may tell the place. Never
    /// stored.
    public var withholdsPlace = false
    public var camera: Camera?

    public init(
        id: Int64 = 0, blob: BlobKey, mime: String, pixels: PixelSize?, orientation: Int = 1, name: String,
        moment: Moment? = nil, place: Place? = nil, camera: Camera? = nil
    ) {
        self.id = id
        self.blob = blob
        self.mime = mime
        self.pixels = pixels
        self.orientation = orientation
        self.name = name
        self.moment = moment
        self.place = place
        self.camera = camera
    }

    /// Attached as it is: nothing is drawn of it.
    public var isVideo: Bool { mime.hasPrefix("video/") }

    /// Width and height as seen upright.
    public var displaySize: PixelSize? { orientation >= 5 ? pixels?.turned : pixels }
}
