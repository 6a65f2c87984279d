import Notes

/// JPEG XL (ISO/IEC 18181-2): bare codestream, or boxes around it.
enum JXLContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.jxl)
        if file.uint16(0) == 0xff0a {
            found.pixels = size(file)
        } else {
            for box in Boxes(in: file) {
                switch box.name {
                case "jxlc" where found.pixels == nil: found.pixels = size(box.content)
                case "jxlp" where found.pixels == nil: found.pixels = size(box.content.rest(from: 4))
                case "Exif" where found.exif == nil:
                    found.exif = EXIFBlock(box.content.rest(from: 4 + (box.content.uint32(0) ?? 0)))
                case "xml " where found.xmp == nil: found.xmp = box.content
                case "brob" where box.content.has("Exif") || box.content.has("xml "): found.hasPackedMetadata = true
                default: break
                }
            }
        }
        found.isDamaged = found.pixels == nil
        return found
    }

    /// The size header of ISO/IEC 18181-1, bit by bit from the lowest.
    private static func size(_ codestream: Region) -> PixelSize? {
        guard codestream.uint16(0) == 0xff0a else { return nil }
        var position = 16
        func bits(_ count: Int) -> Int? {
            var value = 0
            for index in 0..<count {
                guard let byte = codestream.byte(position >> 3) else { return nil }
                value |= Int(byte >> UInt8(position & 7) & 1) << index
                position += 1
            }
            return value
        }
        func length(small: Bool) -> Int? {
            if small { return bits(5).map { ($0 + 1) * 8 } }
            return bits(2).flatMap { bits([9, 13, 18, 30][$0]) }.map { $0 + 1 }
        }
        guard let small = bits(1).map({ $0 == 1 }), let height = length(small: small), let ratio = bits(3) else {
            return nil
        }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let width =
            ratio == 0 ? length(small: small) : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        return width.flatMap { PixelSize(width: $0, height: height) }
    }
}
