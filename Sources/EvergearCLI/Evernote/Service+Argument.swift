import EDAM

extension Service: ExpressibleByArgument {
    init?(argument text: String) {
        guard let service = try? Service(text) else { return nil }
        self = service
    }

    static let expectation = "production, china, or an address https://HOST[:PORT] (http only to this machine)"
    static let valueName = "production|china|URL"
}
