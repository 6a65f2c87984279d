import Notes
import Photos
import System
import Testing
import Workbench

/// Places by GPS tracks.
struct TracksTests {
    private func point(_ time: String?, _ latitude: String, _ longitude: String, ele: String? = nil) -> String {
        #"<trkpt lat="\#(latitude)" lon="\#(longitude)">"# + (ele.map { "<ele>\($0)</ele>" } ?? "")
            + (time.map { "<time>\($0)</time>" } ?? "") + "</trkpt>"
    }

    private func gpx(_ segments: [String]...) -> [UInt8] {
        let body = segments.map { "<trkseg>" + $0.joined() + "</trkseg>" }.joined()
        return Array(
            #"<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk>"#
                .utf8) + Array((body + "</trk></gpx>").utf8)
    }

    private func instant(_ text: String) throws -> Timestamp { try #require(Moment(iso8601: text)).timestamp }

    private func track(_ files: [UInt8]...) throws -> GPXTrack {
        var track = GPXTrack()
        for file in files { try track.add(file) }
        return track
    }

    @Test("between two points the place is on the line, by the part of the time")
    func interpolation() throws {
        let track = try track(
            gpx([
                point("2024-05-01T01:00:00Z", "35.0", "139.0", ele: "100"),
                point("2024-05-01T01:04:00Z", "35.4", "139.2", ele: "200"),
            ]))
        let fix = try #require(track.fix(at: try instant("2024-05-01T10:01:00+09:00")))
        #expect(abs(fix.place.latitude - 35.1) < 1e-9)
        #expect(abs(fix.place.longitude - 139.05) < 1e-9)
        #expect(abs((fix.place.altitude ?? 0) - 125) < 1e-9)
        #expect(fix.reason == "between the track's points at 2024-05-01T01:00:00Z and 2024-05-01T01:04:00Z")
        #expect(track.fix(at: try instant("2024-05-01T01:00:00Z"))?.place.latitude == 35)
        #expect(track.fix(at: try instant("2024-05-01T01:04:00Z"))?.place.latitude == 35.4)
    }

    @Test("over the date line the short way is taken")
    func dateLine() throws {
        let track = try track(
            gpx([point("2024-05-01T01:00:00Z", "0", "179.9"), point("2024-05-01T01:02:00Z", "0", "-179.7")]))
        let fix = try #require(track.fix(at: try instant("2024-05-01T01:01:00Z")))
        #expect(abs(fix.place.longitude - -179.9) < 1e-9)
    }

    @Test("in a gap of over ten minutes, only a point within a minute counts")
    func gaps() throws {
        let track = try track(
            gpx([point("2024-05-01T01:00:00Z", "1", "1"), point("2024-05-01T01:10:01Z", "2", "2")]))
        #expect(track.fix(at: try instant("2024-05-01T01:01:00Z"))?.place.latitude == 1)
        #expect(track.fix(at: try instant("2024-05-01T01:01:01Z")) == nil)
        #expect(track.fix(at: try instant("2024-05-01T01:09:01Z"))?.place.latitude == 2)
        #expect(track.fix(at: try instant("2024-05-01T01:05:00Z")) == nil)
        let near = try self.track(
            gpx([point("2024-05-01T01:00:00Z", "1", "1"), point("2024-05-01T01:10:00Z", "2", "2")]))
        #expect(near.fix(at: try instant("2024-05-01T01:05:00Z"))?.place.latitude == 1.5)
    }

    @Test("before the first and behind the last point, a minute is as far as it goes")
    func ends() throws {
        let track = try track(gpx([point("2024-05-01T01:00:00Z", "1", "1")]))
        #expect(track.fix(at: try instant("2024-05-01T00:59:00Z"))?.place.latitude == 1)
        #expect(track.fix(at: try instant("2024-05-01T00:58:59Z")) == nil)
        #expect(
            track.fix(at: try instant("2024-05-01T01:01:00Z"))?.reason == "the track's point at 2024-05-01T01:00:00Z")
        #expect(track.fix(at: try instant("2024-05-01T01:01:01Z")) == nil)
        #expect(GPXTrack().fix(at: try instant("2024-05-01T01:01:01Z")) == nil)
    }

