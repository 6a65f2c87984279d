import Notes

/// QuickTime (MOV) and MP4: size and turn of the first video track, and the words beside it.
enum MovieContainer {
    static func read(_ file: Region, _ format: PhotoFormat) -> Contents {
        var found = Contents(format)
        guard let movie = file.box("moov") else {
            found.isDamaged = true
            return found
        }
        var words: [String: String] = [:]
        var created: StoredDate?
        for box in Boxes(in: movie) {
            switch box.name {
            case "mvhd": created = creation(box.content)
            case "trak" where found.pixels == nil: takeTrack(box.content, &found)
            case "meta": words.merge(keyed(box.content)) { first, _ in first }
            case "udta": words.merge(userData(box.content)) { first, _ in first }
            default: break
            }
        }
        if let text = words["com.apple.quicktime.creationdate"] {
            found.dates.append(StoredDate(source: "QuickTime Keys CreationDate", text: text))
        }
        if let text = words["day"] { found.dates.append(StoredDate(source: "QuickTime ContentCreateDate", text: text)) }
        if let created { found.dates.append(created) }
        let places = MoviePlaces(file)
        found.positions = places.positions
        found.mayHidePlace = places.mayHideOne
        found.make = words["com.apple.quicktime.make"] ?? words["mak"]
        found.model = words["com.apple.quicktime.model"] ?? words["mod"]
        found.contentIdentifier = words["com.apple.quicktime.content.identifier"]
        found.description = words["com.apple.quicktime.description"] ?? words["des"]
        return found
    }

    /// Seconds since 1904, in UTC by the format's text. Some programs count from 1970, which gives times before that year
    /// (exiftool's QuickTime.pm knows them). Android writes it at the end of a recording.
    private static func creation(_ header: Region) -> StoredDate? {
        let isLong = header.byte(0) == 1
        guard let seconds = isLong ? header.uint64(4) : header.uint32(4), seconds > 0, seconds < 1 << 40 else {
            return nil
        }
        let scale = header.uint32(isLong ? 20 : 12) ?? 0
        let units = (isLong ? header.uint64(24) : header.uint32(16)) ?? 0
        let length = scale > 0 ? units / scale : 0
        let time = LocalTime(seconds: Int64(seconds) - (seconds < from1904To1970 ? 0 : Int64(from1904To1970)))
        return StoredDate(
            source: "QuickTime CreateDate", text: time.description, isUTC: true,
            length: length < 86_400 ? Int64(length) : 0)
    }

    /// Seconds.
    private static let from1904To1970 = 2_082_844_800

    // MARK: Track

    private static func takeTrack(_ track: Region, _ found: inout Contents) {
        guard track.box("mdia")?.box("hdlr")?.name(8) == "vide", let header = track.box("tkhd") else { return }
        let matrix = header.byte(0) == 1 ? 52 : 40
        // Width and height in 16.16 fixed point, behind the nine numbers of the matrix.
        guard let width = header.uint32(matrix + 36), let height = header.uint32(matrix + 40) else { return }
        found.pixels = PixelSize(width: width >> 16, height: height >> 16)
        let (a, b) = (header.uint32(matrix), header.uint32(matrix + 4))
        let (one, minusOne) = (0x10000, 0xffff_0000)
        found.turn =
            switch (a, b) {
            case (0, one): 6
            case (minusOne, 0): 3
            case (0, minusOne): 8
            default: 1
            }
    }

    // MARK: Words

    /// `keys` names what `ilst` holds, by number.
    private static func keyed(_ meta: Region) -> [String: String] {
        // QuickTime's meta box begins with its parts, MP4's with four bytes of version.
        let parts = meta.name(4) == "hdlr" ? meta : meta.rest(from: 4)
        guard let names = parts.box("keys"), let values = parts.box("ilst") else { return [:] }
        let keys = Boxes(in: names.rest(from: 8)).map { key in
            key.content.bytes(limit: 256).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        var words: [String: String] = [:]
        for item in Boxes(in: values) {
            let index = Int(item.name.value) - 1
            guard keys.indices.contains(index), let data = item.content.box("data"), data.uint32(0) == 1,
                let text = data.rest(from: 8).bytes(limit: 16_384).flatMap(MetadataText.line)
            else { continue }
            words[keys[index]] = text
        }
        return words
    }

    /// The older `udta`: each word with a length and a language of its own.
    private static func userData(_ data: Region) -> [String: String] {
        var words: [String: String] = [:]
        for box in Boxes(in: data) {
            if box.name == "meta" { words.merge(keyed(box.content)) { first, _ in first } }
            guard let key = ["©mak": "mak", "©mod": "mod", "©day": "day", "©des": "des"][box.name],
                let length = box.content.uint16(0),
                let text = box.content.part(4, length)?.bytes(limit: 16_384).flatMap(MetadataText.line)
            else { continue }
            words[key] = text
        }
        return words
    }
}
