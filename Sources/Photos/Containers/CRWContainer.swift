import Notes

/// Canon's CRW, before CR2: a heap whose last four bytes point at its directory, with heaps inside (CIFF, revision 1.0).
enum CRWContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.crw)
        let little = file.has("II")
        if let header = file.uint32(2, little: little), header < file.count {
            take(from: file.rest(from: header), little, depth: 0, &found)
        }
        found.isDamaged = found.pixels == nil
        return found
    }

    private static func take(from heap: Region, _ little: Bool, depth: Int, _ found: inout Contents) {
        guard depth < 4, let directory = heap.uint32(heap.count - 4, little: little),
            let count = heap.uint16(directory, little: little)
        else { return }
        for index in 0..<min(count, 256) {
            let entry = directory + 2 + index * 10
            guard let tag = heap.uint16(entry, little: little) else { return }
            // Small values stand in the entry itself.
            let isInside = tag & 0xc000 == 0x4000
            guard let size = isInside ? 8 : heap.uint32(entry + 2, little: little),
                let offset = isInside ? entry + 2 : heap.uint32(entry + 6, little: little),
                let value = heap.part(offset, size)
            else { continue }
            switch tag & 0x3fff {
            case 0x300a, 0x2807: take(from: value, little, depth: depth + 1, &found)
            case 0x1810: takeSize(value, little, &found)
            case 0x180e where found.dates.isEmpty:
                // The camera's clock, as if it showed UTC: the zone beside it is rarely set.
                guard let seconds = value.uint32(0, little: little), seconds > 0 else { continue }
                let time = LocalTime(seconds: Int64(seconds))
                found.dates = [StoredDate(source: "CanonRaw DateTimeOriginal", text: time.description)]
            case 0x080a:
                let names = (value.bytes(limit: 64) ?? []).split(separator: 0, omittingEmptySubsequences: false)
                found.make = names.first.flatMap { MetadataText.line(Array($0)) }
                found.model = names.dropFirst().first.flatMap { MetadataText.line(Array($0)) }
            default: continue
            }
        }
    }

    /// Width, height, the shape of a pixel, and by how many degrees to the right the picture is to be turned.
    private static func takeSize(_ value: Region, _ little: Bool, _ found: inout Contents) {
        guard let width = value.uint32(0, little: little), let height = value.uint32(4, little: little), width > 0,
            height > 0, width < 1 << 16, height < 1 << 16
        else { return }
        found.pixels = PixelSize(width: width, height: height)
        found.turn = [90: 6, 180: 3, 270: 8][value.uint32(12, little: little) ?? 0]
    }
}
