import Notes
import Photos
import System
import Testing
import Workbench

/// What is read of the files beside a photo.
struct SidecarsTests {
    private func takeout(_ json: String) -> TakeoutSidecar? { TakeoutSidecar(Array(json.utf8)) }

    @Test("Takeout's JSON gives the instant, the place, the description and the title")
    func takeout() throws {
        let read = try #require(
            takeout(
                """
                {"title": "IMG_1559.HEIC", "description": "Ici c\\u0027est la mer", "imageViews": "4",
                 "creationTime": {"timestamp": "1687792236", "formatted": "26 juin 2023, 15:10:36 UTC"},
                 "photoTakenTime": {"timestamp": "1687791968", "formatted": "26 juin 2023, 15:06:08 UTC"},
                 "geoData": {"latitude": 48.7981917, "longitude": -2.4866833, "altitude": 90.25, "latitudeSpan": 0.0},
                 "geoDataExif": {"latitude": 48.8, "longitude": -2.5, "altitude": 0.0},
                 "people": [{"name": "Somebody"}], "url": "https://photos.google.com/photo/x"}
                """))
        #expect(read.title == "IMG_1559.HEIC")
        #expect(read.description == "Ici c'est la mer")
        #expect(read.taken?.iso8601 == "2023-06-26T15:06:08Z")
        #expect(read.place == Place(latitude: 48.7981917, longitude: -2.4866833, altitude: 90.25))
        #expect(read.placeInFile == Place(latitude: 48.8, longitude: -2.5))
    }

    @Test("0,0 is no place, an empty description none, a time before 1970 is one")
    func emptyTakeout() throws {
        let read = try #require(
            takeout(
                """
                {"title": "a.jpg", "description": "", "photoTakenTime": {"timestamp": "-86400"},
                 "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0}}
                """))
        #expect(read.place == nil)
        #expect(read.description == nil)
        #expect(read.taken?.iso8601 == "1969-12-31T00:00:00Z")
    }

    @Test("a field of the wrong kind is absent, the others count")
    func oddTakeout() throws {
        let read = try #require(
            takeout(
                #"{"title": 5, "photoTakenTime": {"timestamp": 1687791968}, "geoData": "none", "description": ["x"]}"#))
        #expect(read.taken?.iso8601 == "2023-06-26T15:06:08Z")
        #expect(read.title == nil)
        #expect(try #require(takeout(#"{"photoTakenTime": {"timestamp": "99999999999999999999"}}"#)).taken == nil)
        #expect(try #require(takeout(#"{"photoTakenTime": {"timestamp": "999999999999999"}}"#)).taken == nil)
        #expect(try #require(takeout(#"{"geoData": {"latitude": 91, "longitude": 5}}"#)).place == nil)
    }

    @Test(
        "what is not Takeout's word on a photo is refused",
        arguments: [
            "", "[]", "{}", "x", #"{"title": "Trip", "access": "protected", "date": {"timestamp": "1502439626"}}"#,
            #"{"externalOrderId": "417", "creationTime": {"formatted": "Dec 12, 2022"}}"#,
            String(repeating: "[", count: 100_000), #"{"photoTakenTime": "#,
        ])
    func notTakeout(json: String) { #expect(takeout(json) == nil) }

    @Test("more than a megabyte is not read")
    func longTakeout() {
        let padding = String(repeating: " ", count: TakeoutSidecar.longest)
        #expect(takeout(#"{"photoTakenTime": {"timestamp": "1"}}"#) != nil)
        #expect(takeout(#"{"photoTakenTime": {"timestamp": "1"}}"# + padding) == nil)
    }

    @Test("a caption is read as editors save it")
    func captions() {
        #expect(Sidecars.text(Array("A walk.\r\nTo the sea.\r\n".utf8)) == "A walk.\nTo the sea.")
        #expect(Sidecars.text([0xef, 0xbb, 0xbf] + Array("海".utf8)) == "海")
        #expect(Sidecars.text([0xff, 0xfe, 0x77, 0x6d, 0x0a, 0x00]) == "海")
        #expect(Sidecars.text([0xfe, 0xff, 0x6d, 0x77]) == "海")
        #expect(Sidecars.text([0x63, 0x61, 0x66, 0xe9]) == "café")
        #expect(Sidecars.text([0x61, 0x1b, 0x5b, 0x31, 0x6d]) == "a[1m")
        #expect(Sidecars.text([0x61, 0, 0x62]) == nil)
        #expect(Sidecars.text(Array(" \n\t".utf8)) == nil)
        #expect(Sidecars.text([]) == nil)
    }

    @Test("the sidecars of a set are read from disk, and each that can't be is named")
    func fromDisk() throws {
        let folder = try TemporaryFolder()
        let xmp = MadePhotos.xmp(#"a:CreateDate="2020-01-01T10:00:00""#)
        let files = [
            try folder.write(MadePhotos.jpeg([]), as: "a.jpg"), try folder.write(Array("Words".utf8), as: "a.txt"),
            try folder.write(Array(xmp.utf8), as: "a.jpg.xmp"), try folder.write(Array("x".utf8), as: "a.xmp"),
            try folder.write(Array(#"{"photoTakenTime": {"timestamp": "60"}}"#.utf8), as: "a.jpg.json"),
        ]
        let sets = Companions.sets(
            of: files.map { FolderFile(path: $0, format: $0.fileExtension == "jpg" ? .jpeg : nil) })
        let set = try #require(sets.first)
        #expect(sets.count == 1)
        var problems: [(path: FilePath, error: SidecarError)] = []
        let sidecars = Sidecars(beside: set, problems: &problems)
        #expect(sidecars.caption == "Words")
        #expect(sidecars.xmp == [Array(xmp.utf8)])
        #expect(sidecars.takeout?.taken == Timestamp(milliseconds: 60_000))
        #expect(problems.map(\.path) == [folder.path / "a.xmp"])
        #expect(problems.map(\.error) == [.notXMP])
    }

    @Test("the sidecars of any photo of a set are found by the names in its folder")
    func search() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(MadePhotos.jpeg([]), as: "IMG_1.CR2")
        _ = try folder.write(MadePhotos.jpeg([]), as: "IMG_1.JPG")
        _ = try folder.write(MadePhotos.jpeg([]), as: "IMG_2.JPG")
        let raw = Array(MadePhotos.xmp(#"tiff:Make="Raw""#).utf8)
        let picture = Array(MadePhotos.xmp(#"tiff:Make="Picture""#).utf8)
        _ = try folder.write(raw, as: "IMG_1.CR2.xmp")
        _ = try folder.write(picture, as: "IMG_1.JPG.xmp")
        _ = try folder.write([0], as: "IMG_1.txt")
        var search = SidecarSearch()
        var problems: [(path: FilePath, error: SidecarError)] = []
        // Each has the one that is named by all of its name first.
        #expect(search.sidecars(beside: photo, problems: &problems).xmp == [raw, picture])
        #expect(search.sidecars(beside: folder.path / "IMG_1.JPG", problems: &problems).xmp == [picture, raw])
        #expect(search.sidecars(beside: folder.path / "IMG_2.JPG", problems: &problems).xmp == [])
        #expect(problems.map(\.path) == [folder.path / "IMG_1.txt", folder.path / "IMG_1.txt"])
    }
}
