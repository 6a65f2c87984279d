import Glibc
import Photos
import System

/// What the user knows better than a photo's file.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: """
            The zone of times whose photo names none, such as Asia/Tokyo (default: the setting timeZone, else this \
            machine's).
            """)
    var timeZone: NamedZone?

    @Option(
        help: """
            Add this to what the camera's clock showed, such as +01:00 or -00:03:20, where it was set wrong (default: \
            nothing).
            """)
    var timeShift: TimeShift?

    @Option(
        name: .customLong("gpx"),
        help: ArgumentHelp(
            """
            A GPS track: photos that have a time and no place get the place where it was then, between two points at \
            most ten minutes apart (default: none).
            """, valueName: "FILE"))
    var tracks: [FilePath] = []

    /// - Throws: `TrackRefused`.
    func reader(_ context: Context) throws -> PhotoReader {
        var track: GPXTrack?
        for file in tracks {
            do throws(GPXError) {
                try track.add(file)
            } catch { throw TrackRefused(file: file, reason: error) }
        }
        if track?.isCutShort == true {
            context.output.remark("A GPS track ends in the middle of its file; what it says until there counts.")
        }
        if let timeShift, timeShift.seconds.magnitude >= 86_400 {
            let what = timeShift.seconds < 0 ? "takes \(timeShift.length) off" : "adds \(timeShift.length) to"
            context.output.remark("--time-shift \(timeShift) \(what) what the camera's clock showed.")
        }
        let namedZone = (timeZone ?? context.configuration.timeZone)?.zone
        if namedZone == nil, let unknown = Zone.unknownSystemName(context.environment) {
            context.output.remark(
                "TZ is \"\(unknown)\", which is no time zone here: times whose photo names none count as UTC. --time-zone "
                    + "says which they are from.")
        }
        return PhotoReader(namedZone: namedZone, shift: timeShift, track: track)
    }
}

extension GPXTrack? {
    fileprivate mutating func add(_ file: FilePath) throws(GPXError) {
        var track = self ?? GPXTrack()
        self = nil  // or it would be copied
        try track.add(file)
        self = track
    }
}

/// A file that was given as a track and is none.
struct TrackRefused: ExplainedError {
    let file: FilePath
    let reason: GPXError

    var sentence: String { "\(file): \(reason.reason)".asSentence }
    var status: ExitStatus {
        if case .unreadable(let error) = reason, error.code == ENOENT { return .noInput }
        return .badInput
    }
}

extension TimeShift: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
    static var expectation: String { "a time such as +01:00 or -00:03:20" }
    static var valueName: String { "±HH:MM[:SS]" }
}

extension EditedPolicy: ExpressibleByArgument {}
