import EDAM
import System

/// How a service is reached: on every command that talks to one.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: """
            Which Evernote: production, china, or an address https://HOST[:PORT] (default: the setting service, else \
            production).
            """)
    var service: Service?

    @Option(
        help: "Trust the certificates in FILE (PEM) as well as the system's (default: the setting caFile, else none).")
    var caFile: FilePath?
}

/// How notes are uploaded to a service: on every command that sends.
struct TransferOptions: ParsableArguments {
    @Option(
        help: """
            When to upload: auto (at once), unmetered (while the connection is not paid for by the byte, as NetworkManager \
            tells), or manual (by `evergear queue run` alone); files are written at any time (default: the setting transmit, \
            else auto).
            """)
    var transmit: Transmission?

    @Option(help: "Upload N notes at once, 1 to 8 (default: the setting transfers, else 2).")
    var transfers: Int?

    @Option(
        help: """
            After a job that is refused: continue with the others, stop, or stop after N of them (default: the setting \
            onErrors, else continue). What is left waits for the next `evergear queue run`.
            """)
    var onErrors: ErrorTolerance?

    @Flag(
        help: """
            Send each note in one request, however large; else one above 32 MB goes in steps (always with the setting \
            singleRequest).
            """)
    var singleRequest = false

    @Option(
        name: .customLong("bwlimit"),
        help: "Upload at most SIZE bytes a second, all notes together (default: the setting bwlimit, else no limit).")
    var bandwidth: ByteSize?

    func validate() throws(ValidationError) { try Limits.transfers.check(transfers, "--transfers") }
}

/// How this run talks to services: the options, and the settings where they say nothing.
struct Network: Sendable {
    var service: Service
    var caFile: FilePath?
    var transmit: Transmission
    var onErrors: ErrorTolerance
    var transfers: Int
    var isSingleRequest: Bool
    /// Bytes a second, for all uploads together; nil: no limit.
    var bandwidth: Int64?
    /// Bytes above which a note goes in steps.
    var stepThreshold: Int64
    /// Milliseconds between the first and the last look for a note whose answer was lost.
    var lookAgain: Int64
    let accounts = KnownAccounts()

    init(_ context: Context, _ options: NetworkOptions, _ transfer: TransferOptions? = nil) {
        let settings = context.configuration
        service = options.service ?? settings.service
        caFile = options.caFile ?? settings.caFile.map(context.home.expand)
        transmit = transfer?.transmit ?? settings.transmit
        onErrors = transfer?.onErrors ?? settings.onErrors
        transfers = transfer?.transfers ?? settings.transfers
        isSingleRequest = settings.singleRequest || transfer?.singleRequest ?? false
        bandwidth = (transfer?.bandwidth ?? settings.bwlimit)?.bytes
        stepThreshold = settings.stepThreshold.bytes
        lookAgain = Int64(settings.lookAgain * 1000)
    }
}

/// How many refused jobs a run goes on after.
enum ErrorTolerance: Hashable, Sendable, ExpressibleByArgument {
    case `continue`
    /// At the first.
    case stop
    /// At this one.
    case number(Int)

    init?(argument text: String) {
        switch text {
        case "continue": self = .continue
        case "stop": self = .stop
        default:
            guard let number = Int(text), number > 0 else { return nil }
            self = .number(number)
        }
    }

    /// So many end the run.
    var most: Int {
        switch self {
        case .continue: .max
        case .stop: 1
        case .number(let number): number
        }
    }

    static let expectation = "stop, continue, or a number above 0"
    static let valueName = "stop|continue|N"
}
