import Notes
import System

/// Decides which files of a folder belong together, by their names and what was read of them cheaply.
///
/// - An edited copy belongs to its original, where that is there: `IMG_E1234` to `IMG_1234`, `x-edited` to `x`.
/// - A video belongs to the still of the same content identifier, else to the JPEG or HEIC of the same stem.
/// - A RAW file belongs to the JPEG or HEIC of the same stem.
/// - `.xmp`, `.txt`, `.aae` and Takeout's `.json` belong to the file that they are named by, and so do the small pictures and
///   videos that cameras make for their own screens, `.thm`, `.lrv` and `.lrf`.
///
/// What goes by the stem alone does not hold for files taken more than a day apart: numbers of cameras begin anew.
public enum Companions {
    /// - Parameter files: All files of one folder, in any order.
    /// - Returns: Sets in the natural order of their main files; every file is in exactly one of them.
    public static func sets(
        of files: some Sequence<FolderFile>, edited policy: EditedPolicy = .prefer
    ) -> [PhotoSet] {
        var grouping = Grouping(files)
        grouping.attachRaw()
        grouping.attachVideos()
        grouping.findEdited()
        grouping.attachSidecars()
        return grouping.sets(policy)
    }
}

/// The files of a folder while it is decided what belongs to what. Files are known by their number, and little is kept of
/// each: there may be 100,000 in one folder.
private struct Grouping {
    fileprivate enum Kind { case still, raw, video, sidecar(CompanionRole), other }

    fileprivate struct Item {
        let name: FileStem
        let kind: Kind
        let isCameraPicture: Bool
        var role: CompanionRole?
        /// What it belongs to, as `role`.
        var owner: Int32?
        /// What it is an edited copy of.
        var original: Int32?
    }

    private let files: [FolderFile]
    private var items: [Item]
    /// Photos and videos by what parts of one shot share.
    private let shots: NumbersByName

    init(_ files: some Sequence<FolderFile>) {
        let files = files.sorted { NaturalOrder.isBefore($0.path, $1.path) }
        self.files = files
        let items = files.map { file in
            let name = FileStem(file.path)
            // What cameras write beside their RAW files and videos.
            let isCameraPicture = file.format == .jpeg || file.format == .heic
            return Item(name: name, kind: Self.kind(file, name), isCameraPicture: isCameraPicture)
        }
        self.items = items
        shots = NumbersByName(items.count) { index in
            items[index].isPicture || items[index].isVideo ? FileStem.shot(items[index].name.stem) : nil
        }
    }

    private static func kind(_ file: FolderFile, _ name: FileStem) -> Kind {
        if file.isPreviewByName { return .sidecar(.preview) }
        guard let format = file.format else {
            return CompanionRole(fileExtension: FileStem.folded(name.fileExtension)).map(Kind.sidecar) ?? .other
        }
        return format.isVideo ? .video : format.isRaw ? .raw : .still
    }

    // MARK: By the stem

    /// The one of some files that a companion named `stem` goes to: written just so first, then JPEG and HEIC, then by
    /// natural order.
    private func nearest(_ candidates: [Int], to stem: String) -> Int? {
        candidates.min { a, b in
            let (first, second) = (items[a], items[b])
            let (exactA, exactB) = (first.name.stem == stem, second.name.stem == stem)
            if exactA != exactB { return exactA }
            if first.isCameraPicture != second.isCameraPicture { return first.isCameraPicture }
            return a < b
        }
    }

    private func areFar(_ a: Int, _ b: Int) -> Bool {
        guard let first = files[a].instant, let second = files[b].instant else { return false }
        let (apart, overflow) = first.milliseconds.subtractingReportingOverflow(second.milliseconds)
        return overflow || apart.magnitude > 86_400_000
    }

    mutating func attachRaw() {
        for index in items.indices where items[index].isRaw {
            let others = shots[FileStem.shot(items[index].name.stem)].filter { $0 != index && !areFar($0, index) }
            let pictures = others.filter { items[$0].isCameraPicture }
            if let picture = nearest(pictures, to: items[index].name.stem) {
                attach(index, to: picture, as: .raw)
            } else if let first = others.first(where: { items[$0].isRaw }), first < index {
                attach(index, to: first, as: .raw)  // a DNG made of the camera's own
            }
        }
    }

    mutating func attachVideos() {
        var stills: [String: [Int]] = [:]
        for (index, item) in items.enumerated() where item.isPicture {
            if let identifier = files[index].contentIdentifier { stills[identifier, default: []].append(index) }
        }
        for index in items.indices where items[index].isVideo {
            let video = items[index]
            let identifier = files[index].contentIdentifier
            if let same = identifier.flatMap({ stills[$0] }), let still = nearest(same, to: video.name.stem) {
                attach(index, to: still, as: .video)
                continue
            }
            for stem in video.stillStems {
                let pictures = shots[FileStem.shot(stem)].filter {
                    let other = files[$0].contentIdentifier
                    return items[$0].isCameraPicture && !areFar($0, index)
                        && (identifier == nil || other == nil || identifier == other)
                }
                guard let still = nearest(pictures, to: stem) else { continue }
                attach(index, to: still, as: .video)
                break
            }
        }
    }

