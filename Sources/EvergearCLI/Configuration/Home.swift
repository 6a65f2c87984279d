import System

/// The folders that the program keeps its things in.
///
/// `EVERGEAR_HOME` puts all of them under one; else they are where the XDG base directory specification wants them.
struct Home: Hashable, Sendable {
    /// Store, photos and texts being edited.
    let data: FilePath
    /// `config.json5`, and the user's own stylesheets in `layouts`.
    let config: FilePath
    /// Where ENEX files go when nothing else is said.
    let notes: FilePath
    /// The user's home folder, which `~/` begins with; nil where `EVERGEAR_HOME` is all there is.
    let user: FilePath?

    var configurationFile: FilePath { config / "config.json5" }
    /// The user's own stylesheets.
    var layouts: FilePath { config / "layouts" }
    /// Texts that are being edited, or that were kept when something went wrong.
    var edits: FilePath { data / "edits" }

    /// - Throws: `ConfigurationError` where neither `EVERGEAR_HOME` nor `HOME` is set; `SystemError` where the current
    ///   folder, needed for a relative one, is gone.
    init(_ environment: Environment) throws {
        user = environment.path("HOME")
        if let home = environment.path("EVERGEAR_HOME") {
            let home = try Files.absolute(home)
            (data, config, notes) = (home, home, home / "notes")
            return
        }
        guard let user else { throw ConfigurationError("HOME is not set", advice: "Set it, or set EVERGEAR_HOME.") }
        // The specification: a relative path here is to be ignored.
        func folder(_ name: String, or standard: FilePath) -> FilePath {
            guard let path = environment.path(name), path.isAbsolute else { return standard / "evergear" }
            return path / "evergear"
        }
        data = folder("XDG_DATA_HOME", or: user / ".local/share")
        config = folder("XDG_CONFIG_HOME", or: user / ".config")
        notes = user / "evergear"
    }

    /// A path that a setting gave, with `~/` as the user's home folder.
    func expand(_ path: FilePath) -> FilePath {
        guard let user, path.bytes.starts(with: Array("~/".utf8)) else { return path }
        return user / FilePath(bytes: path.bytes.dropFirst(2))
    }
}
