/// How a person names a draft: its number, its address, or `last`.
enum DraftReference: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    case number(Int64)
    case uid(String)
    /// The one that was made last.
    case last

    init?(argument text: String) {
        switch Address.reference(text, kind: "draft") {
        case _ where text == "last": self = .last
        case .number(let number): self = .number(number)
        case .uid(let uid): self = .uid(uid)
        case nil: return nil
        }
    }

    var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .uid(let uid): "evergear://draft/\(uid)"
        case .last: "last"
        }
    }

    static let expectation = "a draft: a number from `evergear draft list`, evergear://draft/…, or last"
    static let valueName = "DRAFT"
}

/// How a person names a job: its number, or the address that its note carries.
enum JobReference: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    case number(Int64)
    case uid(String)

    init?(argument text: String) {
        switch Address.reference(text, kind: "note") {
        case .number(let number): self = .number(number)
        case .uid(let uid): self = .uid(uid)
        case nil: return nil
        }
    }

    var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .uid(let uid): "evergear://note/\(uid)"
        }
    }

    static let expectation = "a job: a number from `evergear queue list`, or evergear://note/…"
    static let valueName = "JOB"
}

/// `evergear://draft/<uuid>`, `evergear://note/<uuid>`.
private struct Address {
    let kind: String
    /// In lower case.
    let uid: String

    init?(_ text: String) {
        let scheme = "evergear://"
        guard text.hasPrefix(scheme) else { return nil }
        let parts = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let groups = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.joined().allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        kind = String(parts[0])
        uid = parts[1].lowercased()
    }

    enum Reference {
        case number(Int64)
        case uid(String)
    }

    /// A number, or an address of a kind.
    static func reference(_ text: String, kind: String) -> Reference? {
        if let number = number(text) { return .number(number) }
        return Address(text).flatMap { $0.kind == kind ? .uid($0.uid) : nil }
    }

    /// Digits alone, above 0.
    private static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text), number > 0
        else { return nil }
        return number
    }
}