    @Test("segments, files, points out of order and points that come twice make one track")
    func manyFiles() throws {
        let track = try track(
            gpx(
                [point("2024-05-01T01:02:00Z", "2", "2"), point("2024-05-01T01:00:00Z", "0", "9")],
                [point("2024-05-01T01:04:00Z", "4", "4"), point("2024-05-01T01:02:00Z", "7", "7")]),
            gpx([point("2024-05-01T01:03:00Z", "3", "3"), point("2024-05-01T01:00:00Z", "5", "5")]))
        #expect(track.points.map(\.latitude) == [0, 2, 3, 4])
        #expect(track.fix(at: try instant("2024-05-01T01:03:30Z"))?.place.latitude == 3.5)
    }

    @Test("only points with a time and a place on the globe count")
    func badPoints() throws {
        let track = try track(
            gpx([
                point(nil, "1", "1"), point("yesterday", "1", "1"), point("2024-05-01T01:00:00Z", "91", "1"),
                point("2024-05-01T01:00:01Z", "x", "1"), point("2024-05-01T01:00:02Z", "nan", "1"),
                point("2024-05-01T01:00:03Z", "0", "0"), #"<trkpt lat="1" lon="1"/>"#,
                point("2024-05-01T01:00:04.5", " 5 ", "6", ele: "high"),
                "<wpt lat='1' lon='1'><time>2024-05-01T01:00:04Z</time></wpt>",
            ]))
        #expect(track.points == [.init(time: try instant("2024-05-01T01:00:04.5Z"), latitude: 5, longitude: 6)])
    }

    @Test("elements in a point that have a time of their own do not set the point's")
    func nested() throws {
        let inner =
            #"<trkpt lat="1" lon="1"><time>2024-05-01T01:00:00Z</time><extensions><time>2030-01-01T00:00:00Z</time></extensions></trkpt>"#
        #expect(try track(gpx([inner])).points.map(\.time) == [try instant("2024-05-01T01:00:00Z")])
    }

    @Test("a file that ends in the middle keeps what it said until then")
    func cutShort() throws {
        let whole = gpx([point("2024-05-01T01:00:00Z", "1", "1"), point("2024-05-01T01:00:10Z", "2", "2")])
        let track = try track(whole.dropLast(70))
        #expect(track.points.count == 1)
        #expect(track.isCutShort)
        #expect(try self.track(whole).isCutShort == false)
    }

    @Test("what is no track says why")
    func refusals() throws {
        func error(_ text: String) -> GPXError? {
            var track = GPXTrack()
            do throws(GPXError) {
                try track.add(Array(text.utf8))
                return nil
            } catch { return error }
        }
        #expect(error("") == .notGPX)
        #expect(error("hello") == .notGPX)
        #expect(error("<kml/>") == .notGPX)
        #expect(error("<gpx/>") == .noPoints)
        #expect(error(#"<!DOCTYPE gpx [<!ENTITY a "b">]><gpx/>"#) == .documentType)
        #expect(error("<gpx><trk><trkseg>") == .noPoints)
        var track = GPXTrack()
        #expect(throws: GPXError.unreadable(SystemError(code: 2, call: "open", path: "/no/such.gpx"))) {
            try track.add("/no/such.gpx")
        }
    }

    @Test(
        "a shift is read and written the same",
        arguments: [
            ("+01:00", 3600, "+01:00"), ("-00:03:20", -200, "-00:03:20"), ("+210384:00", 757_382_400, "+210384:00"),
            ("-7:05", -25_500, "-07:05"), ("+00:00", 0, "+00:00"),
        ])
    func shifts(text: String, seconds: Int, written: String) throws {
        let shift = try #require(TimeShift(text))
        #expect(shift.seconds == Int64(seconds))
        #expect(shift.description == written)
    }

    @Test(
        "what is no shift is refused",
        arguments: [
            "", "1:00", "+1", "+01:60", "+01:00:60", "+01:0", "+01:00:00:00", "+1234567:00", "+-1:00", "+ 1:00",
            "+01:00 ", "+:00",
        ])
    func badShifts(text: String) { #expect(TimeShift(text) == nil) }

    @Test("a shift moves a time over the day's end, and not out of the calendar")
    func applied() throws {
        let local = try #require(LocalTime(year: 2023, month: 12, day: 31, hour: 23, minute: 59, nanosecond: 5_000_000))
        #expect(TimeShift("+00:02")?.applied(to: local)?.description == "2024-01-01T00:01:00.005")
        #expect(TimeShift("-999999:00")?.applied(to: try #require(LocalTime(year: 1, month: 1, day: 1))) == nil)
    }
}

