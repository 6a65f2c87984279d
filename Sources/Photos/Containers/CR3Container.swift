import Notes

/// Canon's CR3: ISO boxes, with the EXIF directories as TIFF blocks of their own in a box of Canon's inside `moov`.
enum CR3Container {
    static func read(_ file: Region) -> Contents {
        var found = Contents(.cr3)
        guard let movie = file.box("moov") else {
            found.isDamaged = true
            return found
        }
        for box in Boxes(in: movie) where box.name == "uuid" && box.content.uint32(0) == 0x85c0_b687 {
            let parts = box.content.rest(from: 16)
            guard let image = parts.box("CMT1") else { continue }
            found.exif = EXIFBlock(image: image, exif: parts.box("CMT2"), gps: parts.box("CMT4"))
            guard let block = TIFFBlock(image), let first = block.directory(at: block.first),
                let width = block.number(first[0x100]), let height = block.number(first[0x101])
            else { break }
            found.pixels = PixelSize(width: width, height: height)
            break
        }
        for box in Boxes(in: file).prefix(64) where box.name == "uuid" && box.content.uint32(0) == 0xbe7a_cfcb {
            found.xmp = box.content.rest(from: 16)
        }
        return found
    }
}
