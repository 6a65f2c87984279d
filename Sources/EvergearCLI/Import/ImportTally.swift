import Notes
import Photos
import Storage
import System

/// What became of every file of an import: found = imported + duplicates + skipped + failed, where what goes with a photo
/// counts among the skipped.
struct ImportTally {
    struct Left {
        let path: FilePath
        let code: String
        /// For people, without a full stop.
        let reason: String
    }

    struct Duplicate {
        let path: FilePath
        let of: FilePath
        /// Where that is not the draft that the photo would have come into.
        var elsewhere: Elsewhere?

        enum Elsewhere: Hashable {
            case draft(Int64)
            case delivered(Timestamp)
        }
    }

    struct MadeDraft {
        let id: Int64
        let uid: String
        let title: String
        var photos: Int
        /// True where an earlier import had made it.
        let isContinued: Bool
    }

    /// Left out by a rule, and outside `found`.
    var ignored = 0
    var imported = 0
    var duplicates: [Duplicate] = []
    /// Not imported themselves, but of a photo that is: originals of edited copies, RAW files, videos, sidecars.
    var together: [Left] = []
    /// Videos that `--videos attach` would bring.
    var videos: Int { (skipped + together).count { $0.code == CompanionRole.video.rawValue } }
    var skipped: [Left] = []
    var failed: [Left] = []
    /// Photos among the skipped that only the options keep out: nothing is wrong with them.
    private(set) var leftOut = 0
    /// Found, and not looked at before Ctrl-C; outside `found`.
    var notReached = 0
    /// Imported, and worth a word.
    var warnings: [Left] = []
    /// How many photos there are of each burst, by its name. Each stays a memo.
    var bursts: [String: Int] = [:]
    var drafts: [MadeDraft] = []
    /// The clocks of the cameras, by the photos with a GPS time.
    var clocks = ClockCheck()

    var found: Int { imported + duplicates.count + together.count + skipped.count + failed.count }

    /// 0 when nothing failed, 3 when something did, 65 when something did and there was no photo that could be used: none
    /// imported, none that is there already, none that the options leave out.
    var status: ExitStatus {
        if failed.isEmpty { return .success }
        return imported + duplicates.count + leftOut > 0 ? .partlyDone : .badInput
    }

    /// Leaves a photo out that could be imported.
    mutating func leaveOut(_ path: FilePath, code: String, reason: String) {
        skipped.append(.init(path: path, code: code, reason: reason))
        leftOut += 1
    }

    /// Adds what cannot be imported: what is a photo by its name or its content has failed, anything else is none and
    /// lies there by right.
    /// - Parameter isTrack: Whether --gpx names it.
    mutating func add(_ path: FilePath, _ error: PhotoError, isPhoto: Bool, isTrack: Bool) {
        if isPhoto || PhotoFormat.isClaimed(by: path) {
            let isOther = error == .notAPhoto && PhotoFormat.isOfOtherKind(path)
            let reason = isOther ? "a photo or video of a kind that is not read here" : error.words
            failed.append(.init(path: path, code: isOther ? "other_kind" : error.code, reason: reason))
        } else if isTrack {
            skipped.append(.init(path: path, code: "track", reason: "the GPS track that --gpx reads"))
        } else if path.fileExtension == "gpx" {
            skipped.append(.init(path: path, code: "track", reason: "a GPS track; --gpx places photos by it"))
        } else {
            skipped.append(.init(path: path, code: "not_a_photo", reason: "no photo, by its name and by its content"))
        }
    }
}

/// `import --json`: what its lists hold.
enum ImportJSON {
    struct Left: Encodable {
        let path: PathName
        let code: String
        let reason: String

        init(_ left: ImportTally.Left) {
            path = PathName(left.path)
            code = left.code
            reason = left.reason
        }

        enum Key: String, CodingKey { case code, reason }

        func encode(to encoder: any Encoder) throws {
            try path.encode(to: encoder)
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(code, forKey: .code)
            try object.encode(reason, forKey: .reason)
        }
    }

    struct Duplicate: Encodable {
        let path: PathName
        let of: String
        /// Another draft than the one it would have come into.
        var draft: Int64?
        var delivered: String?

        init(_ duplicate: ImportTally.Duplicate) {
            path = PathName(duplicate.path)
            of = duplicate.of.description
            switch duplicate.elsewhere {
            case .draft(let id): draft = id
            case .delivered(let time): delivered = time.iso8601
            case nil: break
            }
        }

        enum Key: String, CodingKey { case of, draft, delivered }

        func encode(to encoder: any Encoder) throws {
            try path.encode(to: encoder)
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(of, forKey: .of)
            try object.encodeIfPresent(draft, forKey: .draft)
            try object.encodeIfPresent(delivered, forKey: .delivered)
        }
    }

    struct Draft: Encodable {
        let id: Int64
        let uid: String
        let title: String
        let photos: Int
    }

    /// A camera whose clock is off.
    struct Clock: Encodable {
        let camera: String
        let photos: Int
        /// As `--time-shift` takes it.
        let suggested_shift: String
        let reason: String
    }

    /// Photos that a camera took in one go.
    struct Burst: Encodable {
        let name: String
        let photos: Int
    }

    static func write(_ tally: ImportTally, to output: Output) throws {
        let clocks = tally.clocks.findings.compactMap { finding -> Clock? in
            guard let shift = finding.suggestion, let reason = finding.sentence else { return nil }
            return Clock(
                camera: finding.camera, photos: finding.photos, suggested_shift: shift.description, reason: reason)
        }
        let bursts = tally.bursts.sorted { $0.key < $1.key }.map { Burst(name: $0.key, photos: $0.value) }
        let drafts = tally.drafts.map { Draft(id: $0.id, uid: $0.uid, title: $0.title, photos: $0.photos) }
        var object = output.jsonObject()
        try object.list("bursts", bursts)
        try object.list("clocks", clocks)
        try object.list("drafts", drafts)
        try object.list("duplicates", tally.duplicates.lazy.map(Duplicate.init))
        try object.list("failed", tally.failed.lazy.map(Left.init))
        try object.member("found", tally.found)
        try object.member("ignored", tally.ignored)
        try object.member("imported", tally.imported)
        try object.member("not_reached", tally.notReached)
        try object.list("skipped", [tally.skipped, tally.together].lazy.joined().map(Left.init))
        try object.list("warnings", tally.warnings.lazy.map(Left.init))
        object.end()
    }
}
