extension PhotoBytes {
    /// HEIF points at its items by offsets in the file, so that nothing may move: EXIF and XMP are stripped where they lie,
    /// and boxes that no picture needs become free space.
    mutating func stripHEIF() throws(LocationError) {
        try stripBoxes(in: all, nested: false)
        let file = Region(ByteSource(bytes))
        guard let items = HEIFContainer.metadata(in: file) else { throw .uncertain("items that cannot be read") }
        for item in items {
            guard let region = item.region, region.source === file.source, !item.isPacked else {
                throw .uncertain("metadata in pieces")
            }
            let range = region.start..<(region.start + region.count)
            switch item.kind {
            case .xmp: try stripXMP(range)
            case .exif:
                // Of a block that was emptied before, the four bytes in front of it are left.
                let block = min(range.lowerBound + 4, range.upperBound)..<range.upperBound
                if !isZero(block) { try stripEXIF(try tiff(in: range)) }
            }
        }
    }

    /// Four bytes say how far behind them the TIFF header stands; 0 is not always true.
    private func tiff(in item: Range<Int>) throws(LocationError) -> Range<Int> {
        let said = uint32(0, in: item).map { $0 + 4 }
        for offset in [said, 4, 10, 0, 6].compactMap(\.self) {
            if let block = part(offset, item.count - offset, of: item),
                has("II*\0", in: block) || has("MM\0*", in: block)
            {
                return block
            }
        }
        throw .uncertain("an EXIF block that cannot be read")
    }

    private static let pictureBoxes: Set<String> = ["ftyp", "meta", "mdat", "idat", "moov"]
    private static let movieBoxes: Set<String> = ["mvhd", "trak", "tkhd", "mdia", "edts", "tref", "mvex"]

    /// - Parameter nested: True inside `moov` and its tracks, which a sequence of pictures needs.
    private mutating func stripBoxes(in range: Range<Int>, nested: Bool) throws(LocationError) {
        var offset = 0
        for _ in 0..<4096 where offset < range.count {
            var header = 8
            guard var length = uint32(offset, in: range), let name = part(offset + 4, 4, of: range) else { break }
            if length == 1, let high = uint32(offset + 8, in: range), let low = uint32(offset + 12, in: range) {
                guard high < 1 << 30 else { break }
                (header, length) = (16, high << 32 | low)
            } else if length == 0 {
                length = range.count - offset
            }
            guard length >= header else { break }
            let isCut = length > range.count - offset
            let kind = String(String.UnicodeScalarView(bytes[name].map { Unicode.Scalar($0) }))
            let end = range.lowerBound + (isCut ? range.count : offset + length)
            let content = min(range.lowerBound + offset + header, end)..<end
            let known = nested ? Self.movieBoxes : Self.pictureBoxes
            if isCut, known.contains(kind), kind != "mdat" { throw .uncertain("a block that is cut short") }
            if kind == (nested ? "trak" : "moov") {
                try stripBoxes(in: content, nested: true)
            } else if kind == "free" || kind == "skip" {
                empty(content)
            } else if !known.contains(kind) {
                put("free".utf8, at: name.lowerBound)
                empty(content)
                note(.unknown)
            }
            offset = end - range.lowerBound
        }
        // What is no box: a maker's trailer.
        if offset < range.count { empty((range.lowerBound + offset)..<range.upperBound) }
    }
}
