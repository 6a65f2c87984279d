import CUTF8Proc
import Glibc

extension String {
    /// The composed form (NFC), by libutf8proc: what names are compared and written in.
    public var nfc: String {
        var result: UnsafeMutablePointer<UInt8>?
        let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
        let count = Array(utf8).withUnsafeBufferPointer {
            utf8proc_map($0.baseAddress, $0.count, &result, options)
        }
        defer { free(result) }
        guard count >= 0, let result else { return self }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }

    /// Columns on a terminal: two for a kanji, none for a combining mark.
    public var columns: Int {
        unicodeScalars.reduce(0) { $0 + max(0, Int(utf8proc_charwidth(Int32($1.value)))) }
    }

    /// What is kept of a text that is cut.
    public enum Kept: Sendable {
        case beginning, end
        /// More of the beginning than of the end.
        case ends
    }

    /// Cut to at most `limit` columns, with an ellipsis where something was cut.
    public func cut(toColumns limit: Int, keeping kept: Kept = .beginning) -> String {
        guard columns > limit else { return self }
        let room = max(0, limit - 1)
        let end =
            switch kept {
            case .beginning: 0
            case .end: room
            case .ends: room / 3
            }
        let tail = reversed().prefix(ofColumns: end)
        return String(prefix(ofColumns: room - end)) + "…" + String(tail.reversed())
    }

    /// True where `withoutControls` would change something. Quick where all is printable ASCII, as most text is.
    public var hasControlsOrBidirectional: Bool {
        !utf8.allSatisfy { (0x20...0x7e).contains($0) } && unicodeScalars.contains(where: \.isControlOrBidirectional)
    }

    /// Without what could act on a terminal or deceive a reader: C0 and C1 controls and the bidirectional ones
    /// (U+061C, U+200E, U+200F, U+202A…U+202E, U+2066…U+2069). A tab or line end becomes a space.
    public var withoutControls: String {
        guard hasControlsOrBidirectional else { return self }
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "\t" || scalar == "\n" || scalar == "\r" {
                kept.append(" ")
            } else if !scalar.isControlOrBidirectional {
                kept.append(scalar)
            }
        }
        return String(kept)
    }
}

extension Sequence<Character> {
    /// As many characters as these columns have room for.
    fileprivate func prefix(ofColumns limit: Int) -> [Character] {
        var kept: [Character] = []
        var width = 0
        for character in self {
            width += String(character).columns
            if width > limit { break }
            kept.append(character)
        }
        return kept
    }
}

extension Unicode.Scalar {
    /// C0, DEL, C1, and the marks that change the direction of writing.
    public var isControlOrBidirectional: Bool {
        switch value {
        case 0...0x1f, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
