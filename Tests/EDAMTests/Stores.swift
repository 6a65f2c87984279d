import EDAM
import HTTP
import Notes
import Testing

/// Stores over a transport that plays a part.
enum Stores {
    static let token = "S=s1:U=1:E=18f3e3c1a00:C=0:P=1cd:A=t:V=2:H=0"
    static let clientName = "evergear/1.0; Linux"
    static let guid = "11111111-2222-4333-8444-555555555555"
    /// 2024-05-01T00:00:00Z.
    static let day: Int64 = 1_714_521_600_000

    private static let address = WebAddress("https://www.evernote.com/shard/s1/notestore")

    static func note(_ transport: some Transport) throws -> NoteStore {
        NoteStore(at: try #require(address), over: transport, token: try #require(AccessToken(token)))
    }

    static func user(_ transport: some Transport, of service: Service = .production) throws -> UserStore {
        try UserStore(of: service, over: transport, token: try #require(AccessToken(token)))
    }

    static func time(_ after: Int64 = 0) -> Timestamp { Timestamp(milliseconds: day + after) }
}
