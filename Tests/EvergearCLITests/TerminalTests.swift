import Notes
import Synchronization
import System
import Testing
import Text

@testable import EvergearCLI

@Suite("Words and figures")
struct WordsTests {
    @Test(
        "sizes have three figures at most",
        arguments: [
            (Int64(0), "0 B"), (999, "999 B"), (1000, "1 kB"), (1049, "1 kB"), (1050, "1.1 kB"),
            (12_340_000, "12.3 MB"),
            (99_960_000, "100 MB"), (461_000_000, "461 MB"), (999_499_999, "999 MB"), (999_500_000, "1 GB"),
            (209_715_200, "210 MB"), (Int64.max, "9.2 EB"), (Int64.min, "-9.2 EB"), (-1500, "-1.5 kB"),
        ])
    func sizes(bytes: Int64, expected: String) { #expect(Words.size(bytes) == expected) }

    @Test(
        "durations are told by their largest unit",
        arguments: [
            (Int64(0), "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (90, "2 minutes"),
            (240, "4 minutes"), (3569, "59 minutes"), (3570, "1 hour"), (7200, "2 hours"), (84_599, "23 hours"),
            (84_600, "1 day"), (172_800, "2 days"), (-5, "0 seconds"),
        ])
    func durations(seconds: Int64, expected: String) { #expect(Words.duration(seconds: seconds) == expected) }

    @Test("a time is told from now")
    func relative() {
        let now = Timestamp(milliseconds: 1_000_000_000)
        #expect(Words.relative(Timestamp(milliseconds: 1_000_240_000), to: now) == "in 4 minutes")
        #expect(Words.relative(Timestamp(milliseconds: 999_760_000), to: now) == "4 minutes ago")
        #expect(Words.relative(Timestamp(milliseconds: 1_000_000_999), to: now) == "now")
        // Nonsense in the store must not end the program.
        #expect(Words.relative(Timestamp(milliseconds: .min), to: now) == "now")
    }

    @Test("lists and counts read as sentences do")
    func lists() {
        #expect(Words.list(["a", "b", "c"]) == "a, b and c")
        #expect(Words.list(["a"]) == "a" && Words.list([]) == "")
        #expect(Words.count(1, "photo") == "1 photo" && Words.count(0, "photo") == "0 photos")
        #expect(Words.count(2, "copy", "copies") == "2 copies")
        #expect(Words.clock(seconds: 7) == "0:07" && Words.clock(seconds: 3723) == "1:02:03")
    }
}

@Suite("Progress")
struct ProgressTests {
    @Test("figures, share, rate and what is left, in one line")
    func line() {
        let figures = ProgressFigures(
            verb: "Importing", items: 120, totalItems: 300, bytes: 500_000_000, totalBytes: 2_000_000_000,
            elapsed: 10_000)
        #expect(figures.line(width: 100) == "Importing  120/300  25%  500 MB of 2 GB  50 MB/s  0:30 left")
    }

    @Test("nothing is said that is not known")
    func unknown() {
        #expect(ProgressFigures(verb: "Reading", items: 7).line(width: 80) == "Reading  7")
        #expect(ProgressFigures(verb: "Reading", items: 9000, elapsed: 3000).line(width: 80) == "Reading  9000  3000/s")
        #expect(
            ProgressFigures(verb: "Reading", items: 0, totalItems: 0, elapsed: 5000).line(width: 80) == "Reading  0/0")
        #expect(
            ProgressFigures(verb: "Sending", items: 1, totalItems: 4, elapsed: 999).line(width: 80)
                == "Sending  1/4  25%")
        #expect(
            ProgressFigures(verb: "Sending", items: 5, totalItems: 4, bytes: 9, elapsed: 2000).line(width: 80)
                == "Sending  5/4  100%  9 B  4 B/s")
    }

    @Test("the line never reaches the last column, however narrow the terminal", arguments: [1, 2, 10, 30, 50])
    func width(width: Int) {
        let figures = ProgressFigures(
            verb: "写真を読む", items: 120, totalItems: 300, bytes: 500_000_000, totalBytes: 2_000_000_000, elapsed: 10_000)
        #expect(figures.line(width: width).columns <= max(1, width - 1))
    }

    @Test("figures from several threads add up")
    func threads() async {
        let progress = Progress(Output(isQuiet: true), "Working", totalItems: 4000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1000 { progress.advance(items: 1, bytes: 3) } } }
        }
        var seen: ProgressFigures?
        progress.update { seen = $0 }
        #expect(seen?.items == 4000 && seen?.bytes == 12_000)
    }
}

