import Layouts
import Notes
import Photos
import Storage
import System

/// A photo that an import has found: what is needed to put it in its place. Small, since there may be 100,000.
struct FoundPhoto {
    let main: SourceFile
    /// Those that go into the same memo.
    let videos: [SourceFile]
    let moment: Moment
    /// The files beside it that speak of it.
    let sidecars: [Companion]
    /// Its original, or edited copies of it, which an import took at an earlier time, maybe.
    let versions: [SourceFile]

    var path: FilePath { main.path }
    var files: [SourceFile] { [main] + videos }
    var size: Int64 { videos.reduce(main.size) { $0 + $1.size } }

    /// By instant, then by natural file name, then by path: a total order.
    static func isBefore(_ a: FoundPhoto, _ b: FoundPhoto) -> Bool {
        if Moment.isEarlier(a.moment, than: b.moment) { return true }
        if Moment.isEarlier(b.moment, than: a.moment) { return false }
        // Without the extension first, so that a copy ("IMG_1 copy.jpg") comes behind what it is a copy of.
        let stems = (FileNames.stem(a.path.name.description), FileNames.stem(b.path.name.description))
        if stems.0 != stems.1 { return NaturalOrder.isBefore(stems.0, stems.1) }
        return NaturalOrder.isBefore(a.path, b.path)
    }
}

/// The photos that become one draft.
struct PhotoGroup {
    /// What the draft is remembered by, so that importing again continues it: an absolute path, and which of several.
    let folder: FilePath
    let group: String?
    var photos: [FoundPhoto] = []
}

/// Looks for photos in what an import was given, reads when each was taken, and groups them.
struct ImportSearch {
    let options: ImportOptions
    let reader: PhotoReader
    let progress: Progress
    /// Milliseconds since 1970.
    let now = SystemClock.milliseconds()

    /// - Parameter tally: Gets what is no photo, with its reason.
    /// - Returns: The groups in the order in which they were first met, each in the order of capture.
    /// - Throws: `Interrupted`; `SystemError` where the only thing given is not there.
    func groups(_ tally: inout ImportTally) throws -> [PhotoGroup] {
        var roots = try ImportRoots(options.sources + namedInFile(), isRecursive: !options.noRecursive, &tally)
        var folders = FoundFolders()
        try walk(&roots, &tally, &folders)
        let allName = options.groupBy == .none ? try nameOfAll() : ""
        var groups: [(group: PhotoGroup, home: Int)] = []
        var places: [[String]: Int] = [:]
        try putTogether(&folders.all, &tally) { photo, home in
            let key = key(of: photo, in: roots.homes[home], allName)
            let place = places[[key.folder.description, key.group ?? ""], default: groups.count]
            if place == groups.count {
                groups.append((key, home))
                places[[key.folder.description, key.group ?? ""]] = place
            }
            groups[place].group.photos.append(photo)
        }
        // Files by themselves were looked at first; drafts come in the order in which things were given.
        var sorted = groups.sorted { $0.home < $1.home }.map(\.group)
        groups = []
        for index in sorted.indices { sorted[index].photos.sort(by: FoundPhoto.isBefore) }
        return sorted
    }

    // MARK: What belongs together

    /// Hands over the photos that are to be imported, folder by folder in the order in which they were met.
    private func putTogether(
        _ folders: inout [FoundFolder], _ tally: inout ImportTally, _ found: (FoundPhoto, Int) -> Void
    ) throws {
        for index in folders.indices {
            let files = folders[index].files
            folders[index].files = []
            let numbers = Dictionary(files.indices.map { (files[$0].path, Int32($0)) }) { first, _ in first }
            func isYoung(_ path: FilePath) -> Bool { numbers[path].map { files[Int($0)].isYoung } ?? false }
            var sets = Companions.sets(of: files.lazy.map(\.file), edited: options.edited)[...]
            while !sets.isEmpty {
                let some = sets.prefix(Self.setsAtOnce).filter { !leaves($0, isYoung, &tally) }
                sets = sets.dropFirst(Self.setsAtOnce)
                for (set, beside) in zip(some, try readBeside(some)) {
                    guard let number = numbers[set.main] else { continue }
                    let main = files[Int(number)]
                    func source(_ path: FilePath) -> SourceFile? { numbers[path].map { files[Int($0)].source } }
                    let photo = photo(main, set, beside, source, &tally)
                    tell(set, without: photo?.videos ?? [], &tally)
                    guard let photo else { continue }
                    if let burst = set.burst { tally.bursts[burst, default: 0] += 1 }
                    found(photo, Int(main.root))
                }
            }
        }
    }

    /// Accounts for what goes with the main file of a set and is not imported.
    private func tell(_ set: PhotoSet, without imported: [SourceFile], _ tally: inout ImportTally) {
        for companion in set.companions where !imported.contains(where: { $0.path == companion.path }) {
            tally.together.append(
                .init(path: companion.path, code: companion.role.rawValue, reason: companion.role.sentence(set.main)))
        }
    }

