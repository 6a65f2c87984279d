import Notes
import Testing

@Suite("Texts of attributes") struct AttributeTextTests {
    // What Evernote takes: ^[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,4096}$, EDAM_ATTRIBUTE_REGEX of the IDL.
    @Test(
        "what a camera writes becomes a text that the service takes",
        arguments: [
            ("Canon EOS\u{99} 40D", "Canon EOS  40D"), ("two\nlines\u{2028}three", "two lines three"),
            (" \u{7f}NIKON\u{0}\u{1}  ", "NIKON"), ("撮影機 📷", "撮影機 📷"), ("a\u{fffe}b\u{ffff}", "ab"),
        ])
    func valid(text: String, expected: String) { #expect(AttributeText.valid(text) == expected) }

    @Test("nothing is no text, and a long one is cut") func ends() {
        #expect(AttributeText.valid(nil) == nil)
        #expect(AttributeText.valid(" \r\n\u{85}") == nil)
        #expect(AttributeText.valid(String(repeating: "é", count: 5000)) == String(repeating: "é", count: 4096))
    }
}
