public import System

/// Why a walk left something out that is never a photo, or that was not asked for.
public enum IgnoreRule: Hashable, Sendable, CustomStringConvertible {
    /// What file managers, cameras and network drives leave behind; the name as the rule has it.
    case litter(String)
    /// `._*`: what macOS keeps beside a file where the file system has no room for it.
    case resourceFork
    /// A name with a dot in front.
    case hidden
    case excluded(Glob)
    /// No `include` pattern matches.
    case notIncluded
    /// A folder in a folder that is not walked recursively.
    case subfolder

    public var description: String {
        switch self {
        case .litter(let name): name
        case .resourceFork: "._*"
        case .hidden: ".*"
        case .excluded(let glob): "--exclude \(glob.pattern)"
        case .notIncluded: "--include"
        case .subfolder: "--no-recursive"
        }
    }

    /// The rule for a name that is never a photo's.
    init?(name: FilePath) {
        let text = name.description
        if let rule = Self.litterNames[text.lowercased()] {
            self = .litter(rule)
        } else if text.hasPrefix("._") {
            self = .resourceFork
        } else if name.bytes.first == UInt8(ascii: ".") {
            self = .hidden
        } else {
            return nil
        }
    }

    /// By their lower case.
    private static let litterNames: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            ".DS_Store", ".thumbnails", "Thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "Icon\r",
            "@eaDir", "@SynoResource", "#recycle", "#snapshot", "$RECYCLE.BIN", "RECYCLER", "System Volume Information",
            "__MACOSX", "lost+found",
        ].map { ($0.lowercased(), $0) })
}

/// Why a walk could not hand something over that is there.
public enum SkipReason: Error, Hashable, Sendable {
    /// A FIFO, a socket, a device.
    case notAFile
    /// A link to a place outside of the folder.
    case linkLeadsOut(FilePath)
    /// A link to nothing.
    case danglingLink
    /// Links that lead round in a circle.
    case linkLoop
    /// A link to a folder that is walked by its own name.
    case linkToFolderInside
    /// A folder that was walked before, under another name.
    case walkedBefore
    /// More folders in folders than `Options.depth`.
    case tooDeep
    case unreadable(SystemError)

    /// Stable, for JSON.
    public var code: String {
        switch self {
        case .notAFile: "not_a_file"
        case .linkLeadsOut: "link_leads_out"
        case .danglingLink: "dangling_link"
        case .linkLoop: "link_loop"
        case .linkToFolderInside: "link_to_folder_inside"
        case .walkedBefore: "walked_before"
        case .tooDeep: "too_deep"
        case .unreadable: "unreadable"
        }
    }

    /// A clause for a person, without the path.
    public var reason: String {
        switch self {
        case .notAFile: "not a file (a pipe, a socket or a device)"
        case .linkLeadsOut(let target): "a link that leads out of the folder, to \(target); --follow takes it along"
        case .danglingLink: "a link to nothing"
        case .linkLoop: "links that lead in a circle"
        case .linkToFolderInside: "a link to a folder that is read anyway"
        case .walkedBefore: "a folder that was read before, under another name"
        case .tooDeep: "too many folders in folders"
        case .unreadable(let error): error.reason
        }
    }
}
