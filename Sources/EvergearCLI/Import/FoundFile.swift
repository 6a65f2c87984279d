import Notes
import Photos
import System

/// A photo, a video or a sidecar that an import has found, before it is known what belongs to what.
struct FoundFile {
    let path: FilePath
    /// nil for a sidecar and for a camera's preview.
    let format: PhotoFormat?
    /// A file that a person named may be a link; one met in a folder may not have become one since.
    let followsLink: Bool
    /// Which of the homes that the import was given (`ImportRoots`) it belongs to.
    let root: Int32
    let contentIdentifier: String?
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    /// nil for a sidecar, and where it was not read.
    let moment: Moment?
    /// True where only the file's last change gives the moment. When it was taken is not known then.
    var isTimeOfFile = false
    /// As the file has it: 0 to 5, -1 for rejected.
    var rating: Int8?
    /// True where it may still be written: it was not read, and its format is by its name.
    var isYoung = false

    var source: SourceFile {
        SourceFile(path: path, size: size, modified: modified, followsLink: followsLink)
    }

    var file: FolderFile {
        FolderFile(
            path: path, format: format, contentIdentifier: contentIdentifier,
            instant: isTimeOfFile ? nil : moment?.timestamp)
    }
}

/// A file that is to be taken in, or was.
struct SourceFile {
    let path: FilePath
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    /// A file that a person named may be a link; one met in a folder may not have become one since.
    let followsLink: Bool
}

/// The files of one folder.
struct FoundFolder {
    /// As it was spelled first.
    let path: FilePath
    var files: [FoundFile] = []
}

/// Folders in the order in which they were met, each once, be its walk broken by those in it or its path spelled anew.
struct FoundFolders {
    var all: [FoundFolder] = []
    private var numbers: [FilePath: Int] = [:]

    /// - Parameter place: Where the path leads.
    mutating func number(of path: FilePath, at place: FilePath) -> Int {
        if let number = numbers[place] { return number }
        numbers[place] = all.count
        all.append(FoundFolder(path: path))
        return all.count - 1
    }
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
        case .preview: "a small preview of \(name), for the camera's own screen"
        case .adjustments: "the steps by which \(name) was edited"
        }
    }
}
