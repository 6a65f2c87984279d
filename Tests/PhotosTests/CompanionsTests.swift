import Notes
import Photos
import System
import Testing

/// What belongs together in a folder. The names are those that phones, cameras and Google's exports write.
struct CompanionsTests {
    private static let formats: [String: PhotoFormat] = [
        "jpg": .jpeg, "jpeg": .jpeg, "heic": .heic, "png": .png, "dng": .dng, "cr2": .cr2, "nef": .nef, "tif": .tiff,
        "mov": .mov, "mp4": .mp4, "mp": .mp4, "thm": .jpeg, "lrv": .mp4, "lrf": .mp4,
    ]

    static func file(_ name: String, identifier: String? = nil, day: Int64? = nil) -> FolderFile {
        let path = FilePath(name)
        return FolderFile(
            path: path, format: formats[path.fileExtension], contentIdentifier: identifier,
            instant: day.map { Timestamp(milliseconds: $0 * 86_400_000) })
    }

    /// A set in one line: its main file, then its companions with their roles.
    static func lines(_ sets: [PhotoSet]) -> [String] {
        sets.map { set in
            ([set.main.description] + set.companions.map { "\($0.role.rawValue) \($0.path)" }).joined(separator: ", ")
        }
    }

    struct Case: CustomTestStringConvertible {
        let what: String
        let files: [String]
        let sets: [String]
        var policy = EditedPolicy.prefer

        var testDescription: String { what }
    }

