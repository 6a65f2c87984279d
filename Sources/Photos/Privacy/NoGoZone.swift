import Glibc
public import Notes

/// A circle on the map from which no location goes out: a home, a school.
public struct NoGoZone: Hashable, Sendable {
    public var name: String
    /// Degrees, of the middle.
    public var latitude: Double
    public var longitude: Double
    /// The radius.
    public var metres: Double

    /// - Returns: nil unless the middle is on the globe and the radius a positive number.
    public init?(name: String, latitude: Double, longitude: Double, metres: Double) {
        guard Place(latitude: latitude, longitude: longitude) != nil, metres > 0, metres.isFinite else { return nil }
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.metres = metres
    }

    /// True for places in the circle, its edge included.
    public func contains(_ place: Place) -> Bool { distance(to: place) <= metres }

    /// Metres along the ground, by the haversine formula on a sphere: right to half a percent.
    public func distance(to place: Place) -> Double {
        let degree = Double.pi / 180
        let (a, b) = (latitude * degree, place.latitude * degree)
        let (north, east) = (sin((b - a) / 2), sin((place.longitude - longitude) * degree / 2))
        let chord = north * north + cos(a) * cos(b) * east * east
        return 2 * Self.earth * asin(min(1, chord.squareRoot()))
    }

    /// The mean radius of the earth (IUGG), in metres.
    private static let earth = 6_371_008.8
}
