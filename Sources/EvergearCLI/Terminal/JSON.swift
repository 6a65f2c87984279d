import FoundationEssentials
import Notes
import System
import Text

/// JSON as this program writes it: keys sorted and in snake case, slashes as they are, one line.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return escapingControls(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// JSON escapes C0 by itself; C1 and the marks that change the direction of writing say the same as `\u009b`.
    /// All of them stand inside strings, as the text has no line ends between its parts.
    static func escapingControls(_ json: String) -> String {
        guard json.hasControlsOrBidirectional else { return json }
        var escaped = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if scalar.isControlOrBidirectional {
                let digits = String(scalar.value, radix: 16)
                escaped += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// A property whose key is there with `null` where it has no value; a plain optional is left out.
@propertyWrapper
struct Null<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// How JSON names a file: `path`, and its bytes as `path_hex` where the text is not all of them.
struct PathName: Encodable, Hashable {
    let path: String
    /// Hexadecimal digits; left out where `path` is exact.
    let pathHex: String?

    init(_ path: FilePath) {
        self.path = path.description
        pathHex = path.isUTF8 ? nil : MD5.hex(path.bytes)
    }
}
