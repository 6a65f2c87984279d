import Notes

/// Fujifilm's RAF: a header that points at a whole JPEG, which has the metadata, and at a list of the sensor's values.
enum RAFContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.raf)
        if let offset = file.uint32(84), let length = file.uint32(88) {
            let inner = JPEGContainer.read(file.clipped(offset, length))
            found.exif = inner.exif
            found.xmp = inner.xmp
            found.iptc = inner.iptc
        }
        if let offset = file.uint32(92), let length = file.uint32(96) {
            found.pixels = size(file.clipped(offset, length))
        }
        return found
    }

    /// Tag 0x111 is the picture without its margin, 0x100 the whole frame; height first.
    private static func size(_ list: Region) -> PixelSize? {
        var sizes: [Int: PixelSize] = [:]
        var offset = 4
        for _ in 0..<min(list.uint32(0) ?? 0, 256) {
            guard let tag = list.uint16(offset), let length = list.uint16(offset + 2) else { break }
            if length == 4, let height = list.uint16(offset + 4), let width = list.uint16(offset + 6) {
                sizes[tag] = PixelSize(width: width, height: height)
            }
            offset += 4 + length
        }
        return sizes[0x111] ?? sizes[0x121] ?? sizes[0x100]
    }
}
