import Notes
import Testing

@testable import EvergearCLI

/// A draft as the store gives it.
private func draft(_ text: String, _ memos: [Memo]) -> Draft {
    Draft(
        id: 3, uid: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", text: text, created: Timestamp(milliseconds: 0),
        updated: Timestamp(milliseconds: 0), memos: memos)
}

private func photo(_ name: String) -> Photo {
    Photo(
        blob: BlobKey(md5: MD5(bytes: Array(repeating: 0, count: 16)) ?? none, size: 1), mime: "image/jpeg",
        pixels: nil,
        name: name)
}

private let none: MD5 = {
    guard let digest = MD5(hex: String(repeating: "0", count: 32)) else { preconditionFailure() }
    return digest
}()

private func memo(_ id: Int64, _ text: String = "", _ name: String? = "IMG.JPG", at time: String? = nil) -> Memo {
    Memo(
        id: id, number: Int(id), text: text, photos: name.map { [photo($0)] } ?? [],
        moment: time.flatMap { Moment(iso8601: $0) })
}

private func parse(_ file: String, _ draft: Draft) throws(DraftFile.Mistake) -> DraftEdit? {
    try DraftFile.parse(Array(file.utf8), against: draft)
}

private func mistake(_ file: String, _ draft: Draft) -> DraftFile.Mistake? {
    do throws(DraftFile.Mistake) {
        _ = try parse(file, draft)
        return nil
    } catch { return error }
}

/// The file without the comments at its end.
private func body(_ draft: Draft) -> String {
    DraftFile.write(draft).split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { !$0.hasPrefix("# ") }.joined(separator: "\n")
}

@Suite("A draft as a text file")
struct DraftFileTests {
    private let kyoto = draft(
        "Kyoto in May\n\nThree days.",
        [
            memo(12, "The view from the bridge", "IMG_0412.JPG", at: "2024-05-03T09:15:30+09:00"),
            memo(13, "", "IMG_0413.JPG", at: "2024-05-03T09:16"),
            memo(14, "", "IMG_0414.JPG", at: "2024-05-03T09:17"),
            memo(15, "Tired.", nil, at: "2024-05-03T21:00"),
        ])