    private mutating func attach(_ index: Int, to owner: Int, as role: CompanionRole) {
        items[index].owner = Int32(owner)
        items[index].role = role
    }

    mutating func findEdited() {
        for index in items.indices where items[index].owner == nil && (items[index].isPicture || items[index].isVideo) {
            for stem in EditedName.originals(of: items[index].name.stem) {
                let same = shots[FileStem.shot(stem)].filter {
                    $0 != index && items[$0].isVideo == items[index].isVideo
                }
                guard let original = nearest(same, to: stem).map(root) else { continue }
                if items[index].isVideo, items[original].isPicture {
                    attach(index, to: original, as: .video)
                } else {
                    items[index].original = Int32(original)
                }
                break
            }
        }
    }

    /// The file that stands for a file before edited copies are looked at. A sidecar of a video of a still is three steps
    /// from the last; none is further.
    private func root(_ index: Int) -> Int {
        var current = index
        for _ in 0..<8 { current = items[current].owner.map(Int.init) ?? current }
        return current
    }

    /// What an edited copy of an edited copy was made of at first.
    private func firstOriginal(_ index: Int) -> Int {
        var current = index
        // Each step's name is shorter; the bound is for what nobody thought of.
        for _ in 0..<64 {
            guard let next = items[current].original.map(Int.init), next != current else { break }
            current = next
        }
        return current
    }

    // MARK: Sidecars

    mutating func attachSidecars() {
        guard items.contains(where: \.isSidecar) else { return }
        let names = NumbersByName(items.count) { index in
            items[index].isPicture || items[index].isVideo ? FileStem.folded(items[index].name.name) : nil
        }
        var takeout = TakeoutNames()
        for (index, item) in items.enumerated() {
            if case .sidecar(.takeout) = item.kind { takeout.add(item.name, index) }
        }
        for index in items.indices {
            guard case .sidecar(let role) = items[index].kind, role != .takeout else { continue }
            let stem = items[index].name.stem
            let owner =
                nearest(names[FileStem.folded(stem)], to: FileStem(stem).stem)
                ?? (role == .preview ? previewed(by: stem) : nil)
                ?? ofShot(stem, preferringRaw: role == .xmp)
                ?? (role == .adjustments && stem.hasPrefix("IMG_O") ? ofShot("IMG_" + stem.dropFirst(5)) : nil)
            if let owner { attach(index, to: owner, as: role) }
        }
        if !takeout.isEmpty { attach(takeout) }
    }

    /// The video that a camera's preview is of. GoPro writes `GL010001.LRV` beside `GX010001.MP4`, or GH, or GS.
    private func previewed(by stem: String) -> Int? {
        let folded = FileStem.folded(stem)
        let names = folded.hasPrefix("gl") ? ["gx", "gh", "gs"].map { $0 + folded.dropFirst(2) } : []
        return ([folded] + names).lazy.compactMap { name in
            nearest(shots[FileStem.shot(name)].filter { items[$0].isVideo }, to: stem)
        }.first
    }

    private func ofShot(_ stem: String, preferringRaw: Bool = false) -> Int? {
        let parts = shots[FileStem.shot(stem)]
        let raw = parts.filter { items[$0].isRaw }
        let pictures = parts.filter { items[$0].isPicture }
        return nearest(preferringRaw && !raw.isEmpty ? raw : pictures.isEmpty ? parts : pictures, to: stem)
    }

    /// Each photo takes the JSON file that fits it best. One that is cut so short that it fits photos of several sets says
    /// of none of them for sure, and stays alone.
    private mutating func attach(_ takeout: TakeoutNames) {
        var claims: [Int: (rank: Int, owners: [Int])] = [:]
        for (index, item) in items.enumerated() where item.isPicture || item.isVideo {
            // A Takeout has no JSON for an edited copy; where its original is missing, the copy takes its place.
            let alone = item.original == nil && item.owner == nil ? EditedName.originals(of: item.name.stem) : []
            let stems = [item.name.stem] + alone
            let found = stems.lazy.compactMap { stem in
                let ending = item.name.fileExtension
                return takeout.file(of: FileStem(ending.isEmpty ? stem : stem + "." + ending))
            }.first
            guard let (file, rank) = found else { continue }
            let known = claims[file]?.rank
            if known == rank {
                claims[file]?.owners.append(index)
            } else if known.map({ rank < $0 }) != false {
                claims[file] = (rank, [index])
            }
        }
        for (file, claim) in claims {
            guard let first = claim.owners.first else { continue }
            let sets = Set(claim.owners.map { firstOriginal(root($0)) })
            if sets.count == 1 { attach(file, to: first, as: .takeout) }
        }
    }

