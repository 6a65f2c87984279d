/// Where something happened. WGS 84, as GPS gives it.
public struct Place: Hashable, Sendable {
    /// Degrees, north positive, -90 to 90.
    public var latitude: Double
    /// Degrees, east positive, -180 to 180.
    public var longitude: Double
    /// Metres above the sea, where known.
    public var altitude: Double?
    /// A name that the user gave. Never made up from the coordinates.
    public var name: String?

    /// - Returns: nil for coordinates that are not on the globe, or are no numbers.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil, name: String? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.name = name
    }

    /// Reads `LAT,LON` in decimal degrees, as `--place` takes it.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.drop { $0 == " " })
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

/// The camera that took a photo, as its file says.
public struct Camera: Hashable, Sendable {
    public var make: String?
    public var model: String?

    /// - Returns: nil where the file says neither.
    public init?(make: String?, model: String?) {
        if make == nil && model == nil { return nil }
        self.make = make
        self.model = model
    }
}
