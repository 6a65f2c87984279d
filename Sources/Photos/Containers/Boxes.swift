/// A box of the ISO base media format (ISO/IEC 14496-12): HEIF, AVIF, JPEG XL, CR3, MP4, MOV.
struct Box {
    let name: FourCC
    let content: Region
}

/// The boxes that follow each other in a region. One that claims more than there is ends with the region.
struct Boxes: Sequence, IteratorProtocol {
    private let region: Region
    private var offset = 0
    /// No file of this kind has more; a hostile one may.
    private var left = 4096

    init(in region: Region) { self.region = region }

    mutating func next() -> Box? {
        guard left > 0, let size = region.uint32(offset), let name = region.name(offset + 4) else { return nil }
        left -= 1
        var (header, length) = (8, size)
        if size == 1 {
            guard let long = region.uint64(offset + 8) else { return nil }
            (header, length) = (16, long)
        } else if size == 0 {
            length = region.count - offset
        }
        guard length >= header else { return nil }
        let content = region.clipped(offset + header, length - header)
        let (next, overflow) = offset.addingReportingOverflow(length)
        offset = overflow ? region.count : next
        return Box(name: name, content: content)
    }
}

extension Region {
    /// The first box of that name, as content.
    func box(_ name: FourCC) -> Region? { Boxes(in: self).first { $0.name == name }?.content }
}
