public import System

/// Finds the files beside a photo that speak of it, by the names in its folder alone.
public struct SidecarSearch {
    /// The folder looked at last: photos mostly come folder by folder.
    private var folder: FilePath?
    /// The sets of that folder that have sidecars, by the names of all their files.
    private var sets: [FilePath: PhotoSet] = [:]

    public init() {}

    /// - Parameters:
    ///   - path: A photo, which need not stand for its set.
    ///   - problems: Gets each sidecar that can't be read or is not what its name says.
    public mutating func sidecars(
        beside path: FilePath, problems: inout [(path: FilePath, error: SidecarError)]
    ) -> Sidecars {
        if folder != path.folder { look(in: path.folder) }
        guard var set = sets[path.name] else { return Sidecars() }
        func full(_ companion: Companion) -> Companion {
            Companion(path: path.folder / companion.path, role: companion.role)
        }
        set.main = path
        set.companions = set.companions.map(full)
        set.shared = set.shared.map(full)
        return Sidecars(beside: set, problems: &problems)
    }

    private mutating func look(in folder: FilePath) {
        self.folder = folder
        sets = [:]
        guard let names = try? Files.names(in: folder),
            names.contains(where: { FolderFile(path: $0).isSidecarByName })
        else { return }
        let files = names.map { name in
            FolderFile(path: name, format: .named(name))
        }
        for set in Companions.sets(of: files) where set.companions.contains(where: { $0.role.isSidecar }) {
            for name in [set.main] + set.companions.map(\.path) { sets[name] = set }
        }
    }
}
