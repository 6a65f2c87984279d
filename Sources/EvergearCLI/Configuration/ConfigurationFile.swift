import FoundationEssentials
import Photos
import System

/// `config.json5`: one object, its keys the settings' names. Comments, trailing commas and bare keys are fine (JSON5).
struct ConfigurationFile {
    private let path: FilePath
    private let text: String

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
    }

    func apply(to configuration: inout Configuration) throws(ConfigurationError) {
        for (key, value) in try values().sorted(by: { $0.key < $1.key }) {
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
            if setting.name == "to", case .enex(let folder?) = configuration.to, !folder.isAbsolute,
                !folder.description.hasPrefix("~/")
            {
                throw ConfigurationError(
                    "\(place(of: key)): the folder \(folder) is relative",
                    advice: "Begin it with / or ~/: the program is not always run from the same folder.")
            }
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
        } catch DecodingError.dataCorrupted(let context) {
            let reason = context.underlyingError.map { Self.reason($0) } ?? context.debugDescription
            throw ConfigurationError("\(path): this is no JSON5: \(reason)")
        } catch {
            throw ConfigurationError("\(path): this is no JSON5 object", advice: "It begins with { and ends with }.")
        }
    }

    /// The decoder's own words, which name line and column.
    private static func reason(_ error: any Error) -> String {
        if let error = error as? CocoaError, let text = error.userInfo["NSDebugDescription"] as? String { return text }
        return String(describing: error)
    }

    /// The file, with the first line that has the key before a colon.
    private func place(of key: String) -> String {
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            for found in line.ranges(of: key) {
                let after = line[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
                if after.hasPrefix(":") { return "\(path), line \(number)" }
            }
        }
        return "\(path)"
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
