/// Where a QuickTime or MP4 file says that it was taken, and whether parts of it that are not read here may say so as well.
///
/// Places are read in 3GPP's `loci` (3GPP TS 26.244, 8.10), in the ISO 6709 texts of QuickTime's user data, of Apple's keys and
/// of iTunes' list, and in XMP. What else cameras keep beside their pictures, above all in tracks of their own, is left alone.
struct MoviePlaces {
    private var locations: [StoredPosition] = []
    private var texts: [StoredPosition] = []
    private var packets: [StoredPosition] = []
    /// True where a track or a box is there that is not understood, and that may tell a place.
    private(set) var mayHideOne = false

    /// In the order in which exiftool takes them: 3GPP's first, of the texts the one that stands last, XMP behind all.
    var positions: [StoredPosition] { locations + texts.reversed() + packets }

    init(_ file: Region) {
        read(file, depth: 0)
        // What is no box: a maker's trailer.
        let end = Array(Boxes(in: file)).last.map { $0.content.start + $0.content.count }
        if end != file.start + file.count { mayHideOne = true }
    }

    // MARK: Boxes

    /// Boxes of files, movies and tracks that tell how to play them (ISO/IEC 14496-12, QuickTime File Format).
    private static let plain: Set<FourCC> = [
        "ftyp", "mdat", "wide", "moof", "mfra", "sidx", "ssix", "styp", "prft", "pdin", "pnot",
        "mvhd", "iods", "mvex", "prfl", "ctab", "clip", "rmra",
        "tkhd", "edts", "tref", "load", "imap", "matt", "kmat", "tapt", "trgr", "txas",
    ]

    private mutating func read(_ region: Region, depth: Int) {
        for box in Boxes(in: region) {
            switch box.name {
            case "moov" where depth == 0, "trak" where depth == 1: read(box.content, depth: depth + 1)
            case "mdia" where depth == 2: if !Self.isPlain(media: box.content) { mayHideOne = true }
            case "udta": readUserData(box.content)
            default: readOther(box)
            }
        }
    }

    /// What may stand at any depth.
    private mutating func readOther(_ box: Box) {
        switch box.name {
        case "meta": readMeta(box.content)
        case "uuid": readExtended(box.content)
        case "free", "skip":
            // Dashcams write their tracks there.
            let head = box.content.bytes(0, min(box.content.count, 4096)) ?? []
            if head.contains(where: { $0 != 0 }) { mayHideOne = true }
        default: if !Self.plain.contains(box.name), box.content.count > 0 { mayHideOne = true }
        }
    }

