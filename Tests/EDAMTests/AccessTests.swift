import EDAM
import HTTP
import Notes
import Testing

@Suite("Who may come in, and where the token goes")
struct AccessTests {
    @Test("a token of the classic form tells its shard and its end")
    func classic() throws {
        let token = try #require(
            AccessToken("S=s42:U=1f:E=18f317370 00".filter { $0 != " " } + ":C=0:P=1cd:A=t:V=2:H=0"))
        #expect(token.shard == "s42")
        #expect(token.expires == Timestamp(milliseconds: 0x18f_3173_7000))
        #expect(token.expires?.iso8601 == "2024-05-01T00:00:00Z")
    }

    @Test(
        "a token of another form tells nothing",
        arguments: ["eyJhbGciOi.eyJzdWIi.c2ln", "S", "E=", "E=xyz", "E=ffffffffffffffff", "E=-1"])
    func other(text: String) throws {
        let token = try #require(AccessToken(text))
        #expect(token.shard == nil && token.expires == nil)
    }

    @Test("line ends around a token are none of it, and what has one in it is no token")
    func text() {
        #expect(AccessToken(" \tS=s1:U=1\r\n")?.secret == "S=s1:U=1")
        for text in ["", " \n", "a b", "a\nb", "a\u{0}b", "é", "a\u{7f}"] { #expect(AccessToken(text) == nil) }
    }

    @Test("a token does not print itself in any way")
    func printing() throws {
        let token = try #require(AccessToken("S=s1:U=1:secret"))
        struct Holder { let token: AccessToken }
        var dumped = ""
        dump(Holder(token: token), to: &dumped)
        dump(token, to: &dumped)
        let printed = [
            "\(token)", "\([token])", "\(Holder(token: token))", String(reflecting: token),
            String(describing: Optional(token)), dumped,
        ]
        for text in printed { #expect(!text.contains("secret") && text.contains("…")) }
    }

    @Test("services by name and by address")
    func services() throws {
        #expect(try Service("production").userStore.text == "https://www.evernote.com/edam/user")
        #expect(try Service("china").userStore.text == "https://app.yinxiang.com/edam/user")
        #expect(try Service("https://notes.example:8443").userStore.text == "https://notes.example:8443/edam/user")
        #expect(try Service("https://notes.example/").userStore.text == "https://notes.example/edam/user")
        #expect(try Service("http://127.0.0.1:8080").userStore.text == "http://127.0.0.1:8080/edam/user")
        #expect(try Service("http://localhost").userStore.text == "http://localhost/edam/user")
    }

    @Test("plain http goes no further than this machine")
    func plain() {
        for text in ["http://notes.example", "http://127.0.0.1.example", "http://www.evernote.com"] {
            #expect(throws: ServiceError.plainHTTP(text)) { try Service(text) }
        }
        for text in ["", "Production", "notes.example", "ftp://notes.example", "https://", "https://u:p@notes.example"]
        {
            #expect(throws: ServiceError.notAnAddress(text)) { try Service(text) }
        }
    }

    @Test(
        "the note store is the service's own",
        arguments: [
            ("production", "https://www.evernote.com/shard/s1/notestore"), ("production", "https://evernote.com/x"),
            ("production", "https://WWW.Evernote.COM./shard/s1/notestore"),
            ("china", "https://app.yinxiang.com/shard/s1/notestore"),
            ("https://notes.example:8443", "https://notes.example/x"),
            ("https://notes.example", "https://s1.notes.example/x"),
            ("http://127.0.0.1:8080", "http://localhost:9090/x"),
            ("https://localhost:8080", "https://127.0.0.1:8080/x"),
        ])
    func ownNoteStore(service: String, address: String) throws {
        #expect(throws: Never.self) { try Service(service).noteStore(address) }
    }

    @Test(
        "any other note store is refused",
        arguments: [
            ("production", "http://www.evernote.com/shard/s1/notestore"),
            ("production", "https://evernote.com.example/x"),
            ("production", "https://notevernote.com/x"), ("production", "https://www.evernote.com@host.example/x"),
            ("production", "https://app.yinxiang.com/x"), ("production", "http://127.0.0.1/x"),
            ("production", "https://localhost/x"), ("china", "https://www.evernote.com/x"), ("production", ""),
            ("production", "/shard/s1/notestore"), ("production", "https://www.evernote.com\\@host.example/x"),
            ("https://notes.example", "https://example/x"), ("https://notes.example", "http://notes.example/x"),
            ("http://127.0.0.1:8080", "http://notes.example/x"), ("http://127.0.0.1:8080", "https://notes.example/x"),
        ])
    func foreignNoteStore(service: String, address: String) throws {
        #expect(throws: EDAMError.addressRefused(address)) { try Service(service).noteStore(address) }
    }
}
