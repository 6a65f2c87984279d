import Layouts
import Notes
import Storage
import System
import Text

/// A draft for machines: what `--json` prints of one.
struct DraftJSON: Encodable {
    let id: Int64
    let uid: String
    let title: String
    let text: String
    @Null var notebook: String?
    let tags: [String]
    @Null var layout: String?
    @Null var time: String?
    @Null var place: PlaceJSON?
    let held: Bool
    let state: String
    let changed: Bool
    let importing: Bool
    let created: String
    let updated: String
    let memos: [MemoJSON]
    let deliveries: [DeliveryJSON]

    /// - Parameter gone: The photos whose bytes the store does not have.
    init(_ draft: Draft, standing: DraftStanding, jobs: [Job], gone: Set<BlobKey>) {
        id = draft.id
        uid = draft.uid
        title = draft.title
        text = draft.text
        notebook = draft.notebook
        tags = draft.tags
        layout = draft.layout
        time = draft.moment?.description
        place = draft.place.map(PlaceJSON.init)
        held = draft.isHeld
        state = standing.state.rawValue
        changed = standing.isChanged
        importing = standing.isBeingImported
        created = draft.created.iso8601
        updated = draft.updated.iso8601
        memos = draft.memos.enumerated().map { MemoJSON($1, position: $0 + 1, gone: gone) }
        deliveries = jobs.compactMap(DeliveryJSON.init)
    }
}

struct MemoJSON: Encodable {
    let number: Int
    let position: Int
    let text: String
    @Null var time: String?
    @Null var place: PlaceJSON?
    let photos: [PhotoJSON]

    init(_ memo: Memo, position: Int, gone: Set<BlobKey>) {
        number = memo.number
        self.position = position
        text = memo.text
        time = memo.moment?.description
        place = memo.place.map(PlaceJSON.init)
        photos = memo.photos.map { PhotoJSON($0, isGone: gone.contains($0.blob)) }
    }
}

struct PhotoJSON: Encodable {
    let name: String
    let mime: String
    let md5: String
    let size: Int64
    let width: Int?
    let height: Int?
    /// There and true where the store does not have its bytes any more.
    let gone: Bool?

    init(_ photo: Photo, isGone: Bool) {
        gone = isGone ? true : nil
        name = photo.name
        mime = photo.mime
        md5 = photo.blob.md5.hex
        size = photo.blob.size
        width = photo.displaySize?.width
        height = photo.displaySize?.height
    }
}

struct PlaceJSON: Encodable {
    let latitude: Double
    let longitude: Double
    let altitude: Double?
    let name: String?

    init(_ place: Place) {
        latitude = place.latitude
        longitude = place.longitude
        altitude = place.altitude
        name = place.name
    }
}

extension DraftStanding {
    /// For people.
    var words: String {
        if isBeingImported { return "being imported" }
        return state.rawValue + (isChanged ? ", changed since" : "")
    }
}

/// A draft for people.
enum DraftReport {
    /// - Parameter gone: The photos whose bytes the store does not have.
    static func lines(
        _ draft: Draft, standing: DraftStanding, jobs: [Job], gone: Set<BlobKey>, now: Timestamp
    ) -> [String] {
        var lines = ["Draft \(draft.id) · \(standing.words)\(draft.isHeld ? " · held" : "")", ""]
        lines += draft.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "  \($0)" }
        let fields = [
            ("Notebook", draft.notebook), ("Tags", draft.tags.isEmpty ? nil : draft.tags.joined(separator: ", ")),
            ("Layout", draft.layout), ("Time", draft.moment.map(time)), ("Place", draft.place.map(place)),
        ]
        let given = fields.compactMap { name, value in value.map { "\(name): \($0)" } }
        if !given.isEmpty { lines += [""] + given }
        for (position, memo) in draft.memos.enumerated() {
            lines += [""] + self.lines(memo, position: position + 1, gone: gone)
        }
        let sent = deliveries(jobs, now: now)
        if !sent.isEmpty { lines += [""] + sent }
        if !gone.isEmpty {
            lines += [
                "",
                "The store no longer has the bytes of \(Words.count(gone.count, "photo")). To send the draft again, bring "
                    + "them back: `evergear import --into \(draft.id) FILE`.",
            ]
        }
        return lines
    }

    /// When and where its notes went, and what became of the other parts of those that went in part.
    private static func deliveries(_ jobs: [Job], now: Timestamp) -> [String] {
        let begun = Set(jobs.filter { $0.receipt != nil }.map(\.batch))
        return jobs.filter { begun.contains($0.batch) }.map { job in
            let part = job.parts > 1 ? " (\(job.part)/\(job.parts))" : ""
            guard let receipt = job.receipt else {
                return "Not sent\(part), \(job.layout), to \(job.destination): \(job.state.words)"
                    + (job.failure.map { ": \($0.message)" } ?? "") + " (job \(job.id))"
            }
            return "Sent\(part) \(DeliveryReport.time(receipt.delivered)) "
                + "(\(Words.relative(receipt.delivered, to: now))), \(job.layout), \(DeliveryReport.place(of: job))"
        }
    }

    private static func lines(_ memo: Memo, position: Int, gone: Set<BlobKey>) -> [String] {
        let facts = [memo.moment.map(time), memo.place.map(place)].compactMap(\.self)
        var lines = [([" [\(memo.number)]"] + facts).joined(separator: "  ")]
        lines += memo.photos.map { photo in
            let size = photo.displaySize.map { "\($0.width) × \($0.height)" }
            return "      "
                + [
                    photo.name, size, Words.size(photo.blob.size),
                    gone.contains(photo.blob) ? "(its bytes are not here any more)" : nil,
                ].compactMap(\.self).joined(separator: "  ")
        }
        if !memo.text.isEmpty {
            lines += memo.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                "      \($0)"
            }
        }
        return lines
    }

    static func time(_ moment: Moment) -> String {
        let text = moment.local.description.prefix(19).replacing("T", with: " ")
        return text + (moment.knownOffset.map { " " + Moment.describe(offset: $0) } ?? "")
    }

    static func place(_ place: Place) -> String {
        let numbers = "\(rounded(place.latitude)), \(rounded(place.longitude))"
        return place.name.map { "\($0) (\(numbers))" } ?? numbers
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
}
