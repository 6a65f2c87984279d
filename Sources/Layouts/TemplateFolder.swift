import Glibc
public import System

/// The folder of templates that ships with the program.
public struct TemplateFolder: Sendable {
    /// The folder that holds `layouts`.
    public let path: FilePath

    /// Where the templates should have been.
    public struct Missing: Error, Hashable, Sendable {
        public let lookedIn: [FilePath]

        public init(lookedIn: [FilePath]) { self.lookedIn = lookedIn }
    }

    /// Looks beside the program: in `../share/evergear/templates` where it is installed, and in the folders above it
    /// where it was built.
    ///
    /// - Parameters:
    ///   - folder: Looks here and nowhere else.
    ///   - program: Whose place counts; nil for the running program.
    public init(_ folder: FilePath? = nil, beside program: FilePath? = nil) throws(Missing) {
        var candidates: [FilePath] = []
        if let folder {
            candidates = [folder]
        } else if let program = program ?? Files.runningProgram {
            candidates = [program.folder.folder / "share/evergear/templates"]
            var above = program.folder
            while above != "/", above != "." {
                candidates.append(above / "templates")
                above = above.folder
            }
        }
        guard let found = candidates.first(where: { Files.isFolder($0 / "layouts") }) else {
            throw Missing(lookedIn: candidates)
        }
        path = found
    }

    /// The stylesheets of the layouts, by their plain names (`common.xsl`), as a layout may import them.
    public func stylesheets() throws(SystemError) -> [String: [UInt8]] {
        var sheets: [String: [UInt8]] = [:]
        for name in try Files.names(in: path / "layouts") where name.fileExtension == "xsl" {
            sheets[name.description] = try Files.read(path / "layouts" / name, limit: 256 << 10)
        }
        return sheets
    }
}