    private static let cases = [
        Case(
            what: "photos of their own stay alone", files: ["IMG_1.jpg", "IMG_10.jpg", "IMG_2.jpg"],
            sets: ["IMG_1.jpg", "IMG_2.jpg", "IMG_10.jpg"]),
        Case(
            what: "iOS: an edit beside its original and its steps",
            files: ["IMG_1234.HEIC", "IMG_E1234.JPG", "IMG_1234.AAE", "IMG_O1234.AAE"],
            sets: ["IMG_E1234.JPG, original IMG_1234.HEIC, adjustments IMG_1234.AAE, adjustments IMG_O1234.AAE"]),
        Case(
            what: "iOS: original asked for", files: ["IMG_1234.HEIC", "IMG_E1234.JPG", "IMG_1234.AAE"],
            sets: ["IMG_1234.HEIC, edited IMG_E1234.JPG, adjustments IMG_1234.AAE"], policy: .original),
        Case(
            what: "iOS: both asked for", files: ["IMG_1234.HEIC", "IMG_E1234.JPG", "IMG_1234.AAE"],
            sets: ["IMG_1234.HEIC, adjustments IMG_1234.AAE", "IMG_E1234.JPG"], policy: .both),
        Case(
            what: "iOS: an edited Live Photo has two videos",
            files: ["IMG_7.HEIC", "IMG_7.MOV", "IMG_E7.HEIC", "IMG_E7.MOV"],
            sets: ["IMG_E7.HEIC, original IMG_7.HEIC, video IMG_7.MOV, video IMG_E7.MOV"]),
        Case(
            what: "an edited copy alone is a photo", files: ["IMG_E1234.JPG", "x-edited.jpg"],
            sets: ["IMG_E1234.JPG", "x-edited.jpg"]),
        Case(
            what: "endings that say edited",
            files: [
                "a.jpg", "a-edited.jpg", "b.jpg", "b (Edited).jpg", "c.jpg", "c_edited.jpg", "d.jpg", "d(Edited).jpg",
            ],
            sets: [
                "a-edited.jpg, original a.jpg", "b (Edited).jpg, original b.jpg", "c_edited.jpg, original c.jpg",
                "d(Edited).jpg, original d.jpg",
            ]),
        Case(
            what: "edited in other languages, composed or not",
            files: [
                "PXL_1.PORTRAIT.jpg", "PXL_1.PORTRAIT-modifi\u{e9}.jpg", "b.jpg", "b-modifie\u{301}.jpg", "c.jpg",
                "c-bearbeitet.jpg", "d.jpg", "d-編集済み.jpg", "e.jpg", "e-ha editado.jpg",
            ],
            sets: [
                "b-modifie\u{301}.jpg, original b.jpg", "c-bearbeitet.jpg, original c.jpg",
                "d-編集済み.jpg, original d.jpg", "e-ha editado.jpg, original e.jpg",
                "PXL_1.PORTRAIT-modifi\u{e9}.jpg, original PXL_1.PORTRAIT.jpg",
            ]),
        Case(
            what: "the number of a copy stands behind edited",
            files: ["a.jpg", "a(1).jpg", "a-edited.jpg", "a-edited(1).jpg"],
            sets: ["a-edited(1).jpg, original a(1).jpg", "a-edited.jpg, original a.jpg"]),
        Case(
            what: "an edit of an edit goes with the first original",
            files: ["IMG_1.jpg", "IMG_E1.jpg", "IMG_E1-edited.jpg"],
            sets: ["IMG_E1-edited.jpg, original IMG_1.jpg, edited IMG_E1.jpg"]),
        Case(
            what: "a Live Photo by its name", files: ["IMG_0001.HEIC", "IMG_0001.MOV", "IMG_0002.JPG", "img_0002.mov"],
            sets: ["IMG_0001.HEIC, video IMG_0001.MOV", "IMG_0002.JPG, video img_0002.mov"]),
        Case(
            what: "iCloud's tools write the still's kind into the video's name",
            files: ["IMG_9881.HEIC", "IMG_9881_HEVC.MOV", "IMG_100.HEIC", "IMG_100_HEIC.MOV"],
            sets: ["IMG_100.HEIC, video IMG_100_HEIC.MOV", "IMG_9881.HEIC, video IMG_9881_HEVC.MOV"]),
        Case(
            what: "Google's motion photos", files: ["PXL_1.MP.jpg", "PXL_1.MP", "PXL_2.MP.jpg", "PXL_2.MP.mp4"],
            sets: ["PXL_1.MP.jpg, video PXL_1.MP", "PXL_2.MP.jpg, video PXL_2.MP.mp4"]),
        Case(
            what: "a screenshot does not move", files: ["IMG_1.PNG", "IMG_1.MOV"], sets: ["IMG_1.MOV", "IMG_1.PNG"]),
        Case(
            what: "RAW and JPEG or HEIC", files: ["DSC_1.NEF", "DSC_1.JPG", "IMG_2.DNG", "IMG_2.HEIC", "DSC_3.NEF"],
            sets: ["DSC_1.JPG, raw DSC_1.NEF", "DSC_3.NEF", "IMG_2.HEIC, raw IMG_2.DNG"]),
        Case(
            what: "Pixel's RAW and its cover",
            files: [
                "PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-02.ORIGINAL.dng", "PXL_2.RAW-01.MP.COVER.jpg",
                "PXL_2.RAW-02.ORIGINAL.dng",
            ],
            sets: [
                "PXL_1.RAW-01.COVER.jpg, raw PXL_1.RAW-02.ORIGINAL.dng",
                "PXL_2.RAW-01.MP.COVER.jpg, raw PXL_2.RAW-02.ORIGINAL.dng",
            ]),
        Case(
            what: "a picture developed from RAW is a photo of its own", files: ["DSC_1.NEF", "DSC_1.tif"],
            sets: ["DSC_1.NEF", "DSC_1.tif"]),
        Case(
            what: "RAW, JPEG and an edit of the JPEG", files: ["IMG_1.CR2", "IMG_1.JPG", "IMG_1-edited.jpg"],
            sets: ["IMG_1-edited.jpg, original IMG_1.JPG, raw IMG_1.CR2"]),
        Case(
            what: "an edit of RAW alone", files: ["IMG_1.DNG", "IMG_E1.JPG"], sets: ["IMG_E1.JPG, original IMG_1.DNG"]),
        Case(
            what: "XMP and captions by the whole name and by the stem",
            files: ["IMG_1.JPG", "IMG_1.JPG.xmp", "IMG_2.JPG", "IMG_2.xmp", "IMG_2.txt", "IMG_3.JPG", "img_3.jpg.txt"],
            sets: [
                "IMG_1.JPG, xmp IMG_1.JPG.xmp", "IMG_2.JPG, xmp IMG_2.xmp, caption IMG_2.txt",
                "IMG_3.JPG, caption img_3.jpg.txt",
            ]),
        Case(
            what: "XMP of the RAW and of the JPEG",
            files: ["IMG_1.CR2", "IMG_1.JPG", "IMG_1.CR2.xmp", "IMG_1.JPG.xmp", "IMG_1.xmp"],
            sets: ["IMG_1.JPG, raw IMG_1.CR2, xmp IMG_1.CR2.xmp, xmp IMG_1.JPG.xmp, xmp IMG_1.xmp"]),
        Case(
            what: "sidecars of nothing, and other files, stay alone",
            files: ["notes.txt", "x.xmp", "metadata.json", "y.AAE", "z.pdf", "IMG_1.jpg"],
            sets: ["IMG_1.jpg", "metadata.json", "notes.txt", "x.xmp", "y.AAE", "z.pdf"]),
        Case(
            what: "GoPro and DJI: the small pictures and videos beside a video",
            files: [
                "GX010001.MP4", "GX010001.THM", "GL010001.LRV", "GOPR0002.MP4", "GOPR0002.LRV", "DJI_0003.MP4",
                "DJI_0003.LRF",
            ],
            sets: [
                "DJI_0003.MP4, preview DJI_0003.LRF", "GOPR0002.MP4, preview GOPR0002.LRV",
                "GX010001.MP4, preview GL010001.LRV, preview GX010001.THM",
            ]),
        Case(
            what: "a small picture is never what a RAW file or a video goes with",
            files: ["CRW_2.CR2", "CRW_2.THM", "MVI_3.MOV", "MVI_3.THM", "IMG_4.JPG", "IMG_4.CR2", "IMG_4.THM"],
            sets: [
                "CRW_2.CR2, preview CRW_2.THM", "IMG_4.JPG, raw IMG_4.CR2, preview IMG_4.THM",
                "MVI_3.MOV, preview MVI_3.THM",
            ]),
        Case(
            what: "small pictures and videos of nothing stay alone", files: ["GL010009.LRV", "GX010008.THM", "a.jpg"],
            sets: ["a.jpg", "GL010009.LRV", "GX010008.THM"]),
        Case(
            what: "Pixel's portrait and what it was made of",
            files: [
                "PXL_20240501_101112.PORTRAIT-01.COVER.jpg", "PXL_20240501_101112.PORTRAIT-02.ORIGINAL.jpg",
                "PXL_20230809_203449253.LONG_EXPOSURE-01.COVER.jpg",
                "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg", "PXL_3.PORTRAIT-01.COVER.jpg",
                "PXL_4.PORTRAIT-02.ORIGINAL.jpg",
            ],
            sets: [
                "PXL_3.PORTRAIT-01.COVER.jpg", "PXL_4.PORTRAIT-02.ORIGINAL.jpg",
                "PXL_20230809_203449253.LONG_EXPOSURE-01.COVER.jpg, original "
                    + "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
                "PXL_20240501_101112.PORTRAIT-01.COVER.jpg, original PXL_20240501_101112.PORTRAIT-02.ORIGINAL.jpg",
            ]),
        Case(
            what: "Pixel's portrait, edited",
            files: ["P.PORTRAIT-01.COVER.jpg", "P.PORTRAIT-02.ORIGINAL.jpg", "P.PORTRAIT-01.COVER-edited.jpg"],
            sets: [
                "P.PORTRAIT-01.COVER-edited.jpg, original P.PORTRAIT-02.ORIGINAL.jpg, edited P.PORTRAIT-01.COVER.jpg"
            ]),
        Case(
            what: "names that differ in case only keep their own", files: ["A.jpg", "a.jpg", "a.xmp", "A.txt"],
            sets: ["A.jpg, caption A.txt", "a.jpg, xmp a.xmp"]),
    ]

