import Notes

/// The memos of a note in order, with what a look at their neighbours shows: new days, new zones, contact sheets.
struct Timeline {
    /// A memo and what belongs to it.
    struct Entry {
        var memo: Memo
        /// Among the draft's memos and their pieces, from 1.
        var position: Int
        var text: TextLines
        var pictures: [Picture]
        /// The number of its first photo in the draft.
        var firstNumber: Int
        /// The heading of the day that begins here.
        var day: String?
        /// The zone to be named here.
        var zone: String?
        var isOnSheet = false

        /// Photos that can be shown small, maybe with videos, and no words.
        var fitsSheet: Bool {
            text.isEmpty && pictures.contains { $0.thumb != nil }
                && pictures.allSatisfy { $0.thumb != nil || $0.photo.isVideo }
        }
    }

    /// A contact sheet, or one memo by itself.
    struct Run {
        var entries: [Entry]
        var isSheet: Bool
    }

    private(set) var runs: [Run] = []
    private(set) var warnings: [DraftDocument.Warning] = []
    /// True where the whole draft spans several days.
    let hasSeveralDays: Bool

    init(of draft: Draft, memos range: Range<Int>, pictures: [Int64: Picture], words: Wording) {
        let moments = draft.memos.compactMap(\.moment)
        hasSeveralDays = Set(moments.map(\.local.dayNumber)).count > 1
        let hasSeveralZones = Set(moments.compactMap(\.knownOffset)).count > 1

        var entries: [Entry] = []
        var (lastDay, lastOffset): (Int?, Int?)
        var number = draft.memos[..<range.lowerBound].reduce(1) { $0 + $1.photos.count }
        for index in range {
            let memo = draft.memos[index]
            var entry = Entry(
                memo: memo, position: index + 1, text: TextLines(memo.text),
                pictures: memo.photos.map { pictures[$0.id] ?? Picture(photo: $0, full: nil) }, firstNumber: number)
            warn(about: entry, inSeveralZones: hasSeveralZones)
            guard !entry.text.isEmpty || !memo.photos.isEmpty else { continue }
            number += memo.photos.count
            if let moment = memo.moment {
                if moment.local.dayNumber != lastDay { entry.day = words.day(moment.local) }
                lastDay = moment.local.dayNumber
                if let offset = moment.knownOffset {
                    if hasSeveralZones, offset != lastOffset { entry.zone = Wording.zone(offset) }
                    lastOffset = offset
                }
            }
            entries.append(entry)
        }
        gather(entries)
    }

    private static let shortestSheet = 4
    private static let longestPause: Int64 = 60 * 60

    /// Makes sheets of the runs that are long enough.
    private mutating func gather(_ entries: [Entry]) {
        var rest = entries[...]
        while let first = rest.first {
            var run = [first]
            if first.fitsSheet {
                var last = first.memo.moment
                for entry in rest.dropFirst() {
                    guard entry.fitsSheet, entry.day == nil, entry.zone == nil,
                        !Self.isLongPause(last, entry.memo.moment)
                    else { break }
                    last = entry.memo.moment ?? last
                    run.append(entry)
                }
            }
            rest = rest.dropFirst(run.count)
            if run.count >= Self.shortestSheet {
                for index in run.indices { run[index].isOnSheet = true }
                runs.append(Run(entries: run, isSheet: true))
            } else {
                runs += run.map { Run(entries: [$0], isSheet: false) }
            }
        }
    }

    /// By the clock on the spot where one of the two is not known to be in a zone.
    private static func isLongPause(_ a: Moment?, _ b: Moment?) -> Bool {
        guard let a, let b else { return false }
        let hasOffsets = a.offset != nil && b.offset != nil
        let shift = hasOffsets ? Int64((b.offset ?? 0) - (a.offset ?? 0)) : 0
        return abs(b.local.seconds - a.local.seconds - shift) > longestPause
    }

    private mutating func warn(about entry: Entry, inSeveralZones: Bool) {
        let names = [entry.memo.place?.name ?? ""] + entry.pictures.map(\.photo.name)
        let dropped =
            names.reduce(entry.text.dropped) { $0 + $1.unicodeScalars.count(where: \.isDroppedFromNotes) }
        if dropped > 0 { warnings.append(.droppedCharacters(count: dropped, from: .memo(entry.memo.number))) }
        if entry.text.isEmpty, entry.pictures.isEmpty { warnings.append(.emptyMemo(entry.memo.number)) }
        if inSeveralZones, let moment = entry.memo.moment, moment.knownOffset == nil {
            warnings.append(.unknownZone(memo: entry.memo.number, clock: Wording.clock(moment.local)))
        }
    }
}
