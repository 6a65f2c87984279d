import Foundation
import Testing

/// Moments at random that a failure can name, so that it can be had again: `EVERGEAR_SEED=… make test`.
struct Dice: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init() {
        seed = ProcessInfo.processInfo.environment["EVERGEAR_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999)
        state = seed
    }

    /// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension Evergear {
    /// What a run that was ended by a signal gave, and how long it took from there.
    struct Ended: CustomStringConvertible {
        let run: Run
        let wasRunning: Bool
        let milliseconds: Double

        var description: String { "\(run), \(milliseconds) ms after the signal" }
    }

    /// Starts the program, waits for a moment, and sends it a signal.
    /// - Parameters:
    ///   - isIgnored: Whoever starts the program ignores Ctrl-C, as a script does for its background jobs.
    ///   - moment: Returns when the signal is due; gets the process, which may have ended.
    func interrupt(
        _ arguments: [String], with signal: Int32, isIgnored: Bool = false, input: String = "",
        when moment: (Process) throws -> Void
    ) throws -> Ended {
        let process = process(arguments)
        if signal != SIGKILL {
            // Whoever runs the tests in the background may have Ctrl-C ignored.
            process.executableURL = URL(filePath: "/usr/bin/env")
            let disposition = isIgnored ? "--ignore-signal=INT" : "--default-signal=INT,TERM"
            process.arguments = [disposition, Self.binary.path] + arguments
        }
        // Files and not pipes: children of a killed program may still hold its ends.
        let streams = try ["output", "errors", "input"].map { name in try file("streams/\(name)", input) }
        process.standardOutput = try handle(streams[0])
        process.standardError = try handle(streams[1])
        process.standardInput = try FileHandle(forReadingFrom: streams[2])
        try process.run()
        try moment(process)
        let start = ContinuousClock.now
        let wasRunning = process.isRunning
        // Once it has ended its number may be another's.
        if wasRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        let took = start.duration(to: .now) / .milliseconds(1)
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        let texts = try streams.prefix(2).map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Ended(
            run: Run(status: status, output: texts[0], errors: texts[1]), wasRunning: wasRunning, milliseconds: took)
    }

    private func handle(_ url: URL) throws -> FileHandle {
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 0)
        return handle
    }

    /// Kills the program (SIGKILL) at a random moment of the time that it takes.
    /// - Parameter time: Follows a machine that is more or less busy than it was: where the program was faster than the
    ///   kill, it is what that took, and a little more each time that it was not.
    func killed(
        _ arguments: [String], input: String = "", within time: inout Duration, _ dice: inout Dice
    ) throws -> Ended {
        let moment = Duration.microseconds(Int64.random(in: 0...max(1, Int64(time / .microseconds(1))), using: &dice))
        var took = Duration.zero
        let ended = try interrupt(arguments, with: SIGKILL, input: input) { process in
            let start = ContinuousClock.now
            while took < moment, process.isRunning {
                usleep(UInt32(min(500, max(1, (moment - took) / .microseconds(1)))))
                took = start.duration(to: .now)
            }
        }
        time = ended.wasRunning ? time * 1.25 : took
        return ended
    }

    /// How long the program takes when nobody disturbs it.
    func time(_ arguments: [String], input: String? = nil) throws -> Duration {
        try ContinuousClock().measure {
            let run = try run(arguments, input: input)
            #expect(run.status == 0, "\(arguments): \(run)")
        }
    }

    /// What SQLite itself finds wrong with the store: nothing, mostly. Blobs are looked at by their names, which are
    /// MD5 and size.
    func damage() throws -> String {
        let script = """
            import glob, hashlib, os, sqlite3, sys
            home = sys.argv[1]
            db = sqlite3.connect(home + "/store.sqlite")
            wrong = [r for r in db.execute("PRAGMA integrity_check") if r != ("ok",)]
            wrong += list(db.execute("PRAGMA foreign_key_check"))
            here = set()
            for path in glob.glob(home + "/blobs/*/*"):
                data = open(path, "rb").read()
                if os.path.basename(path) != hashlib.md5(data).hexdigest() + "-%d" % len(data): wrong.append(path)
                here.add(os.path.basename(path))
            for table in ["photo", "job_resource"]:
                for md5, size in db.execute("SELECT md5, size FROM " + table):
                    name = (md5 if isinstance(md5, str) else md5.hex()) + "-%d" % size
                    if name not in here: wrong.append(table + " without bytes: " + name)
            print(wrong or "", end="")
            """
        return try python(script, home.path)
    }

    /// Title and address (source-url) of every note of every ENEX file in a folder, by default that for notes. Each
    /// file is read whole by Python's parser, so one that is half throws.
    func delivered(in folder: URL? = nil) throws -> [(title: String, address: String)] {
        let script = """
            import glob, sys, xml.etree.ElementTree as ET
            for path in sorted(glob.glob(sys.argv[1] + "/*.enex")):
                for note in ET.parse(path).getroot().iter("note"):
                    print(note.findtext("title"), note.findtext("note-attributes/source-url"), sep="\\t")
            """
        return try python(script, (folder ?? home.appending(path: "notes")).path).split(separator: "\n").map {
            let parts = $0.split(separator: "\t")
            return (String(parts[0]), String(parts[1]))
        }
    }
}

/// Runs a Python script to its end.
func python(_ script: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the script failed")
    return String(decoding: data, as: UTF8.self)
}

/// Waits until something is so, for at most a minute.
func wait(until isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if try isSo() { return }
        usleep(1_000)
    }
    Issue.record("it has not come to be within a minute")
}