    /// What the sidecars of a set say, or change in what its main file says.
    private struct Beside: Sendable {
        var moment: Moment?
        var rating: Int?
        var problems: [(path: FilePath, error: SidecarError)] = []
    }

    /// Few enough for little memory, and enough for all processors.
    private static let setsAtOnce = 512

    /// Reads the sidecars of sets, several at once.
    /// - Returns: For each set, in their order; nil where there are none.
    /// - Throws: `Interrupted`.
    private func readBeside(_ sets: [PhotoSet]) throws(Interrupted) -> [Beside?] {
        try Interrupt.check()
        if sets.allSatisfy({ Self.sidecars(of: $0).isEmpty }) { return sets.map { _ in nil } }
        let reader = reader
        let read = sets.concurrentMap { set -> Beside? in
            if Interrupt.isRaised || Self.sidecars(of: set).isEmpty { return nil }
            var beside = Beside()
            let said = Sidecars(beside: set, problems: &beside.problems)
            if let reading = try? reader.read(set.main, sidecars: said) {
                (beside.moment, beside.rating) = (reading.moment, reading.rating)
            }
            return beside
        }
        try Interrupt.check()
        return read
    }

    private static func sidecars(of set: PhotoSet) -> [Companion] {
        (set.companions + set.shared).filter { $0.role.isSidecar && $0.role != .adjustments }
    }

    /// Leaves a set of which a part may still be written: taken now, it would stay without that part.
    private func leaves(_ set: PhotoSet, _ isYoung: (FilePath) -> Bool, _ tally: inout ImportTally) -> Bool {
        guard let age = options.minAge else { return false }
        let files = [set.main] + set.companions.map(\.path)
        guard (files + set.shared.map(\.path)).contains(where: isYoung) else { return false }
        for file in files {
            let reason =
                isYoung(file) ? "changed less than \(age) ago" : "what belongs to it was changed less than \(age) ago"
            tally.leaveOut(file, code: "too_young", reason: reason)
        }
        return true
    }

    /// - Returns: nil for what is not to be imported, with its reason in the tally.
    private func photo(
        _ main: FoundFile, _ set: PhotoSet, _ beside: Beside?, _ source: (FilePath) -> SourceFile?,
        _ tally: inout ImportTally
    ) -> FoundPhoto? {
        guard let format = main.format, var moment = main.moment else {
            if main.file.isPreviewByName {
                tally.skipped.append(
                    .init(
                        path: set.main, code: CompanionRole.preview.rawValue,
                        reason: "a camera's preview of what is not here"))
                return nil
            }
            tally.skipped.append(
                .init(path: set.main, code: "sidecar", reason: "not a photo, and beside none that it speaks of"))
            return nil
        }
        if format.isVideo, options.videos == .skip {
            tally.leaveOut(set.main, code: "video", reason: "a video; --videos attach takes it")
            return nil
        }
        for (path, error) in beside?.problems ?? [] {
            tally.warnings.append(.init(path: path, code: error.code, reason: error.reason))
        }
        moment = beside?.moment ?? moment
        let rating = beside?.rating ?? main.rating.map(Int.init)
        if let wanted = options.rating, !wanted.contains(rating) {
            tally.leaveOut(set.main, code: "rating", reason: Self.words(rating))
            return nil
        }
        if let reason = outside(moment) {
            tally.leaveOut(set.main, code: "outside_dates", reason: reason)
            return nil
        }
        return FoundPhoto(
            main: main.source, videos: options.videos == .attach ? set.videos.compactMap(source) : [], moment: moment,
            sidecars: Self.sidecars(of: set),
            versions: set.companions.filter { $0.role.isVersion }.compactMap { source($0.path) })
    }

    private static func words(_ rating: Int?) -> String {
        switch rating ?? 0 {
        case 0: "nobody rated it"
        case -1: "it was rejected"
        case let stars: "it is rated \(stars)"
        }
    }

    private func key(of photo: FoundPhoto, in home: ImportRoots.Home, _ allName: String) -> PhotoGroup {
        switch options.groupBy {
        case .folder: PhotoGroup(folder: home.place, group: home.isFolder ? nil : "files")
        case .day: PhotoGroup(folder: home.place, group: String(photo.moment.local.description.prefix(10)))
        case .none: PhotoGroup(folder: "/", group: allName)
        }
    }

    /// What the draft of all photos is remembered by: the same for each spelling and order of what was given.
    private func nameOfAll() throws -> String {
        let places = try options.sources.map { source throws(SystemError) in
            Files.isFolder(source) ? try Files.resolve(source) : try Files.place(of: source)
        }
        return "all of " + Set(places).sorted().map(\.description).joined(separator: ", ")
    }

    /// Names with NUL behind each, or one a line.
    private func namedInFile() throws -> [FilePath] {
        guard let file = options.filesFrom else { return [] }
        let limit = 1 << 30
        let bytes =
            file == "-" ? try StandardStream.input.readAll(limit: limit) : try Files.readText(file, limit: limit)
        let end: UInt8 = bytes.contains(0) ? 0 : 0x0a
        return bytes.split(separator: end).map { FilePath(bytes: end == 0x0a && $0.last == 0x0d ? $0.dropLast() : $0) }
            .filter { !$0.bytes.isEmpty }
    }

