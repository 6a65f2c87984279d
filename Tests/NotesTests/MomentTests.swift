import Notes
import Testing

@Suite("Moments")
struct MomentTests {
    @Test(
        "ISO 8601 is read as it was written",
        arguments: [
            ("2024-05-01", "2024-05-01T00:00:00"),
            ("2024-05-01T10:11", "2024-05-01T10:11:00"),
            ("2024-05-01 10:11", "2024-05-01T10:11:00"),
            ("2024-05-01T10:11:12", "2024-05-01T10:11:12"),
            ("2024-05-01T10:11:12.5", "2024-05-01T10:11:12.5"),
            ("2024-05-01T10:11:12,25", "2024-05-01T10:11:12.25"),
            ("2024-05-01T10:11:12.123456789", "2024-05-01T10:11:12.123456789"),
            ("2024-05-01T10:11+09:00", "2024-05-01T10:11:00+09:00"),
            ("2024-05-01T10:11:12+0900", "2024-05-01T10:11:12+09:00"),
            ("2024-05-01T10:11:12+09", "2024-05-01T10:11:12+09:00"),
            ("2024-05-01T10:11:12-03:30", "2024-05-01T10:11:12-03:30"),
            ("2024-05-01T10:11:12Z", "2024-05-01T10:11:12+00:00"),
            ("2024-02-29T23:59:59z", "2024-02-29T23:59:59+00:00"),
            ("0001-01-01", "0001-01-01T00:00:00"),
            ("9999-12-31T23:59:59", "9999-12-31T23:59:59"),
        ])
    func reading(text: String, expected: String) throws {
        #expect(try #require(Moment(iso8601: text)).description == expected)
    }

    @Test(
        "what is no date or no time of day is refused",
        arguments: [
            "", "2024", "2024-05", "2024-5-1", "2024-13-01", "2024-00-10", "2024-02-30", "2023-02-29", "1900-02-29",
            "2024-05-01T", "2024-05-01T10", "2024-05-01T24:00", "2024-05-01T10:60", "2024-05-01T10:11:60",
            "2024-05-01T10:11:12.", "2024-05-01T10:11:12.1234567890", "2024-05-01T10:11+", "2024-05-01T10:11+9",
            "2024-05-01T10:11+09:", "2024-05-01T10:11+09:60", "2024-05-01T10:11+16:00", "2024-05-01T10:11 ",
            " 2024-05-01", "2024-05-01Z", "2024-05-01+09:00", "２０２４-05-01", "2024/05/01", "0000-01-01",
            "2024-05-01T10:11:12ZZ", "99999-01-01",
        ])
    func refusing(text: String) { #expect(Moment(iso8601: text) == nil) }

    @Test("an offset that was only assumed orders, and is no fact")
    func assumedOffset() throws {
        let local = try #require(LocalTime(year: 2024, month: 5, day: 1, hour: 9))
        let assumed = Moment(local, offset: 32_400, isOffsetAssumed: true)
        #expect(assumed.knownOffset == nil)
        #expect(assumed.timestamp.iso8601 == "2024-05-01T00:00:00Z")
        #expect(!Moment(local, offset: nil, isOffsetAssumed: true).isOffsetAssumed)
    }

    @Test("moments are ordered by instant, to the nanosecond, wherever they were")
    func order() throws {
        func moment(_ text: String) throws -> Moment { try #require(Moment(iso8601: text)) }
        #expect(Moment.isEarlier(try moment("2024-05-01T09:00+09:00"), than: try moment("2024-05-01T01:00Z")))
        #expect(
            Moment.isEarlier(
                try moment("2024-05-01T10:00:00.000000001"), than: try moment("2024-05-01T10:00:00.000000002"))
        )
        let same = try moment("2024-05-01T10:00Z")
        #expect(!Moment.isEarlier(same, than: same))
    }

    @Test(
        "an instant before 1970 keeps its milliseconds",
        arguments: [
            (Int64(-1), "1969-12-31T23:59:59.999Z"), (0, "1970-01-01T00:00:00Z"),
            (-86_400_000, "1969-12-31T00:00:00Z"), (1_714_500_000_178, "2024-04-30T18:00:00.178Z"),
        ])
    func timestamps(milliseconds: Int64, expected: String) {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(timestamp.iso8601 == expected)
        #expect(timestamp.moment(offset: 0).timestamp == timestamp)
        #expect(timestamp.moment(offset: -12_600).timestamp == timestamp)
    }

    @Test("every second around a leap day, a year and a century comes back from its date")
    func localTimeRoundTrip() throws {
        // 1900-02-28, 2000-02-28, 2024-02-28, 1999-12-31, each an hour on in steps of 59 s.
        for start in [-2_203_977_600, 951_696_000, 1_709_078_400, 946_598_400] {
            for step in 0..<3000 {
                let time = LocalTime(seconds: Int64(start + step * 59))
                let again = LocalTime(
                    year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
                    second: time.second)
                #expect(again == time)
            }
        }
    }
}

@Suite("Places")
struct PlaceTests {
    @Test("decimal degrees, south and west negative")
    func reading() throws {
        let sydney = try #require(Place("-33.9,151.2"))
        #expect(sydney.latitude == -33.9 && sydney.longitude == 151.2)
        #expect(Place("35, 135") != nil)
        #expect(Place("-90,180") != nil)
    }

