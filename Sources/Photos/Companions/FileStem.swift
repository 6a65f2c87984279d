import System

/// A file's name in the parts that say what it belongs to: `IMG_1234(1).JPG` is `IMG_1234`, 1 and `JPG`.
struct FileStem: Hashable {
    /// Without the extension.
    let stem: String
    /// As written.
    let fileExtension: String

    /// Names that are not UTF-8 are told apart byte by byte.
    init(_ path: FilePath) {
        let bytes = path.name.bytes
        self.init(
            String(validating: bytes, as: UTF8.self)
                ?? "\0" + String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init))))
    }

    init(_ name: String) {
        if let dot = name.lastIndex(of: "."), dot > name.startIndex {
            stem = String(name[..<dot])
            fileExtension = String(name[name.index(after: dot)...])
        } else {
            (stem, fileExtension) = (name, "")
        }
    }

    var name: String { fileExtension.isEmpty ? stem : stem + "." + fileExtension }

    /// Equal for names that differ in case only: cards and phones write `IMG_1.JPG` beside `IMG_1.xmp` and `img_1.mov`.
    static func folded(_ text: String) -> String { text.lowercased() }

    /// What the parts of one shot share. Pixel phones give each part a number and a word of its own:
    /// `PXL_1.RAW-01.COVER.jpg`, `PXL_1.RAW-02.ORIGINAL.dng`.
    static func shot(_ stem: String) -> String {
        let folded = folded(stem)
        guard let mark = folded.firstRange(of: ".raw-0") else { return folded }
        return String(folded[..<mark.upperBound])
    }

    /// `IMG_1234(1)` in its parts `IMG_1234` and 1; nil where no number in brackets ends it.
    static func counter(_ stem: String) -> (rest: String, number: Int)? {
        guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("), open > stem.startIndex else { return nil }
        let digits = stem[stem.index(after: open)...].dropLast()
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy(DateText.isDigit), let number = Int(digits)
        else { return nil }
        return (String(stem[..<open]), number)
    }
}

/// How programs name the copy that somebody edited.
enum EditedName {
    /// "edited" in the languages that Google writes it in. Others' names count as names of photos of their own.
    private static let words = [
        "edited", "bearbeitet", "bewerkt", "modifié", "modificato", "editado", "ha editado", "editada", "editat",
        "edytowane", "redigerad", "redigeret", "redigert", "muokattu", "upraveno", "szerkesztve", "düzenlendi",
        "отредактировано", "編集済み", "已修改", "수정됨",
    ]

    private static let endings = words.flatMap { ["-\($0)", "_\($0)", " (\($0))", "(\($0))"] }

    /// Nearly all names end otherwise, so that a look at the last letter is enough.
    private static let lastLetters = Set(words.compactMap(\.last) + [")"])

    /// Google cuts the names of photos so that this many UTF-16 units are left before the extension.
    private static let longest = 47

    /// What the original's stem would be, the likeliest first; empty for a name that does not say it is an edited copy.
    static func originals(of stem: String) -> [String] {
        var found: [String] = []
        let (body, counter) = FileStem.counter(stem).map { ($0.rest, "(\($0.number))") } ?? (stem, "")
        let folded = FileStem.folded(body)
        // Folding may change a text's length; then the ending is looked for as written.
        let searched = folded.count == body.count ? folded : body
        if let last = searched.last, lastLetters.contains(last) {
            for ending in endings where searched.hasSuffix(ending) && searched != ending {
                found.append(String(body.dropLast(ending.count)) + counter)
            }
        }
        if !counter.isEmpty, found.isEmpty, searched.hasSuffix(")") { found += originals(of: body) }
        if found.isEmpty, body.utf16.count == longest, let dash = body.lastIndex(of: "-"), dash > body.startIndex {
            let rest = FileStem.folded(String(body[dash...]))
            if rest.count > 1, words.contains(where: { "-\($0)".hasPrefix(rest) }) {
                found.append(String(body[..<dash]) + counter)
            }
        }
        if found.isEmpty, let first = ofPixel(body) {
            found += [first, String(first.prefix(longest))].map { $0 + counter }
        }
        // iOS: IMG_E1234 beside IMG_1234.
        if stem.hasPrefix("IMG_E"), stem.utf8.dropFirst(5).first.map(DateText.isDigit) == true {
            found.append("IMG_" + stem.dropFirst(5))
        }
        return found
    }
}

extension EditedName {
    /// Pixel phones blur, stretch or light a photo and keep what they made that of: `PXL_1.PORTRAIT-01.COVER` is made of
    /// `PXL_1.PORTRAIT-02.ORIGINAL`. RAW is no edit, and the photos of a burst are photos of their own.
    private static func ofPixel(_ stem: String) -> String? {
        let parts = stem.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, parts.last == "COVER",
            let index = parts.indices.dropFirst().first(where: { parts[$0].hasSuffix("-01") })
        else { return nil }
        let word = parts[index].dropLast(3)
        guard !word.isEmpty, word != "RAW", word != "BURST" else { return nil }
        return (parts[..<index] + [word + "-02", "ORIGINAL"]).joined(separator: ".")
    }
}

/// How cameras name the photos of a burst.
enum BurstName {
    /// What the photos of one burst share; nil for a name that is of no burst.
    static func name(_ stem: String) -> String? {
        let bytes = Array(stem.utf8)
        func digits(from start: Int) -> Int { bytes[start...].prefix(while: DateText.isDigit).count }
        if let mark = stem.firstRange(of: "BURST") {
            let end = stem.utf8.distance(from: stem.startIndex, to: mark.upperBound)
            let start = bytes.dropFirst(end).first == UInt8(ascii: "-") ? end + 1 : end
            let count = digits(from: start)
            // A time names the burst itself: 00001IMG_00001_BURST20180324162034912.
            if count >= 14, start == end { return String(stem[mark.lowerBound...].prefix(5 + count)) }
            // A number counts within it: IMG_20240501_101112_BURST001_COVER, PXL_20240501_101112.BURST-01.COVER.
            let before = stem[..<mark.lowerBound]
            return count > 0 && (before.hasSuffix("_") || before.hasSuffix(".")) && before.count > 1
                ? String(before.dropLast()) : nil
        }
        // 20240501_101112_001, as Samsung has it.
        let isNumbered =
            bytes.count == 19 && digits(from: 0) == 8 && bytes[8] == UInt8(ascii: "_") && digits(from: 9) == 6
            && bytes[15] == UInt8(ascii: "_") && digits(from: 16) == 3
        return isNumbered ? String(stem.dropLast(4)) : nil
    }
}
