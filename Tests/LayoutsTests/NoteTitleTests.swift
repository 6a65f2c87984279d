import Testing

@testable import Layouts

@Suite("Titles, tags, notebooks and file names fit their rules")
struct NoteTitleTests {
    /// Evernote's pattern, said once more: the rule and its two counts.
    private func isWithinRule(_ title: String) -> Bool {
        func category(_ scalar: Unicode.Scalar) -> Unicode.GeneralCategory { scalar.properties.generalCategory }
        let scalars = Array(title.unicodeScalars)
        guard let first = scalars.first, let last = scalars.last else { return false }
        let edges: Set<Unicode.GeneralCategory> = [.control, .spaceSeparator, .lineSeparator, .paragraphSeparator]
        let never: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        return !edges.contains(category(first)) && !edges.contains(category(last))
            && !scalars.contains { never.contains(category($0)) } && scalars.count <= 255 && title.utf16.count <= 255
    }

    @Test("a title that fits stays as it is")
    func unchanged() {
        for title in ["A day at the lake", "東京 👨‍👩‍👧‍👦 & <b>", "a", String(repeating: "x", count: 255)] {
            let fitted = NoteTitle.fit(title)
            #expect(fitted.title == title)
            #expect(fitted.changes.isEmpty)
            #expect(NoteTitle.isValid(title))
        }
    }

    @Test(
        "what is mended is reported",
        arguments: [
            ("  a b \u{3000}", "a b", [NameChange.spaces]),
            ("a\tb\u{7}c", "a bc", [.controls]),
            ("a\u{2028}b", "a b", [.controls]),
            ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}", [.composed]),
            ("", "Untitled", [.empty]),
            (" \u{200b}\n", "Untitled", [.empty]),
        ] as [(String, String, [NameChange])])
    func mended(title: String, expected: String, changes: [NameChange]) {
        let fitted = NoteTitle.fit(title)
        #expect(fitted.title.unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(fitted.changes == changes)
        #expect(isWithinRule(fitted.title))
    }

    @Test("a long title is cut between characters, keeps its suffix, and both counts stay within 255")
    func long() {
        let family = "👨‍👩‍👧‍👦"  // eleven UTF-16 units
        let fitted = NoteTitle.fit(String(repeating: family, count: 40), suffix: " (1/3)")
        #expect(fitted.title.hasSuffix("\(family)… (1/3)"))
        #expect(isWithinRule(fitted.title))
        #expect(fitted.title.utf16.count > 255 - 11)
        #expect(fitted.changes == [.shortened(from: 280)])
        #expect(NoteTitle.fit("Lake", suffix: " (2/3)").title == "Lake (2/3)")
    }

    @Test("whatever comes in, what comes out is within the rule")
    func anything() {
        var random = Seeded(7)
        let odd: [Unicode.Scalar] = [
            " ", "\n", "\u{0}", "\u{85}", "\u{2028}", "\u{a0}", "a", "\u{301}", "\u{1f600}", "\u{200d}", "\u{fffe}",
            "が", "\u{110bb}", "\u{212b}",
        ]
        for _ in 0..<500 {
            var title = ""
            for _ in 0..<Int.random(in: 0...400, using: &random) {
                title.unicodeScalars.append(odd.randomElement(using: &random) ?? "a")
            }
            let fitted = NoteTitle.fit(title, suffix: Bool.random(using: &random) ? " (12/34)" : "")
            #expect(isWithinRule(fitted.title))
            #expect(NoteTitle.isValid(fitted.title))
            #expect(!fitted.title.unicodeScalars.contains("\u{fffe}"))
        }
    }

    @Test("one letter with a thousand marks is cut all the same")
    func marks() {
        let fitted = NoteTitle.fit("a" + String(repeating: "\u{35f}", count: 1_000))
        #expect(isWithinRule(fitted.title))
        #expect(fitted.title.unicodeScalars.count == 255)
    }

    @Test("a tag has no comma and at most 100 characters; what is invisible is mended")
    func tags() throws {
        #expect(try TagName.fit(" lake\u{3000}").name == "lake")
        #expect(throws: NameProblem.comma) { try TagName.fit("a,b") }
        #expect(throws: NameProblem.empty) { try TagName.fit(" \t") }
        #expect(throws: NameProblem.tooLong(101)) { try TagName.fit(String(repeating: "a", count: 101)) }
        #expect(try TagName.fit(String(repeating: "a", count: 100)).changes.isEmpty)
        #expect(try NotebookName.fit("Travel, 2026\n").name == "Travel, 2026")
        #expect(throws: NameProblem.empty) { try NotebookName.fit("") }
    }

    @Test(
        "file names lose what no name may have",
        arguments: [
            ("IMG_0412", "jpg", "IMG_0412.jpg"), ("../../etc/passwd", "jpg", "_.._etc_passwd.jpg"),
            (".hidden", "", "hidden"), ("-rf", "", "rf"), ("a\u{202e}gpj", "exe", "agpj.exe"),
            ("a\u{0}b\nc", "", "ab c"),
            ("", "heic", "photo.heic"), ("e\u{301}", "png", "\u{e9}.png"), (" - . ", "jpg", "photo.jpg"),
            ("a\\b", "", "a_b"), ("東京", "jpg", "東京.jpg"),
        ])
    func fileNames(name: String, ending: String, expected: String) {
        let fitted = FileNames.fit(name, fileExtension: ending)
        #expect(fitted.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("a long file name is cut to 200 bytes between characters and keeps its extension")
    func longFileNames() {
        let fitted = FileNames.fit(String(repeating: "湖", count: 100), fileExtension: ".jpeg")
        #expect(fitted == String(repeating: "湖", count: 65) + ".jpeg")
        #expect(fitted.utf8.count == 200)
    }

    @Test("names in one note are unique, also where case does not count")
    func uniqueNames() {
        var names = FileNames.Unique()
        let made = ["IMG_1", "img_1", "IMG_1", "IMG_1 2", "b"].map { names.name($0, fileExtension: "jpg") }
        #expect(made == ["IMG_1.jpg", "img_1 2.jpg", "IMG_1 3.jpg", "IMG_1 2 2.jpg", "b.jpg"])
        let long = String(repeating: "湖", count: 100)
        let pair = [names.name(long, fileExtension: "jpg"), names.name(long, fileExtension: "jpg")]
        #expect(pair[0] != pair[1])
        #expect(pair.allSatisfy { $0.utf8.count <= 200 && $0.hasSuffix(".jpg") })
        #expect(FileNames.stem("IMG_0412.JPG") == "IMG_0412")
        #expect(FileNames.stem("3. day at the lake") == "3. day at the lake")
    }
}

/// Random numbers that are the same in every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
