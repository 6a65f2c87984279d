public import Notes

/// Why memos can't be put into notes. Here a memo is its place among those that were given, counted from 0.
public enum PlanError: Error, Hashable, Sendable {
    /// A memo that no note can hold, and what it would weigh there: bytes of its resources and characters; and how much of
    /// it the characters are.
    case tooLarge(memo: Int, bytes: Int64, text: Int64, limit: Int64)
    /// A memo with more photos than a note may have: `cut` it first.
    case tooManyPhotos(memo: Int, photos: Int, limit: Int)
    /// A memo with more text than a note may have.
    case tooMuchText(memo: Int, characters: Int, limit: Int)
    /// The draft's own text is more than a note may have.
    case headTooLong(characters: Int, limit: Int)

    /// The memo that it is said of; nil where it is said of none.
    var memo: Int? {
        switch self {
        case .tooLarge(let memo, _, _, _), .tooManyPhotos(let memo, _, _), .tooMuchText(let memo, _, _): memo
        case .headTooLong: nil
        }
    }
}

/// Splits a draft's memos into the parts that become notes.
public struct NotePlanner: Sendable {
    /// What a note may hold.
    public struct Limits: Hashable, Sendable {
        public var photos: Int
        /// ENML in characters plus the resources in bytes, together (Evernote's `EDAM_NOTE_SIZE_MAX_*`).
        public var bytes: Int64
        /// Characters of ENML.
        public var characters: Int
        /// Characters of ENML that a part needs beside its memos.
        public var allowance: Int

        public init(
            photos: Int = 100, bytes: Int64 = 209_715_200, characters: Int = ENMLValidator.longestNote,
            allowance: Int = 16_384
        ) {
            self.photos = max(1, photos)
            self.bytes = max(0, bytes)
            self.characters = max(0, characters)
            self.allowance = min(max(0, allowance), 1 << 40)
        }
    }

    /// What a memo brings into a note.
    public struct Weight: Hashable, Sendable {
        public var photos: Int
        /// Its bytes; identical ones count once in a note.
        public var resources: [BlobKey]
        /// Characters of ENML, at most.
        public var text: Int

        public init(photos: Int, resources: [BlobKey], text: Int) {
            self.photos = max(0, photos)
            self.resources = resources
            self.text = max(0, text)
        }
    }

    public var limits: Limits

    public init(_ limits: Limits = Limits()) { self.limits = limits }

    /// The fewest parts, in order, each within the limits; among those, the parts that are most even in photos, then
    /// in bytes (the sum of squares is least), then the earliest cuts.
    ///
    /// - Parameter head: Characters of ENML that only the first part has: the draft's own text.
    /// - Returns: Ranges of memos, without gaps; one empty range where there is no memo.
    public func parts(_ memos: [Weight], head: Int = 0) throws(PlanError) -> [Range<Int>] {
        guard !memos.isEmpty else { return [0..<0] }
        let scale = PartScale(memos, head: head, limits: limits)
        for index in memos.indices { try scale.checkAlone(index) }
        // A part that is within the limits stays so when it loses memos at an end. So the fewest parts are those that
        // are filled from the left, and cut number j can only be between the fillings from the right and the left.
        let ends = scale.fillFromLeft()
        let starts = scale.fillFromRight()
        let count = ends.count
        if count == 1 { return [0..<memos.count] }
        var best: [Int: Plan] = [0: Plan()]
        for part in 1...count {
            let reach = part == count ? memos.count...memos.count : starts[part]...ends[part - 1]
            var next: [Int: Plan] = [:]
            for (start, plan) in best.sorted(by: { $0.key < $1.key }) {
                scale.eachPart(from: start) { end, photos, bytes in
                    guard reach.contains(end) else { return }
                    var longer = plan
                    longer.photos += Int128(photos) * Int128(photos)
                    longer.bytes += Int128(bytes) * Int128(bytes)
                    if let known = next[end], !longer.isBetter(than: known) { return }
                    next[end] = longer
                }
            }
            best = next
            for end in best.keys { best[end]?.ends.append(end) }
        }
        let cuts = [0] + (best[memos.count]?.ends ?? ends)
        return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
    }

    /// Cuts a memo that no note can hold for its photos into continued ones that fit, as few and as even as possible.
    ///
    /// Each keeps the memo's id, number, time and place; the first keeps the text.
    /// - Parameters:
    ///   - text: Characters of ENML that only the first piece has: the memo's text.
    ///   - frame: Characters of ENML that each piece has around its photos.
    ///   - head: Characters of ENML that stand before the memo: the draft's own text, where the memo is its first.
    ///   - weigh: What a photo brings into the note.
    /// - Throws: `PlanError`; what it says of a memo is then said of a photo of this one.
    public func cut(
        _ memo: Memo, text: Int, frame: Int = 0, head: Int = 0, weigh: (Photo) -> Weight
    ) throws(PlanError) -> [Memo] {
        guard memo.photos.count > 1 else { return [memo] }
        var limits = limits
        limits.allowance += min(max(0, frame), 1 << 40)
        var weights = memo.photos.map(weigh)
        let (sum, overflow) = weights[0].text.addingReportingOverflow(max(0, text))
        weights[0].text = overflow ? .max : sum
        let parts = try NotePlanner(limits).parts(weights, head: head)
        guard parts.count > 1 else { return [memo] }
        return parts.enumerated().map { index, range in
            var piece = memo
            piece.photos = Array(memo.photos[range])
            if index > 0 { piece.text = "" }
            return piece
        }
    }
}

