import Hashing
import Notes
import Testing

@Suite("Digests")
struct DigestTests {
    // RFC 1321, appendix A.5.
    @Test(
        "MD5 is that of the RFC",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ])
    func md5(text: String, expected: String) { #expect(MD5(of: Array(text.utf8))?.hex == expected) }

    // FIPS 180-2, appendix B; the empty one from NIST's example values.
    @Test(
        "SHA-256 is that of the standard",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, expected: String) {
        let digest = Digest(.sha256)
        digest.update(Array(text.utf8))
        #expect(MD5.hex(digest.finish()) == expected)
    }

    @Test("in pieces as in one")
    func pieces() {
        let whole = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let digest = Digest(.md5)
        for start in stride(from: 0, to: 1000, by: 7) { digest.update(Array(whole[start..<min(start + 7, 1000)])) }
        digest.update([])
        #expect(MD5(bytes: digest.finish()) == MD5(of: whole))
    }
}
