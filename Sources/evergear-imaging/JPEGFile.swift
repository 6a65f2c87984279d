/// What the segments of a JPEG say beside its pixels (ITU-T T.81, annex B).
struct JPEGFile {
    /// The embedded ICC profile; nil where there is none or where its pieces do not fit together.
    private(set) var profile: [UInt8]?
    /// False for a file that ends before the first pixel: its decoder would call it grey all over.
    private(set) var hasPixels = false

    /// Reads the segments up to the first scan.
    init(_ bytes: UnsafeRawBufferPointer) {
        var pieces: [Int: ArraySlice<UInt8>] = [:]
        var count = 0
        var at = 2
        while at + 4 <= bytes.count {
            guard bytes[at] == 0xff else { break }
            let marker = bytes[at + 1]
            // A fill byte, and markers without a length.
            if marker == 0xff { at += 1; continue }
            if (0xd0...0xd8).contains(marker) || marker == 0x01 { at += 2; continue }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard length >= 2, at + 2 + length <= bytes.count else { break }
            let body = UnsafeRawBufferPointer(rebasing: bytes[(at + 4)..<(at + 2 + length)])
            at += 2 + length
            if marker == 0xda {
                hasPixels = at + 2 <= bytes.count && !(bytes[at] == 0xff && bytes[at + 1] != 0)
                break
            }
            // ICC.1:2010, B.4: which piece, of how many.
            if marker == 0xe2, body.count > 14, body.starts(with: Array("ICC_PROFILE\0".utf8)) {
                count = Int(body[13])
                pieces[Int(body[12])] = Array(body[14...])[...]
            }
        }
        if count > 0, pieces.count == count {
            let whole = (1...count).compactMap { pieces[$0] }
            if whole.count == count { profile = Array(whole.joined()) }
        }
    }
}
