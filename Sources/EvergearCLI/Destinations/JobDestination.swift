import EDAM
import Storage
import System

/// A destination as a job names it: the same whatever the settings later say.
enum JobDestination: Hashable {
    /// For ENEX files, by its absolute path.
    case folder(FilePath)
    /// An account of a service: the one that the token at the time of sending is for.
    case account(Service)

    /// As it stands in a job.
    var address: String {
        switch self {
        case .folder(let folder): "enex:\(folder)"
        case .account(let service): "evernote:\(service.description)"
        }
    }

    /// Whether an address is an account's.
    @Sendable static func isAccount(_ address: String) -> Bool { address.hasPrefix("evernote:") }

    /// - Throws: `SystemError`; `ConfigurationError` for a path that a job could not name.
    init(_ destination: DestinationAddress, service: Service, in context: Context) throws {
        switch destination {
        case .enex(let folder):
            let path = try folder.map { try Files.absolute(context.home.expand($0)) } ?? context.home.notes
            guard path.isUTF8 else { throw ConfigurationError("the folder \(path) has a name that is not UTF-8") }
            self = .folder(path)
        case .evernote: self = .account(service)
        }
    }

    /// - Throws: `UnknownDestination` for an address that this version does not know.
    init(address: String) throws {
        if address.hasPrefix("enex:") {
            self = .folder(FilePath(String(address.dropFirst(5))))
        } else if address.hasPrefix("evernote:"), let service = Service(argument: String(address.dropFirst(9))) {
            self = .account(service)
        } else {
            throw UnknownDestination(address: address)
        }
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
