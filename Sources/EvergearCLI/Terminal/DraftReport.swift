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
    let created: String
    let updated: String
    let memos: [MemoJSON]
    let deliveries: [DeliveryJSON]

    init(_ draft: Draft, state: DraftState, jobs: [Job]) {
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
        self.state = state.rawValue
        created = draft.created.iso8601
        updated = draft.updated.iso8601
        memos = draft.memos.enumerated().map { MemoJSON($1, position: $0 + 1) }
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

    init(_ memo: Memo, position: Int) {
        number = memo.number
        self.position = position
        text = memo.text
        time = memo.moment?.description
        place = memo.place.map(PlaceJSON.init)
        photos = memo.photos.map(PhotoJSON.init)
    }
}

struct PhotoJSON: Encodable {
    let name: String
    let mime: String
    let md5: String
    let size: Int64
    let width: Int?
    let height: Int?

    init(_ photo: Photo) {
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

/// Where a note of a draft went, and when.
struct DeliveryJSON: Encodable {
    let job: Int64
    let destination: String
    let layout: String
    let delivered: String
    let path: String?

    init?(_ job: Job) {
        guard let receipt = job.receipt else { return nil }
        self.job = job.id
        destination = job.destination
        layout = job.layout
        delivered = receipt.delivered.iso8601
        path = receipt.path?.description
    }
}

/// A draft for people.
enum DraftReport {
    static func lines(_ draft: Draft, state: DraftState, jobs: [Job], now: Timestamp) -> [String] {
        var lines = ["Draft \(draft.id) · \(state.rawValue)\(draft.isHeld ? " · held" : "")", ""]
        lines += draft.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "  \($0)" }
        let fields = [
            ("Notebook", draft.notebook), ("Tags", draft.tags.isEmpty ? nil : draft.tags.joined(separator: ", ")),
            ("Layout", draft.layout), ("Time", draft.moment.map(time)), ("Place", draft.place.map(place)),
        ]
        let given = fields.compactMap { name, value in value.map { "\(name): \($0)" } }
        if !given.isEmpty { lines += [""] + given }
        for (position, memo) in draft.memos.enumerated() {
            lines += [""] + self.lines(memo, position: position + 1)
        }
        let sent = jobs.filter { $0.receipt != nil }
        if !sent.isEmpty { lines.append("") }
        for job in sent {
            let part = job.parts > 1 ? " (\(job.part)/\(job.parts))" : ""
            let receipt = job.receipt
            lines.append(
                "Sent\(part) \(receipt.map { Words.relative($0.delivered, to: now) } ?? ""), \(job.layout), to "
                    + (receipt?.path?.description ?? job.destination))
        }
        return lines
    }

    private static func lines(_ memo: Memo, position: Int) -> [String] {
        let facts = [memo.moment.map(time), memo.place.map(place)].compactMap(\.self)
        var lines = [([" [\(memo.number)]"] + facts).joined(separator: "  ")]
        lines += memo.photos.map { photo in
            let size = photo.displaySize.map { "\($0.width) × \($0.height)" }
            return "      "
                + [photo.name, size, Words.size(photo.blob.size)].compactMap(\.self).joined(separator: "  ")
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
