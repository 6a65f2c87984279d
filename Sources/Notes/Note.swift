/// A draft made final. Never changes once made.
public struct Note: Hashable, Sendable {
    /// A UUID, version 7: the note's `sourceURL` is `evergear://note/<uid>`, by which a delivered one is found again.
    public var uid: String
    /// Fits Evernote's rule for titles.
    public var title: String
    /// A whole ENML document, with XML declaration and DOCTYPE.
    public var enml: String
    public var created: Timestamp
    /// Seconds east of UTC of the clock that the time of creation was read off; nil: of no other clock than the
    /// machine's.
    public var createdOffset: Int?
    public var updated: Timestamp
    public var notebook: String?
    public var tags: [String]
    public var attributes: NoteAttributes
    /// In the order in which the ENML first refers to them, each once.
    public var resources: [Resource]

    public init(
        uid: String, title: String, enml: String, created: Timestamp, createdOffset: Int? = nil, updated: Timestamp,
        notebook: String?, tags: [String], attributes: NoteAttributes, resources: [Resource]
    ) {
        self.uid = uid
        self.title = title
        self.enml = enml
        self.created = created
        self.createdOffset = createdOffset
        self.updated = updated
        self.notebook = notebook
        self.tags = tags
        self.attributes = attributes
        self.resources = resources
    }

    /// What counts against a note's limit: ENML in Unicode characters plus the resources in bytes (Evernote's IDL).
    public var size: Int64 {
        Int64(enml.unicodeScalars.count) + resources.reduce(0) { $0 + $1.blob.size }
    }
}

/// What Evernote keeps about a note beside its content (`NoteAttributes` of its IDL, the ones that are used).
public struct NoteAttributes: Hashable, Sendable, Codable {
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres.
    public var altitude: Double?
    /// A name that the user gave.
    public var placeName: String?
    /// `evergear://note/<uid>`.
    public var sourceURL: String?
    /// What made the note: `evergear`.
    public var sourceApplication: String?
    /// Set where the title was generated (`NOTE_TITLE_QUALITY_*` of the IDL), else nil.
    public var titleQuality: Int?
    /// What the note is about in time, milliseconds since 1970.
    public var subjectDate: Int64?

    public init(
        place: Place? = nil, sourceURL: String? = nil, sourceApplication: String? = nil, titleQuality: Int? = nil,
        subjectDate: Int64? = nil
    ) {
        latitude = place?.latitude
        longitude = place?.longitude
        altitude = place?.altitude
        placeName = place?.name
        self.sourceURL = sourceURL
        self.sourceApplication = sourceApplication
        self.titleQuality = titleQuality
        self.subjectDate = subjectDate
    }
}

/// Bytes attached to a note, known by their MD5.
public struct Resource: Hashable, Sendable {
    /// Where the bytes are, and their MD5 and size.
    public var blob: BlobKey
    public var mime: String
    /// As displayed, where known.
    public var pixels: PixelSize?
    public var attributes: ResourceAttributes

    public init(blob: BlobKey, mime: String, pixels: PixelSize?, attributes: ResourceAttributes) {
        self.blob = blob
        self.mime = mime
        self.pixels = pixels
        self.attributes = attributes
    }
}

/// What Evernote keeps about a resource beside its bytes (`ResourceAttributes` of its IDL, the ones that are used).
public struct ResourceAttributes: Hashable, Sendable, Codable {
    /// Unique in its note, with the extension of its true type, no slash in it.
    public var fileName: String
    /// When the photo was taken, milliseconds since 1970.
    public var timestamp: Int64?
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres.
    public var altitude: Double?
    public var cameraMake: String?
    public var cameraModel: String?

    public init(fileName: String, timestamp: Int64? = nil, place: Place? = nil, camera: Camera? = nil) {
        self.fileName = fileName
        self.timestamp = timestamp
        latitude = place?.latitude
        longitude = place?.longitude
        altitude = place?.altitude
        cameraMake = camera?.make
        cameraModel = camera?.model
    }
}
