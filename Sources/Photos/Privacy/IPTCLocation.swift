extension PhotoBytes {
    /// Goes through Photoshop's image resources: IPTC, and the EXIF and XMP that some programs keep there.
    mutating func stripPhotoshop(_ resources: Range<Int>) throws(LocationError) {
        var offset = 0
        for _ in 0..<512 where offset < resources.count {
            guard has("8BIM", at: offset, in: resources), let kind = uint16(offset + 4, in: resources),
                let nameLength = byte(offset + 6, in: resources)
            else { break }
            let sizeAt = offset + 6 + (Int(nameLength) + 2) / 2 * 2
            guard let size = uint32(sizeAt, in: resources), let content = part(sizeAt + 4, size, of: resources) else {
                break
            }
            switch kind {
            case 0x404: stripIPTC(content)
            case 0x409, 0x40c: if let picture = part(28, size - 28, of: content) { stripThumbnail(picture) }
            case 0x422, 0x423: if !isZero(content) { try stripEXIF(content) }
            case 0x424: try stripXMP(content)
            default: break
            }
            offset = sizeAt + 4 + size + (size & 1)
        }
        // What follows is none of these resources; readers stop here, but not all of them.
        if let rest = part(min(offset, resources.count), max(0, resources.count - offset), of: resources) {
            empty(rest)
        }
    }

    /// Takes the fields that name places out of an IPTC record.
    mutating func stripIPTC(_ record: Range<Int>) {
        var offset = 0
        while byte(offset, in: record) == 0x1c, let number = byte(offset + 1, in: record),
            let set = byte(offset + 2, in: record), let size = uint16(offset + 3, in: record), size < 0x8000,
            let field = part(offset, 5 + size, of: record)
        {
            // Content location, city, sublocation, province, country.
            if number == 2, [26, 27, 90, 92, 95, 100, 101].contains(set) {
                close(field, in: field.lowerBound..<record.upperBound)
                note(.iptc)
            } else {
                offset += field.count
            }
        }
        // A field of 32 KiB and more says its length in another way. Readers that follow it find what is behind.
        empty((record.lowerBound + offset)..<record.upperBound)
    }
}
