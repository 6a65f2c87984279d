import Notes
import Photos
import System
import Testing

/// What is taken from beside a photo, where the photo itself says nothing.
struct SidecarEvidenceTests {
    private let tokyo = Zone("Asia/Tokyo")

    private func sidecars(_ json: String, caption: String? = nil) -> Sidecars {
        var sidecars = Sidecars()
        sidecars.takeout = TakeoutSidecar(Array(json.utf8))
        sidecars.caption = caption
        return sidecars
    }

    private let json = #"""
        {"title": "a.jpg", "description": "By the sea", "photoTakenTime": {"timestamp": "1687791968"},
         "geoData": {"latitude": 48.5, "longitude": 2.25, "altitude": 90.0},
         "geoDataExif": {"latitude": 48.0, "longitude": 2.0}}
        """#

    @Test("Takeout's time counts before the file's name, in the zone that is asked for")
    func takeoutTime() {
        let reading = PhotoReader(namedZone: tokyo).read(
            MadePhotos.jpeg([]), name: "IMG_20200101_000000.jpg", modified: 0, sidecars: sidecars(json))
        #expect(reading.moment?.description == "2023-06-27T00:06:08+09:00")
        #expect(reading.momentSource == .metadata("Takeout photoTakenTime"))
        #expect(reading.captured == nil)
        #expect(reading.place == Place(latitude: 48.5, longitude: 2.25, altitude: 90))
        #expect(reading.description == "By the sea")
        let times = reading.candidates.filter { $0.kind == .time }
        #expect(times.filter(\.isTaken).map(\.source) == ["Takeout photoTakenTime"])
        #expect(times.contains { $0.source == "file-name" && $0.reason == "Takeout comes first" })
    }

    @Test("what the photo itself says comes first, and the rest is told")
    func ownWordsFirst() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05", offset: "+02:00").place(
            latitude: ("N", .fractions([(47, 1), (30, 1), (0, 1)])),
            longitude: ("E", .fractions([(19, 1), (0, 1), (0, 1)])))
        exif.image.append((0x10e, .text("Its own")))
        let reading = PhotoReader().read(
            MadePhotos.jpeg(exif), name: "", modified: 0, sidecars: sidecars(json, caption: "Beside"))
        #expect(reading.moment?.description == "2021-06-15T14:30:05+02:00")
        #expect(reading.place?.latitude == 47.5)
        #expect(reading.description == "Its own")
        #expect(
            reading.candidates.contains {
                $0.source == "Takeout geoData" && !$0.isTaken && $0.reason == "EXIF GPS comes first"
            })
        #expect(
            reading.candidates.contains { $0.source == "Takeout photoTakenTime" && $0.value == "2023-06-26T15:06:08Z" })
    }

    @Test("a caption beside the photo is its description, and what a camera writes into every file is none")
    func caption() {
        var exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        exif.image.append((0x10e, .text("OLYMPUS DIGITAL CAMERA")))
        var beside = Sidecars()
        beside.caption = "A walk"
        #expect(
            PhotoReader().read(MadePhotos.jpeg(exif), name: "", modified: 0, sidecars: beside).description == "A walk")
    }

    @Test("where EXIF's place is 0,0, Takeout's is taken")
    func nullIsland() {
        let exif = MadePhotos.EXIF.taken("2021:06:15 14:30:05").place(
            latitude: ("N", .fractions([(0, 1), (0, 1), (0, 1)])),
            longitude: ("E", .fractions([(0, 1), (0, 1), (0, 1)])))
        let reading = PhotoReader().read(MadePhotos.jpeg(exif), name: "", modified: 0, sidecars: sidecars(json))
        #expect(reading.place?.latitude == 48.5)
        #expect(reading.warnings.contains(.nullIsland))
    }

    @Test("what is no place in the photo keeps none from being taken that an XMP file beside it has")
    func sidecarPlace() {
        let zero = MadePhotos.Value.fractions([(0, 1), (0, 1), (0, 1)])
        let taken = MadePhotos.EXIF.taken("2021:06:15 14:30:05")
        var beside = Sidecars()
        beside.xmp = [MadePhotos.bytes(MadePhotos.xmp(#"exif:GPSLatitude="48.5N" exif:GPSLongitude="2.25E""#))]
        for exif in [
            taken.place(latitude: ("N", zero), longitude: ("E", zero)),
            taken.place(latitude: ("N", zero), longitude: nil),
        ] {
            let reading = PhotoReader().read(MadePhotos.jpeg(exif), name: "", modified: 0, sidecars: beside)
            #expect(reading.place == Place(latitude: 48.5, longitude: 2.25))
            #expect(reading.candidates.filter { $0.kind == .place && $0.isTaken }.map(\.source) == ["sidecar GPS"])
        }
    }

    private var track: GPXTrack {
        GPXTrack(points: [
            .init(time: Timestamp(milliseconds: 1_623_760_200_000), latitude: 35, longitude: 139, altitude: 10),
            .init(time: Timestamp(milliseconds: 1_623_760_260_000), latitude: 35.6, longitude: 139, altitude: 10),
        ])
    }

    @Test("a track places a photo that has a time and no place")
    func gpx() {
        let photo = MadePhotos.jpeg(.taken("2021:06:15 14:30:10", offset: "+02:00"))
        let reading = PhotoReader(track: track).read(photo, name: "", modified: 0)
        #expect(abs((reading.place?.latitude ?? 0) - 35.1) < 1e-9)
        #expect(reading.place?.altitude == 10)
        let candidate = reading.candidates.first { $0.source == "GPX track" }
        #expect(candidate?.isTaken == true)
        #expect(candidate?.reason == "between the track's points at 2021-06-15T12:30:00Z and 2021-06-15T12:31:00Z")
        // Half an hour later nobody knows.
        let later = MadePhotos.jpeg(.taken("2021:06:15 15:00:10", offset: "+02:00"))
        #expect(PhotoReader(track: track).read(later, name: "", modified: 0).place == nil)
    }

    @Test("a track gives way to the photo's own place, and places nothing by a file's own time")
    func gpxGivesWay() {
        let placed = MadePhotos.EXIF.taken("2021:06:15 14:30:10", offset: "+02:00").place(
            latitude: ("N", .fractions([(47, 1), (30, 1), (0, 1)])),
            longitude: ("E", .fractions([(19, 1), (0, 1), (0, 1)])))
        let reading = PhotoReader(track: track).read(MadePhotos.jpeg(placed), name: "", modified: 0)
        #expect(reading.place?.latitude == 47.5)
        #expect(reading.candidates.contains { $0.source == "GPX track" && $0.reason == "EXIF GPS comes first" })
        let bare = PhotoReader(track: track).read(
            MadePhotos.jpeg([]), name: "a.jpg", modified: 1_623_760_210_000_000_000)
        #expect(bare.momentSource == .fileTime)
        #expect(bare.place == nil)
        // Nor by the noon that stands for a time of day which nobody knows.
        let noon = GPXTrack(points: [
            .init(time: Timestamp(milliseconds: 1_623_758_400_000), latitude: 35, longitude: 139)
        ])
        let dayAlone = PhotoReader(namedZone: Zone("UTC"), track: noon).read(
            MadePhotos.jpeg([]), name: "IMG-20210615-WA0001.jpg", modified: 0)
        #expect(dayAlone.moment?.timestamp.iso8601 == "2021-06-15T12:00:00Z")
        #expect(dayAlone.place == nil)
    }

    @Test("a time shift moves what the camera's clock showed, and says so")
    func shift() {
        let shift = TimeShift("-00:03:20")
        let photo = MadePhotos.jpeg(.taken("2021:06:15 00:01:00", offset: "+02:00"))
        let reading = PhotoReader(shift: shift).read(photo, name: "", modified: 0)
        #expect(reading.captured?.description == "2021-06-15T00:01:00")
        #expect(reading.moment?.description == "2021-06-14T23:57:40+02:00")
        #expect(
            reading.candidates.contains {
                $0.source == "time shift" && $0.isTaken && $0.value == "2021-06-14T23:57:40"
                    && $0.reason == "EXIF DateTimeOriginal and -00:03:20, as asked"
            })
        let named = PhotoReader(namedZone: tokyo, shift: shift).read(
            MadePhotos.jpeg([]), name: "IMG_20210615_000100.jpg", modified: 0)
        #expect(named.moment?.description == "2021-06-14T23:57:40+09:00")
        // The file's own time is not the camera's.
        #expect(
            PhotoReader(namedZone: tokyo, shift: shift).read(MadePhotos.jpeg([]), name: "a.jpg", modified: 0).moment?
                .description == "1970-01-01T09:00:00+09:00")
    }

    @Test("a camera that is three minutes ahead of GPS is noticed by its photos, and no more once its clock is shifted")
    func clock() {
        func finding(_ reader: PhotoReader) -> ClockCheck.Finding? {
            var check = ClockCheck()
            for second in 10..<14 {
                var exif = MadePhotos.EXIF.taken("2021:06:15 14:33:\(second)")
                exif.gps = [(7, .fractions([(12, 1), (30, 1), (5, 1)])), (0x1d, .text("2021:06:15"))]
                check.add(reader.read(MadePhotos.jpeg(exif), name: "", modified: 0))
            }
            return check.findings.first
        }
        #expect(finding(PhotoReader())?.verdict == .off(seconds: 186))
        #expect(finding(PhotoReader())?.camera == "Testcam TC-1")
        #expect(finding(PhotoReader(shift: TimeShift("-00:03:06")))?.verdict == .right)
    }
}
