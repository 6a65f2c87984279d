import Notes

/// WebP (RFC 9649): RIFF chunks.
enum WebPContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.webp)
        var offset = 12
        for _ in 0..<65_536 {
            guard let name = file.name(offset), let length = file.uint32(offset + 4, little: true) else { break }
            let chunk = file.clipped(offset + 8, length)
            switch name {
            case "VP8X":
                guard let width = chunk.uint24(4, little: true), let height = chunk.uint24(7, little: true) else {
                    break
                }
                found.pixels = PixelSize(width: width + 1, height: height + 1)
            case "VP8 " where found.pixels == nil: found.pixels = lossySize(chunk)
            case "VP8L" where found.pixels == nil: found.pixels = losslessSize(chunk)
            case "EXIF" where found.exif == nil && chunk.count == length: found.exif = EXIFBlock(chunk)
            case "XMP " where found.xmp == nil && chunk.count == length: found.xmp = chunk
            default: break
            }
            offset += 8 + length + (length & 1)
        }
        found.isDamaged = found.pixels == nil
        return found
    }

    private static func lossySize(_ chunk: Region) -> PixelSize? {
        guard chunk.uint24(3) == 0x9d012a, let width = chunk.uint16(6, little: true),
            let height = chunk.uint16(8, little: true)
        else { return nil }
        return PixelSize(width: width & 0x3fff, height: height & 0x3fff)
    }

    private static func losslessSize(_ chunk: Region) -> PixelSize? {
        guard chunk.byte(0) == 0x2f, let bits = chunk.uint32(1, little: true) else { return nil }
        return PixelSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
    }
}