    @Test(
        "what is not on the globe is refused",
        arguments: ["", "1", "1,2,3", "91,0", "0,181", "nan,0", "0,inf", "a,b", "35.0;135.0", ",", "1,"])
    func refusing(text: String) { #expect(Place(text) == nil) }
}

@Suite("Drafts")
struct DraftTests {
    @Test(
        "the first line that is not blank is the title",
        arguments: [
            ("Title\nbody", "Title", "body"), ("\n \nTitle\r\nbody\r\n", "Title", "body\r\n"), ("Title", "Title", ""),
            ("", "", ""), (" \n\t", "", ""), ("Title\n\nbody", "Title", "\nbody"), ("東京\u{2028}駅", "東京", "駅"),
        ])
    func title(text: String, title: String, body: String) {
        #expect(Draft.split(text).title == title)
        #expect(Draft.split(text).body == body)
    }

    @Test("the note is created at --at, else with its earliest memo, else when it was written")
    func created() throws {
        var draft = Draft(uid: "", text: "", created: Timestamp(milliseconds: 5), updated: Timestamp(milliseconds: 9))
        #expect(draft.noteCreated.milliseconds == 5 && draft.noteMoment == nil)
        draft.memos = [
            Memo(text: "b", moment: Moment(iso8601: "2024-05-01T09:00Z")),
            Memo(text: "a", moment: Moment(iso8601: "2024-05-01T10:00+09:00")), Memo(text: "c"),
        ]
        #expect(draft.noteCreated.iso8601 == "2024-05-01T01:00:00Z")
        #expect(draft.noteMoment?.offset == 32_400)
        draft.moment = Moment(iso8601: "2020-01-01T00:00Z")
        #expect(draft.noteCreated.iso8601 == "2020-01-01T00:00:00Z")
    }
}

@Suite("Names and numbers")
struct ValueTests {
    @Test("an MD5 is 32 hexadecimal digits of either case")
    func md5() throws {
        let digest = try #require(MD5(hex: "D41D8CD98F00B204E9800998ECF8427E"))
        #expect(digest.hex == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(digest.bytes.first == 0xd4)
        for wrong in [
            "", "d41d8cd98f00b204e9800998ecf8427", "d41d8cd98f00b204e9800998ecf8427g",
            "d41d8cd98f00b204e9800998ecf8427e0",
        ] {
            #expect(MD5(hex: wrong) == nil)
        }
        #expect(MD5(bytes: [1]) == nil)
    }

    @Test("a UID is a UUID of version 7 that begins with its time")
    func uid() {
        // RFC 9562, appendix A.6: 0x017F22E279B0 is 2022-02-22 19:22:22 UTC.
        let uid = UID.make(at: Timestamp(milliseconds: 0x017F_22E2_79B0))
        #expect(uid.hasPrefix("017f22e2-79b0-7"))
        #expect(uid.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect("89ab".contains(uid.split(separator: "-")[3].prefix(1)))
        #expect(uid != UID.make(at: Timestamp(milliseconds: 0x017F_22E2_79B0)))
    }

    @Test("a picture is scaled in both sides, and never vanishes")
    func pixels() throws {
        let size = try #require(PixelSize(width: 4000, height: 3000))
        #expect(size.scaled(by: 0.18) == PixelSize(width: 720, height: 540))
        #expect(
            try #require(PixelSize(width: 10_000, height: 1)).scaled(by: 0.01) == PixelSize(width: 100, height: 1))
        #expect(size.turned == PixelSize(width: 3000, height: 4000))
        #expect(PixelSize(width: 0, height: 1) == nil)
    }

    @Test(
        "layouts go by their names and the usual other ones",
        arguments: [
            ("full", Layout.full), ("thumbs+full", .thumbsFull), ("thumbs-full", .thumbsFull),
            ("thumbnail+full", .thumbsFull), ("thumbs", .thumbs), ("thumbnail", .thumbs), ("plain", .plain),
            ("Full", nil), ("", nil), ("card", nil),
        ])
    func layouts(name: String, layout: Layout?) { #expect(Layout(name: name) == layout) }
}
