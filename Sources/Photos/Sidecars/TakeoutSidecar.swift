import FoundationEssentials
public import Notes

/// What the JSON file says that Google Takeout writes beside each photo.
public struct TakeoutSidecar: Hashable, Sendable {
    /// The name that the file had before it was cut or numbered.
    public var title: String?
    public var description: String?
    /// `photoTakenTime`: an instant, since Takeout keeps no local time.
    public var taken: Timestamp?
    /// `geoData`, which somebody may have corrected in Google Photos; nil for 0,0, which stands for none.
    public var place: Place?
    /// `geoDataExif`, as the uploaded file had it; nil for 0,0.
    public var placeInFile: Place?

    /// Takeout's files are a kilobyte or two; one that is longer than this is not read.
    public static let longest = 1 << 20

    /// - Returns: nil for what is too long, is no JSON, or has no time and no place as Takeout's files of photos do.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let file = try? JSONDecoder().decode(File.self, from: Data(bytes)),
            file.photoTakenTime != nil || file.geoData != nil || file.geoDataExif != nil
        else { return nil }
        title = file.title.flatMap(Self.text)
        description = file.description.flatMap(Self.text)
        taken = file.photoTakenTime?.timestamp.flatMap(Self.instant)
        place = file.geoData?.place
        placeInFile = file.geoDataExif?.place
    }

    private static func text(_ text: String) -> String? {
        let trimmed = MetadataText.trim(text)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Seconds since 1970, in years that a date can be written in.
    private static func instant(_ seconds: Int64) -> Timestamp? {
        (-62_135_596_800...253_402_300_799).contains(seconds) ? Timestamp(milliseconds: seconds * 1000) : nil
    }

    /// A field of another kind than expected counts as absent: what is right in the file shall count all the same.
    private struct File: Decodable {
        let title: String?
        let description: String?
        let photoTakenTime: Time?
        let geoData: Position?
        let geoDataExif: Position?

        enum Key: String, CodingKey { case title, description, photoTakenTime, geoData, geoDataExif }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            title = try? fields.decode(String.self, forKey: .title)
            description = try? fields.decode(String.self, forKey: .description)
            photoTakenTime = try? fields.decode(Time.self, forKey: .photoTakenTime)
            geoData = try? fields.decode(Position.self, forKey: .geoData)
            geoDataExif = try? fields.decode(Position.self, forKey: .geoDataExif)
        }
    }

    private struct Time: Decodable {
        let timestamp: Int64?

        enum Key: String, CodingKey { case timestamp }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            let text = try? fields.decode(String.self, forKey: .timestamp)
            timestamp = try text.map { Int64($0) } ?? fields.decode(Int64.self, forKey: .timestamp)
        }
    }

    private struct Position: Decodable {
        let latitude: Double
        let longitude: Double
        let altitude: Double?

        var place: Place? {
            if latitude == 0 && longitude == 0 { return nil }
            // Takeout writes 0 for an altitude that it does not know.
            return Place(latitude: latitude, longitude: longitude, altitude: altitude == 0 ? nil : altitude)
        }
    }
}