/// Cameras whose clock is off.
struct ClockCheckTests {
    private func check(
        _ seconds: [Int64], offset: Int?, camera: String = "Canon X", assumed: Int = 0
    ) throws -> ClockCheck.Finding? {
        var check = ClockCheck()
        let gps = try #require(LocalTime(year: 2024, month: 5, day: 1, hour: 12))
        for second in seconds {
            check.add(
                camera: camera, local: LocalTime(seconds: gps.seconds + second), offset: offset, assumedOffset: assumed,
                gpsTime: gps)
        }
        return check.findings.first
    }

    @Test("a clock that is ahead is noticed, with what would mend it")
    func ahead() throws {
        let finding = try #require(try check([3600 + 200, 3600 + 201, 3600 + 198, 3600 + 9000], offset: 3600))
        #expect(finding.verdict == .off(seconds: 200))
        #expect(finding.suggestion == TimeShift("-00:03:20"))
        #expect(
            finding.sentence
                == "the clock of Canon X is 3 minutes 20 seconds ahead, by the GPS time of 4 photos; --time-shift -00:03:20 would mend that"
        )
    }

    @Test("without an offset, the nearest zone is taken off first")
    func guessedZone() throws {
        #expect(try check([32_400 - 125, 32_400 - 120, 7200 - 118], offset: nil)?.verdict == .off(seconds: -120))
        #expect(try check([20_700, 20_705, 20_710], offset: nil)?.verdict == .right)  // Nepal
        #expect(try check([3600, 3601, 3602], offset: nil)?.verdict == .right)
    }

    @Test("a clock that is days off is compared with the assumed zone")
    func daysOff() throws {
        let off: Int64 = -3 * 86_400 - 7200 - 90
        let finding = try #require(try check([off + 3600, off + 3600, off + 3601], offset: nil, assumed: 3600))
        #expect(finding.verdict == .off(seconds: off))
        #expect(finding.suggestion?.description == "+74:01:30")
        #expect(finding.sentence?.contains("3 days 2 hours behind") == true)
    }

    @Test("a receiver that counts weeks to 1024 and begins anew is no wrong clock of the camera")
    func rollover() throws {
        let weeks: Int64 = 619_315_200  // 1024 * 7 * 86,400
        #expect(try check([weeks + 7200, weeks + 7201, weeks + 7199], offset: nil)?.verdict == .right)
        #expect(try check([weeks + 7200, weeks + 7201, weeks + 7199], offset: 7200)?.verdict == .right)
        #expect(try check([weeks + 320, weeks + 321, weeks + 322], offset: 0)?.verdict == .off(seconds: 321))
    }

    @Test("a receiver's time that is UTC beside the local date is a day off, and no wrong clock")
    func localDateStamp() throws {
        // 07:00 in Tokyo is 22:00 UTC of the day before; 18:00 in Los Angeles is 02:00 of the day after.
        #expect(try check([-54_000, -54_001, -53_999], offset: nil)?.verdict == .right)
        #expect(try check([-54_000, -54_001, -53_999], offset: 32_400)?.verdict == .right)
        #expect(try check([57_600, 57_600, 57_601], offset: -28_800)?.verdict == .right)
        // A clock that is twenty hours ahead of its own offset is no such thing.
        #expect(try check([72_000, 72_000, 72_000], offset: 0)?.verdict == .otherZone(seconds: 72_000))
    }

    @Test("quarter hours are a zone and no wrong clock")
    func otherZone() throws {
        let finding = try #require(try check([7201, 7199, 7200], offset: 3600))
        #expect(finding.verdict == .otherZone(seconds: 3600))
        #expect(finding.suggestion == TimeShift("-01:00"))
        #expect(finding.sentence?.contains("another time zone") == true)
        #expect(try check([900, 899, 910], offset: 0)?.verdict == .otherZone(seconds: 900))
        #expect(try check([900, 899, 910], offset: nil)?.verdict == .unsteady)
    }

    @Test("two photos, a minute, and photos that do not agree say nothing")
    func nothing() throws {
        #expect(try check([500, 500], offset: 0) == nil)
        #expect(try check([59, 59, -59], offset: 0)?.verdict == .right)
        let finding = try #require(try check([0, 500, 1000, 1700, 2300], offset: 0))
        #expect(finding.verdict == .unsteady)
        #expect(finding.sentence == nil && finding.suggestion == nil)
    }

    @Test("each camera is judged by itself")
    func cameras() throws {
        var check = ClockCheck()
        let gps = try #require(LocalTime(year: 2024, month: 5, day: 1, hour: 12))
        for index in 0..<3 {
            check.add(camera: "B", local: gps, offset: 0, gpsTime: gps)
            check.add(
                camera: "A", local: LocalTime(seconds: gps.seconds + 300 + Int64(index)), offset: 0, gpsTime: gps)
        }
        #expect(check.findings.map(\.camera) == ["A", "B"])
        #expect(check.findings.map(\.verdict) == [.off(seconds: 301), .right])
    }
}

