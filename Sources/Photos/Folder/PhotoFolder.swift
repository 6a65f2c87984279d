public import System

/// The walk through a folder of photos: every file in it, always in the same order, and everything that is left out with
/// the reason.
///
/// Goes by bytes from folder to folder, opens nothing but folders, and knows nothing of what is in the files.
public enum PhotoFolder {
    public struct Options: Sendable {
        /// False: only the folder itself.
        public var isRecursive = true
        /// True: links that lead out of the folder are followed, too.
        public var followsLinks = false
        /// If there are any, only files that one of them matches.
        public var include: [Glob] = []
        /// Neither files nor folders that one of them matches.
        public var exclude: [Glob] = []
        /// Folders in folders. Each takes a file descriptor while it is walked.
        public var depth = 64

        public init() {}
    }

    public enum Entry: Hashable, Sendable {
        /// A regular file.
        /// - `status` is that of the file that a link leads to; `isLink` is what `FileDescriptor.openForReading`
        ///   takes as `followsLink`.
        case file(path: FilePath, status: FileStatus, isLink: Bool)
        /// Left out by a rule, with all that is in it.
        case ignored(path: FilePath, rule: IgnoreRule)
        /// Not what can be read.
        case skipped(path: FilePath, reason: SkipReason)

        public var path: FilePath {
            switch self {
            case .file(let path, _, _), .ignored(let path, _), .skipped(let path, _): path
            }
        }
    }

    /// The folders that walks have been through.
    public struct Walked: Sendable {
        /// By device and inode.
        var folders: Set<[UInt64]> = []

        public init() {}
    }

    /// Hands over what is in a folder, in natural order, folders where their names stand. A file given as the root is
    /// handed over whatever it is called.
    /// - Throws: `SystemError` where there is no such root, `Interrupted`, and what `visit` throws. A folder in it that
    ///   cannot be read is an entry, not an error.
    public static func walk(_ root: FilePath, _ options: Options = Options(), _ visit: (Entry) throws -> Void) throws {
        var walked = Walked()
        try walk(root, options, after: &walked, visit)
    }

    /// Hands over what is in a folder and was not handed over by earlier walks.
    /// - Parameter walked: The folders of those walks; gets those of this one.
    /// - Throws: As `walk`.
    public static func walk(
        _ root: FilePath, _ options: Options = Options(), after walked: inout Walked, _ visit: (Entry) throws -> Void
    ) throws {
        let status = try Files.status(root)
        switch status.kind {
        case .file:
            let isLink = try Files.status(root, followsLink: false).kind == .link
            try visit(.file(path: root, status: status, isLink: isLink))
        case .folder:
            var walk = Walk(root: try Files.resolve(root), options: options, earlier: walked.folders)
            let folder: FileDescriptor
            do throws(SystemError) {
                folder = try FileDescriptor.openFolder(root)
            } catch { return try visit(.skipped(path: root, reason: .unreadable(error))) }
            try walk.enter(folder, Spot(path: root, relative: "", depth: 0), visit)
            walked.folders.formUnion(walk.entered)
        default: try visit(.skipped(path: root, reason: .notAFile))
        }
    }
}
