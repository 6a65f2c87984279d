import System
import Testing
import Workbench

@testable import ENEX

@Suite("Base64")
struct Base64Tests {
    private func encode(_ bytes: [UInt8]) -> String {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Base64.size(of: bytes.count), alignment: 8)
        defer { output.deallocate() }
        let count = bytes.withUnsafeBytes { Base64.encode($0, into: output) }
        #expect(count == output.count)
        return String(decoding: output[..<count], as: UTF8.self)
    }

    @Test(
        "the vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg==\n"), ("fo", "Zm8=\n"), ("foo", "Zm9v\n"), ("foob", "Zm9vYg==\n"),
            ("fooba", "Zm9vYmE=\n"), ("foobar", "Zm9vYmFy\n"),
        ])
    func vectors(plain: String, encoded: String) { #expect(encode(Array(plain.utf8)) == encoded) }

    @Test("every length to four lines and a long one are as the base64 program writes them")
    func againstProgram() throws {
        let folder = try TemporaryFolder()
        var state: UInt32 = 1
        for length in Array(0...230) + [100_003] {
            let bytes = (0..<length).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            }
            let file = try folder.write(bytes, as: "\(length)")
            #expect(encode(bytes) == (try run("/usr/bin/base64", ["-w", "76", file.description]).output))
        }
    }

    @Test("text is decoded whatever the pieces it comes in")
    func decoder() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let text = Array(encode(bytes).utf8)
        for piece in [1, 2, 3, 5, 77, 5_000] {
            var decoder = Base64.Decoder()
            var decoded: [UInt8] = []
            for start in stride(from: 0, to: text.count, by: piece) {
                let slice = Array(text[start..<min(start + piece, text.count)])
                var output = [UInt8](repeating: 0, count: slice.count / 4 * 3 + 3)
                let count = slice.withUnsafeBytes { from in
                    output.withUnsafeMutableBytes { decoder.decode(from, into: $0) }
                }
                decoded += output[..<count]
            }
            #expect(decoded + (decoder.finish() ?? []) == bytes)
        }
    }

    @Test("what is no base64 is found out", arguments: ["Zg=", "Z", "Zg==Zg==", "Zm9v!", "Zg===", "====", "Zm9=v"])
    func invalid(text: String) {
        var decoder = Base64.Decoder()
        var output = [UInt8](repeating: 0, count: 64)
        _ = Array(text.utf8).withUnsafeBytes { from in
            output.withUnsafeMutableBytes { decoder.decode(from, into: $0) }
        }
        #expect(decoder.finish() == nil)
    }
}
