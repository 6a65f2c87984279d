public import Notes

/// What to make of a photo's pixels: always a JPEG, in sRGB, upright, without metadata, never larger than the photo.
public struct ImageRequest: Hashable, Sendable {
    /// How large the picture may become, measured upright.
    public enum Box: Hashable, Sendable {
        /// Neither side over its limit: a panorama stays a strip that fits.
        case thumbnail(shortSide: Int, longSide: Int)
        case longSide(Int)
        case original

        /// The size of a photo in this box.
        /// - Parameter pixels: The photo's own size, upright.
        public func size(of pixels: PixelSize) -> PixelSize {
            let short = Double(min(pixels.width, pixels.height))
            let long = Double(max(pixels.width, pixels.height))
            let wanted =
                switch self {
                case .thumbnail(let shortSide, let longSide): min(Double(shortSide) / short, Double(longSide) / long)
                case .longSide(let side): Double(side) / long
                case .original: 1.0
                }
            // A JPEG's sides are 16-bit numbers, and its coders stop a little below.
            return pixels.scaled(by: min(1, wanted, Double(ImagingFrame.longestSide) / long))
        }
    }

    /// The photo's type, by its content: `image/jpeg`.
    public var mime: String
    /// How to turn the stored pixels to see them upright: the EXIF orientation, 1 to 8.
    public var turn: Int
    public var box: Box
    /// 1 to 100.
    public var quality: Int

    /// - Parameter turn: Of no effect on the kinds whose decoder turns by itself (HEIF, AVIF, JPEG XL).
    public init(mime: String, turn: Int = 1, box: Box, quality: Int = 82) {
        self.mime = mime
        self.turn = Self.turnsItself.contains(mime) || !(1...8).contains(turn) ? 1 : turn
        self.box = box
        self.quality = min(max(quality, 1), 100)
    }

    /// A thumbnail for a note: the short side in pixels, the long side at most three times that.
    public static func thumbnail(mime: String, turn: Int, shortSide: Int = 240) -> ImageRequest {
        ImageRequest(mime: mime, turn: turn, box: .thumbnail(shortSide: shortSide, longSide: 3 * shortSide))
    }

    /// True for a type whose pixels can be had; a RAW file or a video goes out as it is.
    public var isDecodable: Bool { Self.decodable.contains(mime) || Self.turnsItself.contains(mime) }

    private static let decodable: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp", "image/tiff"]

    /// These carry their turn in the container, and the decoder applies it.
    private static let turnsItself: Set<String> = [
        "image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif", "image/jxl",
    ]
}

/// A picture made from a photo.
public struct RenderedImage: Hashable, Sendable {
    public var jpeg: [UInt8]
    public var pixels: PixelSize
    /// True where the decoder had to make up for missing or broken parts of the file.
    public var isDamaged: Bool

    public init(jpeg: [UInt8], pixels: PixelSize, isDamaged: Bool = false) {
        self.jpeg = jpeg
        self.pixels = pixels
        self.isDamaged = isDamaged
    }
}
