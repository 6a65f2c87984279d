import System

/// What an import was given: folders, and files by themselves, each once however it is spelled.
///
/// A place is where a path leads: no `.`, no `..`, no link to a folder. What lies in a folder that was given as well is a
/// part of that folder.
struct ImportRoots {
    struct Root {
        /// As it is spelled.
        let path: FilePath
        /// Which of the homes its photos come into.
        let home: Int
    }

    /// What a draft is remembered by: a folder that was given, or the one of files that were given by themselves.
    struct Home: Hashable {
        let place: FilePath
        let isFolder: Bool
    }

    /// In the order in which they were given.
    private(set) var homes: [Home] = []
    private(set) var files: [Root] = []
    /// Each before those that lie in it.
    private(set) var folders: [Root] = []
    /// The places of the files that were given by themselves; of links, where they lead.
    private var named: Set<FilePath> = []
    /// Where folders lead, by their spelling.
    private var places: [FilePath: FilePath] = [:]

    /// - Throws: `Interrupted`; `SystemError` where the only thing given is not there.
    init(_ paths: [FilePath], isRecursive: Bool, _ tally: inout ImportTally) throws {
        var given: [(path: FilePath, place: FilePath, isFolder: Bool)] = []
        var seen: Set<FilePath> = []
        for path in paths {
            try Interrupt.check()
            var place = try Files.place(of: path)
            let isFolder: Bool
            do throws(SystemError) {
                isFolder = try Files.status(path).kind == .folder
                if isFolder { place = try Files.resolve(path) }
            } catch {
                if paths.count == 1 { throw error }
                if seen.insert(place).inserted {
                    tally.failed.append(.init(path: path, code: "unreadable", reason: error.words))
                }
                continue
            }
            if seen.insert(place).inserted { given.append((path, place, isFolder)) }
        }
        let givenFolders = Set(given.lazy.filter(\.isFolder).map(\.place))
        var numbers: [Home: Int] = [:]
        for (path, place, isFolder) in given {
            var (path, place) = (path, place)
            var outer = Self.outermost(place, isFolder: isFolder, in: givenFolders, isRecursive)
            let folder = place.folder
            if !isFolder, outer == nil, let target = Self.target(of: path) {
                outer = Self.outermost(target, isFolder: false, in: givenFolders, isRecursive)
                if outer == nil, seen.contains(target) { continue }
                // A link to a file of a folder that was given is that file; any other keeps its own name.
                if outer != nil { path = target }
                place = target
            }
            if !isFolder, !named.insert(place).inserted { continue }
            let home = Home(place: outer ?? folder, isFolder: outer != nil)
            let number = numbers[home, default: homes.count]
            if number == homes.count {
                homes.append(home)
                numbers[home] = number
            }
            if isFolder {
                folders.append(Root(path: path, home: number))
                places[path] = place
            } else {
                files.append(Root(path: path, home: number))
            }
        }
        // The sort is stable, and what lies in a folder has the longer place.
        folders = folders.map { ($0, places[$0.path]?.bytes.count ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Where a link to a file leads; nil for what is no link.
    private static func target(of path: FilePath) -> FilePath? {
        guard (try? Files.status(path, followsLink: false))?.kind == .link else { return nil }
        return try? Files.resolve(path)
    }

    /// The outermost of the folders that a place lies in, or is.
    private static func outermost(
        _ place: FilePath, isFolder: Bool, in folders: Set<FilePath>, _ isRecursive: Bool
    ) -> FilePath? {
        if folders.isEmpty { return nil }
        if !isRecursive {
            let folder = isFolder ? place : place.folder
            return folders.contains(folder) ? folder : nil
        }
        var outermost: FilePath?
        var current = isFolder ? place : place.folder
        while true {
            if folders.contains(current) { outermost = current }
            let above = current.folder
            if above == current || above == "." { return outermost }
            current = above
        }
    }

    /// The place of a folder that was met on a walk.
    mutating func place(ofFolder folder: FilePath) -> FilePath {
        if let known = places[folder] { return known }
        let place = (try? Files.resolve(folder)) ?? folder
        places[folder] = place
        return place
    }

    /// Whether what a walk has met was given by itself, too.
    mutating func isNamed(_ path: FilePath) -> Bool {
        !named.isEmpty && named.contains(place(ofFolder: path.folder) / path.name)
    }
}
