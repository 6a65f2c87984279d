import Glibc
import System

/// A file that a person named, and that is to be made.
enum NewFile {
    /// Refuses a name that is taken, and one in a folder that is not there: a slip of the fingers makes no folders.
    /// - Throws: `SystemError`, EEXIST; `NoFolder`.
    static func check(_ path: FilePath) throws {
        if Files.exists(path) { throw SystemError(code: EEXIST, call: "create", path: path) }
        if !Files.isFolder(path.folder) { throw NoFolder(folder: path.folder, name: path.name) }
    }
}

/// Where a file was to be made there is no folder.
private struct NoFolder: ExplainedError {
    let folder: FilePath
    let name: FilePath

    var sentence: String { "there is no folder \(folder) for \(name). Make it first, or choose another place." }
    var status: ExitStatus { .failed }
}
