import CZLib
import Notes

/// PNG (W3C, third edition): chunks. EXIF is in `eXIf` or, by an older custom, as hexadecimal text in a deflated chunk.
enum PNGContainer {
    /// A metadata chunk longer than this is passed over, deflated or not.
    private static let longest = 4 << 20

    static func read(_ file: Region) -> Contents {
        var found = Contents(.png)
        var texts: [String: String] = [:]
        var changed: String?
        var offset = 8
        // Each may be deflated to a thousandth: a file full of them is not worth the time.
        var textsLeft = 64
        for _ in 0..<1_000_000 {
            guard let length = file.uint32(offset), let name = file.name(offset + 4) else { break }
            if name == "IEND" { break }
            if let chunk = file.part(offset + 8, length) {
                switch name {
                case "IHDR" where found.pixels == nil:
                    guard let width = chunk.uint32(0), let height = chunk.uint32(4) else { break }
                    found.pixels = PixelSize(width: width, height: height)
                case "eXIf": found.exif = EXIFBlock(chunk) ?? found.exif
                case "tIME": changed = time(chunk)
                case "tEXt", "zTXt", "iTXt":
                    guard textsLeft > 0 else { break }
                    textsLeft -= 1
                    takeText(chunk, name, &found, &texts)
                default: break
                }
            }
            offset += 12 + length
        }
        found.isDamaged = found.pixels == nil
        if let text = texts["creation time"] { found.dates.append(StoredDate(source: "PNG CreationTime", text: text)) }
        if let text = texts["create-date"] {
            found.dates.append(StoredDate(source: "PNG CreateDate", text: text))
        }
        if let changed {
            found.dates.append(StoredDate(source: "PNG ModifyDate", text: changed, isUTC: true, isLastChange: true))
        }
        found.description = texts["description"]
        return found
    }

    private static func time(_ chunk: Region) -> String? {
        guard let year = chunk.uint16(0), let bytes = chunk.bytes(2, 5) else { return nil }
        return "\(year):" + bytes[0...1].map { digits($0) }.joined(separator: ":") + " "
            + bytes[2...4].map { digits($0) }.joined(separator: ":")
    }

    private static func digits(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: Text

    private static func takeText(
        _ chunk: Region, _ name: FourCC, _ found: inout Contents, _ texts: inout [String: String]
    ) {
        guard let end = chunk.index(of: 0, from: 0, within: 80), chunk.count <= longest,
            let key = chunk.bytes(0, end).map({ String(decoding: $0, as: UTF8.self) })
        else { return }
        switch key {
        case "XML:com.adobe.xmp":
            guard found.xmp == nil, let bytes = value(chunk, name, end) else { return }
            found.xmp = Region(ByteSource(bytes))
        case "Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp":
            guard let bytes = value(chunk, name, end).flatMap(profile) else { return }
            let block = Region(ByteSource(bytes))
            if block.has("http://ns.adobe.com/xap/1.0/\0") {
                found.xmp = found.xmp ?? block.rest(from: 29)
            } else if key.hasSuffix("xmp") {
                found.xmp = found.xmp ?? block
            } else {
                found.exif = found.exif ?? EXIFBlock(block)
            }
        default:
            let key = key.lowercased()
            guard ["creation time", "create-date", "description"].contains(key), texts[key] == nil,
                let bytes = value(chunk, name, end)
            else { return }
            texts[key] = name == "iTXt" ? String(decoding: bytes, as: UTF8.self) : MetadataText.decode(bytes)
        }
    }

    /// What follows the keyword, inflated where it is deflated.
    private static func value(_ chunk: Region, _ name: FourCC, _ keyEnd: Int) -> [UInt8]? {
        switch name {
        case "tEXt": return chunk.rest(from: keyEnd + 1).bytes(limit: longest)
        case "zTXt": return chunk.rest(from: keyEnd + 2).bytes(limit: longest).flatMap(inflate)
        default:
            // Compression flag and method, language, translated keyword.
            guard let flag = chunk.byte(keyEnd + 1), let language = chunk.index(of: 0, from: keyEnd + 3, within: 256),
                let keyword = chunk.index(of: 0, from: language + 1, within: 1024),
                let bytes = chunk.rest(from: keyword + 1).bytes(limit: longest)
            else { return nil }
            return flag == 0 ? bytes : inflate(bytes)
        }
    }

    /// A raw profile: a name, a length and the bytes in hexadecimal, all as lines of text.
    private static func profile(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.drop { $0 == UInt8(ascii: "\n") }.split(
            separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in lines[2] {
            guard let digit = Character(Unicode.Scalar(character)).hexDigitValue.map(UInt8.init) else { continue }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// - Returns: nil for what is not zlib's, and for more than `longest` bytes.
    static func inflate(_ packed: [UInt8]) -> [UInt8]? {
        // Metadata rarely shrinks to less than a tenth; a bomb does.
        for room in [max(4096, packed.count * 8), longest] where room <= longest {
            var length = uLong(room)
            var status = Z_OK
            let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                status = uncompress(buffer.baseAddress, &length, packed, uLong(packed.count))
                filled = status == Z_OK ? Int(length) : 0
            }
            if status == Z_OK { return bytes }
            if status != Z_BUF_ERROR { return nil }
        }
        return nil
    }
}
