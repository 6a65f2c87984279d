import Foundation
import Testing

/// The built program in an empty home of its own, as a stranger would have it.
class Evergear {
    /// EVERGEAR_HOME; removed with the last reference.
    let home: URL
    var environment: [String: String] = [:]

    init() throws {
        home = FileManager.default.temporaryDirectory.appending(path: "evergear-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: home) }

    /// What one run of the program gave.
    struct Run: CustomStringConvertible {
        let status: Int32
        let output: String
        let errors: String

        var description: String { "status \(status)\n\(output)\n\(errors)" }

        /// The output as one JSON object.
        func object() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(self)")
        }

        /// The output as JSON Lines.
        func objects() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            }
        }
    }

    /// Runs the program to its end.
    @discardableResult
    func run(_ arguments: String..., input: String? = nil) throws -> Run { try run(arguments, input: input) }

    @discardableResult
    func run(_ arguments: [String], input: String? = nil, program: URL? = nil) throws -> Run {
        let process = process(arguments)
        if let program { process.executableURL = program }
        let (output, errors, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = feed
        try process.run()
        // One pipe is drained beside the other, so that neither can fill up and hold the program.
        let said = Drain(errors)
        // A program that does not want it closes its end: that is none of the test's business.
        signal(SIGPIPE, SIG_IGN)
        try? feed.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try? feed.fileHandleForWriting.close()
        let out = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Run(status: status, output: String(decoding: out, as: UTF8.self), errors: said.text())
    }

    /// The program, ready to be started, with nothing of the tester's own environment.
    func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = Self.binary
        process.arguments = arguments
        process.environment = [
            "EVERGEAR_HOME": home.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LANG": "C.UTF-8",
            // What has failed goes again when the test says so. The wait is at random from nothing up to this, so that
            // a shorter one is over within the same run now and then.
            "EVERGEAR_RETRY_BASE": "31536000", "EVERGEAR_RETRY_CAP": "31536000",
        ].merging(environment) { $1 }
        process.currentDirectoryURL = home
        return process
    }

    /// The program stands beside the bundle of the tests.
    static let binary: URL = {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.appending(path: "evergear").path)
        {
            folder = folder.deletingLastPathComponent()
        }
        return folder.appending(path: "evergear")
    }()

    /// The photos that `make fixtures/photos/.made` made.
    static let fixtures: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            folder = folder.deletingLastPathComponent()
        }
        return folder.appending(path: "fixtures/photos")
    }()

    /// The folder of photos that an import or a sending has enough to do with, each of bytes of its own.
    func manyPhotos(_ count: Int, in name: String = "many") throws -> URL {
        let folder = home.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let photo = try Data(contentsOf: ImportCommandTests.somePhoto())
        for index in 1...count {
            // Bytes behind the end of a JPEG make another file of the same picture.
            try (photo + Data("\(name) \(index)".utf8)).write(to: folder.appending(path: "IMG_\(index).jpg"))
        }
        return folder
    }

    /// A program of the home folder, by the lines of a shell script. It is written by a process of its own: open for
    /// writing in this one, it might be so in a child that another test starts at the moment, too, and then does not run
    /// ("text file busy").
    func script(_ name: String, _ lines: String) throws -> URL {
        let url = home.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Self.shell("printf '%s\\n' '#!/bin/sh' \"$1\" >\"$0\" && chmod 755 \"$0\"", url.path, lines)
        return url
    }

    /// Copies of built programs in a folder. Another process makes them, as it writes a script.
    func copyPrograms(_ names: String..., to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            try Self.shell(
                "cp \"$0\" \"$1\"", Self.binary.deletingLastPathComponent().appending(path: name).path, folder.path)
        }
    }

    private static func shell(_ line: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line] + arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(line) \(arguments)")
    }

    /// A file of the home folder.
    func file(_ name: String, _ content: String = "") throws -> URL {
        let url = home.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: url)
        return url
    }
}

extension Process {
    /// Runs to the end, and gives what was said on the standard error.
    func errorsOfRun() throws -> String {
        let errors = Pipe()
        standardError = errors
        try run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        waitUntilExit()
        return said
    }
}

/// Reads a pipe to its end on a thread of its own.
private final class Drain: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var data = Data()

    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            data = handle.readDataToEndOfFile()
            done.signal()
        }
    }

    func text() -> String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}
