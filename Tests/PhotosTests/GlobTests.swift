import Glibc
import Photos
import System
import Testing

@Suite("Patterns for file names")
struct GlobTests {
    @Test(
        "a pattern matches the path or the name",
        arguments: [
            ("*.jpg", "a/b/IMG_1.jpg", true), ("*.jpg", "IMG_1.JPG", true), ("*.jpg", "IMG_1.jpeg", false),
            ("a/*.jpg", "a/1.jpg", true), ("a/*.jpg", "a/b/1.jpg", false), ("a/**/*.jpg", "a/b/c/1.jpg", true),
            ("a/**/*.jpg", "a/1.jpg", true), ("**/raw", "raw", true), ("**/raw", "x/y/raw", true),
            ("**/raw", "x/draw", false), ("a/**", "a/b/c", true), ("a/**", "b/a/c", false), ("raw/", "x/raw", true),
            ("/a/*.jpg", "a/1.jpg", true), ("./a/*.jpg", "a/1.jpg", true), ("IMG_[0-9]?", "IMG_12", true),
            ("IMG_[!0-9]", "IMG_1", false), ("IMG_[]x]", "IMG_]", true), ("IMG_[1", "IMG_[1", true),
            (#"\*.jpg"#, "*.jpg", true), (#"\*.jpg"#, "a.jpg", false), ("?.jpg", "日.jpg", true),
            ("caf\u{e9}*", "cafe\u{301} 1.jpg", true), ("CAF\u{c9}*", "caf\u{e9}.jpg", true),
            ("[à-ü].jpg", "É.jpg", true),
            ("", "a", false), ("*", ".jpg", true), ("**", "a/b", true),
        ])
    func examples(pattern: String, path: String, matches: Bool) {
        #expect(Glob(pattern).matches(FilePath(path)) == matches)
    }

    @Test(
        "a pattern that was surely meant otherwise is told apart",
        arguments: [
            ("*.jpg", true), ("[ab]", true), (#"\["#, true), ("[[]", true), ("[]x]", true), ("a]", true), ("**", true),
            ("[", false), ("IMG_[1", false), ("", false), ("/", false), (#"a\"#, false), ("[z-a]", false),
        ])
    func complete(pattern: String, isComplete: Bool) { #expect(Glob(pattern).isComplete == isComplete) }

    @Test("without ** it agrees with the C library's fnmatch")
    func likeTheLibrary() {
        var random = SeededGenerator(seed: 7)
        let parts = ["a", "b", "c", ".", "/", "*", "?", "[ab]", "[!a]", "[a-c]", "[^b-c]", #"\*"#, #"[\]a]"#]
        let letters = ["a", "b", "c", ".", "/", "*", "]"]
        var matched = 0
        for _ in 0..<20_000 {
            let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            if pattern.contains("**") || pattern.hasPrefix("/") || pattern.hasPrefix("./") || pattern.hasSuffix("/") {
                continue
            }
            let path = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
            let expected = [path, name].contains { (text: String) in fnmatch(pattern, text, FNM_PATHNAME) == 0 }
            #expect(Glob(pattern).matches(FilePath(path)) == expected, "\(pattern) on \(path)")
            matched += expected ? 1 : 0
        }
        #expect(matched > 500)
    }

    @Test("a pattern made to take for ever does not")
    func hostile() {
        let pattern = Glob(String(repeating: "*a", count: 200) + "b")
        #expect(!pattern.matches(FilePath(String(repeating: "a", count: 4000))))
    }
}
