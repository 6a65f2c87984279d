import Glibc
import Notes
import Testing

@Suite("The calendar")
struct CalendarTests {
    /// Expected values by glibc's gmtime_r, as `date -u` prints.
    @Test("dates and weekdays are those of the system, from the year 1 to 9999")
    func againstTheSystem() throws {
        var generator = SystemRandomNumberGenerator()
        var samples = (0..<20_000).map { _ in Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator) }
        samples += [-62_135_596_800, 253_402_300_799, -1, 0, 951_782_400, -2_203_891_200]
        for seconds in samples {
            var time = time_t(seconds)
            var expected = tm()
            try #require(gmtime_r(&time, &expected) != nil)
            let local = LocalTime(seconds: seconds)
            #expect(
                [local.year, local.month, local.day, local.hour, local.minute, local.second, local.weekday]
                    == [
                        Int(expected.tm_year) + 1900, Int(expected.tm_mon) + 1, Int(expected.tm_mday),
                        Int(expected.tm_hour), Int(expected.tm_min), Int(expected.tm_sec), Int(expected.tm_wday),
                    ], "\(seconds)")
        }
    }
}
