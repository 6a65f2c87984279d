import CZLib

extension PhotoBytes {
    /// PNG is a list of chunks without offsets: those that go, go as a whole.
    mutating func stripPNG() throws(LocationError) {
        var made = Array(bytes[..<8])
        var offset = 8
        while true {
            guard let length = uint32(offset, in: all), let name = part(offset + 4, 4, of: all),
                let content = part(offset + 8, length, of: all), let whole = part(offset, 12 + length, of: all)
            else {
                // The picture may be cut short; then no chunk begins behind it.
                made += bytes[offset...]
                break
            }
            let kind = String(decoding: bytes[name], as: UTF8.self)
            if let chunk = try stripped(kind, content) {
                if chunk.elementsEqual(bytes[content]) { made += bytes[whole] } else { made += Self.chunk(kind, chunk) }
            }
            offset += 12 + length
            if kind == "IEND" {
                if offset < bytes.count { note(.trailer) }
                break
            }
        }
        if made != bytes { replaceAll(made) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        return big(UInt32(content.count)) + named + big(UInt32(crc32(0, named, uInt(named.count))))
    }

    /// What the specification, its extensions and APNG know, and what hold pictures, colours and sizes only.
    private static let plain: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "mDCv",
        "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "tIME", "acTL", "fcTL", "fdAT", "oFFs", "pCAL", "sCAL", "gIFg", "sTER",
        "vpAg", "iDOT", "CgBI",
    ]

    /// A chunk's content without location; nil where the chunk goes.
    private mutating func stripped(_ kind: String, _ content: Range<Int>) throws(LocationError) -> [UInt8]? {
        let bytes = Array(bytes[content])
        switch kind {
        case "eXIf":
            return try strip(bytes) { inner throws(LocationError) in
                try inner.stripEXIF(inner.has("Exif\0", in: inner.all) ? 6..<bytes.count : inner.all)
            }
        case "tEXt", "zTXt", "iTXt": return try strippedText(kind, bytes)
        case _ where Self.plain.contains(kind): return bytes
        default:
            note(.unknown)
            return nil
        }
    }

    // MARK: Text

    private mutating func strippedText(_ kind: String, _ chunk: [UInt8]) throws(LocationError) -> [UInt8]? {
        guard let end = chunk.prefix(80).firstIndex(of: 0) else {
            note(.unknown)
            return nil
        }
        let key = String(decoding: chunk[..<end], as: UTF8.self)
        let folded = key.lowercased()
        let isXMP = key == "XML:com.adobe.xmp"
        let isProfile = folded.hasPrefix("raw profile type ")
        if !isXMP && !isProfile {
            guard ["gps", "latitude", "longitude", "location"].contains(where: folded.contains) else { return chunk }
            note(.text)
            return nil
        }
        guard let (head, text, isPacked) = try Self.text(kind, chunk, keyEnd: end) else {
            throw .uncertain("text that cannot be read")
        }
        let new =
            isXMP
            ? try strip(text) { inner throws(LocationError) in try inner.stripXMP(inner.all) }
            : try strippedProfile(String(folded.dropFirst(17)), text)
        guard let new else {
            note(.unknown)
            return nil
        }
        if new == text { return chunk }
        guard !isPacked else {
            guard let packed = Self.deflate(new) else { throw .uncertain("text that cannot be packed again") }
            return head + packed
        }
        return head + new
    }

    /// What stands before the text, and the text itself, unpacked where it is packed.
    private static func text(
        _ kind: String, _ chunk: [UInt8], keyEnd: Int
    ) throws(LocationError) -> (head: [UInt8], text: [UInt8], isPacked: Bool)? {
        var start = keyEnd + 1
        var isPacked = false
        switch kind {
        case "tEXt": break
        case "zTXt":
            guard chunk.count > start, chunk[start] == 0 else { return nil }
            (start, isPacked) = (start + 1, true)
        default:
            // Compression flag and method, language, translated keyword.
            guard chunk.count > start + 2, chunk[start] <= 1, chunk[start] == 0 || chunk[start + 1] == 0,
                let language = chunk[(start + 2)...].firstIndex(of: 0),
                let keyword = chunk[(language + 1)...].firstIndex(of: 0)
            else { return nil }
            isPacked = chunk[start] == 1
            start = keyword + 1
        }
        let rest = Array(chunk[start...])
        if !isPacked { return (Array(chunk[..<start]), rest, false) }
        return PNGContainer.inflate(rest).map { (Array(chunk[..<start]), $0, true) }
    }

    private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(uLong(bytes.count))
        var status = Z_OK
        let packed = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, filled in
            status = compress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
            filled = status == Z_OK ? Int(length) : 0
        }
        return status == Z_OK ? packed : nil
    }

    /// A raw profile keeps bytes as hexadecimal digits behind a name and a length; the digits are changed where they stand.
    /// - Returns: nil for a kind that is not known.
    private mutating func strippedProfile(_ kind: String, _ text: [UInt8]) throws(LocationError) -> [UInt8]? {
        if kind == "icc" || kind == "icm" { return text }
        guard ["exif", "app1", "xmp", "iptc", "8bim"].contains(kind) else { return nil }
        let start = text.firstIndex { $0 != UInt8(ascii: "\n") } ?? text.count
        guard let first = text[start...].firstIndex(of: UInt8(ascii: "\n")),
            let second = text[(first + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { throw .uncertain("a profile that cannot be read") }
        var places = text.indices[(second + 1)...].filter { Self.digit(text[$0]) != nil }
        if places.count % 2 == 1 { places.removeLast() }
        let profile = stride(from: 0, to: places.count, by: 2).map { index in
            (Self.digit(text[places[index]]) ?? 0) << 4 | (Self.digit(text[places[index + 1]]) ?? 0)
        }
        let new = try strip(profile) { inner throws(LocationError) in
            let all = inner.all
            if inner.has("http://ns.adobe.com/xap/1.0/\0", in: all) {
                try inner.stripXMP(29..<all.count)
            } else if inner.has("Photoshop 3.0\0", in: all) {
                try inner.stripPhotoshop(14..<all.count)
            } else if inner.has("Exif\0", in: all), all.count >= 6 {
                try inner.stripEXIF(6..<all.count)
            } else if kind == "xmp" {
                try inner.stripXMP(all)
            } else if kind == "iptc" || kind == "8bim" {
                if inner.has("8BIM", in: all) { try inner.stripPhotoshop(all) } else { inner.stripIPTC(all) }
            } else {
                try inner.stripEXIF(all)
            }
        }
        var changed = text
        let digits = Array("0123456789abcdef".utf8)
        for (index, byte) in new.enumerated() where byte != profile[index] {
            changed[places[index * 2]] = digits[Int(byte >> 4)]
            changed[places[index * 2 + 1]] = digits[Int(byte & 15)]
        }
        return changed
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
