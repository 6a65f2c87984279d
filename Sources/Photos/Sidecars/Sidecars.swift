public import System

/// What the files beside a photo say of it. It counts where the photo's own file says nothing.
public struct Sidecars: Sendable {
    /// XMP packets, the nearest first.
    public var xmp: [[UInt8]] = []
    public var takeout: TakeoutSidecar?
    /// What somebody wrote about the photo into a text file.
    public var caption: String?

    public init() {}

    /// A text file of more bytes than this is no caption.
    public static let longestCaption = 64 << 10

    /// Reads the files beside a photo.
    /// - Parameters:
    ///   - companions: Those that are sidecars are read.
    ///   - problems: Gets each that can't be read or is not what its name says, which is then left out.
    public init(
        beside photo: FilePath, _ companions: [Companion], problems: inout [(path: FilePath, error: SidecarError)]
    ) {
        var set = PhotoSet(main: photo)
        set.companions = companions
        self.init(beside: set, problems: &problems)
    }

    /// Reads the files beside a set's main file.
    public init(beside set: PhotoSet, problems: inout [(path: FilePath, error: SidecarError)]) {
        func read<Value>(
            _ role: CompanionRole, limit: Int, _ understood: ([UInt8]) -> Value?, orElse error: SidecarError
        ) -> [Value] {
            set.sidecars(role).compactMap { path in
                do throws(SystemError) {
                    if let value = understood(try Files.read(path, limit: limit)) { return value }
                    problems.append((path, error))
                } catch {
                    problems.append((path, .unreadable(error)))
                }
                return nil
            }
        }
        xmp = read(
            .xmp, limit: XMPReader.longest, { XMPReader(Region(ByteSource($0))) == nil ? nil : $0 }, orElse: .notXMP)
        takeout = read(.takeout, limit: TakeoutSidecar.longest, TakeoutSidecar.init, orElse: .notTakeout).first
        caption = read(.caption, limit: Self.longestCaption, Self.text, orElse: .notText).first
    }

    /// Text as people's editors save it: UTF-8, UTF-16 with its mark, else Windows-1252.
    /// - Returns: nil for what is no text, or nothing but white space.
    public static func text(_ bytes: [UInt8]) -> String? {
        let text: String
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            let isBig = bytes[0] == 0xfe
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            text = String(decoding: units, as: UTF16.self)
        } else {
            guard !bytes.contains(0) else { return nil }
            text = MetadataText.decode(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...])
        }
        let lines = String.UnicodeScalarView(
            text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").unicodeScalars.filter {
                $0 == "\n" || $0 == "\t" || !(0...0x1f).contains($0.value) && $0.value != 0x7f
            })
        let trimmed = MetadataText.trim(String(lines))
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// Why a file beside a photo says nothing.
public enum SidecarError: Error, Hashable, Sendable {
    case unreadable(SystemError)
    case notXMP
    /// JSON, maybe, but not what Takeout writes of a photo.
    case notTakeout
    case notText

    /// Stable once released.
    public var code: String {
        switch self {
        case .unreadable: "sidecar_unreadable"
        case .notXMP: "sidecar_not_xmp"
        case .notTakeout: "sidecar_not_takeout"
        case .notText: "sidecar_not_text"
        }
    }

    /// In words, for a person.
    public var reason: String {
        switch self {
        case .unreadable(let error): error.reason
        case .notXMP: "no XMP can be read in it"
        case .notTakeout: "it is not what Google Takeout writes of a photo"
        case .notText: "it is empty or no text"
        }
    }
}