/// Circles that no location goes out of.
struct NoGoZoneTests {
    @Test("distances are those of the ground")
    func distances() throws {
        let zone = try #require(NoGoZone(name: "home", latitude: 52.5163, longitude: 13.3777, metres: 200))
        let near = try #require(Place(latitude: 52.5186, longitude: 13.3763))
        #expect(abs(zone.distance(to: near) - 273) < 2)
        #expect(!zone.contains(near))
        let wide = try #require(NoGoZone(name: "home", latitude: 52.5163, longitude: 13.3777, metres: 280))
        #expect(wide.contains(near))
        let paris = try #require(Place(latitude: 48.8584, longitude: 2.2945))
        #expect(abs(zone.distance(to: paris) - 880_000) < 5_000)
    }

    @Test("the date line and the poles are no edges")
    func edges() throws {
        let fiji = try #require(NoGoZone(name: "f", latitude: 0, longitude: 179.9995, metres: 200))
        #expect(fiji.contains(try #require(Place(latitude: 0, longitude: -179.9995))))
        let pole = try #require(NoGoZone(name: "p", latitude: 90, longitude: 0, metres: 10))
        #expect(pole.contains(try #require(Place(latitude: 90, longitude: 123))))
        let opposite = try #require(Place(latitude: 0, longitude: -0.0005))
        #expect(abs(fiji.distance(to: opposite) - 20_015_115) < 100)
    }

    @Test("what is no circle on the globe is refused")
    func refused() {
        #expect(NoGoZone(name: "x", latitude: 91, longitude: 0, metres: 1) == nil)
        #expect(NoGoZone(name: "x", latitude: 0, longitude: 0, metres: 0) == nil)
        #expect(NoGoZone(name: "x", latitude: 0, longitude: 0, metres: .infinity) == nil)
        #expect(NoGoZone(name: "x", latitude: .nan, longitude: 0, metres: 1) == nil)
    }
}
