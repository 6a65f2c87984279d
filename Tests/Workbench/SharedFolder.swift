import Glibc
public import System

/// Photos that others made, and the official document types. They are no part of the project: `make acceptance` says
/// where they are, and runs the suites that need them, whose names end in `AcceptanceTests`.
public enum SharedFolder {
    public struct Missing: Error, CustomStringConvertible {
        public let description =
            "this test needs the photos and document types that are no part of the project: `make acceptance` runs it"
    }

    /// - Throws: `Missing`.
    public static func path() throws -> FilePath {
        guard let path = getenv("EVERGEAR_SHARED") else { throw Missing() }
        return FilePath(String(cString: path))
    }
}