    @Test("files that belong together make one set", arguments: cases)
    func table(_ given: Case) {
        let files = given.files.map { Self.file($0) }
        let sets = Companions.sets(of: files, edited: given.policy)
        #expect(Self.lines(sets) == given.sets)
        // The order in which a folder is read changes nothing.
        #expect(Companions.sets(of: files.reversed(), edited: given.policy) == sets)
    }

    @Test("with both copies asked for, the edited one shares what speaks of its original")
    func shared() {
        let names = ["a.jpg", "a-edited.jpg", "a.jpg.json", "a.txt", "a.AAE", "a-edited.txt"]
        let sets = Companions.sets(of: names.map { Self.file($0) }, edited: .both)
        #expect(
            Self.lines(sets) == [
                "a-edited.jpg, caption a-edited.txt", "a.jpg, takeout a.jpg.json, caption a.txt, adjustments a.AAE",
            ])
        #expect(sets.first?.shared == [Companion(path: "a.jpg.json", role: .takeout)])
        #expect(sets.first?.sidecars(.caption) == ["a-edited.txt"])
        #expect(sets.first?.sidecars(.takeout) == ["a.jpg.json"])
    }

    @Test("the content identifier counts more than the name")
    func identifiers() {
        let files = [
            Self.file("IMG_1.HEIC", identifier: "A"), Self.file("IMG_2.HEIC", identifier: "B"),
            Self.file("IMG_2.MOV", identifier: "A"), Self.file("IMG_3.HEIC", identifier: "C"),
            Self.file("IMG_3.MOV", identifier: "X"), Self.file("IMG_4.HEIC", identifier: "D"), Self.file("IMG_4.MOV"),
        ]
        #expect(
            Self.lines(Companions.sets(of: files)) == [
                "IMG_1.HEIC, video IMG_2.MOV", "IMG_2.HEIC", "IMG_3.HEIC", "IMG_3.MOV", "IMG_4.HEIC, video IMG_4.MOV",
            ])
    }

    @Test("an edited still with its original's identifier leaves the video to the original")
    func identifierOfEdit() {
        let files = ["IMG_1.HEIC", "IMG_E1.HEIC", "IMG_1.MOV"].map { Self.file($0, identifier: "A") }
        #expect(
            Self.lines(Companions.sets(of: files, edited: .both)) == ["IMG_1.HEIC, video IMG_1.MOV", "IMG_E1.HEIC"])
    }

    @Test("equal names of two cameras, days apart, do not belong together")
    func far() {
        let files = [
            Self.file("IMG_1.JPG", day: 100), Self.file("IMG_1.MOV", day: 300), Self.file("IMG_2.JPG", day: 100),
            Self.file("IMG_2.CR2", day: 300), Self.file("IMG_3.JPG", day: 100), Self.file("IMG_3.CR2", day: 101),
        ]
        #expect(
            Self.lines(Companions.sets(of: files)) == [
                "IMG_1.JPG", "IMG_1.MOV", "IMG_2.CR2", "IMG_2.JPG", "IMG_3.JPG, raw IMG_3.CR2",
            ])
    }

    @Test("with an edited copy goes its own video, else its original's")
    func videos() {
        func videos(_ names: String...) -> [[FilePath]] {
            Companions.sets(of: names.map { FolderFile(path: FilePath($0), format: .named(FilePath($0))) }).map(
                \.videos)
        }
        #expect(videos("IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.HEIC", "IMG_E1.MOV") == [["IMG_E1.MOV"]])
        #expect(videos("IMG_1.HEIC", "IMG_1.MOV", "IMG_E1.HEIC") == [["IMG_1.MOV"]])
        #expect(videos("IMG_1.HEIC", "IMG_1_HEVC.MOV") == [["IMG_1_HEVC.MOV"]])
        #expect(videos("IMG_1.MOV", "IMG_2.HEIC") == [[], []])
    }

    @Test("photos of a burst stay memos, and the burst is named")
    func bursts() {
        let names = [
            "IMG_20240501_101112_BURST001_COVER.jpg", "IMG_20240501_101112_BURST002.jpg",
            "00000IMG_00000_BURST20180324162034912_COVER.jpg", "00001IMG_00001_BURST20180324162034912.jpg",
            "20231207_102154_001.jpg", "20231207_102154_002.jpg", "IMG_20240501_999999_BURST001.jpg",
            "20231207_102155.jpg", "PXL_20240501_101112.BURST-01.COVER.jpg", "PXL_20240501_101112.BURST-02.jpg",
        ]
        let sets = Companions.sets(of: names.map { Self.file($0) })
        let bursts = Dictionary(uniqueKeysWithValues: sets.map { ($0.main.description, $0.burst) })
        #expect(sets.count == names.count)
        #expect(bursts["IMG_20240501_101112_BURST001_COVER.jpg"] == "IMG_20240501_101112")
        #expect(bursts["IMG_20240501_101112_BURST002.jpg"] == "IMG_20240501_101112")
        #expect(bursts["00000IMG_00000_BURST20180324162034912_COVER.jpg"] == "BURST20180324162034912")
        #expect(bursts["00001IMG_00001_BURST20180324162034912.jpg"] == "BURST20180324162034912")
        #expect(bursts["20231207_102154_002.jpg"] == "20231207_102154")
        #expect(bursts["PXL_20240501_101112.BURST-01.COVER.jpg"] == "PXL_20240501_101112")
        #expect(bursts["PXL_20240501_101112.BURST-02.jpg"] == "PXL_20240501_101112")
        // One alone is no burst.
        #expect(bursts["IMG_20240501_999999_BURST001.jpg"] == .some(nil))
        #expect(bursts["20231207_102155.jpg"] == .some(nil))
    }

    @Test("whatever the names are, each file is in exactly one set, in any order of reading")
    func everyFileOnce() {
        var random = SeededNumbers(seed: 3)
        let pieces = [
            "IMG_", "E", "1", "(1)", "-edited", ".P-01.COVER", ".P-02.ORIGINAL", ".thm", ".jpg", ".JPG", ".heic",
            ".mov", ".json", ".xmp", ".txt", ".dng", ".",
        ]
        for _ in 0..<400 {
            var names: Set<[UInt8]> = []
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                var name = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
                    Array((pieces.randomElement(using: &random) ?? "").utf8)
                }
                if Int.random(in: 0..<20, using: &random) == 0 { name.append(0xff) }
                names.insert(name)
            }
            let files = names.map { bytes -> FolderFile in
                let path = FilePath(bytes: bytes)
                return FolderFile(
                    path: path, format: Self.formats[path.fileExtension],
                    contentIdentifier: ["A", "B", nil, nil].randomElement(using: &random) ?? nil)
            }
            for policy in EditedPolicy.allCases {
                let sets = Companions.sets(of: files, edited: policy)
                let listed = sets.flatMap { [$0.main] + $0.companions.map(\.path) }
                #expect(listed.count == files.count)
                #expect(Set(listed) == Set(files.map(\.path)))
                #expect(Companions.sets(of: files.shuffled(using: &random), edited: policy) == sets)
            }
        }
    }
}
