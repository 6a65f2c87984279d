import Notes

/// JPEG (ITU T.81, Annex B): a list of marker segments before the picture.
enum JPEGContainer {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.jpeg)
        var offset = 2
        // Whatever stands between two segments is passed over, as decoders do; but not without an end.
        var patience = 65_536
        // Some 60 segments are usual where an ICC profile or extended XMP is long.
        for _ in 0..<4096 {
            guard let mark = file.index(of: 0xff, from: offset, within: patience),
                let place = file.index(past: 0xff, from: mark, within: patience), let marker = file.byte(place)
            else { break }
            patience -= place - offset - 1
            offset = place + 1
            switch marker {
            case 0x00, 0x01, 0xd0...0xd8: continue
            case 0xd9, 0xda: return finish(found)  // end of image, or start of the picture
            default: break
            }
            // A segment that the file's end cuts short is not read: half an EXIF block says half a truth.
            guard let length = file.uint16(offset), length >= 2, let segment = file.part(offset + 2, length - 2) else {
                break
            }
            take(segment, marker, into: &found)
            offset += length
        }
        return finish(found)
    }

    private static func take(_ segment: Region, _ marker: UInt8, into found: inout Contents) {
        switch marker {
        case 0xe1:
            if found.exif == nil, segment.has("Exif\0") {
                found.exif = EXIFBlock(segment.rest(from: 6))
            } else if found.xmp == nil, segment.has("http://ns.adobe.com/xap/1.0/\0") {
                found.xmp = segment.rest(from: 29)
            }
        case 0xed where found.iptc == nil && segment.has("Photoshop 3.0\0"):
            found.iptc = IPTCReader.record(inPhotoshop: segment.rest(from: 14))
        case 0xc0...0xcf where marker != 0xc4 && marker != 0xc8 && marker != 0xcc && found.pixels == nil:
            if let height = segment.uint16(1), let width = segment.uint16(3) {
                found.pixels = PixelSize(width: width, height: height)
            }
        default: break
        }
    }

    private static func finish(_ found: Contents) -> Contents {
        var found = found
        found.isDamaged = found.pixels == nil
        return found
    }
}