/// The ends of the parts so far, and how uneven these are.
private struct Plan {
    var ends: [Int] = []
    var photos: Int128 = 0
    var bytes: Int128 = 0

    func isBetter(than other: Plan) -> Bool {
        if photos != other.photos { return photos < other.photos }
        if bytes != other.bytes { return bytes < other.bytes }
        return ends.lexicographicallyPrecedes(other.ends)
    }
}

/// Weighs runs of memos.
private struct PartScale {
    private let memos: [NotePlanner.Weight]
    private let head: Int
    private let limits: NotePlanner.Limits
    /// For each memo its resources, each with the last memo before that has the same, or -1.
    private let resources: [[(size: Int64, previous: Int)]]
    /// The same from the other side: the next memo that has the same, or the number of memos.
    private let nexts: [[(size: Int64, next: Int)]]

    init(_ memos: [NotePlanner.Weight], head: Int, limits: NotePlanner.Limits) {
        self.memos = memos
        self.head = max(0, head)
        self.limits = limits
        var last: [BlobKey: Int] = [:]
        resources = memos.enumerated().map { index, memo in
            memo.resources.map { key in (max(0, key.size), last.updateValue(index, forKey: key) ?? -1) }
        }
        var first: [BlobKey: Int] = [:]
        nexts = Array(
            memos.enumerated().reversed().map { index, memo in
                memo.resources.map { key in (max(0, key.size), first.updateValue(index, forKey: key) ?? memos.count) }
            }.reversed())
    }

    private struct Load {
        var photos = 0
        var characters = 0
        var bytes: Int64 = 0

        /// - Returns: false where a sum is beyond all numbers.
        mutating func add(photos: Int, characters: Int, bytes: Int64) -> Bool {
            let (p, c, b) = (
                self.photos.addingReportingOverflow(photos), self.characters.addingReportingOverflow(characters),
                self.bytes.addingReportingOverflow(bytes)
            )
            (self.photos, self.characters, self.bytes) = (p.partialValue, c.partialValue, b.partialValue)
            return !(p.overflow || c.overflow || b.overflow)
        }
    }

    private func isWithin(_ load: Load) -> Bool {
        let (total, overflow) = load.bytes.addingReportingOverflow(Int64(load.characters))
        return load.photos <= limits.photos && load.characters <= limits.characters && !overflow
            && total <= limits.bytes
    }

    private func emptyLoad(from start: Int) -> Load {
        Load(characters: start == 0 ? limits.allowance &+ min(head, Int.max / 4) : limits.allowance)
    }

    private func add(_ index: Int, from start: Int, to load: inout Load) -> Bool {
        var new: Int64 = 0
        for (size, previous) in resources[index] where previous < start {
            let (sum, overflow) = new.addingReportingOverflow(size)
            if overflow { return false }
            new = sum
        }
        return load.add(photos: memos[index].photos, characters: memos[index].text, bytes: new)
    }

    /// - Throws: `PlanError` where a memo alone is over a limit.
    func checkAlone(_ index: Int) throws(PlanError) {
        var load = emptyLoad(from: index)
        if load.characters > limits.characters {
            throw .headTooLong(characters: load.characters, limit: limits.characters)
        }
        let isCounted = add(index, from: index, to: &load)
        if memos[index].photos > limits.photos {
            throw .tooManyPhotos(memo: index, photos: memos[index].photos, limit: limits.photos)
        }
        if isCounted, load.characters > limits.characters {
            throw .tooMuchText(memo: index, characters: load.characters, limit: limits.characters)
        }
        if !isCounted || !isWithin(load) {
            let (bytes, overflow) = load.bytes.addingReportingOverflow(Int64(load.characters))
            throw .tooLarge(
                memo: index, bytes: isCounted && !overflow ? bytes : .max, text: Int64(load.characters),
                limit: limits.bytes)
        }
    }

    /// Every part that begins at a memo and is within the limits, the shortest first.
    func eachPart(from start: Int, _ visit: (_ end: Int, _ photos: Int, _ bytes: Int64) -> Void) {
        var load = emptyLoad(from: start)
        for index in start..<memos.count {
            guard add(index, from: start, to: &load), isWithin(load) else { return }
            visit(index + 1, load.photos, load.bytes + Int64(load.characters))
        }
    }

    /// The ends of parts that each take what they can.
    func fillFromLeft() -> [Int] {
        var ends: [Int] = []
        var start = 0
        while start < memos.count {
            var end = start + 1
            eachPart(from: start) { reached, _, _ in end = reached }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// The starts of as many parts, filled from the right: the earliest place of each cut, the first at 0.
    func fillFromRight() -> [Int] {
        var starts: [Int] = []
        var end = memos.count
        while end > 0 {
            var start = end
            var load = emptyLoad(from: 1)
            while start > 0 {
                var new: Int64 = 0
                for (size, next) in nexts[start - 1] where next >= end {
                    new = new.addingReportingOverflow(size).partialValue
                }
                if start == 1 { load.characters += emptyLoad(from: 0).characters - emptyLoad(from: 1).characters }
                guard
                    load.add(photos: memos[start - 1].photos, characters: memos[start - 1].text, bytes: new),
                    isWithin(load)
                else { break }
                start -= 1
            }
            end = min(start, end - 1)
            starts.append(end)
        }
        return starts.reversed()
    }
}
