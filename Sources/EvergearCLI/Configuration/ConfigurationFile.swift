import FoundationEssentials
import Photos
import System

/// `config.json5`: one object, its keys the settings' names. Comments, trailing commas and bare keys are fine (JSON5).
struct ConfigurationFile {
    private let path: FilePath
    private let text: String
    private let outline: JSON5Outline

    /// - Throws: `ConfigurationError`, `SystemError`.
    init(_ path: FilePath) throws {
        self.path = path
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.readText(path, limit: 1 << 20)
        } catch {
            // A configuration that was asked for and is not there is no missing input.
            throw ConfigurationError("\(path): \(error.words)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError("\(path) is not UTF-8 text")
        }
        self.text = text
        outline = JSON5Outline(text)
    }

    func apply(to configuration: inout Configuration) throws(ConfigurationError) {
        let values = try values()
        try refuseRepetition()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            if Setting.fold(key) == Setting.fold(Self.zones) {
                configuration.noGoZones = try zones(value, key)
                continue
            }
            guard let setting = Setting.named(key) else {
                let names = Setting.all.map(\.name) + [Self.zones]
                let nearest = NearestName.of(key, among: names)
                throw ConfigurationError(
                    "\(place(of: key)): there is no setting \"\(key)\"",
                    advice: nearest.map { "Did you mean \"\($0)\"?" }
                        ?? "The settings are " + names.joined(separator: ", ") + ".")
            }
            // null is what an absent key is: the default.
            if value == .null { continue }
            guard let words = value.words, setting.isList || !value.isList, setting.apply(&configuration, words) else {
                throw ConfigurationError("\(place(of: key)): \(key): \(value) is not \(setting.expectation)")
            }
            if let path = Self.path(setting, in: configuration), !path.isAbsolute, !path.description.hasPrefix("~/") {
                throw ConfigurationError(
                    "\(place(of: key)): \(key): \(path) is relative",
                    advice: "Begin it with / or ~/: the program is not always run from the same folder.")
            }
        }
    }

    /// The file or folder that a setting names.
    private static func path(_ setting: Setting, in configuration: Configuration) -> FilePath? {
        switch setting.name {
        case "to": if case .enex(let folder) = configuration.to { folder } else { nil }
        case "layout": if case .stylesheet(let path) = configuration.layout { path } else { nil }
        case "caFile": configuration.caFile
        default: nil
        }
    }

    /// The setting that is no text, and so has no variable.
    private static let zones = "noGoZones"

    /// `[{name: "home", latitude: 35.68, longitude: 139.76, metres: 500}]`.
    private func zones(_ value: JSONValue, _ key: String) throws(ConfigurationError) -> [NoGoZone] {
        if value == .null { return [] }
        if value == .list([]) { return [] }
        guard case .objects(let objects) = value else {
            throw ConfigurationError("\(place(of: key)): \(key): this is not \(Self.zoneForm)")
        }
        var zones: [NoGoZone] = []
        for (index, object) in objects.enumerated() {
            guard Set(object.keys) == ["name", "latitude", "longitude", "metres"], let name = object["name"],
                !name.isEmpty, let latitude = object["latitude"].flatMap(Double.init),
                let longitude = object["longitude"].flatMap(Double.init),
                let metres = object["metres"].flatMap(Double.init),
                let zone = NoGoZone(name: name, latitude: latitude, longitude: longitude, metres: metres)
            else {
                throw ConfigurationError("\(place(of: key)): \(key): number \(index + 1) is not \(Self.zoneForm)")
            }
            zones.append(zone)
        }
        return zones
    }

    private static let zoneForm = "of the form {name: \"home\", latitude: 35.68, longitude: 139.76, metres: 500}"

    private func values() throws(ConfigurationError) -> [String: JSONValue] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            return try decoder.decode([String: JSONValue].self, from: Data(text.utf8))
        } catch DecodingError.dataCorrupted {
            guard let mistake = outline.mistake else { throw ConfigurationError("\(path): this is no JSON5") }
            throw ConfigurationError("\(path), line \(mistake.line), column \(mistake.column): \(mistake.reason)")
        } catch {
            throw ConfigurationError("\(path): this is no JSON5 object", advice: "It begins with { and ends with }.")
        }
    }

    /// The decoder takes the one or the other.
    private func refuseRepetition() throws(ConfigurationError) {
        var lines: [String: Int] = [:]
        for key in outline.keys {
            if let first = lines.updateValue(key.line, forKey: Setting.fold(key.name)) {
                throw ConfigurationError(
                    "\(path), line \(key.line): \(key.name) is there for the second time, after line \(first)")
            }
        }
    }

    /// The file, with the line that has the key.
    private func place(of key: String) -> String {
        outline.keys.first { $0.name == key }.map { "\(path), line \($0.line)" } ?? "\(path)"
    }
}

/// A value of the file.
private enum JSONValue: Decodable, Equatable, CustomStringConvertible {
    case null
    case scalar(String)
    case list([String])
    /// Objects of scalars, at least one.
    case objects([[String: String]])
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let scalar = Self.scalar(in: container) {
            self = .scalar(scalar)
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else if let objects = try? container.decode([[String: JSONValue]].self) {
            self = .objects(objects.map { $0.compactMapValues { $0.words?.first } })
        } else {
            self = .other
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) -> String? {
        if let text = try? container.decode(String.self) { return text }
        if let flag = try? container.decode(Bool.self) { return String(flag) }
        if let number = try? container.decode(Int64.self) { return String(number) }
        if let number = try? container.decode(Double.self) { return String(number) }
        return nil
    }

    var words: [String]? {
        switch self {
        case .null, .objects, .other: nil
        case .scalar(let text): [text]
        case .list(let texts): texts
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }

    var description: String {
        switch self {
        case .null: "null"
        case .scalar(let text): "\"\(text)\""
        case .list(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        case .objects, .other: "what is there"
        }
    }
}
