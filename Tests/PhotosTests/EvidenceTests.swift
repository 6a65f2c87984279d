import Notes
import System
import Testing

@testable import Photos

/// When and where: which source wins, and what is said about the others.
struct EvidenceTests {
    private typealias EXIF = MadePhotos.EXIF

    private func read(_ exif: MadePhotos.EXIF, name: String = "photo.jpg", modified: Int64 = 0) -> PhotoReading {
        PhotoReader().read(MadePhotos.jpeg(exif), name: name, modified: modified)
    }

    // MARK: Dates

    @Test("a date of any readable form is read as it stands, and no other is")
    func dates() {
        let forms = [
            "2021:06:15 14:30:05": "2021-06-15T14:30:05", "2004/11/07 15:05:58": "2004-11-07T15:05:58",
            "2008-06-16 16:39:39 ": "2008-06-16T16:39:39", "1969:07:20 20:17:40": "1969-07-20T20:17:40",
            "2050:12:31 23:59:59": "2050-12-31T23:59:59", "2015:02:01 14:42:59+01:00": "2015-02-01T14:42:59",
        ]
        for (text, expected) in forms { #expect(read(.taken(text)).captured?.description == expected, "\(text)") }
        for text in [
            "2015:08:22 24:08:19", "2017:08:21 15:08:70", "2021:13:01 00:00:00", "2021:02:29 00:00:00", "2004:11:07",
            "yesterday",
        ] {
            let reading = read(.taken(text))
            #expect(reading.captured == nil, "\(text)")
            #expect(reading.warnings == [.unreadableDate], "\(text)")
            #expect(reading.make == "Testcam")
        }
        for text in ["0000:00:00 00:00:00", "    :  :     :  :  ", ""] {
            #expect(read(.taken(text)).warnings == [.blankDate], "\(text)")
        }
    }

    @Test("the chain is DateTimeOriginal, CreateDate, ModifyDate, and blank ones are passed over")
    func chain() {
        var exif = EXIF.taken("0000:00:00 00:00:00")
        exif.image.append((0x132, .text("2012:03:04 05:06:07")))
        #expect(read(exif).capturedFrom == "EXIF ModifyDate")
        exif.exif.append((0x9004, .text("2011:03:04 05:06:07")))
        #expect(read(exif).capturedFrom == "EXIF CreateDate")
        let taken = read(exif).candidates.filter { $0.isTaken }.map(\.source)
        #expect(taken == ["EXIF CreateDate"])
        #expect(
            read(exif).candidates.contains {
                $0.source == "EXIF ModifyDate" && $0.reason == "EXIF CreateDate comes first"
            })
    }

    @Test("a create date that stands in IFD0 is found there")
    func misplaced() {
        let exif = EXIF(image: [(0x9004, .text("2011:07:19 11:36:38"))])
        #expect(read(exif).capturedFrom == "EXIF CreateDate")
    }

    @Test("only the offset of its own kind belongs to a date")
    func offsets() {
        var exif = EXIF.taken("2021:06:15 14:30:05")
        exif.exif.append((0x9010, .text("+01:00")))
        #expect(read(exif).offset == nil)
        exif.exif.append((0x9011, .text("-03:30")))
        #expect(read(exif).offset == -12_600)
        #expect(read(exif).offsetFrom == "EXIF OffsetTimeOriginal")
        #expect(read(.taken("2021:06:15 14:30:05", offset: "   :  ")).offset == nil)
        #expect(read(.taken("2021:06:15 14:30:05", offset: "+00:00")).offset == 0)
        #expect(read(.taken("2021:06:15 14:30:05+01:00")).offset == 3600)
    }

