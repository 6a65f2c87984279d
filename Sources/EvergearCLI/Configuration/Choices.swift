import Layouts
import Notes
import System

/// What `--layout` names.
enum LayoutChoice: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    case shipped(Layout)
    /// A stylesheet of the user's, by its path: it has a slash in it, or ends in `.xsl`.
    case stylesheet(FilePath)
    /// `NAME.xsl` in the folder `layouts` beside the configuration.
    case own(String)

    init?(argument text: String) {
        if let layout = Layout(name: text) {
            self = .shipped(layout)
        } else if text.contains("/") || text.hasSuffix(".xsl") {
            self = .stylesheet(FilePath(text))
        } else if !text.isEmpty, !text.hasPrefix("."), !text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            self = .own(text)
        } else {
            return nil
        }
    }

    /// What a draft stores, and what gives the same choice again.
    var description: String {
        switch self {
        case .shipped(let layout): layout.rawValue
        case .stylesheet(let path): path.description
        case .own(let name): name
        }
    }

    /// What a draft keeps: a stylesheet's path is made absolute, since the next command may run elsewhere.
    var stored: String {
        if case .stylesheet(let path) = self, let absolute = try? Files.absolute(path) { return absolute.description }
        return description
    }

    static let expectation = "a layout: \(Layout.allCases.map(\.rawValue).joined(separator: ", ")), or a stylesheet"
    static let valueName = "LAYOUT"
}

/// Where notes go: `enex`, `enex:FOLDER`, or `evernote`.
enum DestinationAddress: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    /// nil: the folder for notes, `$EVERGEAR_HOME/notes` or `~/evergear`.
    case enex(FilePath?)
    /// The service that the options and settings name.
    case evernote

    init?(argument bytes: [UInt8]) {
        let scheme = Array("enex:".utf8)
        if bytes == Array("enex".utf8) {
            self = .enex(nil)
        } else if bytes == Array("evernote".utf8) {
            self = .evernote
        } else if bytes.starts(with: scheme), bytes.count > scheme.count {
            self = .enex(FilePath(bytes: bytes.dropFirst(scheme.count)))
        } else {
            return nil
        }
    }

    init?(argument text: String) { self.init(argument: Array(text.utf8)) }

    var description: String {
        switch self {
        case .enex(nil): "enex"
        case .enex(let folder?): "enex:\(folder)"
        case .evernote: "evernote"
        }
    }

    static let expectation = "a destination: enex, enex:FOLDER, or evernote"
    static let valueName = "enex[:FOLDER]|evernote"
}

/// What happens to photos of kinds that not every reader of notes shows (HEIC, AVIF, TIFF, WebP).
enum Originals: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// They go out as JPEG.
    case convert
    /// They go out as they are.
    case keep
}

/// How exactly captions show places.
enum CaptionPlaces: String, CaseIterable, Sendable, ExpressibleByArgument {
    case full
    /// To about a kilometre.
    case coarse
    case none
}

extension Language: ExpressibleByArgument {
    /// By the locale, `LC_ALL` before `LC_MESSAGES` before `LANG`; English for all others.
    init(locale environment: Environment) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment.text).first
        self = name.flatMap(Language.init(tag:)) ?? .english
    }
}

extension Captions: ExpressibleByArgument {
    init?(argument text: String) { self.init(text) }

    static let expectation = "a list of number, time, place, name, or none"
    static let valueName = "LIST"
}

/// A zone by its name.
struct NamedZone: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    let name: String
    let zone: Zone

    init?(argument name: String) {
        guard let zone = Zone(name) else { return nil }
        self.name = name
        self.zone = zone
    }

    var description: String { name }

    static let expectation = "a time zone such as Asia/Tokyo (a file under /usr/share/zoneinfo)"
    static let valueName = "ZONE"
}
