extension PhotoBytes {
    /// WebP is a list of RIFF chunks: those that a picture needs stay, EXIF and XMP are stripped, others emptied.
    mutating func stripWebP() throws(LocationError) {
        guard let size = uint32(4, in: all, little: true) else { throw .uncertain("a block that is cut short") }
        if size + 8 + (size & 1) < bytes.count {
            cut(at: size + 8 + (size & 1))
            note(.trailer)
        }
        var offset = 12
        while let name = part(offset, 4, of: all), let length = uint32(offset + 4, in: all, little: true) {
            let kind = String(decoding: bytes[name], as: UTF8.self)
            let content = part(offset + 8, length, of: all)
            switch kind {
            case "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP": break
            case "EXIF":
                guard let content else { throw .uncertain("a block that is cut short") }
                let isNamed = has("Exif\0", in: content) && content.count >= 6
                try stripEXIF(isNamed ? (content.lowerBound + 6)..<content.upperBound : content)
            case "XMP ":
                guard let content else { throw .uncertain("a block that is cut short") }
                try stripXMP(content)
            default: empty(content ?? min(offset + 8, bytes.count)..<bytes.count)
            }
            offset += 8 + length + (length & 1)
        }
    }
}
