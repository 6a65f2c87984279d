import Notes
import Photos
import System

/// A photo, a video or a sidecar that an import has found, before it is known what belongs to what.
struct FoundFile {
    let file: FolderFile
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    /// A file that a person named may be a link; one met in a folder may not have become one since.
    let followsLink: Bool
    /// nil for a sidecar.
    let moment: Moment?
    /// Which of the things that the import was given it was found in.
    let root: Int
}

extension CompanionRole {
    /// What a file is to the photo that it belongs to.
    func sentence(_ main: FilePath) -> String {
        let name = main.name
        return switch self {
        case .original: "the original of \(name), which is taken instead"
        case .edited: "an edited copy of \(name), which is taken instead"
        case .raw: "the RAW file of \(name)"
        case .video: "the video of \(name)"
        case .xmp, .takeout, .caption: "read with \(name)"
        case .adjustments: "the steps by which \(name) was edited"
        }
    }
}
