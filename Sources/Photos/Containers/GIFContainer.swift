import Notes

/// GIF89a: the size in the header, XMP in an application extension.
enum GIFContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.gif)
        if let width = file.uint16(6, little: true), let height = file.uint16(8, little: true) {
            found.pixels = PixelSize(width: width, height: height)
        }
        found.isDamaged = found.pixels == nil
        guard let flags = file.byte(10) else { return found }
        var offset = 13 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
        // XMP stands before or right behind the first picture; a long animation is not read to its end for it.
        let end = min(file.count, 1 << 20)
        while offset < end, let kind = file.byte(offset) {
            switch kind {
            case 0x21:
                if file.byte(offset + 1) == 0xff, file.has("XMP DataXMP", at: offset + 3) {
                    // The packet stands bare. Bytes that count down from 255, behind a 1 that no XML has, lead a reader
                    // of blocks out of it.
                    let packet = file.index(of: 1, from: offset + 14, within: end - offset - 14)
                    if let packet { found.xmp = file.part(offset + 14, packet - offset - 14) }
                    return found
                }
                offset = blocksEnd(file, offset + 2, end)
            case 0x2c:
                guard let local = file.byte(offset + 9) else { return found }
                offset = blocksEnd(file, offset + 11 + (local & 0x80 == 0 ? 0 : 3 << (Int(local & 7) + 1)), end)
            default: return found
            }
        }
        return found
    }

    private static func blocksEnd(_ file: Region, _ offset: Int, _ end: Int) -> Int {
        var offset = offset
        while offset < end, let size = file.byte(offset), size > 0 { offset += Int(size) + 1 }
        return offset + 1
    }
}
