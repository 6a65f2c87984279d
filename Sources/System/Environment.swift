import CSystem
import Glibc

/// The environment of this process, in bytes: a folder named there need not be UTF-8.
public struct Environment: Sendable {
    private let values: [String: [UInt8]]?

    /// This process's own.
    public static let process = Environment(values: nil)

    /// One made up, for a child or a test.
    public init(_ values: [String: String]) { self.init(values: values.mapValues { Array($0.utf8) }) }

    private init(values: [String: [UInt8]]?) { self.values = values }

    /// nil where a variable is not set, or set to nothing.
    public func bytes(_ name: String) -> [UInt8]? {
        if let values { return values[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// As text: lossy where it is not UTF-8.
    public func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    public func path(_ name: String) -> FilePath? { bytes(name).map { FilePath(bytes: $0) } }

    /// The names of all variables; lossy where one is not UTF-8.
    public var names: [String] {
        entries().map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    }

    /// All entries, `NAME=value`, as a child of this process gets them.
    /// - Parameter dropped: Names of variables that the child must not see.
    public func entries(without dropped: Set<String> = []) -> [[UInt8]] {
        let all: [[UInt8]]
        if let values {
            all = values.map { Array($0.key.utf8) + [UInt8(ascii: "=")] + $0.value }
        } else {
            // A zone that was looked at last stands in TZ: a child gets the system's own.
            _ = Zone.system.offset(at: 0)
            var next = csystem_environment()
            var found: [[UInt8]] = []
            while let entry = next?.pointee {
                found.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
                next = next?.advanced(by: 1)
            }
            all = found
        }
        return all.filter { !dropped.contains(String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)) }
    }
}
