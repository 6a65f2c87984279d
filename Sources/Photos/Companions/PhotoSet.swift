public import Notes
public import System

/// A file of a folder, and what was read of it cheaply.
public struct FolderFile: Sendable {
    public var path: FilePath
    /// By content; nil for what is neither photo nor video.
    public var format: PhotoFormat?
    /// The same in the still and the video of a Live Photo.
    public var contentIdentifier: String?
    /// When it was taken, where that is known.
    public var instant: Timestamp?

    public init(
        path: FilePath, format: PhotoFormat? = nil, contentIdentifier: String? = nil, instant: Timestamp? = nil
    ) {
        self.path = path
        self.format = format
        self.contentIdentifier = contentIdentifier
        self.instant = instant
    }

    /// True for a name of what lies beside photos: `.xmp`, `.json`, `.txt`, `.aae`.
    public var isSidecarByName: Bool { CompanionRole(fileExtension: path.fileExtension)?.isSidecar == true }

    /// True for a name of what cameras write for their own screens: `.thm`, `.lrv`, `.lrf`. By their content they are photos
    /// and videos.
    public var isPreviewByName: Bool { CompanionRole(fileExtension: path.fileExtension) == .preview }
}

/// What is to become of a photo that somebody edited, where the edited copy lies beside the original.
public enum EditedPolicy: String, CaseIterable, Sendable {
    /// One memo, with the edited copy.
    case prefer
    /// A memo for each.
    case both
    /// One memo, with the original.
    case original
}

/// What a file is to the photo that it belongs to. The raw values are stable once released.
public enum CompanionRole: String, CaseIterable, Comparable, Sendable {
    /// What the edited copy was made of.
    case original
    /// A copy that somebody edited.
    case edited
    /// The sensor's data beside a picture made of it.
    case raw
    /// The moving part of a Live Photo.
    case video
    /// A small picture of a video or a RAW file, or a small copy of a video, as cameras write them for their own screens.
    case preview
    /// XMP, as Lightroom, darktable and others write it.
    case xmp
    /// What Google Takeout writes beside each photo.
    case takeout
    /// Words in a text file.
    case caption
    /// The steps of an edit, as iOS keeps them.
    case adjustments

    public static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// True for files that say something about a photo and show nothing.
    public var isSidecar: Bool { self >= .xmp }

    /// True for the same photo before or after somebody edited it.
    public var isVersion: Bool { self == .original || self == .edited }

    /// What a file's name alone makes it; nil for what is neither a sidecar nor a preview by its name.
    init?(fileExtension: String) {
        switch fileExtension {
        case "xmp": self = .xmp
        case "json": self = .takeout
        case "txt": self = .caption
        case "aae": self = .adjustments
        case "thm", "lrv", "lrf": self = .preview
        default: return nil
        }
    }
}

/// A file that belongs to a photo.
public struct Companion: Hashable, Sendable {
    public var path: FilePath
    public var role: CompanionRole

    public init(path: FilePath, role: CompanionRole) {
        self.path = path
        self.role = role
    }
}

/// Files that belong together: they become one memo.
public struct PhotoSet: Hashable, Sendable {
    /// The photo or video that stands for all; of files that belong to nothing, the file itself.
    public var main: FilePath
    /// By role, then in natural order.
    public var companions: [Companion] = []
    /// Sidecars of another set that speak of this one's main file as well: an edited copy has none of its own.
    public var shared: [Companion] = []
    /// The name of the burst that its main file is one of, where others of it are there too. Each stays a memo.
    public var burst: String?

    public init(main: FilePath) { self.main = main }

    /// The videos that go with the main file: of an edited copy its own, where it has one, and not its original's.
    public var videos: [FilePath] {
        let all = companions.filter { $0.role == .video }.map(\.path)
        let shot = FileStem.shot(FileStem(main).stem)
        let own = all.filter { FileStem.shot(FileStem($0).stem) == shot }
        return own.isEmpty ? all : own
    }

    /// The sidecars that are to be read with the main file: those named by all of its name first.
    public func sidecars(_ role: CompanionRole) -> [FilePath] {
        let paths = (companions + shared).filter { $0.role == role }.map(\.path)
        let whole = FileStem.folded(main.name.description) + "."
        func isNamedByMain(_ path: FilePath) -> Bool { FileStem.folded(path.name.description).hasPrefix(whole) }
        return paths.filter(isNamedByMain) + paths.filter { !isNamedByMain($0) }
    }
}
