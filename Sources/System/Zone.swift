import Glibc
import Synchronization

/// A time zone, read by glibc: the system's own, or one named as in `/usr/share/zoneinfo`.
///
/// FoundationEssentials knows no named zones, and its current zone is always GMT.
public struct Zone: Hashable, Sendable {
    /// nil: the system's own, `TZ` or `/etc/localtime`.
    public let name: String?

    /// The system's own zone.
    public static let system = Zone(system: ())

    private init(system: Void) { name = nil }

    /// - Returns: nil for a name that tzdata does not have: glibc itself would take it for UTC without a word.
    public init?(_ name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_".contains($0)) }
        }
        guard name.utf8.count <= 100, isPlain,
            let file = try? FileDescriptor.openForReading(FilePath("/usr/share/zoneinfo/" + name)),
            (try? file.read(4, at: 0)) == Array("TZif".utf8)
        else { return nil }
        self.name = name
    }

    /// What `TZ` says where that is no zone, so that glibc takes it for UTC without a word; nil where it is one.
    ///
    /// A zone is a file of tzdata's, one by its whole path, or POSIX's own form (`JST-9`, `<+09>-9`).
    public static func unknownSystemName(_ environment: Environment) -> String? {
        _ = system.offset(at: 0)  // a zone that was looked at last stands in TZ
        guard let text = environment.text("TZ"), environment.text("TZDIR") == nil else { return nil }
        let name = String(text.hasPrefix(":") ? text.dropFirst() : text[...])
        if name.isEmpty || Zone(name) != nil { return nil }
        if name.hasPrefix("/") { return name == "/etc/localtime" || Files.exists(FilePath(name)) ? nil : text }
        var rest = Array(name.utf8)[...]
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            rest = rest[(end + 1)...]
        } else {
            let letters = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
            if letters.count < 3 { return text }
            rest = rest.dropFirst(letters.count)
        }
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
        return rest.first.map(digits.contains) == true ? nil : text
    }

    /// Seconds east of UTC at an instant.
    /// - Parameter seconds: Since 1970-01-01T00:00:00Z.
    public func offset(at seconds: Int64) -> Int {
        Self.environment.withLock { slot in
            slot.select(name)
            var time = time_t(seconds)
            var local = tm()
            guard localtime_r(&time, &local) != nil else { return 0 }
            return local.tm_gmtoff
        }
    }

    /// Seconds east of UTC when a clock there shows a time.
    ///
    /// A time that comes twice (the end of summer time) gives the first, one that never comes (its start) the offset
    /// before the change.
    /// - Parameter local: Wall-clock seconds since 1970-01-01T00:00:00 by the same clock.
    public func offset(atLocal local: Int64) -> Int {
        let early = offset(at: local - 86_400)
        let late = offset(at: local + 86_400)
        for candidate in [early, late] where offset(at: local - Int64(candidate)) == candidate { return candidate }
        return early
    }

    /// `TZ` is one for the process. Its string in the environment is ours and is changed in place: setenv would move
    /// the table under a getenv of another thread.
    private struct Slot: @unchecked Sendable {
        let text: UnsafeMutablePointer<CChar>
        let system: String
        var current: String??

        mutating func select(_ name: String?) {
            if current == .some(name) { return }
            strcpy(text, "TZ=" + (name.map { ":" + $0 } ?? system))
            tzset()  // localtime_r alone may keep the old zone
            current = .some(name)
        }
    }

    private static let environment: Mutex<Slot> = {
        let system = getenv("TZ").map { String(cString: $0) } ?? ":/etc/localtime"
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 512)
        strncpy(text, "TZ=" + system.prefix(400), 511)
        text[511] = 0
        putenv(text)
        return Mutex(Slot(text: text, system: String(system.prefix(400)), current: nil))
    }()
}