    private func walk(_ roots: inout ImportRoots, _ tally: inout ImportTally, _ folders: inout FoundFolders) throws {
        var walk = PhotoFolder.Options()
        walk.isRecursive = !options.noRecursive
        walk.followsLinks = options.follow
        walk.include = options.include
        walk.exclude = options.exclude
        let tracks = Set(options.reading.tracks.compactMap { try? Files.resolve($0) })
        for root in roots.files {
            try PhotoFolder.walk(root.path, walk) { entry in
                try take(entry, isNamed: true, home: root.home, tracks, &roots, &tally, &folders)
            }
        }
        var walked = PhotoFolder.Walked()
        for root in roots.folders {
            try PhotoFolder.walk(root.path, walk, after: &walked) { entry in
                if roots.isNamed(entry.path) { return }
                try take(entry, isNamed: false, home: root.home, tracks, &roots, &tally, &folders)
            }
        }
    }

    /// - Parameter isNamed: Whether a person named it, and not only the folder it is in.
    private func take(
        _ entry: PhotoFolder.Entry, isNamed: Bool, home: Int, _ tracks: Set<FilePath>, _ roots: inout ImportRoots,
        _ tally: inout ImportTally, _ folders: inout FoundFolders
    ) throws {
        switch entry {
        case .ignored: tally.ignored += 1
        case .skipped(let path, .unreadable(let error)):
            tally.failed.append(.init(path: path, code: "unreadable", reason: error.words))
        case .skipped(let path, let reason):
            tally.skipped.append(.init(path: path, code: reason.code, reason: reason.reason))
        case .file(let spelled, let status, let isLink):
            let folder = folders.number(of: spelled.folder, at: roots.place(ofFolder: spelled.folder))
            // The files of a folder are told by one spelling of it.
            let known = folders.all[folder].path
            let path = known == spelled.folder ? spelled : known / spelled.name
            if let file = try look(at: path, status, followsLink: isLink || isNamed, home: home, tracks, &tally) {
                folders.all[folder].files.append(file)
            }
            progress.advance(items: 1)
        }
    }

    /// - Returns: nil for what is neither a photo nor a video nor called as what lies beside one.
    private func look(
        at path: FilePath, _ status: FileStatus, followsLink: Bool, home: Int, _ tracks: Set<FilePath>,
        _ tally: inout ImportTally
    ) throws -> FoundFile? {
        if let age = options.minAge, age.isYounger(status.modified, at: now) {
            return FoundFile(
                path: path, format: .named(path), followsLink: followsLink, root: Int32(home), contentIdentifier: nil,
                size: status.size, modified: status.modified, moment: nil, isYoung: true)
        }
        if FolderFile(path: path).isPreviewByName {
            return FoundFile(
                path: path, format: nil, followsLink: followsLink, root: Int32(home), contentIdentifier: nil,
                size: status.size, modified: status.modified, moment: nil)
        }
        let reading: PhotoReading
        do throws(SystemError) {
            reading = try reader.read(path)
        } catch {
            try Interrupt.check()
            tally.failed.append(.init(path: path, code: "unreadable", reason: error.words))
            return nil
        }
        let isSidecar = reading.format == nil && FolderFile(path: path).isSidecarByName
        if let error = reading.error, !isSidecar {
            tally.add(path, error, isPhoto: reading.format != nil, isTrack: isTrack(path, tracks))
            return nil
        }
        tally.clocks.add(reading)
        return FoundFile(
            path: path, format: reading.format, followsLink: followsLink, root: Int32(home),
            contentIdentifier: reading.contentIdentifier, size: status.size, modified: status.modified,
            moment: isSidecar ? nil : reading.moment, isTimeOfFile: reading.momentSource == .fileTime,
            rating: reading.rating.map(Int8.init(clamping:)))
    }

    /// Whether it is one of the files that --gpx names.
    private func isTrack(_ path: FilePath, _ tracks: Set<FilePath>) -> Bool {
        !tracks.isEmpty && (try? Files.resolve(path)).map(tracks.contains) == true
    }

    /// Why a photo is not of the days asked for; nil where it is. Without an offset, the camera's clock counts.
    private func outside(_ moment: Moment) -> String? {
        if let since = options.since, Self.isEarlier(moment, than: since) { return "taken before \(since)" }
        if let until = options.until?.endOfDayIfBare, !Self.isEarlier(moment, than: until) { return "taken too late" }
        return nil
    }

    private static func isEarlier(_ moment: Moment, than bound: Moment) -> Bool {
        bound.offset == nil ? moment.local < bound.local : Moment.isEarlier(moment, than: bound)
    }
}

extension Moment {
    /// A day alone, as an end, includes that day.
    var endOfDayIfBare: Moment {
        guard offset == nil, local.seconds % 86_400 == 0, local.nanosecond == 0 else { return self }
        return Moment(LocalTime(seconds: local.seconds + 86_400))
    }
}
