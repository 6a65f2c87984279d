import Testing
import Text

@Suite("Text on a terminal")
struct TextTests {
    // Unicode's NormalizationTest.txt, part 1 and 2.
    @Test(
        "names are composed (NFC)",
        arguments: [
            ("e\u{301}", "\u{e9}"), ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"), ("\u{304b}\u{3099}", "\u{304c}"),
            ("\u{212b}", "\u{c5}"), ("\u{1e9b}\u{323}", "\u{1e9b}\u{323}"), ("a\u{5ae}\u{300}", "\u{e0}\u{5ae}"),
            ("\u{958}", "\u{915}\u{93c}"), ("ﬁ", "ﬁ"), ("", ""), ("plain", "plain"),
        ])
    func nfc(text: String, expected: String) {
        // Bytes, as Swift holds both spellings equal.
        #expect(Array(text.nfc.utf8) == Array(expected.utf8))
    }

    // East Asian Width of UAX #11: W and F are two columns, Mn and Cf none.
    @Test(
        "columns: two for a kanji, none for a mark",
        arguments: [
            ("", 0), ("abc", 3), ("東京", 4), ("ｶﾞ", 2), ("ガ", 2), ("カ\u{3099}", 2), ("e\u{301}", 1), ("Ａ", 2),
            ("한국", 4), ("é", 1), ("\u{200b}", 0), ("…", 1), ("😀", 2),
        ])
    func columns(text: String, expected: Int) { #expect(text.columns == expected) }

    @Test(
        "what is too wide is cut by columns, never in the middle of a character",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("東京都庁", 8, "東京都庁"), ("東京都庁", 7, "東京都…"),
            ("東京都庁", 6, "東京…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("ab", 1, "…"),
        ])
    func cutting(text: String, limit: Int, expected: String) {
        #expect(text.cut(toColumns: limit) == expected)
        #expect(text.cut(toColumns: limit).columns <= limit)
    }

    @Test("controls and marks that turn the direction are lost, tabs and line ends become spaces")
    func controls() {
        #expect("a\u{1b}[31mb\u{7}".withoutControls == "a[31mb")
        #expect("a\tb\r\nc".withoutControls == "a b  c")
        #expect("\u{9b}2Jx\u{85}y\u{7f}".withoutControls == "2Jxy")
        #expect("evil\u{202e}gpj.exe".withoutControls == "evilgpj.exe")
        #expect("\u{2066}a\u{2069}\u{61c}\u{200e}\u{200f}".withoutControls == "a")
        #expect("東京 café 👨‍👩‍👧".withoutControls == "東京 café 👨‍👩‍👧")
    }
}
