import System

/// When notes are uploaded to accounts. Files are written at any time.
enum Transmission: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// At once.
    case auto
    /// While the connection is not paid for by the byte, as far as NetworkManager knows.
    case unmetered
    /// By `evergear queue run` alone.
    case manual
}

/// What NetworkManager says of the connection.
enum Metering: Hashable {
    case metered, unmetered
    /// It does not run here, or does not know.
    case unknown

    /// Asks NetworkManager over the system's bus, by `busctl`, which comes with systemd.
    ///
    /// The property `Metered` of org.freedesktop.NetworkManager: 1 yes, 2 no, 3 and 4 the same as a guess, 0 unknown.
    static func now(in context: Context) -> Metering {
        let question = [
            "busctl", "--system", "--timeout=2", "get-property", "org.freedesktop.NetworkManager",
            "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "Metered",
        ]
        let environment = context.environment.forChildren
        guard
            var child = try? ChildProcess(
                "/usr/bin/env", ["sh", "-c", "exec \"$@\" 2>/dev/null", "sh"] + question,
                environment: environment),
            let answer = try? child.readAll(limit: 1_000), child.wait() == .status(0)
        else { return .unknown }
        switch String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace).last {
        case "1", "3": return .metered
        case "2", "4": return .unmetered
        default: return .unknown
        }
    }
}
