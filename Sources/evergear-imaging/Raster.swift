import Glibc

/// Pixels in memory: 8 bits a channel, rows without gaps. Four channels are red, green, blue and one of no meaning.
struct Raster: ~Copyable {
    let width: Int
    let height: Int
    /// 1, 3 or 4: bytes a pixel.
    let channels: Int
    let bytes: UnsafeMutablePointer<UInt8>
    /// True where the decoder had to make pixels up.
    var isDamaged = false

    /// Room for pixels, not yet set.
    /// - Returns: nil where there is no memory for it.
    init?(width: Int, height: Int, channels: Int) {
        let (area, tooWide) = width.multipliedReportingOverflow(by: height)
        let (count, tooLarge) = area.multipliedReportingOverflow(by: channels)
        guard width > 0, height > 0, !tooWide, !tooLarge, let memory = malloc(count) else { return nil }
        self.init(width: width, height: height, channels: channels, owning: memory)
    }

    /// Takes over memory that came from malloc and holds all the pixels.
    init(width: Int, height: Int, channels: Int, owning memory: UnsafeMutableRawPointer) {
        self.width = width
        self.height = height
        self.channels = channels
        bytes = memory.assumingMemoryBound(to: UInt8.self)
    }

    deinit { free(bytes) }

    var rowLength: Int { width * channels }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + y * rowLength }

    /// Upright.
    /// - Parameter turn: The EXIF orientation (CIPA DC-008, tag 0x0112): which side of the stored pixels is the top.
    /// - Returns: nil where there is no memory for it.
    consuming func upright(turn: Int) -> Raster? {
        guard (2...8).contains(turn) else { return self }
        let isQuarter = turn >= 5
        guard
            var result = Raster(
                width: isQuarter ? height : width, height: isQuarter ? width : height, channels: channels)
        else { return nil }
        // The stored pixel at (column, row) goes to first + column × right + row × down, counted in pixels.
        let (w, h) = (result.width, result.height)
        let (first, right, down) =
            switch turn {
            case 2: (w - 1, -1, w)
            case 3: (w * h - 1, -1, -w)
            case 4: (w * (h - 1), 1, -w)
            case 5: (0, w, 1)
            case 6: (w - 1, w, -1)
            case 7: (w * h - 1, -w, -1)
            default: (w * (h - 1), -w, 1)
            }
        for y in 0..<height {
            var from = row(y)
            var to = result.bytes + (first + y * down) * channels
            for _ in 0..<width {
                for channel in 0..<channels { to[channel] = from[channel] }
                from += channels
                to += right * channels
            }
        }
        result.isDamaged = isDamaged
        return result
    }
}