    @Test("XMP counts where EXIF has no date, in its own order")
    func xmp() {
        let packet = MadePhotos.xmp(
            #"a:ModifyDate="2020-01-01T00:00:00Z" photoshop:DateCreated="2020-07-23T00:00+02:00""#,
            "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>A &amp; B</rdf:li></rdf:Alt></dc:description>"
                + "<dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>sun</rdf:li></rdf:Bag></dc:subject><a:Rating>4</a:Rating>"
        )
        let reading = PhotoReader().read(MadePhotos.jpeg([MadePhotos.app1(xmp: packet)]), name: "", modified: 0)
        #expect(reading.captured?.description == "2020-07-23T00:00:00")
        #expect(reading.capturedFrom == "XMP DateCreated")
        #expect(reading.offset == 7200)
        #expect(reading.description == "A & B")
        #expect(reading.keywords == ["sea", "sun"])
        #expect(reading.rating == 4)
        let both = [MadePhotos.app1(.taken("2021:06:15 14:30:05")), MadePhotos.app1(xmp: packet)]
        #expect(
            PhotoReader().read(MadePhotos.jpeg(both), name: "", modified: 0).capturedFrom == "EXIF DateTimeOriginal")
    }

    @Test("a rating of 0 is none: what somebody rated elsewhere counts")
    func ratings() {
        func packet(_ rating: Int) -> String { MadePhotos.xmp(#"a:Rating="\#(rating)""#) }
        let photo = MadePhotos.jpeg([MadePhotos.app1(xmp: packet(0))])
        var sidecars = Sidecars()
        #expect(PhotoReader().read(photo, name: "", modified: 0).rating == 0)
        sidecars.xmp = [MadePhotos.bytes(packet(4))]
        #expect(PhotoReader().read(photo, name: "", modified: 0, sidecars: sidecars).rating == 4)
        let rated = MadePhotos.jpeg([MadePhotos.app1(xmp: packet(-1))])
        #expect(PhotoReader().read(rated, name: "", modified: 0, sidecars: sidecars).rating == -1)
    }

    @Test("an XMP file beside the photo counts where the photo says nothing")
    func sidecar() {
        let beside = MadePhotos.bytes(
            MadePhotos.xmp(
                #"a:CreateDate="2019-05-06T07:08:09" tiff:Make="Elsewhere" exif:GPSLatitude="1.5N" exif:GPSLongitude="2.5E""#
            ))
        var sidecars = Sidecars()
        sidecars.xmp = [beside]
        let bare = PhotoReader().read(MadePhotos.jpeg([]), name: "", modified: 0, sidecars: sidecars)
        #expect(bare.capturedFrom == "sidecar CreateDate")
        #expect(bare.captured?.description == "2019-05-06T07:08:09")
        #expect(bare.make == "Elsewhere")
        #expect(bare.place?.latitude == 1.5)
        let dated = PhotoReader().read(
            MadePhotos.jpeg(.taken("2021:06:15 14:30:05")), name: "", modified: 0, sidecars: sidecars)
        #expect(dated.capturedFrom == "EXIF DateTimeOriginal")
        #expect(dated.make == "Testcam")
        #expect(dated.place?.longitude == 2.5)
    }

    @Test("an XMP packet with a DOCTYPE is not read, and one that is cut says what it said")
    func hostileXMP() {
        let packet = MadePhotos.xmp(#"a:CreateDate="2020-01-01T00:00:00""#)
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>" + packet
        func captured(_ xmp: String) -> LocalTime? {
            PhotoReader().read(MadePhotos.jpeg([MadePhotos.app1(xmp: xmp)]), name: "", modified: 0).captured
        }
        #expect(captured(packet) != nil)
        #expect(captured(bomb) == nil)
        #expect(captured(String(packet.dropLast(20))) != nil)
        #expect(captured("no XML at all") == nil)
    }

    // MARK: The moment

    @Test("without an offset of its own, a date gets the one that its GPS time gives")
    func gpsOffset() {
        func reading(_ hour: Int, date: String = "2021:06:15") -> PhotoReading {
            var exif = EXIF.taken("2021:06:15 14:30:05")
            exif.gps = [(7, .fractions([(hour, 1), (28, 1), (1999, 100)])), (0x1d, .text(date))]
            return read(exif)
        }
        #expect(reading(12).moment?.offset == 7200)
        #expect(reading(12).offsetSource == .gps)
        #expect(reading(12).moment?.isOffsetAssumed == false)
        #expect(reading(12).offset == nil)
        #expect(reading(9).moment?.offset == 5 * 3600)
        #expect(reading(12, date: "2018:06:15").offsetSource == .system)
        // 14:30 against 12:10 is no zone on earth.
        #expect(Evidence.offset(of: time(14, 30), fromUTC: time(12, 10)) == nil)
        #expect(Evidence.offset(of: time(14, 30), fromUTC: time(9, 1)) == 19_800)
        #expect(Evidence.offset(of: time(14, 30), fromUTC: time(8, 45)) == 20_700)
    }

    private func time(_ hour: Int, _ minute: Int) -> LocalTime {
        LocalTime(seconds: Int64(hour * 3600 + minute * 60))
    }

    @Test("else the zone that the user names, with its summer time, else the system's")
    func zones() throws {
        let budapest = try #require(Zone("Europe/Budapest"))
        let reader = PhotoReader(namedZone: budapest)
        func offset(_ date: String) -> (Int?, OffsetSource?) {
            let reading = reader.read(MadePhotos.jpeg(.taken(date)), name: "", modified: 0)
            return (reading.moment?.offset, reading.offsetSource)
        }
        #expect(offset("2021:06:15 14:30:05") == (7200, .option))
        #expect(offset("2021:01:15 14:30:05") == (3600, .option))
        let system = PhotoReader(zone: budapest).read(
            MadePhotos.jpeg(.taken("2021:06:15 14:30:05")), name: "", modified: 0)
        #expect(system.offsetSource == .system)
        #expect(system.moment?.isOffsetAssumed == true)
    }

    @Test("sub-seconds are a fraction, whatever their number of digits")
    func fractions() {
        for (digits, nanosecond) in [("05", 50_000_000), ("178406", 178_406_000), ("5 ", 500_000_000), ("  ", 0)] {
            let reading = read(.taken("2021:06:15 14:30:05", fraction: digits))
            #expect(reading.moment?.local.nanosecond == Int32(nanosecond))
            #expect(reading.captured?.nanosecond == 0)
        }
    }

    @Test("a file's name gives the time where its metadata do not, and its own time comes last")
    func weakSources() {
        let bare = EXIF(image: [(0x10f, .text("Testcam"))])
        // 2021-01-02T03:04:05Z
        let modified: Int64 = 1_609_556_645_000_000_000
        let named = read(bare, name: "IMG_20240501_101112.jpg", modified: modified)
        #expect(named.captured == nil)
        #expect(named.moment?.local.description == "2024-05-01T10:11:12")
        #expect(named.momentSource == .fileName)
        let unnamed = read(bare, name: "IMG_0001.jpg", modified: modified)
        #expect(unnamed.momentSource == .fileTime)
        #expect(unnamed.moment?.timestamp.iso8601 == "2021-01-02T03:04:05Z")
    }

    @Test("a Pixel's file name holds UTC")
    func pixelNames() throws {
        let paris = try #require(Zone("Europe/Paris"))
        let reader = PhotoReader(namedZone: paris)
        let bare = MadePhotos.jpeg(EXIF(image: [(0x10f, .text("Testcam"))]))
        let reading = reader.read(bare, name: "PXL_20231006_063000139.jpg", modified: 0)
        #expect(reading.moment?.local.description == "2023-10-06T08:30:00.139")
        #expect(reading.moment?.offset == 7200)
    }

    // MARK: Places

    private let degrees = MadePhotos.Value.fractions([(33, 1), (51, 1), (354, 10)])

    @Test("south and west are negative, by the first letter of any case")
    func hemispheres() {
        for (south, west) in [("S", "W"), ("South", "West"), ("s", "w")] {
            let reading = read(
                EXIF.taken("2021:06:15 14:30:05").place(latitude: (south, degrees), longitude: (west, degrees)))
            // 33 degrees, 51 minutes, 35.4 seconds
            #expect(abs((reading.place?.latitude ?? 0) + 33.859_833_333) < 1e-6)
            #expect(abs((reading.place?.longitude ?? 0) + 33.859_833_333) < 1e-6)
        }
    }

    @Test("without a hemisphere the position stays as stored, with a warning")
    func noReference() {
        let reading = read(EXIF.taken("2021:06:15 14:30:05").place(latitude: (nil, degrees), longitude: (nil, degrees)))
        #expect((reading.latitude ?? 0) > 33)
        #expect(reading.warnings == [.gpsReferenceMissing])
    }

    @Test("0,0, half a position, x/0 and what is not on the globe are no place; the equator is one")
    func noPlace() {
        let zero = MadePhotos.Value.fractions([(0, 1), (0, 1), (0, 1)])
        let none = MadePhotos.Value.fractions([(0, 0), (0, 0), (0, 0)])
        let far = MadePhotos.Value.fractions([(213, 1), (0, 1), (0, 1)])
        func reading(_ latitude: MadePhotos.Value?, _ longitude: MadePhotos.Value?) -> PhotoReading {
            read(
                EXIF.taken("2021:06:15 14:30:05").place(
                    latitude: latitude.map { ("N", $0) }, longitude: longitude.map { ("E", $0) }))
        }
        #expect(reading(zero, zero).place == nil)
        #expect(reading(zero, zero).warnings == [.nullIsland])
        #expect(reading(nil, degrees).place == nil)
        #expect(reading(nil, degrees).warnings == [.gpsHalf])
        #expect(reading(none, none).place == nil)
        #expect(reading(far, degrees).place == nil)
        #expect(reading(far, degrees).warnings == [.gpsOutOfRange])
        #expect(reading(zero, degrees).place != nil)
    }

    @Test("degrees written as text are read")
    func textDegrees() {
        let reading = read(
            EXIF.taken("2021:06:15 14:30:05").place(latitude: ("N", .text("52 0 50")), longitude: ("E", .text("11.5"))))
        #expect(abs((reading.latitude ?? 0) - 52.013_889) < 1e-6)
        #expect(reading.longitude == 11.5)
    }

    @Test("altitude is negative below the sea, and none where it is x/0")
    func altitude() {
        func altitude(_ reference: MadePhotos.Value?, _ value: (Int, Int)) -> Double? {
            var exif = EXIF.taken("2021:06:15 14:30:05")
            if let reference { exif.gps.append((5, reference)) }
            exif.gps.append((6, .fractions([value])))
            return read(exif).altitude
        }
        #expect(altitude(.byte(1), (4305, 10)) == -430.5)
        #expect(altitude(.byte(0), (1234, 10)) == 123.4)
        #expect(altitude(nil, (1234, 10)) == 123.4)
        #expect(altitude(.text("0"), (1234, 10)) == 123.4)
        #expect(altitude(.byte(0), (0, 0)) == nil)
    }

    @Test("a position that only XMP has is taken, with its letters")
    func xmpPlace() {
        let packet = MadePhotos.xmp(
            #"exif:GPSLatitude="33,51.59S" exif:GPSLongitude="151,12,30E" exif:GPSAltitude="43/10" exif:GPSAltitudeRef="1""#
        )
        let reading = PhotoReader().read(MadePhotos.jpeg([MadePhotos.app1(xmp: packet)]), name: "", modified: 0)
        #expect(abs((reading.latitude ?? 0) + 33.859_833_333) < 1e-6)
        #expect(abs((reading.longitude ?? 0) - 151.208_333_333) < 1e-6)
        #expect(reading.altitude == -4.3)
        #expect(reading.warnings == [.gpsFromXMP])
    }
}
