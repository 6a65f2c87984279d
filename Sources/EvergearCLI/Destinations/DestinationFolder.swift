import Storage
import System

/// The folder that an address names.
struct DestinationFolder {
    let folder: FilePath

    /// As it stands in a job: the folder by its absolute path.
    var address: String { "enex:\(folder)" }

    /// - Throws: `SystemError`; `ConfigurationError` for a path that a job could not name.
    init(_ destination: DestinationAddress, in context: Context) throws {
        switch destination {
        case .enex(let folder):
            self.folder = try folder.map { try Files.absolute(context.home.expand($0)) } ?? context.home.notes
        }
        guard folder.isUTF8 else { throw ConfigurationError("the folder \(folder) has a name that is not UTF-8") }
    }

    /// - Returns: nil for an address that this version does not know.
    init?(address: String) {
        guard address.hasPrefix("enex:") else { return nil }
        folder = FilePath(String(address.dropFirst(5)))
    }
}

/// Jobs for a destination that this version cannot deliver to.
struct UnknownDestination: ExplainedError {
    let address: String
    var sentence: String {
        "there are jobs for \"\(address)\", a destination that this evergear does not know. Update it."
    }
    var status: ExitStatus { .configuration }
}
