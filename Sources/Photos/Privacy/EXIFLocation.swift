extension PhotoBytes {
    /// Takes the GPS directory out of an EXIF block, in place: its fields become zeros, and the entries that point at it go.
    ///
    /// Directories that cannot be read are unlinked, since another reader may read them after all. XMP, IPTC and maker notes
    /// in the block are stripped as well.
    /// - Parameter block: From the TIFF header on.
    mutating func stripEXIF(_ block: Range<Int>) throws(LocationError) {
        guard has("II", in: block) || has("MM", in: block) else {
            throw .uncertain("an EXIF block that cannot be read")
        }
        let little = has("II", in: block)
        guard uint16(2, in: block, little: little) == 42, let first = uint32(4, in: block, little: little),
            entries(at: first, in: block, little) != nil
        else { throw .uncertain("an EXIF block that cannot be read") }
        var walk = EXIFWalk(block: block, isLittle: little)
        try follow(first, &walk)
        try erase(walk)
    }

    private struct EXIFWalk {
        let block: Range<Int>
        let isLittle: Bool
        /// Offsets of the directories met.
        var directories: [Int] = []
        /// Directories and values that stay, as offsets in the block.
        var kept: [Range<Int>] = []
        /// Offsets of GPS directories.
        var locations: [Int] = []
        var packets: [(tag: Int, range: Range<Int>)] = []
        /// Small pictures, as offsets in the block.
        var thumbnails: Set<Range<Int>> = []
    }

    private struct Entry {
        /// Offset of its twelve bytes in the block.
        let place: Int
        let tag: Int
        let type: Int
        let count: Int
        /// The four bytes that hold the value or say where it is.
        let value: Int
    }

    /// - Returns: nil unless the whole directory lies in the block.
    private func entries(at offset: Int, in block: Range<Int>, _ little: Bool) -> [Entry]? {
        guard let count = uint16(offset, in: block, little: little), count > 0,
            part(offset, 2 + count * 12, of: block) != nil
        else { return nil }
        return (0..<count).compactMap { index in
            let place = offset + 2 + index * 12
            guard let tag = uint16(place, in: block, little: little),
                let type = uint16(place + 2, in: block, little: little),
                let count = uint32(place + 4, in: block, little: little),
                let value = uint32(place + 8, in: block, little: little)
            else { return nil }
            return Entry(place: place, tag: tag, type: type, count: count, value: value)
        }
    }

    /// Where the values of an entry are, as offsets in the block; nil where they are in the entry, or not in the block.
    private func outside(_ entry: Entry, in block: Range<Int>) -> Range<Int>? {
        let width = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1]
        let size = entry.count * (width[entry.type] ?? 1)
        guard size > 4, part(entry.value, size, of: block) != nil else { return nil }
        return entry.value..<(entry.value + size)
    }

    /// The JPEGs that a directory points at, as offsets in the block: as much of them as is there.
    private func thumbnails(_ entries: [Entry], in block: Range<Int>, _ little: Bool) -> [Range<Int>] {
        func numbers(_ tag: Int) -> [Int] {
            entries.filter { $0.tag == tag }.compactMap {
                $0.type == 3 ? uint16($0.place + 8, in: block, little: little) : $0.value
            }
        }
        guard let length = numbers(0x202).max(), length > 0 else { return [] }
        return numbers(0x201).filter { $0 < block.count }.map { $0..<($0 + min(length, block.count - $0)) }
    }

    private mutating func follow(_ first: Int, _ walk: inout EXIFWalk) throws(LocationError) {
        let (block, little) = (walk.block, walk.isLittle)
        var waiting = [first]
        while let offset = waiting.popLast() {
            if walk.directories.contains(offset) { continue }
            guard let entries = entries(at: offset, in: block, little) else { continue }
            guard walk.directories.count < 64 else { throw .uncertain("an EXIF block of too many directories") }
            walk.directories.append(offset)
            let end = offset + 2 + entries.count * 12
            walk.kept.append(offset..<min(end + 4, block.count))
            walk.thumbnails.formUnion(thumbnails(entries, in: block, little))
            for entry in entries {
                switch entry.tag {
                case 0x8825: walk.locations.append(entry.value)
                case 0x8769, 0xa005:
                    if self.entries(at: entry.value, in: block, little) == nil {
                        // Not readable here: unlinked, since it may be elsewhere.
                        put(0, at: block.lowerBound + entry.place + 8, width: 4, little: little)
                        note(.unknown)
                    } else {
                        waiting.append(entry.value)
                    }
                case 0x14a:
                    let places = outside(entry, in: block)
                    for index in 0..<min(entry.count, 16) {
                        let place = places.map { $0.lowerBound + index * 4 } ?? (entry.place + 8)
                        if let part = uint32(place, in: block, little: little) { waiting.append(part) }
                        if places == nil { break }
                    }
                    if let places { walk.kept.append(places) }
                default:
                    guard let range = outside(entry, in: block) else { continue }
                    walk.kept.append(range)
                    if [0x2bc, 0x83bb, 0x8649, 0x927c].contains(entry.tag) {
                        walk.packets.append((entry.tag, range))
                    }
                }
            }
            guard let next = uint32(end, in: block, little: little), next != 0 else { continue }
            if self.entries(at: next, in: block, little) == nil {
                // Many writers leave rubbish here.
                put(0, at: block.lowerBound + end, width: 4, little: little)
                note(.unknown)
            } else {
                waiting.append(next)
            }
        }
    }

    private mutating func erase(_ walk: EXIFWalk) throws(LocationError) {
        let (block, little) = (walk.block, walk.isLittle)
        var gone: [Range<Int>] = []
        for offset in walk.locations where !walk.directories.contains(offset) {
            guard let entries = entries(at: offset, in: block, little) else { continue }
            gone.append(offset..<min(offset + 6 + entries.count * 12, block.count))
            gone += entries.compactMap { outside($0, in: block) }
        }
        for range in Self.subtract(Self.merged(walk.kept), from: Self.merged(gone)) {
            fill(shifted(range, into: block))
        }
        for packet in walk.packets {
            let range = shifted(packet.range, into: block)
            switch packet.tag {
            case 0x2bc: try stripXMP(range)
            case 0x83bb: stripIPTC(range)
            case 0x8649: try stripPhotoshop(range)
            default: stripMakerNote(range, in: block, little)
            }
        }
        let kept = Self.merged(walk.kept).map { shifted($0, into: block) }
        for thumbnail in walk.thumbnails.sorted(by: { ($0.lowerBound, $0.count) < ($1.lowerBound, $1.count) }) {
            stripThumbnail(shifted(thumbnail, into: block), except: kept)
        }
        for directory in walk.directories { unlink(directory, walk) }
    }

    /// Takes the entries that point at GPS out of a directory: those behind them move up, with the link to the next.
    private mutating func unlink(_ directory: Int, _ walk: EXIFWalk) {
        let (block, little) = (walk.block, walk.isLittle)
        guard let entries = entries(at: directory, in: block, little) else { return }
        let places = entries.filter { $0.tag == 0x8825 }.map(\.place)
        guard !places.isEmpty else { return }
        let end = min(directory + 2 + entries.count * 12 + 4, block.count)
        for place in places.reversed() {
            close(
                (block.lowerBound + place)..<(block.lowerBound + place + 12),
                in: (block.lowerBound + place)..<(block.lowerBound + end))
        }
        put(entries.count - places.count, at: block.lowerBound + directory, width: 2, little: little)
        note(.exif)
    }

    // MARK: Ranges

    private func shifted(_ range: Range<Int>, into block: Range<Int>) -> Range<Int> {
        (block.lowerBound + range.lowerBound)..<(block.lowerBound + range.upperBound)
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Both in order and without overlaps.
    static func subtract(_ kept: [Range<Int>], from ranges: [Range<Int>]) -> [Range<Int>] {
        var left: [Range<Int>] = []
        var index = 0
        for range in ranges {
            var start = range.lowerBound
            while index < kept.count, kept[index].upperBound <= start { index += 1 }
            var next = index
            while next < kept.count, kept[next].lowerBound < range.upperBound {
                if kept[next].lowerBound > start { left.append(start..<kept[next].lowerBound) }
                start = max(start, kept[next].upperBound)
                next += 1
            }
            if start < range.upperBound { left.append(start..<range.upperBound) }
        }
        return left
    }

    // MARK: Maker notes

    /// Empties the fields in which cameras with a map write the names of places.
    private mutating func stripMakerNote(_ note: Range<Int>, in block: Range<Int>, _ little: Bool) {
        let start = note.lowerBound - block.lowerBound
        for (head, skip) in [("Panasonic\0\0\0", 12), ("LEICA\0\0\0", 8)] where has(head, in: note) {
            // Location, country, state, city, landmark, city of some models.
            emptyFields([0x67, 0x69, 0x6b, 0x6d, 0x6f, 0x80], ofDirectoryAt: start + skip, in: block, little)
        }
        if has("Nikon\0", in: note), let inner = part(10, note.count - 10, of: note) {
            let little = has("II", in: inner)
            guard let first = uint32(4, in: inner, little: little) else { return }
            emptyFields([0x39], ofDirectoryAt: first, in: inner, little)
        }
        // Samsung's begins with its directory, and whence its offsets count differs by model.
        let fields = entries(at: start, in: block, little) ?? []
        if fields.first?.tag == 1, fields.contains(where: { $0.tag == 0x30 || $0.tag == 0x31 }), fill(note) {
            self.note(.makerNote)
        }
    }

    private mutating func emptyFields(
        _ tags: Set<Int>, ofDirectoryAt offset: Int, in block: Range<Int>, _ little: Bool
    ) {
        for entry in entries(at: offset, in: block, little) ?? [] where tags.contains(entry.tag) {
            let range = outside(entry, in: block) ?? (entry.place + 8)..<(entry.place + 12)
            if fill((block.lowerBound + range.lowerBound)..<(block.lowerBound + range.upperBound)) { note(.makerNote) }
        }
    }
}
