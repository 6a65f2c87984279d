import Glibc
import System

/// Where a walk has got to.
struct Spot {
    /// As the caller spells the root.
    let path: FilePath
    /// Seen from the root; empty for the root itself.
    let relative: FilePath
    let depth: Int

    static func / (place: Spot, name: FilePath) -> Spot {
        Spot(path: place.path / name, relative: place.relative / name, depth: place.depth + 1)
    }
}

/// One walk under way.
struct Walk {
    /// The root with all links followed: what is below it lies inside.
    let root: FilePath
    let options: PhotoFolder.Options
    /// The folders entered so far, so that no circle is walked twice, be it made of links or of mounts.
    private(set) var entered: Set<[UInt64]> = []
    /// The folders of earlier walks: what is in them was handed over.
    private let earlier: Set<[UInt64]>

    init(root: FilePath, options: PhotoFolder.Options, earlier: Set<[UInt64]> = []) {
        self.root = root
        self.options = options
        self.earlier = earlier
    }

    typealias Visit = (PhotoFolder.Entry) throws -> Void

    /// Hands over what is in a folder.
    mutating func enter(_ folder: borrowing FileDescriptor, _ place: Spot, _ visit: Visit) throws {
        let names: [FilePath]
        let isNew: Bool
        do throws(SystemError) {
            let identity = try folder.status().identity
            if earlier.contains(identity) { return }
            isNew = entered.insert(identity).inserted
            names = isNew ? try folder.names().sorted(by: NaturalOrder.isBefore) : []
        } catch { return try visit(.skipped(path: place.path, reason: .unreadable(error))) }
        if !isNew { return try visit(.skipped(path: place.path, reason: .walkedBefore)) }
        for name in names {
            try Interrupt.check()
            let inside = place / name
            let found: Found
            do throws(SkipReason) {
                found = try look(at: name, in: folder, inside)
            } catch {
                try visit(.skipped(path: inside.path, reason: error))
                continue
            }
            switch consume found {
            case .file(let status, let isLink): try visit(.file(path: inside.path, status: status, isLink: isLink))
            case .folder(let folder): try enter(folder, inside, visit)
            case .ignored(let rule): try visit(.ignored(path: inside.path, rule: rule))
            }
        }
    }

    private enum Found: ~Copyable {
        case file(FileStatus, isLink: Bool)
        case folder(FileDescriptor)
        case ignored(IgnoreRule)
    }

    private func look(
        at name: FilePath, in folder: borrowing FileDescriptor, _ place: Spot
    ) throws(SkipReason) -> Found {
        if let rule = IgnoreRule(name: name) { return .ignored(rule) }
        if let glob = options.exclude.first(where: { $0.matches(place.relative) }) { return .ignored(.excluded(glob)) }
        let status: FileStatus
        do throws(SystemError) { status = try folder.status(ofEntry: name) } catch { throw .unreadable(error) }
        switch status.kind {
        case .file: return taken(place, status, isLink: false)
        case .folder:
            if !options.isRecursive { return .ignored(.subfolder) }
            if place.depth > options.depth { throw .tooDeep }
            do throws(SystemError) {
                return .folder(try folder.openFolder(named: name))
            } catch { throw .unreadable(error) }
        case .link: return try follow(place)
        case .other: throw .notAFile
        }
    }

    private func follow(_ place: Spot) throws(SkipReason) -> Found {
        let target: FilePath
        let status: FileStatus
        do throws(SystemError) {
            target = try Files.resolve(place.path)
            status = try Files.status(target)
        } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw .danglingLink
            case ELOOP: throw .linkLoop
            default: throw .unreadable(error)
            }
        }
        let isInside = target == root || target.bytes.starts(with: (root / "").bytes)
        guard isInside || options.followsLinks else { throw .linkLeadsOut(target) }
        switch status.kind {
        case .file: return taken(place, status, isLink: true)
        case .folder:
            if isInside { throw .linkToFolderInside }
            if !options.isRecursive { return .ignored(.subfolder) }
            if place.depth > options.depth { throw .tooDeep }
            do throws(SystemError) {
                return .folder(try FileDescriptor.openFolder(target))
            } catch { throw .unreadable(error) }
        case .link, .other: throw .notAFile
        }
    }

    private func taken(_ place: Spot, _ status: FileStatus, isLink: Bool) -> Found {
        let isWanted = options.include.isEmpty || options.include.contains { $0.matches(place.relative) }
        return isWanted ? .file(status, isLink: isLink) : .ignored(.notIncluded)
    }
}
