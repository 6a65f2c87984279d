import System

/// Which JSON file of a Google Takeout speaks of which photo.
///
/// As exports show it: the JSON is named by the photo, `IMG_1.jpg.json` until 2024 and since then
/// `IMG_1.jpg.supplemental-metadata.json`; without `.json` it is cut to 46 UTF-16 units, wherever that is:
/// `Screenshot_2017-07-05-10-05-26.png.supplementa.json`, `original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json`. A number
/// that tells photos of one name apart stands behind all that and is not counted: `IMG_1(1).jpg` has
/// `IMG_1.jpg(1).json` or `IMG_1.jpg.supplemental-metadata(1).json`.
struct TakeoutNames {
    private static let longest = 46
    private static let ending = ".supplemental-metadata"

    private struct Key: Hashable {
        let body: String
        let counter: Int?
    }

    /// The JSON files, by their names without `.json`, with and without the number taken off.
    private var files: [Key: Int] = [:]

    var isEmpty: Bool { files.isEmpty }

    /// - Parameter file: Any number that the caller knows the JSON file by.
    mutating func add(_ name: FileStem, _ file: Int) {
        let body = FileStem.folded(name.stem)
        files[Key(body: body, counter: nil)] = file
        if let (rest, number) = FileStem.counter(body) { files[Key(body: rest, counter: number)] = file }
    }

    /// The JSON file of a photo, and how sure that is: 0 where its name has the photo's whole name in it, 1 where it is cut.
    func file(of photo: FileStem) -> (file: Int, rank: Int)? {
        let names: [(name: String, stem: String, counter: Int?)]
        if let (rest, number) = FileStem.counter(photo.stem) {
            let bare = photo.fileExtension.isEmpty ? rest : rest + "." + photo.fileExtension
            // Photos whose own name ended in a number before Google saw them; both numbers were met, too.
            names = [(photo.name, photo.stem, nil), (bare, rest, number), (photo.name, photo.stem, number)]
        } else {
            names = [(photo.name, photo.stem, nil)]
        }
        for (name, _, counter) in names {
            for body in Self.wholeBodies(name) {
                if let found = files[Key(body: body, counter: counter)] { return (found, 0) }
            }
        }
        // A cut name is the same for all photos of that name but for the number behind it: with the number it fits better, and
        // without it only where the cut leaves some of the number.
        let cut = names.filter { $0.counter != nil } + names.filter { $0.counter == nil }
        for (name, stem, counter) in cut {
            let keepsNumber =
                counter != nil || FileStem.counter(stem).map { $0.rest.utf16.count < Self.longest } != false
            for body in (keepsNumber ? Self.cutBodies(name) : []) + Self.wholeBodies(stem) {
                if let found = files[Key(body: body, counter: counter)] { return (found, 1) }
            }
        }
        return nil
    }

    /// The name, and the name with the ending cut anywhere.
    private static func wholeBodies(_ name: String) -> [String] {
        let folded = FileStem.folded(name)
        return [folded + ending] + (1..<ending.count).reversed().map { folded + ending.prefix($0) } + [folded]
    }

    /// A name that is longer than what is left of it.
    private static func cutBodies(_ name: String) -> [String] {
        guard name.utf16.count > longest else { return [] }
        // Half a surrogate pair is no text: where the cut would leave one, exports are a unit shorter.
        return [longest, longest - 1].compactMap { count in
            String(name.utf16.prefix(count)).map(FileStem.folded)
        }.prefix(1).map(\.self)
    }
}
