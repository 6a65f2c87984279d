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

/// One object with lists that may be long: written piece by piece, so that memory never holds all of its text.
struct JSONObject: ~Copyable {
    private let write: (String) -> Void
    private var isEmpty = true

    /// Elements that are encoded together.
    private static let chunk = 512

    /// - Parameter write: Gets the object's text, piece by piece.
    init(to write: @escaping (String) -> Void) {
        self.write = write
        write("{")
    }

    mutating func member(_ name: StaticString, _ value: some Encodable) throws {
        begin(name)
        write(try JSONText.of(value))
    }

    mutating func list(_ name: StaticString, _ elements: some Collection<some Encodable>) throws {
        begin(name)
        write("[")
        var rest = elements[...]
        while !rest.isEmpty {
            let array = try JSONText.of(Array(rest.prefix(Self.chunk)))
            rest = rest.dropFirst(Self.chunk)
            write(array.dropFirst().dropLast() + (rest.isEmpty ? "" : ","))
        }
        write("]")
    }

    consuming func end() { write("}\n") }

    private mutating func begin(_ name: StaticString) {
        write((isEmpty ? "" : ",") + "\"\(name)\":")
        isEmpty = false
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
