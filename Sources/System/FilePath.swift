/// A path as the file system has it: bytes, without the NUL. Only for a person does it become text.
///
/// Swift holds two spellings of é equal and repairs broken UTF-8, so a path that went through `String` may no longer
/// open.
public struct FilePath: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let bytes: [UInt8]

    /// - Parameter bytes: Everything up to the first NUL counts.
    public init(bytes: some Sequence<UInt8>) {
        let all = Array(bytes)
        self.bytes = all.firstIndex(of: 0).map { Array(all[..<$0]) } ?? all
    }

    public init(_ text: String) { self.init(bytes: text.utf8) }

    public init(stringLiteral text: String) { self.init(text) }

    /// As text: lossy where it is not UTF-8, and not cleaned for a terminal.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// True where `description` still names the file.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    public var isAbsolute: Bool { bytes.first == Self.slash }

    public static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    public static func / (folder: Self, name: Self) -> Self {
        if folder.bytes.isEmpty { return name }
        return FilePath(bytes: folder.bytes + (folder.bytes.last == slash ? [] : [slash]) + name.bytes)
    }

    public static func / (folder: Self, name: String) -> Self { folder / FilePath(name) }

    /// The last component; of `/` it is `/`.
    public var name: FilePath {
        let trimmed = withoutTrailingSlashes
        guard let cut = trimmed.lastIndex(of: Self.slash), trimmed.count > 1 else { return FilePath(bytes: trimmed) }
        return FilePath(bytes: trimmed[(cut + 1)...])
    }

    /// The folder it is in: `.` for a bare name.
    public var folder: FilePath {
        let trimmed = withoutTrailingSlashes
        guard let cut = trimmed.lastIndex(of: Self.slash) else { return "." }
        return FilePath(bytes: FilePath(bytes: trimmed[...cut]).withoutTrailingSlashes)
    }

    /// What follows the last dot of the name, in lower case ASCII; empty where there is none.
    public var fileExtension: String {
        let name = self.name.bytes
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return "" }
        return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    }

    public func withCString<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return try terminated.withUnsafeBufferPointer { buffer throws(Failure) -> Result in
            // A buffer with at least the NUL in it has an address.
            guard let start = buffer.baseAddress else { preconditionFailure("an empty buffer") }
            return try body(start)
        }
    }

    private static let slash = UInt8(ascii: "/")

    private var withoutTrailingSlashes: [UInt8] {
        var trimmed = bytes
        while trimmed.count > 1, trimmed.last == Self.slash { trimmed.removeLast() }
        return trimmed
    }
}