    /// Of XMP (ISO 16684-3), and of Sony's sizes and rates.
    private static let xmp: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
    ]
    private static let profile: [UInt8] = [
        0x50, 0x52, 0x4f, 0x46, 0x21, 0xd2, 0x4f, 0xce, 0xbb, 0x88, 0x69, 0x5c, 0xfa, 0xc9, 0xc7, 0x40,
    ]

    /// Boxes that are known by sixteen bytes.
    private mutating func readExtended(_ box: Region) {
        switch box.bytes(0, 16) {
        case Self.xmp: readXMP(box.rest(from: 16))
        case Self.profile: break
        default: mayHideOne = true
        }
    }

    // MARK: User data

    /// Titles, makers and how a player's window looks. Words by a name with © count among them.
    private static let words: Set<FourCC> = [
        "titl", "dscp", "cprt", "perf", "auth", "gnre", "rtng", "clsf", "kywd", "albm", "yrrc", "coll", "name",
        "WLOC", "LOOP", "SelO", "AllF", "hnti", "hinf", "hinv", "ptv ", "tagc", "cinf", "vndr", "SDLN", "smrd", "smta",
    ]

    private mutating func readUserData(_ data: Region) {
        for box in Boxes(in: data) {
            switch box.name {
            case "loci": add(Self.location(box.content), to: \.locations)
            case "©xyz":
                // Some count the four bytes of length and language in.
                let text = box.content.uint16(0).flatMap { box.content.part(4, $0) ?? box.content.part(4, $0 - 4) }
                add(text.flatMap(Self.position), to: \.texts)
            case "XMP_": readXMP(box.content)
            case _ where box.name.value >> 24 == 0xa9 || Self.words.contains(box.name): break
            default: readOther(box)
            }
        }
    }

    private mutating func add(_ position: StoredPosition?, to places: WritableKeyPath<Self, [StoredPosition]>) {
        if let position { self[keyPath: places].append(position) } else { mayHideOne = true }
    }

    /// Apple's keys (`mdta`) and iTunes' list (`mdir`).
    private mutating func readMeta(_ meta: Region) {
        // QuickTime's meta box begins with its parts, MP4's with four bytes of version.
        let parts = meta.name(4) == "hdlr" ? meta : meta.rest(from: 4)
        let keys = parts.box("keys").map { Boxes(in: $0.rest(from: 8)).map { Self.text($0.content) } }
        for box in Boxes(in: parts) {
            switch box.name {
            case "hdlr", "keys", "mhdr", "ctry", "lang": break
            case "meta": mayHideOne = true  // one in another, and so on, would be followed for ever
            case "ilst":
                for item in Boxes(in: box.content) {
                    let index = Int(item.name.value) - 1
                    let name = keys.map { $0.indices.contains(index) ? $0[index] : "" }
                    let isText = name.map { $0.hasSuffix(".location.iso6709") } ?? (item.name == "©xyz")
                    if isText {
                        let data = item.content.box("data")
                        add(
                            data?.uint32(0) == 1 ? data.map { $0.rest(from: 8) }.flatMap(Self.position) : nil,
                            to: \.texts)
                    } else if name.map(Self.tellsPlace) == true {
                        mayHideOne = true
                    }
                }
            default: readOther(box)
            }
        }
    }

    private static func text(_ key: Region) -> String {
        String(decoding: key.bytes(0, min(key.count, 256)) ?? [], as: UTF8.self).lowercased()
    }

    private static func tellsPlace(_ key: String) -> Bool {
        ["location", "gps", "latitude", "longitude"].contains(where: key.contains)
    }

    private mutating func readXMP(_ packet: Region) {
        if let position = XMPReader(packet)?.position { return packets.append(position) }
        // What would be taken out of a photo's packet.
        guard let bytes = packet.bytes(limit: XMPReader.longest) else { return mayHideOne = true }
        var copy = PhotoBytes(bytes)
        do throws(LocationError) {
            try copy.stripXMP(copy.all)
            if !copy.removed.isEmpty { mayHideOne = true }
        } catch { mayHideOne = true }
    }

    // MARK: Tracks

    /// True for a track that is seen or heard or tells the time. The tracks of GoPro, DJI, Sony and of Street View have
    /// another handler, and iPhones' say by keys what is in them.
    private static func isPlain(media: Region) -> Bool {
        switch media.box("hdlr")?.name(8) {
        case "vide", "soun", "tmcd", "hint": return true
        case "meta": break
        default: return false
        }
        let table = media.box("minf")?.box("stbl")?.box("stsd")
        let kinds = table.map { Array(Boxes(in: $0.rest(from: 8))) } ?? []
        return !kinds.isEmpty
            && kinds.allSatisfy { kind in
                guard kind.name == "mebx", let keys = kind.content.rest(from: 8).box("keys") else { return false }
                return Boxes(in: keys).allSatisfy { key in
                    key.content.box("keyd").map { !tellsPlace(text($0)) } ?? false
                }
            }
    }

    // MARK: Values

    /// The name of the place and its role, then longitude, latitude and altitude in 16.16 fixed point.
    private static func location(_ box: Region) -> StoredPosition? {
        // Behind four bytes of version and two of language. UTF-16 has a mark in front of it and two zeros behind.
        let name = box.rest(from: 6)
        let isWide = name.uint16(0) == 0xfeff
        let width = isWide ? 2 : 1
        let end = stride(from: 0, to: min(name.count, 4096), by: width).first {
            (isWide ? name.uint16($0) : name.byte($0).map { Int($0) }) == 0
        }
        guard let end else { return nil }
        func degrees(_ offset: Int) -> Double? {
            name.uint32(end + width + offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
        }
        guard let longitude = degrees(1), let latitude = degrees(5), let altitude = degrees(9) else { return nil }
        return StoredPosition(
            source: "3GPP location", latitude: latitude, longitude: longitude, altitude: altitude, isSigned: true)
    }

    /// ISO 6709: `+48.8584+002.2945+082.090/`, or with minutes, or with seconds: `+4851.504+00217.670/`.
    static func position(_ text: Region) -> StoredPosition? {
        guard let line = text.bytes(limit: 16_384).flatMap(MetadataText.line) else { return nil }
        var numbers: [Substring] = []
        var rest = line.prefix(64).prefix { $0 != "/" }
        while let sign = rest.first, sign == "+" || sign == "-" {
            let number = rest.dropFirst().prefix { ("0"..."9").contains($0) || $0 == "." }
            numbers.append(rest[..<number.endIndex])
            rest = rest[number.endIndex...]
        }
        guard numbers.count >= 2, let latitude = degrees(numbers[0], of: 2), let longitude = degrees(numbers[1], of: 3)
        else { return nil }
        return StoredPosition(
            source: "QuickTime location", latitude: latitude, longitude: longitude,
            altitude: numbers.count > 2 ? Double(numbers[2]) : nil, isSigned: true)
    }

    /// - Parameter width: How many digits the degrees have where minutes, of two digits, follow them.
    private static func degrees(_ number: Substring, of width: Int) -> Double? {
        let digits = number.dropFirst()
        let whole = digits.prefix { $0 != "." }.count
        guard Double(number) != nil else { return nil }
        // Degrees, then minutes and seconds where there are as many digits as both have.
        let cuts = whole == width + 2 ? [width] : whole == width + 4 ? [width, width + 2] : []
        var (value, unit, start) = (0.0, 1.0, 0)
        for cut in cuts + [digits.count] {
            guard let part = Double(digits.dropFirst(start).prefix(cut - start)) else { return nil }
            value += part / unit
            (unit, start) = (unit * 60, cut)
        }
        return number.hasPrefix("-") ? -value : value
    }
}
