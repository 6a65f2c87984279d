/// IPTC-IIM (version 4.2), the older home of captions and keywords.
enum IPTCReader {
    /// The record inside Photoshop's image resources: the one numbered 0x0404.
    static func record(inPhotoshop resources: Region) -> Region? {
        var offset = 0
        for _ in 0..<512 {
            guard resources.has("8BIM", at: offset), let kind = resources.uint16(offset + 4),
                let nameLength = resources.byte(offset + 6)
            else { return nil }
            let sizeAt = offset + 6 + (Int(nameLength) + 2) / 2 * 2
            guard let size = resources.uint32(sizeAt) else { return nil }
            if kind == 0x0404 { return resources.part(sizeAt + 4, size) }
            offset = sizeAt + 4 + size + (size & 1)
        }
        return nil
    }

    /// The caption (2:120) and the keywords (2:25).
    static func words(_ record: Region) -> (caption: String?, keywords: [String]) {
        var caption: String?
        var keywords: [String] = []
        var offset = 0
        while record.byte(offset) == 0x1c, keywords.count < 256 {
            guard let number = record.byte(offset + 1), let set = record.byte(offset + 2),
                let size = record.uint16(offset + 3), size < 0x8000
            else { break }
            if number == 2, set == 120 || set == 25,
                let text = record.part(offset + 5, size)?.bytes(limit: 16_384).flatMap(MetadataText.line)
            {
                if set == 25 { keywords.append(text) } else { caption = caption ?? text }
            }
            offset += 5 + size
        }
        return (caption, keywords)
    }
}
