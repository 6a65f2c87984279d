import Notes
import Text

/// Names of the files attached to one note: fit for every file system and importer, each used once.
public struct FileNames {
    private var taken: Set<String> = []

    public init() {}

    /// A name like `wish` that was not given out before, with the extension of its true type.
    ///
    /// Importers go by the extension, and two of them overwrite a file whose name comes twice; so case does not tell
    /// names apart.
    public mutating func next(_ wish: String, mime: String) -> String {
        let (stem, suffix) = Self.parts(wish, mime: mime)
        var number = 1
        while true {
            let tail = (number == 1 ? "" : " \(number)") + suffix
            let name = Self.cut(stem, toBytes: Self.longest - tail.utf8.count) + tail
            if taken.insert(name.lowercased()).inserted { return name }
            number += 1
        }
    }

    private static let longest = 200  // bytes; file systems allow 255, importers add to it

    /// The name without what a file system or terminal would stumble over, and its extension with the dot.
    private static func parts(_ wish: String, mime: String) -> (stem: String, suffix: String) {
        var stem = wish.withoutControls.nfc.replacing("/", with: "-").replacing("\\", with: "-")
        let fitting = extensions[mime] ?? []
        var suffix = ""
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex {
            let old = stem[dot...].dropFirst()
            let isExtension = !old.isEmpty && old.utf8.count <= 5 && old.allSatisfy { $0.isASCII && !$0.isWhitespace }
            if fitting.contains(old.lowercased()) || fitting.isEmpty && isExtension {
                suffix = String(stem[dot...])
                stem = String(stem[..<dot])
            } else if isExtension, extensions.values.contains(where: { $0.contains(old.lowercased()) }) {
                stem = String(stem[..<dot])  // it names another type
            }
        }
        if suffix.isEmpty, let first = fitting.first { suffix = "." + first }
        stem = String(stem.drop { ".- ".contains($0) })
        while stem.last == " " || stem.last == "." { stem.removeLast() }
        return (stem.isEmpty ? "photo" : stem, suffix)
    }

    private static func cut(_ text: String, toBytes limit: Int) -> String {
        var text = text
        while text.utf8.count > limit, !text.isEmpty { text.removeLast() }
        return text
    }

    /// The extensions of a type, the usual one first.
    private static let extensions: [String: [String]] = [
        "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
        "image/png": ["png"],
        "image/gif": ["gif"],
        "image/webp": ["webp"],
        "image/heic": ["heic", "heif", "hif"],
        "image/heif": ["heif", "heic", "hif"],
        "image/avif": ["avif"],
        "image/tiff": ["tif", "tiff"],
        "image/bmp": ["bmp"],
        "image/jxl": ["jxl"],
        "video/mp4": ["mp4", "m4v"],
        "video/quicktime": ["mov", "qt"],
    ]
}
