extension PhotoBytes {
    /// Overwrites what an XMP packet says of places with spaces: its length stays, and it reads as if it had said nothing.
    mutating func stripXMP(_ packet: Range<Int>) throws(LocationError) {
        // Packets may be padded with NUL; any before is UTF-16 or worse.
        var end = packet.upperBound
        while end > packet.lowerBound, bytes[end - 1] == 0 { end -= 1 }
        let text = packet.lowerBound..<end
        guard !bytes[text].contains(0) else { throw .uncertain("XMP that is not UTF-8") }
        var scan = XMPScan(bytes, text)
        for range in try scan.locations() {
            fill(range, with: UInt8(ascii: " "))
            note(.xmp)
        }
    }
}

/// Finds the properties of an XMP packet that say where something is, as ranges of bytes. That is not to be had of an XML
/// parser, so this is a small one for names and quotes; what it does not understand it does not let pass.
private struct XMPScan {
    private let bytes: [UInt8]
    private let end: Int
    private var place: Int
    /// Names of the elements that are open, with where each begins.
    private var open: [(name: ArraySlice<UInt8>, start: Int)] = []
    /// How many are open where one that goes began.
    private var depthOfGone: Int?
    private var found: [Range<Int>] = []

    init(_ bytes: [UInt8], _ text: Range<Int>) {
        self.bytes = bytes
        place = text.lowerBound
        end = text.upperBound
    }

    /// - Returns: Whole elements and whole attributes.
    mutating func locations() throws(LocationError) -> [Range<Int>] {
        while let mark = next("<") {
            place = mark
            if at("<!--") {
                try skip(past: "-->")
            } else if at("<![CDATA[") {
                try skip(past: "]]>")
            } else if at("<?") {
                try skip(past: "?>")
            } else if at("<!") {
                throw .uncertain("XMP with a document type")
            } else if at("</") {
                try readEnd()
            } else {
                try readStart()
            }
        }
        if let depthOfGone { found.append(open[depthOfGone].start..<end) }  // cut in the middle
        return found
    }

    private mutating func readEnd() throws(LocationError) {
        place += 2
        let name = readName()
        skipSpace()
        guard at(">"), let last = open.popLast(), last.name == name else { throw Self.broken }
        place += 1
        if depthOfGone == open.count {
            found.append(last.start..<place)
            depthOfGone = nil
        }
    }

    private mutating func readStart() throws(LocationError) {
        let start = place
        place += 1
        let name = readName()
        guard !name.isEmpty else { throw Self.broken }
        let goes = depthOfGone == nil && Self.isLocation(name)
        while true {
            skipSpace()
            if at("/>") {
                place += 2
                if goes { found.append(start..<place) }
                return
            }
            if at(">") {
                place += 1
                break
            }
            let attribute = place
            let name = readName()
            skipSpace()
            guard !name.isEmpty, at("=") else { throw Self.broken }
            place += 1
            skipSpace()
            guard place < end, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'"),
                let close = bytes[(place + 1)..<end].firstIndex(of: bytes[place])
            else { throw Self.broken }
            place = close + 1
            if !goes, depthOfGone == nil, Self.isLocation(name) { found.append(attribute..<place) }
        }
        guard open.count < 256 else { throw Self.broken }
        if goes { depthOfGone = open.count }
        open.append((name, start))
    }

    private static let broken = LocationError.uncertain("XMP that is no well-formed XML")

    // MARK: Names

    /// Names of properties without their prefix, in lower case: of EXIF, Photoshop, IPTC Core and Extension, Dublin Core, W3C's
    /// WGS 84 vocabulary, and makers of drones. HDR+ maker notes are opaque.
    private static let names: Set<String> = [
        "city", "state", "country", "countrycode", "countryname", "location", "locationcreated", "locationshown",
        "locationname", "locationid", "sublocation", "provincestate", "worldregion", "shotlocation", "coverage", "lat",
        "lon", "long", "hdrp_makernote", "hdrplusmakernote",
    ]

    private static func isLocation(_ name: ArraySlice<UInt8>) -> Bool {
        let local = name.split(separator: UInt8(ascii: ":")).last ?? []
        guard local.count <= 64 else { return false }
        let word = String(decoding: local, as: UTF8.self).lowercased()
        // A declaration of a prefix is none of a property.
        if name.starts(with: "xmlns".utf8) { return false }
        return word.hasPrefix("gps") || word.contains("latitude") || word.contains("longitude") || names.contains(word)
    }

    // MARK: Characters

    private func next(_ mark: Unicode.Scalar) -> Int? { bytes[place..<end].firstIndex(of: UInt8(ascii: mark)) }

    private func at(_ text: StaticString) -> Bool {
        guard end - place >= text.utf8CodeUnitCount else { return false }
        return bytes[place..<(place + text.utf8CodeUnitCount)].elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func skip(past text: StaticString) throws(LocationError) {
        while place < end {
            if at(text) {
                place += text.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw Self.broken
    }

    private mutating func skipSpace() { while place < end, Self.isSpace(bytes[place]) { place += 1 } }

    private mutating func readName() -> ArraySlice<UInt8> {
        let start = place
        while place < end, !Self.isSpace(bytes[place]), !"<>/=\"'".utf8.contains(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