    // MARK: The sets

    func sets(_ policy: EditedPolicy) -> [PhotoSet] {
        // What each file is with: its owner's owner at most, and with an edited copy its original.
        var members: [Int: [(index: Int, role: CompanionRole)]] = [:]
        var edits: [Int: [Int]] = [:]
        for index in items.indices {
            let top = root(index)
            if items[top].original != nil { if top == index { edits[firstOriginal(index), default: []].append(index) } }
            if top != index { members[top, default: []].append((index, items[index].role ?? .original)) }
        }
        var made: [PhotoSet] = []
        for index in items.indices where items[index].owner == nil {
            let isEdit = items[index].original != nil
            let copies = edits[index, default: []]
            if policy == .both {
                made.append(
                    set(index, members[index, default: []], sharing: isEdit ? firstOriginal(index) : nil, members))
                continue
            }
            if isEdit { continue }
            var all = members[index, default: []]
            for copy in copies { all += members[copy, default: []] }
            guard let preferred = copies.first else {
                made.append(set(index, all))
                continue
            }
            if policy == .original {
                made.append(set(index, all + copies.map { ($0, .edited) }))
            } else {
                made.append(set(preferred, all + [(index, .original)] + copies.dropFirst().map { ($0, .edited) }))
            }
        }
        nameBursts(&made)
        return made.sorted { NaturalOrder.isBefore($0.main, $1.main) }
    }

    private func set(
        _ main: Int, _ companions: [(index: Int, role: CompanionRole)], sharing original: Int? = nil,
        _ members: [Int: [(index: Int, role: CompanionRole)]] = [:]
    ) -> PhotoSet {
        var set = PhotoSet(main: files[main].path)
        set.companions = list(companions)
        let own = Set(companions.map(\.role))
        if let original {
            set.shared = list(
                members[original, default: []].filter {
                    $0.role.isSidecar && $0.role != .adjustments && !own.contains($0.role)
                })
        }
        return set
    }

    private func list(_ companions: [(index: Int, role: CompanionRole)]) -> [Companion] {
        companions.sorted { ($0.role, $0.index) < ($1.role, $1.index) }.map {
            Companion(path: files[$0.index].path, role: $0.role)
        }
    }

    private func nameBursts(_ sets: inout [PhotoSet]) {
        var bursts: [String: [Int]] = [:]
        for (index, set) in sets.enumerated() {
            if let name = BurstName.name(FileStem(set.main).stem) { bursts[name, default: []].append(index) }
        }
        for (name, members) in bursts where members.count > 1 {
            for index in members { sets[index].burst = name }
        }
    }
}

extension Grouping.Item {
    fileprivate var isRaw: Bool {
        if case .raw = kind { return true }
        return false
    }

    fileprivate var isVideo: Bool {
        if case .video = kind { return true }
        return false
    }

    fileprivate var isPicture: Bool {
        switch kind {
        case .still, .raw: true
        default: false
        }
    }

    fileprivate var isSidecar: Bool {
        if case .sidecar = kind { return true }
        return false
    }

    /// The stems that the still of a video may have. iCloud's tools write `IMG_1_HEVC.MOV` for `IMG_1.HEIC`, Google
    /// `PXL_1.MP` for `PXL_1.MP.jpg`.
    fileprivate var stillStems: [String] {
        var stems = [name.stem]
        if ["mp", "mv"].contains(FileStem.folded(name.fileExtension)) { stems.insert(name.name, at: 0) }
        for ending in ["_HEVC", "_HEIC"] where name.stem.hasSuffix(ending) {
            stems.append(String(name.stem.dropLast(ending.count)))
        }
        return stems
    }
}

/// Numbers by a name that several may share, in order; small, since most names have one.
private struct NumbersByName {
    private var first: [String: Int32] = [:]
    /// For each number the next of the same name; -1 behind the last.
    private var next: [Int32]

    /// - Parameter name: The name of each number up to `count`; nil where it has none.
    init(_ count: Int, _ name: (Int) -> String?) {
        next = [Int32](repeating: -1, count: count)
        for index in (0..<count).reversed() {
            guard let name = name(index) else { continue }
            next[index] = first[name] ?? -1
            first[name] = Int32(index)
        }
    }

    subscript(name: String) -> [Int] {
        var found: [Int] = []
        var index = first[name] ?? -1
        while index >= 0 {
            found.append(Int(index))
            index = next[Int(index)]
        }
        return found
    }
}
