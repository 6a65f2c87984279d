import System
import Testing
import Workbench

@Suite("Time zones")
struct ZoneTests {
    /// What date(1) says of an instant in a zone: `+0900` as seconds.
    private func offsets(of zone: String, at instants: [Int64]) throws -> [Int] {
        let result = try run(
            "/usr/bin/date", ["-f", "-", "+%z"], input: instants.map { "@\($0)\n" }.joined(),
            environment: ["TZ=\(zone)", "PATH=/usr/bin:/bin"])
        return try result.output.split(separator: "\n").map { text in
            let number = try #require(Int(text.dropFirst()))
            return (number / 100 * 3600 + number % 100 * 60) * (text.hasPrefix("-") ? -1 : 1)
        }
    }

    // Seconds around the changes of 2024, and far away: winter, summer, before 1970 and in 2099. Whole-minute offsets
    // only, as date prints no more.
    @Test(
        "offsets are those of date(1)",
        arguments: [
            "Asia/Tokyo", "Asia/Kathmandu", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC",
            "America/St_Johns", "Pacific/Kiritimati", "Europe/Dublin", "Africa/Casablanca",
        ])
    func offsetsOfZones(name: String) throws {
        let zone = try #require(Zone(name))
        // 2024-01-01 and on in steps of five days and a little, so that both sides of each change are seen.
        var instants = (0..<73).map { Int64(1_704_067_200 + $0 * 434_567) }
        instants += [-300_000_000, 0, 946_684_800, 4_085_000_000, 4_070_908_800]
        // Berlin, New York, Lord Howe: the second before and of each change.
        for change in [1_711_846_800, 1_729_990_800, 1_710_054_000, 1_730_613_600, 1_712_415_600, 1_728_142_200] {
            instants += [Int64(change) - 1, Int64(change)]
        }
        let expected = try offsets(of: name, at: instants)
        #expect(instants.map { zone.offset(at: $0) } == expected)
    }

    /// 2024-03-31 in Berlin: 02:00 to 03:00 never came. 2024-10-27: 02:00 to 03:00 came twice.
    @Test(
        "a wall-clock time that comes twice gives the first, one that never comes the offset before",
        arguments: [
            (1_711_846_800 + 1800, 3600),  // 01:00 UTC + 30 min = 02:30 in the gap, read as local
            (1_711_846_800 + 3600 - 1, 3600),  // 01:59:59
            (1_711_846_800 + 7200, 7200),  // 03:00:00
            (1_729_990_800 + 5400, 7200),  // 02:30:00 comes twice
            (1_729_990_800 + 7200, 3600),  // 03:00:00
            (1_729_990_800 + 3599, 7200),  // 01:59:59
        ])
    func gapsAndOverlaps(local: Int, expected: Int) throws {
        // The first of each pair is the instant of the change plus a wall-clock distance, which is local time as if it
        // were UTC: the change is at 01:00 UTC.
        let berlin = try #require(Zone("Europe/Berlin"))
        #expect(berlin.offset(atLocal: Int64(local)) == expected)
    }

    @Test("half an hour of change: Lord Howe")
    func lordHowe() throws {
        let zone = try #require(Zone("Australia/Lord_Howe"))
        // 2024-04-07 02:00 +11:00 became 01:30 +10:30: 01:45 comes twice.
        #expect(zone.offset(atLocal: 1_712_454_300) == 39_600)
        // 2024-10-06 02:00 +10:30 became 02:30 +11:00: 02:15 never comes.
        #expect(zone.offset(atLocal: 1_728_180_900) == 37_800)
    }

    @Test(
        "a name that tzdata does not have is no zone",
        arguments: ["Asia/Tokio", "", "/etc/passwd", "../zoneinfo/UTC", "Asia", "tzdata.zi", "JST-9", ":UTC", "Asia/"])
    func unknownNames(name: String) { #expect(Zone(name) == nil) }

    @Test("zones asked for in turn from several threads never mix up")
    func threads() async throws {
        let tokyo = try #require(Zone("Asia/Tokyo"))
        let newYork = try #require(Zone("America/New_York"))
        let wrong = await withTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    (0..<500).count { _ in
                        number % 2 == 0
                            ? tokyo.offset(at: 1_704_067_200) != 32_400 : newYork.offset(at: 1_704_067_200) != -18_000
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
