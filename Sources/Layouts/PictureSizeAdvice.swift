import Glibc
public import Notes

/// How large the pictures of a draft may be for it to fit one note.
///
/// An estimate, from each photo's pixels and bytes, without decoding anything. A smaller copy is taken to need
/// `bytes × (its pixels ÷ the photo's pixels)^0.85`: less than 1, because a picture made smaller has more detail in each
/// pixel. A kind that goes out as JPEG (HEIC, say) counts half a byte for each pixel, or its bytes where these are more.
/// A twentieth of the room stays free. A photo without a known size counts with all its bytes at any size.
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
    ///   - photos: All photos of the draft; identical ones count once in bytes.
    ///   - text: Characters of its ENML.
    ///   - others: Bytes of what stays as it is: thumbnails, videos.
    ///   - limits: What a note may hold.
    public static func advise(
        photos: [Photo], text: Int, others: Int64 = 0, limits: NotePlanner.Limits = NotePlanner.Limits()
    ) -> PictureSizeAdvice {
        guard photos.count <= limits.photos, text <= limits.characters - limits.allowance else { return .never }
        var known: Set<BlobKey> = []
        let unique = photos.filter { known.insert($0.blob).inserted }
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

    private static func bytes(of photo: Photo, at longSide: Int) -> Double {
        let stored = Double(max(0, photo.blob.size))
        guard let pixels = photo.pixels, photo.mime.hasPrefix("image/") else { return stored }
        let area = Double(pixels.width) * Double(pixels.height)
        let isKept = ["image/jpeg", "image/png", "image/gif"].contains(photo.mime)
        let full = isKept ? stored : max(stored, area / 2)
        let factor = Double(longSide) / Double(max(pixels.width, pixels.height))
        if factor >= 1 { return full }
        return full * pow(factor, 2 * 0.85)
    }
}