    @Test("title and text on top, then a block for each memo; those without a caption stand one a line")
    func writing() {
        #expect(
            body(kyoto) == """
                Kyoto in May

                Three days.

                [12] IMG_0412.JPG 09:15
                The view from the bridge

                [13] IMG_0413.JPG 09:16
                [14] IMG_0414.JPG 09:17
                [15] words 21:00
                Tired.

                """)
    }

    @Test("the date stands beside the time where the memos are of several days")
    func days() {
        let two = draft("T", [memo(1, at: "2024-05-03T09:15"), memo(2, at: "2024-05-04T09:15"), memo(3)])
        #expect(body(two).contains("[1] IMG.JPG 2024-05-03 09:15\n[2] IMG.JPG 2024-05-04 09:15\n[3] IMG.JPG\n"))
    }

    @Test("several photos in a memo are told by the first and a number, without what could act on a terminal")
    func severalPhotos() {
        var sheet = memo(1)
        sheet.photos = [photo("a\n[2] b\u{1b}.jpg"), photo("b"), photo("c")]
        #expect(body(draft("T", [sheet])).contains("\n[1] a [2] b.jpg and 2 more\n"))
    }

    @Test("a file that nobody changed changes nothing")
    func unchanged() throws {
        let edit = try #require(try parse(DraftFile.write(kyoto), kyoto))
        #expect(edit.isUnchanged(from: kyoto))
        #expect(edit.dropped(from: kyoto).isEmpty)
    }

    @Test("captions change, deleted blocks drop their memos, moved ones move, [new] begins a memo")
    func editing() throws {
        let edit = try #require(
            try parse(
                """
                Kyoto, again
                [15]
                Tired but glad.

                Very.
                [new] anything
                  Supper
                [13]whatever? no: this needs a space
                """.replacing("[13]whatever? no: this needs a space", with: "[13]\tfor me alone\nStones\n\n\n"), kyoto))
        #expect(edit.text == "Kyoto, again")
        #expect(
            edit.memos == [
                .init(id: 15, text: "Tired but glad.\n\nVery."), .init(id: 0, text: "  Supper"),
                .init(id: 13, text: "Stones"),
            ])
        #expect(edit.dropped(from: kyoto) == [12, 14])
    }

    @Test("# with a space begins a comment, and a hashtag is text")
    func comments() throws {
        let edit = try #require(
            try parse("# on top\nTitle #1\n[13] x\n#lunch\n# not this\n#\n#\tnor this\n##neither special\n", kyoto))
        #expect(edit.text == "Title #1")
        #expect(edit.memos == [.init(id: 13, text: "#lunch\n##neither special")])
    }

    @Test("lines that look like comments or headers are text behind a backslash")
    func escapes() throws {
        let text = "# heading\n[12] reference\n[ 3\n\\# escaped\n\\\\[1]\n\\o/\n[x] done\n[]\n#tag\n[NEW] y"
        let file = body(draft("T", [memo(12, text)]))
        #expect(
            file == """
                T

                [12] IMG.JPG
                \\# heading
                \\[12] reference
                \\[ 3
                \\\\# escaped
                \\\\\\[1]
                \\o/
                [x] done
                \\[]
                #tag
                \\[NEW] y

                """)
        // Typed anew, so that nothing is taken from the original.
        let other = draft("T", [memo(12, "something else")])
        #expect(try parse(file, other)?.memos == [.init(id: 12, text: text)])
    }

    @Test("nothing but comments and blank lines: the edit was given up")
    func givenUp() throws {
        #expect(try parse("", kyoto) == nil)
        #expect(try parse("\n  \n# only this\n#\n", kyoto) == nil)
        // A title alone drops all memos, as git rebase -i drops all lines.
        #expect(try parse("Title", kyoto)?.memos.isEmpty == true)
        // A draft of photos alone has no title to miss.
        #expect(try parse("[1]\n", draft("", [memo(1)]))?.text == "")
    }

    @Test("line ends of another system and a byte order mark change nothing")
    func lineEnds() throws {
        let file = "\u{feff}" + DraftFile.write(kyoto).replacing("\n", with: "\r\n")
        #expect(try #require(try parse(file, kyoto)).isUnchanged(from: kyoto))
        let windows = draft("Title\r\nBody\r\n", [memo(1, "a\r\n\r\nb\r\n"), memo(2, "\n \nx  \n\t\n"), memo(3, "\n")])
        #expect(try #require(try parse(DraftFile.write(windows), windows)).isUnchanged(from: windows))
    }

    @Test(
        "a mistake gives its line and its reason",
        arguments: [
            ("T\n[99] x", 2, "this draft has no memo 99"),
            ("T\n[99999999999999999999999] x", 2, "this draft has no memo 99999999999999999999999"),
            ("T\n[0]", 2, "this draft has no memo 0"),
            ("T\n\n[12]\n[13]\n[12]\n", 5, "memo 12 is here for the second time, after line 3"),
            ("T\n[12 IMG_0412.JPG", 2, "this [number] has no ] behind it"),
            ("T\n[12]IMG_0412.JPG", 2, "a [number] line has a space behind the ]"),
            ("T\n[12](http://x.example)", 2, "a [number] line has a space behind the ]"),
            ("T\n[2024-05-01] x", 2, "a memo's line begins with its number in brackets"),
            ("T\n[ 12 ]", 2, "a memo's line begins with its number in brackets"),
            ("T\n[]", 2, "a memo's line begins with its number in brackets"),
            ("T\n[New]", 2, "a memo's line begins with its number in brackets"),
            ("T\n[new]\n[12]\n", 2, "a new memo needs words"),
            ("T\n[12]\n\n# c\n[15]\n \n", 5, "memo 15 has no photo and now no words"),
        ])
    func mistakes(file: String, line: Int, reason: String) {
        let found = mistake(file, kyoto)
        #expect(found?.line == line)
        #expect(found?.reason.hasPrefix(reason) == true, "\(found?.reason ?? "nothing")")
    }

    @Test("bytes that are no UTF-8 are told by their line")
    func brokenUTF8() {
        #expect(throws: DraftFile.Mistake(line: 2, reason: "this is not UTF-8 text; save the file as UTF-8")) {
            try DraftFile.parse([0x54, 0x0a, 0xff, 0x0a], against: kyoto)
        }
    }

    @Test("two spellings of é are a change")
    func spellings() throws {
        let nfc = draft("caf\u{e9}", [])
        let edit = try #require(try parse("cafe\u{301}", nfc))
        #expect(!edit.isUnchanged(from: nfc))
        #expect(Array(edit.text.utf8) == Array("cafe\u{301}".utf8))
    }

    @Test("a memo that was empty before may stay empty")
    func emptyMemo() throws {
        let odd = draft("T", [memo(1, "", nil)])
        #expect(try #require(try parse(DraftFile.write(odd), odd)).isUnchanged(from: odd))
    }

    @Test("a file of one text alone: comments go, brackets mean nothing")
    func textAlone() throws {
        let text = "Title\n\n# heading\n[12] x\n\\# y\n#tag"
        let file = DraftFile.write(text: text, comments: ["First line: the title.", ""])
        #expect(file == "Title\n\n\\# heading\n[12] x\n\\\\# y\n#tag\n\n# First line: the title.\n#\n")
        #expect(try DraftFile.parse(text: Array(file.utf8)) == text)
        #expect(try DraftFile.parse(text: Array("\n# x\n".utf8)) == "")
    }
}

