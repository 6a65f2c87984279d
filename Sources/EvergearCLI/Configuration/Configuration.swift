import EDAM
import Layouts
import Notes
import Photos
import System

/// The settings: what holds where the command line says nothing.
///
/// Each is read from `config.json5`, above that from `EVERGEAR_<SETTING>`, and the option of the same name stands above
/// both. The list is in `Setting.all`.
struct Configuration: Hashable, Sendable {
    var layout = LayoutChoice.shipped(.standard)
    /// nil: by the locale.
    var lang: Language?
    var caption = Captions.standard
    var notebook: String?
    var tags: [String] = []
    var to = DestinationAddress.enex(nil)
    var photosPerNote = 100
    /// Bytes of a note where there is no account that says otherwise: what a paid Evernote account takes.
    var noteBytes = ByteSize(bytes: 209_715_200)
    /// Pixels of a thumbnail's short side.
    var thumbSize = 240
    /// Pixels of an attached copy's long side; nil: the original.
    var photoSize: Int?
    var originals = Originals.convert
    var places = CaptionPlaces.full
    /// No place goes out.
    var stripLocation = false
    /// From these no place goes out. Only the file has them.
    var noGoZones: [NoGoZone] = []
    var enexSplit = ByteSize(bytes: 209_715_200)
    /// Days that originals stay in the store after their delivery, at least.
    var keepOriginals = 30
    /// For photos that do not say; nil: the system's.
    var timeZone: NamedZone?
    /// Which Evernote.
    var service = Service.production
    /// Certificates to trust beside the system's.
    var caFile: FilePath?
    /// How many refused jobs a run goes on after.
    var onErrors = ErrorTolerance.continue
    /// When notes are uploaded.
    var transmit = Transmission.auto
    /// Run at the end of each sending, with its summary as JSON on its input; nil: nothing is.
    var onFinish: String?
    /// Notes uploaded at once.
    var transfers = 2
    /// No note goes in steps.
    var singleRequest = false
    /// Bytes a second; nil: no limit.
    var bwlimit: ByteSize?
    /// Bytes above which a note goes in steps.
    var stepThreshold = ByteSize(bytes: 33_554_432)
    /// Seconds between the first and the last look for a note whose answer was lost.
    var lookAgain = 900.0
    /// Seconds before the first new try of a delivery that failed.
    var retryBase = 2.0
    /// Seconds that no wait between two tries exceeds.
    var retryCap = 900.0

    init() {}

    /// - Parameter file: nil: the one in the home folder, which need not be there.
    /// - Throws: `ConfigurationError`; `SystemError` where the file cannot be read.
    init(home: Home, file: FilePath?, environment: Environment) throws {
        let path = file ?? home.configurationFile
        // Nothing of JSON is touched where there is no file.
        if file != nil || Files.exists(path) {
            try ConfigurationFile(path).apply(to: &self)
        }
        for setting in Setting.all {
            guard let bytes = environment.bytes(setting.variable) else { continue }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ConfigurationError("\(setting.variable) is not UTF-8 text")
            }
            let words = setting.isList ? text.split(separator: ",").map(trimmed) : [text]
            guard setting.apply(&self, words) else {
                throw ConfigurationError("\(setting.variable): \"\(text)\" is not \(setting.expectation)")
            }
        }
    }
}

extension Configuration {
    /// Variables that begin as ours do and mean nothing: a slip of the fingers, mostly.
    static func unknownVariables(in environment: Environment) -> [(name: String, meant: String?)] {
        let names = Setting.all.map(\.variable) + ["EVERGEAR_HOME", Access.variable]
        // Those that the tests of this project are run with mean nothing to the program, and are no slips.
        let known = Set(names + ["SHARED", "PEER", "SEED", "GOLDEN", "FUZZ"].map { "EVERGEAR_" + $0 })
        return environment.names.filter { $0.hasPrefix("EVERGEAR_") && !known.contains($0) }.sorted().map { name in
            (name, NearestName.of(name, among: names))
        }
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix(upTo: start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex))
}

/// Settings that cannot be used. Exit status 78.
struct ConfigurationError: Error, Hashable {
    /// What is wrong and where, without a full stop.
    let message: String
    /// What to do, as a sentence; nil where the message says enough.
    let advice: String?

    init(_ message: String, advice: String? = nil) {
        self.message = message
        self.advice = advice
    }
}

/// One setting: its name, and how a text becomes its value.
struct Setting: Sendable {
    /// As the file writes it: `photosPerNote`. There, `photos_per_note` and `photos-per-note` are understood as well.
    let name: String
    /// A list of texts rather than one.
    let isList: Bool
    /// Ends the sentence `"abc" is not …`.
    let expectation: String
    /// Takes a value over; false where it is none.
    let apply: @Sendable (inout Configuration, [String]) -> Bool

