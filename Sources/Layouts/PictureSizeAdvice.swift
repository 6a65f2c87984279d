import Glibc
public import Notes

/// How large the pictures of a draft may be for it to fit one note.
///
/// An estimate, from the pixels and bytes of what goes out, without decoding anything. A smaller copy is taken to need
/// `bytes × (its pixels ÷ the picture's pixels)^0.85`: less than 1, because a picture made smaller has more detail in each
/// pixel. A kind that becomes JPEG only then (a HEIC that was to be kept, say) counts half a byte for each pixel, or its
/// bytes where these are more. A twentieth of the room stays free. What has no known size counts with all its bytes at any.
public enum PictureSizeAdvice: Hashable, Sendable {
    /// One note holds the draft as it is.
    case fits
    /// One note holds it if no picture is longer than this, in pixels; a multiple of 10.
    case longSide(Int)
    /// No size helps: too many photos, or too much else.
    case never

    /// Below this a picture is a thumbnail.
    public static let shortest = 320

    /// - Parameters:
    ///   - pictures: The pictures of the draft as they go out; identical ones count once in bytes. Videos among them stay as
    ///     they are.
    ///   - photos: How many photos the draft has.
    ///   - text: Characters of its ENML.
    ///   - others: Bytes of what stays as it is beside: thumbnails.
    ///   - limits: What a note may hold.
    public static func advise(
        _ pictures: [Resource], photos: Int, text: Int, others: Int64 = 0,
        limits: NotePlanner.Limits = NotePlanner.Limits()
    ) -> PictureSizeAdvice {
        guard photos <= limits.photos, text <= limits.characters - limits.allowance else { return .never }
        var known: Set<BlobKey> = []
        let unique = pictures.filter { known.insert($0.blob).inserted }
        let room = Double(limits.bytes) - Double(limits.allowance) - Double(text) - Double(others)
        let sizes = unique.reduce(0) { $0 + Double(max(0, $1.blob.size)) }
        if sizes <= room { return .fits }
        func isWithin(_ longSide: Int) -> Bool {
            unique.reduce(0) { $0 + bytes(of: $1, at: longSide) } <= room * 0.95
        }
        guard isWithin(shortest) else { return .never }
        let longest = unique.compactMap { $0.pixels.map { max($0.width, $0.height) } }.max() ?? shortest
        var (low, high) = (shortest / 10, max(longest, shortest) / 10 + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isWithin(middle * 10) { low = middle } else { high = middle }
        }
        return .longSide(low * 10)
    }

    private static func bytes(of picture: Resource, at longSide: Int) -> Double {
        let stored = Double(max(0, picture.blob.size))
        guard let pixels = picture.pixels, picture.mime.hasPrefix("image/") else { return stored }
        let factor = Double(longSide) / Double(max(pixels.width, pixels.height))
        if factor >= 1 { return stored }
        let area = Double(pixels.width) * Double(pixels.height)
        let isKept = ["image/jpeg", "image/png", "image/gif"].contains(picture.mime)
        let full = isKept ? stored : max(stored, area / 2)
        return full * pow(factor, 2 * 0.85)
    }
}
