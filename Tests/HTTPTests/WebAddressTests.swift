import HTTP
import Testing

@Suite("Web addresses")
struct WebAddressTests {
    @Test(
        "an address is read into its parts, and written in one way",
        arguments: [
            ("https://www.evernote.com/edam/user", "https://www.evernote.com/edam/user"),
            ("HTTPS://WWW.Evernote.com:443", "https://www.evernote.com/"),
            ("http://localhost:80/x?y=1", "http://localhost/x?y=1"),
            ("https://app.yinxiang.com.:8443/", "https://app.yinxiang.com:8443/"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
            ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
            ("https://a%2Eb.example/", "https://a.b.example/"),
            ("http://127.1/", "http://127.0.0.1/"),
        ])
    func reads(text: String, expected: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.text == expected)
        #expect(WebAddress(address.text) == address)
    }

    @Test("the parts of an address")
    func parts() throws {
        let address = try #require(WebAddress("https://www.evernote.com/shard/s1/notestore?a=b"))
        #expect(address.isSecure)
        #expect(address.scheme == "https")
        #expect(address.host == "www.evernote.com")
        #expect(address.port == 443)
        #expect(address.path == "/shard/s1/notestore?a=b")
        #expect(WebAddress("http://a.example")?.port == 80)
    }

    @Test(
        "what is no plain http or https address is none",
        arguments: [
            "", "www.evernote.com", "//www.evernote.com/", "ftp://a.example/", "file:///etc/passwd",
            "https://user@a.example/", "https://user:password@a.example/", "https://a.example/#part",
            "https://a.example:0/", "https://a.example:65536/", "https://a.example:x/", "https://a example/",
            "https://a.example/a b", "https://a.example/\r\nX: 1", "https://bücher.example/",
            "https://a.example\u{3002}evernote.com/", "https://[::1%25lo]/", "https://.",
            "https://a.example/" + String(repeating: "a", count: 2048),
        ])
    func refuses(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        "loopback is this machine alone",
        arguments: [
            ("http://localhost/", true), ("http://127.0.0.1:8080/", true), ("http://127.255.3.4/", true),
            ("http://[::1]/", true), ("http://LOCALHOST./", true), ("http://2130706433/", true),
            ("http://127.0.0.1.evil.example/", false), ("http://localhost.evil.example/", false),
            ("http://128.0.0.1/", false), ("http://0.0.0.0/", false), ("http://[::2]/", false),
            ("http://127.evil.example/", false), ("http://evil.example/127.0.0.1", false),
        ])
    func loopback(text: String, expected: Bool) throws {
        #expect(try #require(WebAddress(text)).isLoopback == expected)
    }

    @Test(
        "a domain has itself and the names under it",
        arguments: [
            ("https://evernote.com/", true), ("https://www.evernote.com/", true), ("https://S1.EVERNOTE.com/", true),
            ("https://evernote.com.evil.example/", false), ("https://notevernote.com/", false),
            ("https://evil.example/evernote.com", false), ("https://evil.example/?.evernote.com", false),
            ("https://com/", false),
        ])
    func within(text: String, expected: Bool) throws {
        #expect(try #require(WebAddress(text)).isWithin(domain: "evernote.com") == expected)
    }
}
