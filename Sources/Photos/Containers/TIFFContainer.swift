import Notes

/// TIFF, and the RAW formats that are TIFF inside: DNG, CR2, NEF, ARW, PEF, ORF, RW2.
enum TIFFContainer {
    static func read(_ file: Region, _ format: PhotoFormat) -> Contents {
        var found = Contents(format)
        guard let block = TIFFBlock(file), let first = block.directory(at: block.first) else {
            found.isDamaged = true
            return found
        }
        found.exif = EXIFBlock(block)
        found.xmp = block.content(first[0x2bc])
        found.iptc = block.content(first[0x83bb])
        let pictures = [first] + parts(of: first, block)
        if format == .tiff { found.format = kind(block, pictures) }
        found.pixels = size(found, block, pictures)
        found.isDamaged = found.pixels == nil && !found.format.isRaw
        return found
    }

    /// The directories that SubIFDs (TIFF/EP) point at: the sensor's own picture is among them.
    private static func parts(of first: TIFFBlock.Directory, _ block: TIFFBlock) -> [TIFFBlock.Directory] {
        block.numbers(first[0x14a]).filter { $0 != block.first }.compactMap { block.directory(at: $0) }
    }

    /// Which RAW a TIFF file is. A colour filter array before the pixels makes it one; the maker says which.
    private static func kind(_ block: TIFFBlock, _ pictures: [TIFFBlock.Directory]) -> PhotoFormat {
        if pictures[0][0xc612] != nil { return .dng }
        let isSensorData = pictures.contains { picture in
            block.number(picture[0x106]) == 32_803 || [32_767, 34_713, 65_535].contains(block.number(picture[0x103]))
        }
        guard isSensorData, let make = block.content(pictures[0][Tag.make])?.bytes(limit: 64).flatMap(MetadataText.line)
        else {
            return .tiff
        }
        if make.hasPrefix("NIKON") { return .nef }
        if make.hasPrefix("SONY") { return .arw }
        if make.hasPrefix("PENTAX") || make.hasPrefix("RICOH") { return .pef }
        return .tiff
    }

    private static func size(_ found: Contents, _ block: TIFFBlock, _ pictures: [TIFFBlock.Directory]) -> PixelSize? {
        switch found.format {
        case .rw2:
            // The borders of the picture on the sensor: top, left, bottom, right.
            let borders = (4...7).compactMap { block.number(pictures[0][$0]) }
            if borders.count == 4 { return PixelSize(width: borders[3] - borders[1], height: borders[2] - borders[0]) }
        case .arw:
            if let size = sonySize(block, pictures[0]) { return size }
        case .cr2:
            // IFD0 is a preview, and the sensor's own picture has no size in TIFF's words: the camera's remains.
            if let claimed = found.exif?.claimedSize,
                let size = PixelSize(width: claimed.width, height: claimed.height)
            {
                return size
            }
        default: break
        }
        // A reduced picture (NewSubfileType 1) stands for a larger one elsewhere.
        let whole = pictures.first { (block.number($0[0xfe]) ?? 0) & 1 == 0 && $0[0x100] != nil } ?? pictures[0]
        guard let width = block.number(whole[0x100]), let height = block.number(whole[0x101]) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The picture within the sensor's frame, by the block that Sony kept from Minolta's MRW.
    private static func sonySize(_ block: TIFFBlock, _ first: TIFFBlock.Directory) -> PixelSize? {
        guard let offset = block.region.uint32(first[0xc634]?.offset ?? -1, little: block.isLittle),
            let block = block.content(block.directory(at: offset)?[0x7250]), block.has("\0MRI"),
            block.has("\0PRD", at: 8), let height = block.uint16(28, little: true),
            let width = block.uint16(30, little: true)
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}
