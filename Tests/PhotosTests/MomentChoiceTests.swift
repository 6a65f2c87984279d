import Notes
import Photos
import System
import Testing

/// Which of several dates is the moment, and how UTC becomes local time.
struct MomentChoiceTests {
    private typealias EXIF = MadePhotos.EXIF

    private let tokyo = Zone("Asia/Tokyo")
    private let berlin = Zone("Europe/Berlin")

    private func read(
        _ bytes: [UInt8], name: String = "", zone: Zone?, taken: Int64? = nil, modified: Int64 = 0
    ) -> PhotoReading {
        var sidecars = Sidecars()
        if let taken {
            sidecars.takeout = TakeoutSidecar(Array(#"{"photoTakenTime": {"timestamp": "\#(taken)"}}"#.utf8))
        }
        return PhotoReader(zone: zone ?? .system).read(
            bytes, name: name, modified: modified * 1_000_000_000, sidecars: sidecars)
    }

    private func taken(_ reading: PhotoReading) -> [String] { reading.candidates.filter(\.isTaken).map(\.source) }

    private func reason(_ reading: PhotoReading, _ source: String) -> String? {
        reading.candidates.first { $0.source == source }?.reason
    }

    // MARK: UTC

    /// 2024-04-30T22:11:20Z is 3797359880 s after 1904-01-01.
    private func movie(_ seconds: Int = 3_797_359_880, minutes: Int = 0) -> [UInt8] {
        MadePhotos.movie(creationDate: nil, seconds1904: seconds, length: minutes * 60)
    }

    @Test("a video's UTC becomes local time by its name, where their difference is a zone")
    func videoName() {
        let reading = read(movie(), name: "20240501_071112.mp4", zone: berlin)
        #expect(reading.moment?.description == "2024-05-01T07:11:20+09:00")
        #expect(reading.moment?.isOffsetAssumed == false)
        #expect(reading.momentSource == .metadata("QuickTime CreateDate"))
        #expect(reading.offsetSource == .fileName)
        #expect(reading.captured?.description == "2024-04-30T22:11:20" && reading.offset == 0)
        #expect(
            reading.candidates.contains {
                $0.kind == .offset && $0.isTaken && $0.reason == "the difference to QuickTime CreateDate, which is UTC"
            })
    }

    @Test("the date may be that of the end of a recording, and its name that of the beginning")
    func longVideo() {
        let reading = read(movie(minutes: 40), name: "20240501_063120.mp4", zone: berlin)
        #expect(reading.moment?.description == "2024-05-01T07:11:20+09:00")
        #expect(read(movie(), name: "20240501_063120.mp4", zone: berlin).moment?.offset == 7200)
    }

    @Test("else a video's UTC is shown by the zone that is asked for or assumed")
    func videoZone() {
        for name in ["", "GX010001.MP4", "20240703_180000.mp4", "PXL_20240430_221120000.mp4"] {
            let reading = read(movie(), name: name, zone: tokyo)
            #expect(reading.moment?.description == "2024-05-01T07:11:20+09:00", "\(name)")
            #expect(reading.offsetSource == .system && reading.moment?.isOffsetAssumed == true)
        }
        let asked = PhotoReader(namedZone: tokyo).read(movie(), name: "", modified: 0)
        #expect(asked.moment?.description == "2024-05-01T07:11:20+09:00")
        #expect(asked.offsetSource == .option)
        #expect(reason(asked, "QuickTime CreateDate")?.contains("it is UTC") == true)
    }

    @Test("a name that shows the same time as UTC was written by a camera whose UTC is local time")
    func localVideo() {
        let reading = read(movie(), name: "DJI_20240430221118_0001_D.MP4", zone: tokyo)
        #expect(reading.moment?.description == "2024-04-30T22:11:20+09:00")
        #expect(reading.offsetSource == .system)
        #expect(reading.candidates.contains { $0.kind == .offset && $0.reason.contains("local time") })
    }

    @Test("a time shift moves a video's time as well")
    func shiftedVideo() {
        let reading = PhotoReader(zone: .system, namedZone: berlin, shift: TimeShift("-00:00:20")).read(
            movie(), name: "20240501_071120.mp4", modified: 0)
        #expect(reading.moment?.description == "2024-05-01T07:11:00+09:00")
    }

    @Test("a video whose seconds count from 1970 is of its true year, and zero is no date")
    func unixSeconds() {
        let reading = read(movie(1_714_515_080), zone: tokyo)
        #expect(reading.captured?.description == "2024-04-30T22:11:20")
        #expect(read(movie(0), zone: tokyo).captured == nil)
    }

    // MARK: The last change

    /// 2025-02-03T04:05:06, of IFD0's ModifyDate.
    private let changed = EXIF(image: [(0x132, .text("2025:02:03 04:05:06"))])

    @Test("a date of the last change gives way to Takeout's, and to that of the file's name")
    func lastChange() {
        let scan = read(MadePhotos.jpeg(changed), zone: tokyo, taken: 173_404_800)
        #expect(scan.moment?.description == "1975-07-01T09:00:00+09:00")
        #expect(scan.capturedFrom == "EXIF ModifyDate")
        #expect(taken(scan) == ["Takeout photoTakenTime"])
        #expect(reason(scan, "EXIF ModifyDate") == "it says when the file was last changed; Takeout comes first")
        let named = read(MadePhotos.jpeg(changed), name: "IMG_20140501_101112.jpg", zone: tokyo)
        #expect(named.moment?.description == "2014-05-01T10:11:12+09:00")
        #expect(taken(named) == ["file-name"])
        let packet = MadePhotos.xmp(#"a:ModifyDate="2025-02-03T04:05:06+01:00""#)
        let xmp = read(MadePhotos.jpeg([MadePhotos.app1(xmp: packet)]), name: "IMG_20140501_101112.jpg", zone: tokyo)
        #expect(xmp.moment?.local.year == 2014)
        let alone = read(MadePhotos.jpeg(changed), name: "a.jpg", zone: tokyo, modified: 1_800_000_000)
        #expect(alone.moment?.description == "2025-02-03T04:05:06+09:00")
        #expect(taken(alone) == ["EXIF ModifyDate"])
    }

    @Test("among the dates of the metadata the chain decides", arguments: ["1975-07-01T10:00:00", "1975-07-01"])
    func lastChangeBeforeXMP(created: String) {
        let packet = MadePhotos.xmp(#"photoshop:DateCreated="\#(created)""#)
        let reading = read(
            MadePhotos.jpeg([MadePhotos.app1(changed), MadePhotos.app1(xmp: packet)]), zone: tokyo, modified: 1)
        #expect(reading.capturedFrom == "EXIF ModifyDate")
        #expect(reading.moment?.description == "2025-02-03T04:05:06+09:00")
        #expect(taken(reading) == ["EXIF ModifyDate"])
    }

    @Test("where Takeout or the name say the same, the date of the last change stands, with its offset")
    func witnesses() {
        var exif = changed
        exif.exif = [(0x9010, .text("+01:00"))]
        let named = read(MadePhotos.jpeg(exif), name: "IMG_20250203_040504.jpg", zone: tokyo)
        #expect(named.moment?.description == "2025-02-03T04:05:06+01:00")
        #expect(reason(named, "EXIF ModifyDate") == "the date of the last change, and the file's name agrees")
        // Takeout took a date without an offset for UTC: 1738555506 is 2025-02-03T04:05:06Z.
        let takeout = read(MadePhotos.jpeg(changed), zone: tokyo, taken: 1_738_555_506)
        #expect(takeout.moment?.description == "2025-02-03T04:05:06+09:00")
    }

    @Test("a PNG's tIME is UTC, of the last change, and with the name's local time it gives the offset")
    func pngTime() {
        let png = MadePhotos.png([("tIME", MadePhotos.be16(2024) + [5, 1, 1, 11, 12])])
        let named = read(png, name: "Screenshot_20240501-101112.png", zone: berlin)
        #expect(named.moment?.description == "2024-05-01T10:11:12+09:00")
        #expect(named.offsetSource == .fileName)
        #expect(read(png, name: "Screenshot_20230501-101112.png", zone: berlin).moment?.local.year == 2023)
        let alone = read(png, zone: tokyo)
        #expect(alone.moment?.description == "2024-05-01T01:11:12+00:00" && alone.offsetSource == .tag)
        #expect(alone.captured?.description == "2024-05-01T01:11:12" && alone.offset == 0)
    }

    // MARK: Days

    @Test("a name that holds a day keeps the file's time on that day, else noon stands for it")
    func dayOfName() {
        // 1714529472 is 2024-05-01T02:11:12Z.
        let same = read(MadePhotos.jpeg([]), name: "IMG-20240501-WA0001.jpg", zone: tokyo, modified: 1_714_529_472)
        #expect(same.moment?.description == "2024-05-01T11:11:12+09:00")
        #expect(same.momentSource == .fileTime && taken(same) == ["file-name", "file-time"])
        let other = read(MadePhotos.jpeg([]), name: "IMG-20240501-WA0001.jpg", zone: tokyo, modified: 1_800_000_000)
        #expect(other.moment?.description == "2024-05-01T12:00:00+09:00")
        #expect(other.momentSource == .fileName && !other.hasTimeOfDay)
        #expect(reason(other, "file-name")?.contains("no time of day") == true)
        #expect(read(movie(), name: "VID-20240501-WA0001.mp4", zone: tokyo).moment?.local.second == 20)
    }

    @Test(
        "a date without a time of day counts before the file's own time, at noon",
        arguments: [
            ("1965-07-01", "1965-07-01T12:00:00"), ("1965-07", "1965-07-01T12:00:00"), ("1965", "1965-01-01T12:00:00"),
        ])
    func dayOfXMP(text: String, expected: String) {
        let packet = MadePhotos.xmp(#"photoshop:DateCreated="\#(text)""#)
        let reading = read(MadePhotos.jpeg([MadePhotos.app1(xmp: packet)]), zone: tokyo, modified: 1_800_000_000)
        #expect(reading.moment?.local.description == expected)
        #expect(reading.momentSource == .metadata("XMP DateCreated") && !reading.hasTimeOfDay)
        #expect(reason(reading, "XMP DateCreated")?.contains("no time of day") == true)
    }

    @Test("EXIF leaves blank what nobody knows of a date")
    func dayOfEXIF() {
        let reading = read(MadePhotos.jpeg(.taken("1965:07:     :  :  ")), zone: tokyo)
        #expect(reading.captured == nil)
        #expect(reading.moment?.local.description == "1965-07-01T12:00:00")
    }

    @Test("the time of day is that of the next source which falls on the day")
    func dayAndTime() {
        let packet = MadePhotos.xmp(#"photoshop:DateCreated="2014-05-01""#)
        let photo = MadePhotos.jpeg([MadePhotos.app1(xmp: packet)])
        let named = read(photo, name: "IMG_20140501_101112.jpg", zone: tokyo)
        #expect(named.moment?.description == "2014-05-01T10:11:12+09:00")
        #expect(named.momentSource == .fileName && named.hasTimeOfDay)
        #expect(
            read(photo, name: "IMG_20250501_101112.jpg", zone: tokyo).moment?.description == "2014-05-01T12:00:00+09:00"
        )
    }

    @Test("the file's own time is none of a month or a year")
    func monthOfFileTime() {
        for (text, expected) in [("2024", "2024-01-01"), ("2024-05", "2024-05-01")] {
            let packet = MadePhotos.xmp(#"photoshop:DateCreated="\#(text)""#)
            let reading = read(MadePhotos.jpeg([MadePhotos.app1(xmp: packet)]), zone: tokyo, modified: 1_714_629_472)
            #expect(reading.moment?.local.description == expected + "T12:00:00")
        }
    }

    @Test("IPTC's date counts behind XMP's, with its time or without")
    func iptc() {
        func photo(_ sets: [(UInt8, String)], _ more: [[UInt8]] = []) -> [UInt8] {
            var record: [UInt8] = []
            for (set, text) in sets {
                record += [0x1c, 2, set] + MadePhotos.be16(text.utf8.count) + MadePhotos.bytes(text)
            }
            let resource =
                MadePhotos.bytes("Photoshop 3.0\08BIM") + MadePhotos.be16(0x404) + [0, 0]
                + MadePhotos.be32(record.count) + record
            return MadePhotos.jpeg(more + [MadePhotos.segment(0xed, resource)])
        }
        func moment(_ sets: [(UInt8, String)], _ more: [[UInt8]] = []) -> String? {
            let reading = read(photo(sets, more), zone: tokyo)
            #expect(reading.captured == nil || !more.isEmpty)
            return reading.moment?.description
        }
        #expect(moment([(55, "19650701"), (60, "101112+0100")]) == "1965-07-01T10:11:12+01:00")
        #expect(moment([(55, "19650701"), (60, "101112")]) == "1965-07-01T10:11:12+09:00")
        #expect(moment([(55, "19650701")]) == "1965-07-01T12:00:00+09:00")
        #expect(moment([(55, "19650000")]) == "1965-01-01T12:00:00+09:00")
        #expect(moment([(55, "19650701"), (60, "10h")]) == "1965-07-01T12:00:00+09:00")
        #expect(moment([(55, "00000000")]) == "1970-01-01T09:00:00+09:00")
        #expect(moment([(55, "196507é")]) == "1970-01-01T09:00:00+09:00")
        let packet = MadePhotos.app1(xmp: MadePhotos.xmp(#"a:CreateDate="1966-07-01T10:00:00""#))
        #expect(moment([(55, "19650701")], [packet]) == "1966-07-01T10:00:00+09:00")
    }

    // MARK: GPS

    @Test("a receiver's wrong day or weeks still give the offset")
    func gpsOffset() {
        func moment(_ date: String, hour: Int) -> PhotoReading {
            var exif = EXIF.taken("2024:05:01 07:11:12")
            exif.gps = [(7, .fractions([(hour, 1), (11, 1), (10, 1)])), (0x1d, .text(date))]
            return read(MadePhotos.jpeg(exif), zone: berlin)
        }
        // UTC is 22:11 of the day before; 1024 weeks before that day it was 2004-09-14.
        for date in ["2024:04:30", "2024:05:01", "2004:09:14"] {
            #expect(moment(date, hour: 22).moment?.offset == 32_400, "\(date)")
            #expect(moment(date, hour: 22).offsetSource == .gps)
        }
        #expect(moment("2019:04:30", hour: 22).offsetSource == .system)
    }
}