@Suite("Tables")
struct TableTests {
    @Test("columns stand below each other, kanji and all, with no spaces at the end")
    func alignment() {
        var table = Table([("No", .right), ("Title", .left), ("State", .left)])
        table.add(["3", "東京", "sent"])
        table.add(["12", "Kyoto in May"])
        #expect(
            table.lines(width: nil) == [
                "No  Title         State",
                " 3  東京          sent",
                "12  Kyoto in May",
            ])
    }

    @Test("a table is cut to the terminal, in its widest column")
    func cut() {
        var table = Table([("No", .right), ("Title", .left), ("State", .left)])
        table.add(["3", String(repeating: "長い題", count: 20), "sent"])
        for line in table.lines(width: 40) { #expect(line.columns <= 40) }
        #expect(table.lines(width: 40)[1].hasSuffix("…  sent") || table.lines(width: 40)[1].hasSuffix("…   sent"))
        // Too narrow for anything: it is printed all the same.
        #expect(table.lines(width: 3).count == 2)
    }

    @Test("of a title the end stays, of a path its file's name, and dates stay whole")
    func kinds() {
        var table = Table([("when", .whole), ("title", .title), ("", .path)])
        let path = "in /home/somebody/evergear/notes/of a long journey/Ridge (2).enex"
        table.add(["2026-05-03 10:11", "Rain on the ridge and on the way down to the valley (1/2)", path])
        let wide = table.lines(width: 90)
        #expect(wide.count == 2 && wide.allSatisfy { $0.columns <= 90 }, "\(wide)")
        #expect(wide[1].contains(" (1/2)  …") && wide[1].hasSuffix("/Ridge (2).enex"), "\(wide)")
        let narrow = table.lines(width: 40)
        #expect(narrow.allSatisfy { $0.columns <= 40 }, "\(narrow)")
        #expect(narrow[1].hasPrefix("2026-05-03 10:11  Rain on ") && narrow[1].hasSuffix("(1/2)"), "\(narrow)")
        #expect(narrow[2].hasPrefix("  …") && narrow[2].hasSuffix("/Ridge (2).enex"), "\(narrow)")
        #expect(table.lines(width: nil)[1].hasSuffix(path))
    }

    @Test("a title of a megabyte is shown in 200 columns at most, in a pipe as on a terminal")
    func longTitle() {
        var table = Table([("title", .title)])
        table.add([String(repeating: "長い", count: 200_000)])
        #expect(table.lines(width: nil)[1].columns <= 200)
        #expect(Words.title(String(repeating: "x", count: 1_000_000)).columns == 200)
        #expect(Words.title("Rain") == "Rain")
    }

    @Test("cells lose their controls")
    func controls() {
        var table = Table([("Title", .left)])
        table.add(["a\u{1b}[2Jb\nc"])
        #expect(table.lines(width: nil)[1] == "a[2Jb c")
    }
}

@Suite("Output")
struct OutputTests {
    @Test("JSON keeps what it says and cannot act on a terminal")
    func escaping() {
        #expect(JSONText.escapingControls("{\"a\":\"x\u{9b}2J\u{202e}東\"}") == "{\"a\":\"x\\u009b2J\\u202e東\"}")
        #expect(JSONText.escapingControls("{}") == "{}")
    }

    @Test("a path in JSON has its bytes beside it only where the text does not tell them")
    func paths() {
        #expect(PathName("/a/東").pathHex == nil)
        #expect(PathName(FilePath(bytes: [0x61, 0xff])).pathHex == "61ff")
    }
}

@Suite("JSON")
struct JSONTests {
    @Test(
        "an object of long lists is the same text as if it had been encoded as a whole", arguments: [0, 1, 512, 1300])
    func longLists(count: Int) throws {
        struct Whole: Encodable {
            var list: [String]
            var number = 7
            var rest: [Int] = []
        }
        let list = (0..<count).map { "写真, \"\($0)\"\u{9b}" }
        final class Text: Sendable {
            let pieces = Mutex<[String]>([])
        }
        let text = Text()
        var object = JSONObject { piece in text.pieces.withLock { $0.append(piece) } }
        try object.list("list", list)
        try object.member("number", 7)
        try object.list("rest", [Int]())
        object.end()
        let pieces = text.pieces.withLock { $0 }
        #expect(try pieces.joined() == JSONText.of(Whole(list: list)) + "\n")
        #expect(count < 1300 || (pieces.map(\.count).max() ?? 0) < pieces.joined().count / 2)
    }

    private struct Sample: Encodable {
        var nextAttempt: String?
        @Null var bytesWaiting: Int?
        @Null var md5: String?
        var url = "evergear://draft/1"
    }

    @Test("keys are sorted and in snake case, null stands where it is promised")
    func keys() throws {
        #expect(
            try JSONText.of(Sample(bytesWaiting: nil, md5: "x"))
                == #"{"bytes_waiting":null,"md5":"x","url":"evergear://draft/1"}"#)
        #expect(
            try JSONText.of(Sample(nextAttempt: "n", bytesWaiting: 3, md5: nil))
                == #"{"bytes_waiting":3,"md5":null,"next_attempt":"n","url":"evergear://draft/1"}"#)
    }

    @Test("text keeps every character, on one line")
    func text() throws {
        #expect(try JSONText.of(["a": "x\n\"\\東\u{1b}\u{9b}"]) == #"{"a":"x\n\"\\東\u001b\u009b"}"#)
    }
}

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test("the numbers are those that are documented")
    func numbers() {
        #expect(EvergearCLI.ExitStatus.allCases.map(\.rawValue) == [0, 1, 3, 64, 65, 66, 75, 77, 78, 130])
    }

    @Test("where several apply the most urgent is told: 130, 78, 77, 75, 3, 1")
    func urgency() {
        let order: [EvergearCLI.ExitStatus] = [
            .interrupted, .configuration, .authentication, .notNow, .partlyDone, .failed, .success,
        ]
        for (index, first) in order.enumerated() {
            for second in order[index...] {
                #expect(first.and(second) == first)
                #expect(second.and(first) == first)
            }
        }
        #expect(
            EvergearCLI.ExitStatus.success.and(.badInput) == .badInput
                && EvergearCLI.ExitStatus.badInput.and(.success) == .badInput)
    }
}