@Suite("Any draft survives as a text file")
struct DraftFilePropertyTests {
    /// Text of the pieces that matter: brackets, numbers, marks, line ends of all kinds, any letter.
    private static func text(_ generator: inout Seeded) -> String {
        let pieces = [
            "\n", "\n", "\n", "\r\n", "\r", " ", "\t", "#", "# ", "\\", "\\", "[", "]", "[12]", "[1] x", "[new]",
            "[New",
            "12", "\u{2028}", "\u{85}", "\u{b}", "\u{c}", "\0", "\u{1b}", "é", "e\u{301}", "\u{301}", "東京", "👨‍👩‍👧",
            "\u{202e}",
            "\u{feff}", "a",
        ]
        return (0..<Int.random(in: 0...14, using: &generator)).map { _ -> String in
            if Int.random(in: 0..<8, using: &generator) > 0 { return pieces.randomElement(using: &generator) ?? "" }
            return Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator)).map { String(Character($0)) }
                ?? ""
        }.joined()
    }

    /// A small generator that gives the same numbers at every run (SplitMix64).
    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    private static func randomDraft(_ generator: inout Seeded) -> Draft {
        var memos: [Memo] = []
        for id in 0..<Int.random(in: 0...5, using: &generator) {
            memos.append(memo(Int64(id + 1), text(&generator), Bool.random(using: &generator) ? text(&generator) : nil))
        }
        return draft(text(&generator), memos.shuffled(using: &generator))
    }

    @Test("written and read back unchanged, every byte is the same", arguments: [1, 2, 3, 4])
    func roundTrip(seed: UInt64) throws {
        var generator = Seeded(state: seed)
        for _ in 0..<500 {
            let draft = Self.randomDraft(&generator)
            let file = DraftFile.write(draft)
            guard let edit = try parse(file, draft) else {
                // Nothing in it but blank lines.
                #expect(draft.memos.isEmpty && draft.title.isEmpty, "\(file.debugDescription)")
                continue
            }
            #expect(edit.isUnchanged(from: draft), "\(file.debugDescription)")
        }
    }

    @Test(
        "typed into another draft, each text arrives as its lines are, and nothing leaks into its neighbours",
        arguments: [5, 6, 7, 8])
    func typed(seed: UInt64) throws {
        var generator = Seeded(state: seed)
        for _ in 0..<500 {
            let source = Self.randomDraft(&generator)
            var blank = source
            blank.text = "another"
            blank.memos = source.memos.map { memo($0.id, "other words", "x.jpg") }
            guard let edit = try parse(DraftFile.write(source), blank) else { continue }
            #expect(edit.memos.map(\.id) == source.memos.map(\.id))
            for (typed, original) in zip(edit.memos, source.memos) {
                let expected = DraftFile.canonical(original.text).joined(separator: "\n")
                #expect(Array(typed.text.utf8) == Array(expected.utf8))
            }
        }
    }

    @Test("any bytes give an edit or a mistake within the file", arguments: [9, 10, 11, 12])
    func anything(seed: UInt64) {
        var generator = Seeded(state: seed)
        let draft = Self.randomDraft(&generator)
        for _ in 0..<500 {
            var bytes = Array((Self.text(&generator) + Self.text(&generator)).utf8)
            if let place = bytes.indices.randomElement(using: &generator), Bool.random(using: &generator) {
                bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            do throws(DraftFile.Mistake) {
                let edit = try DraftFile.parse(bytes, against: draft)
                let known = Set(draft.memos.map(\.id))
                #expect(edit?.memos.allSatisfy { $0.id == 0 || known.contains($0.id) } ?? true)
            } catch {
                #expect((1...bytes.count + 1).contains(error.line))
                #expect(!error.reason.isEmpty && !error.reason.hasSuffix("."))
            }
        }
    }
}
