import Notes
import System

/// What a word of the command line, or the text of a setting, can be turned into.
protocol ExpressibleByArgument: SendableMetatype {
    init?(argument: String)

    /// From the bytes that the system passed. Only a type for which broken UTF-8 has a meaning answers this itself.
    init?(argument bytes: [UInt8])

    /// Ends the sentence `"abc" is not …`.
    static var expectation: String { get }

    /// All words that are understood, where they can be listed.
    static var allValueStrings: [String] { get }

    /// What help calls a value: `FILE`.
    static var valueName: String { get }

    /// How help writes a default.
    var defaultValueDescription: String { get }
}

extension ExpressibleByArgument {
    init?(argument bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(argument: text)
    }

    static var allValueStrings: [String] { [] }
    static var valueName: String { "TEXT" }
    var defaultValueDescription: String { String(describing: self) }
}

extension String: ExpressibleByArgument {
    init?(argument: String) { self = argument }
    static var expectation: String { "UTF-8 text" }
}

extension Int: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
    static var expectation: String { "a whole number" }
    static var valueName: String { "N" }
}

extension Double: ExpressibleByArgument {
    init?(argument: String) {
        guard let number = Double(argument), number.isFinite else { return nil }
        self = number
    }
    static var expectation: String { "a number" }
    static var valueName: String { "N" }
}

/// Bytes, never text that was repaired: the file has to open.
extension FilePath: ExpressibleByArgument {
    init?(argument: String) { self.init(argument: Array(argument.utf8)) }
    init?(argument bytes: [UInt8]) {
        if bytes.isEmpty { return nil }
        self.init(bytes: bytes)
    }
    static var expectation: String { "a file's name" }
    static var valueName: String { "FILE" }
}

extension Moment: ExpressibleByArgument {
    /// - Returns: nil also for what is before the year 1 or after 9999 in UTC: no ENEX file can say it.
    init?(argument: String) {
        self.init(iso8601: argument)
        let time = LocalTime(seconds: local.seconds - Int64(offset ?? 0))
        guard (1...9999).contains(time.year) else { return nil }
    }
    static var expectation: String { "a time such as 2024-05-01 or 2024-05-01T10:11:12+09:00" }
    static var valueName: String { "TIME" }
}

extension Place: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
    static var expectation: String { "a place such as 35.0116,135.7681 (degrees north, degrees east)" }
    static var valueName: String { "LAT,LON" }
}

/// A value in place of the one that is there, or `""` for none.
enum Replacement<Value: ExpressibleByArgument>: ExpressibleByArgument {
    case none
    case value(Value)

    init?(argument: String) {
        if argument.isEmpty {
            self = .none
        } else if let value = Value(argument: argument) {
            self = .value(value)
        } else {
            return nil
        }
    }

    var value: Value? { if case .value(let value) = self { value } else { nil } }

    static var expectation: String { Value.expectation + ", or \"\" for none" }
    static var valueName: String { Value.valueName }
}

/// The words of an enumeration.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable<String> {
    init?(argument: String) { self.init(rawValue: argument) }
    static var allValueStrings: [String] { allCases.map(\.rawValue) }
    static var expectation: String { "one of " + allValueStrings.joined(separator: ", ") }
    static var valueName: String { allValueStrings.joined(separator: "|") }
    var defaultValueDescription: String { rawValue }
}
