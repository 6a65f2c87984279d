import FoundationEssentials
import Glibc
public import System

/// A service that speaks Evernote's interface, in a process of its own on the loopback: what it decodes and answers is
/// the work of the official generated code. It keeps its notes in a folder of its own, over a restart too.
///
/// `make test` installs what it needs. `EVERGEAR_PEER` names another program with the same command line and pages;
/// with `EVERGEAR_SHARED` content is judged by the official document type.
public final class EvernotePeer {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let folder: TemporaryFolder
    private let options: [String]
    private let port: LoopbackPort
    private var child: ChildProcess?
    private var line: Line

    /// Starts it, and returns once it listens.
    /// - Parameter options: Of its command line, as `--tls`, `--account free`, `--quota N`; see Tests/Peer/README.md.
    /// - Throws: `Failure`, with what it said where it did not start.
    public convenience init(_ options: String...) throws { try self.init(options: options) }

    /// - Throws: `Failure`.
    public init(options: [String]) throws {
        folder = try TemporaryFolder()
        port = try LoopbackPort()
        self.options = options + ["--port", String(port.number)]
        let started = try Self.start(self.options, in: folder.path)
        line = try Self.firstLine(started.output.number, errors: folder.path / "errors")
        child = consume started
    }

    /// `http://127.0.0.1:PORT`, with `--tls` `https://localhost:PORT`; the same after a restart.
    public var address: String { line.url }
    public var userStore: String { line.userStore }
    public var noteStore: String { line.noteStore }
    public var token: String { line.token }
    /// The certificate to trust, with `--tls`. Ask again after a restart.
    public var caFile: FilePath? { line.ca.map { FilePath($0) } }

    /// Ends it at once, as a crash would. Nobody listens at its address then.
    public func stop() {
        guard let ended = child.take() else { return }
        ended.kill()
        // The shell may be gone before the service, which still listens: its output ends with it.
        _ = try? readToEnd(ended.output.number)
    }

    /// Ends it and starts it again at the same address, with the notes that it has and no faults.
    public func restart() throws {
        stop()
        let started = try Self.start(options, in: folder.path)
        line = try Self.firstLine(started.output.number, errors: folder.path / "errors")
        child = consume started
    }

    /// Each of them goes wrong with the next request that it is meant for, after those that are there already.
    public func addFaults(_ faults: [Fault]) throws { _ = try post("faults", faults) }

    /// Forgets the faults that are left, and takes these.
    public func replaceFaults(_ faults: [Fault]) throws { _ = try post("faults?replace", faults) }

    /// Empties the account, the faults and the figures.
    public func reset() throws { _ = try post("reset", []) }

    /// The notes that it has, in the trash too.
    public func notes() throws -> [Note] { try JSONDecoder().decode([Note].self, from: page("notes")) }

    public func stats() throws -> Stats { try JSONDecoder().decode(Stats.self, from: page("stats")) }

    /// The body of a resource, by the 32 hexadecimal digits of its MD5.
    public func body(_ md5: String) throws -> [UInt8] {
        try Files.read(folder.path / "store/resources" / md5, limit: 1 << 30)
    }

    /// Changes the last byte of a resource's body, which it goes on to give out under its old MD5.
    public func damage(_ md5: String) throws {
        var bytes = try body(md5)
        guard let last = bytes.popLast() else { throw Failure(description: "\(md5) has no bytes") }
        try Files.replace(folder.path / "store/resources" / md5, with: bytes + [last ^ 1], mode: 0o600)
    }

    private func post(_ name: String, _ faults: [Fault]) throws -> Data {
        try page(name, input: String(decoding: JSONEncoder().encode(faults), as: UTF8.self))
    }

    private func page(_ name: String, input: String? = nil) throws -> Data {
        let trust = caFile.map { ["--cacert", $0.description] } ?? []
        let send = input == nil ? [] : ["--data-binary", "@-"]
        let (output, status) = try run(
            "/usr/bin/curl",
            ["--silent", "--fail-with-body"] + trust + send + ["\(address)/_peer/\(name)"],
            input: input ?? "")
        guard status == .status(0) else {
            throw Failure(description: "the service did not take \(name): \(status) \(output)")
        }
        return Data(output.utf8)
    }

    /// What it prints when it listens.
    private struct Line: Decodable {
        let url, userStore, noteStore, token: String
        let ca: String?
    }

    // Tests/Workbench/EvernotePeer.swift
    private static let checkout = FilePath(#filePath).folder.folder.folder
    /// The interpreter that has the official code.
    static let python = checkout / ".build/peer/bin/python"

    private static func start(_ options: [String], in folder: FilePath) throws -> ChildProcess {
        guard Files.exists(python) else {
            throw Failure(description: "there is no \(python), which runs the service: `make test` installs it")
        }
        var arguments = [
            environment("EVERGEAR_PEER") ?? (checkout / "Tests/Peer/service.py").description,
            "--store", (folder / "store").description,
        ]
        // What it leaves behind when it is ended goes with the folder.
        let temporary = folder / "temporary"
        try Files.makeFolder(temporary)
        if let shared = environment("EVERGEAR_SHARED") { arguments += ["--dtd", "\(shared)/dtd/enml2.dtd"] }
        // The shell ends it when our end of the input is closed, so that it does not outlive us, and closes its own
        // output, so that we see the end where the service does not start.
        return try ChildProcess(
            "/bin/sh",
            [
                "-c", "errors=$1; shift; \"$@\" 2>\"$errors\" & exec >&-; cat >/dev/null; kill $!", "sh",
                (folder / "errors").description, python.description,
            ] + arguments + options,
            environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR=\(temporary)"])
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Waits for what it prints when it listens.
    /// - Throws: `Failure` with what it said instead.
    private static func firstLine(_ descriptor: Int32, errors: FilePath) throws -> Line {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !line.contains(UInt8(ascii: "\n")) {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let said = try String(decoding: Files.read(errors, limit: 1 << 20), as: UTF8.self)
                throw Failure(description: "the service did not start: \(said)")
            }
            line += buffer[..<count]
        }
        return try JSONDecoder().decode(Line.self, from: Data(line))
    }
}
