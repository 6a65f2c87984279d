public import System

/// Why a file is no track.
public enum GPXError: Error, Hashable, Sendable {
    case unreadable(SystemError)
    /// More bytes than `GPXTrack.longest`.
    case tooLong
    /// Not XML, or not with `gpx` at its root.
    case notGPX
    /// A document type could make a small file grow without end.
    case documentType
    /// No point in it has a time and a place.
    case noPoints
    case tooManyPoints

    /// Stable once released.
    public var code: String {
        switch self {
        case .unreadable: "track_unreadable"
        case .tooLong: "track_too_long"
        case .notGPX: "track_not_gpx"
        case .documentType: "track_has_doctype"
        case .noPoints: "track_without_points"
        case .tooManyPoints: "track_too_many_points"
        }
    }

    /// In words, for a person.
    public var reason: String {
        switch self {
        case .unreadable(let error): error.reason
        case .tooLong: "the file has over \(GPXTrack.longest >> 20) MB; split it"
        case .notGPX: "this is no GPX file"
        case .documentType: "it has a DOCTYPE, which no GPX file needs"
        case .noPoints: "no point in it has a time and a place"
        case .tooManyPoints: "it has over \(GPXTrack.mostPoints) points; split it"
        }
    }
}