    /// `EVERGEAR_PHOTOS_PER_NOTE`.
    var variable: String {
        "EVERGEAR_" + name.reduce(into: "") { $0 += ($1.isUppercase ? "_" : "") + $1.uppercased() }
    }

    /// `photosPerNote`, `photos_per_note` and `photos-per-note` give one and the same.
    static func fold(_ name: String) -> String { name.filter { $0 != "_" && $0 != "-" }.lowercased() }

    static func named(_ name: String) -> Setting? { all.first { fold($0.name) == fold(name) } }

    private static func one<Value: ExpressibleByArgument>(
        _ name: String, _ expectation: String = Value.expectation,
        where isFit: @escaping @Sendable (Value) -> Bool = {
            _ in true
        }, put: @escaping @Sendable (inout Configuration, Value) -> Void
    ) -> Setting {
        Setting(name: name, isList: false, expectation: expectation) { configuration, words in
            guard words.count == 1, let value = Value(argument: words[0]), isFit(value) else { return false }
            put(&configuration, value)
            return true
        }
    }

    private static func flag(
        _ name: String, put: @escaping @Sendable (inout Configuration, Bool) -> Void
    ) -> Setting {
        Setting(name: name, isList: false, expectation: "true or false") { configuration, words in
            guard words.count == 1, let flag = Bool(words[0]) else { return false }
            put(&configuration, flag)
            return true
        }
    }

    static let all: [Setting] = [
        one("layout") { $0.layout = $1 },
        one("lang") { $0.lang = $1 },
        Setting(name: "caption", isList: true, expectation: Captions.expectation) { configuration, words in
            guard let caption = Captions(argument: words.joined(separator: ",")) else { return false }
            configuration.caption = caption
            return true
        },
        one("notebook") { $0.notebook = $1 },
        Setting(name: "tags", isList: true, expectation: "a list of texts") { configuration, words in
            configuration.tags = words
            return true
        },
        one("to") { $0.to = $1 },
        one("photosPerNote", Limits.photosPerNote.expectation, where: Limits.photosPerNote.contains) {
            $0.photosPerNote = $1
        },
        one("noteBytes") { $0.noteBytes = $1 },
        one("thumbSize", Limits.thumbSize.expectation, where: Limits.thumbSize.contains) { $0.thumbSize = $1 },
        one("photoSize", Limits.photoSize.expectation, where: Limits.photoSize.contains) { $0.photoSize = $1 },
        one("originals") { $0.originals = $1 },
        one("places") { $0.places = $1 },
        flag("stripLocation") { $0.stripLocation = $1 },
        one("enexSplit") { $0.enexSplit = $1 },
        one("keepOriginals", Limits.keepOriginals.expectation, where: Limits.keepOriginals.contains) {
            $0.keepOriginals = $1
        },
        one("timeZone") { $0.timeZone = $1 },
        one("service") { $0.service = $1 },
        one("caFile") { $0.caFile = $1 },
        one("onErrors") { $0.onErrors = $1 },
        one("transmit") { $0.transmit = $1 },
        one("onFinish") { $0.onFinish = $1 },
        one("transfers", Limits.transfers.expectation, where: Limits.transfers.contains) { $0.transfers = $1 },
        flag("singleRequest") { $0.singleRequest = $1 },
        one("bwlimit") { $0.bwlimit = $1 },
        one("stepThreshold") { $0.stepThreshold = $1 },
        one("lookAgain", "a number of seconds", where: isSeconds) { $0.lookAgain = $1 },
        one("retryBase", "a number of seconds", where: isSeconds) { $0.retryBase = $1 },
        one("retryCap", "a number of seconds", where: isSeconds) { $0.retryCap = $1 },
    ]

    /// Up to a year.
    @Sendable private static func isSeconds(_ seconds: Double) -> Bool { (0...31_536_000).contains(seconds) }
}

/// What numbers may be, on the command line as in the configuration.
enum Limits {
    struct Range: Sendable {
        let range: ClosedRange<Int>
        var expectation: String { "a whole number from \(range.lowerBound) to \(range.upperBound)" }
        @Sendable func contains(_ number: Int) -> Bool { range.contains(number) }

        /// - Parameter option: nil where the option was not given.
        func check(_ number: Int?, _ option: String) throws(ValidationError) {
            guard let number, !contains(number) else { return }
            throw ValidationError("\(option): \(number) is not \(expectation)")
        }
    }

    static let photosPerNote = Range(range: 1...100)
    static let transfers = Range(range: 1...8)
    static let thumbSize = Range(range: 16...2000)
    static let photoSize = Range(range: 16...30_000)
    /// Days.
    static let keepOriginals = Range(range: 0...36_500)
}
