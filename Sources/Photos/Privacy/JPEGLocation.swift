import Glibc
import Hashing

extension PhotoBytes {
    mutating func stripJPEG() throws(LocationError) {
        var end = try stripJPEG(from: 0)
        // Behind the picture: a gain map and other JPEGs stay, the video of a motion photo goes.
        for _ in 0..<16 {
            var start = end
            while start < bytes.count, bytes[start] == 0 { start += 1 }
            if start == bytes.count { return }
            guard bytes[start...].starts(with: [0xff, 0xd8, 0xff]) else { break }
            var copy = self
            do throws(LocationError) { end = try copy.stripJPEG(from: start) } catch { break }
            self = copy
        }
        cut(at: end)
        note(.trailer)
    }

    private struct ExtendedXMP {
        /// By the digest that names it: the pieces, and how long all are together.
        var pieces: [[UInt8]: [(offset: Int, data: Range<Int>, segment: Range<Int>)]] = [:]
        var lengths: [[UInt8]: Int] = [:]
        /// The packets that name it.
        var packets: [Range<Int>] = []
    }

    /// Goes through the segments of one picture.
    /// - Returns: Where it ends.
    private mutating func stripJPEG(from start: Int) throws(LocationError) -> Int {
        var offset = start + 2
        var extended = ExtendedXMP()
        while let marker = nextMarker(&offset) {
            switch marker {
            case 0x00, 0x01, 0xd0...0xd8: continue
            case 0xd9:
                try strip(extended)
                return offset
            default: break
            }
            guard let length = uint16(offset, in: all), length >= 2, let segment = part(offset + 2, length - 2, of: all)
            else {
                // The picture itself may be cut short; what stands before it may not.
                if marker == 0xda || (0xc0...0xcf).contains(marker) || marker == 0xdb { break }
                throw .uncertain("a block that is cut short")
            }
            offset += length
            try strip(segment, marker, &extended)
        }
        try strip(extended)
        return bytes.count
    }

    /// The byte behind the next 0xff, which is then passed.
    private func nextMarker(_ offset: inout Int) -> UInt8? {
        var place = offset
        let found: UInt8? = bytes.withUnsafeBytes { buffer in
            guard place < buffer.count, let base = buffer.baseAddress,
                let mark = memchr(base + place, 0xff, buffer.count - place)
            else { return nil }
            place = UnsafeRawPointer(mark) - base
            while place < buffer.count, buffer[place] == 0xff { place += 1 }
            return place < buffer.count ? buffer[place] : nil
        }
        offset = place + 1
        return found
    }

    private mutating func strip(
        _ segment: Range<Int>, _ marker: UInt8, _ extended: inout ExtendedXMP
    ) throws(LocationError) {
        guard (0xe0...0xef).contains(marker) || marker == 0xfe else { return }
        switch marker {
        case 0xfe: if fill(segment) { note(.text) }  // a comment
        case 0xe0 where has("JFIF\0", in: segment): break
        case 0xe0 where has("JFXX\0\u{10}", in: segment):
            if let picture = part(6, segment.count - 6, of: segment) { stripThumbnail(picture) }
        case 0xe0 where has("JFXX\0", in: segment): break
        case 0xe1 where has("Exif\0", in: segment):
            if let block = part(6, segment.count - 6, of: segment) { try stripEXIF(block) }
        case 0xe1 where has("http://ns.adobe.com/xap/1.0/\0", in: segment):
            if let packet = part(29, segment.count - 29, of: segment) {
                try stripXMP(packet)
                extended.packets.append(packet)
            }
        case 0xe1 where has("http://ns.adobe.com/xmp/extension/\0", in: segment): collect(segment, &extended)
        case 0xe2 where ["ICC_PROFILE\0", "MPF\0", "urn:iso:std:iso:ts:21496"].contains { has($0, in: segment) }: break
        case 0xe8 where has("SPIFF\0", in: segment): break
        case 0xec where has("Ducky", in: segment): break
        case 0xed where has("Photoshop 3.0\0", in: segment):
            if let resources = part(14, segment.count - 14, of: segment) { try stripPhotoshop(resources) }
        case 0xed where has("Adobe_CM", in: segment): break
        case 0xee where has("Adobe", in: segment): break
        default: empty(segment)
        }
    }

    // MARK: Extended XMP

    /// XMP Specification Part 3, 1.1.3.1: a packet of over 64 KiB in pieces, each with the digest and length of the whole
    /// and its own place in it.
    private mutating func collect(_ segment: Range<Int>, _ extended: inout ExtendedXMP) {
        guard let name = part(35, 32, of: segment), let length = uint32(67, in: segment),
            let offset = uint32(71, in: segment), let data = part(75, segment.count - 75, of: segment)
        else { return empty(segment) }
        let digest = Array(bytes[name])
        extended.pieces[digest, default: []].append((offset, data, segment))
        extended.lengths[digest] = length
    }

    private mutating func strip(_ extended: ExtendedXMP) throws(LocationError) {
        for (digest, pieces) in extended.pieces.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let ordered = pieces.sorted { $0.offset < $1.offset }
            var whole: [UInt8] = []
            var isWhole = true
            for piece in ordered {
                isWhole = isWhole && piece.offset == whole.count
                whole += bytes[piece.data]
            }
            guard isWhole, whole.count == extended.lengths[digest] else {
                for piece in pieces { empty(piece.segment) }
                continue
            }
            let stripped = try strip(whole) { inner throws(LocationError) in try inner.stripXMP(inner.all) }
            guard stripped != whole else { continue }
            let md5 = Digest(.md5)
            md5.update(stripped)
            let renamed = md5.finish().flatMap { byte in
                [byte >> 4, byte & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "A") + $0 - 10 }
            }
            for piece in ordered {
                put(stripped[piece.offset..<(piece.offset + piece.data.count)], at: piece.data.lowerBound)
                put(renamed, at: piece.segment.lowerBound + 35)
            }
            for packet in extended.packets {
                if let named = bytes[packet].firstRange(of: digest) { put(renamed, at: named.lowerBound) }
            }
        }
    }
}
