public import Notes

/// A draft, or one part of it, as the XML that a layout reads. `templates/layouts/draft.rng` is its form.
///
/// All that needs a calendar, arithmetic, a language or a look at the neighbours is settled here.
public struct DraftDocument: Sendable {
    public let xml: [UInt8]
    public let warnings: [Warning]

    /// What the writer of the draft should know. Memos are told by their numbers in the draft.
    public enum Warning: Hashable, Sendable {
        /// Control characters, which no note can hold, were left out.
        case droppedCharacters(count: Int, from: Spot)
        /// A memo without words and photos has nothing to show and is left out.
        case emptyMemo(Int)
        /// The draft goes from one time zone to another, and this memo's clock is not known to be in either.
        case unknownZone(memo: Int, clock: String)
    }

    /// Where in a draft.
    public enum Spot: Hashable, Sendable {
        case title
        case text
        /// Its text, the name of its place, the names of its photos.
        case memo(Int)
    }

    /// - Parameters:
    ///   - memos: Those of the part, by index; nil for all.
    ///   - pictures: What stands for each photo, by `Photo.id`.
    ///   - title: The note's; nil for the draft's own.
    ///   - layout: The name of the layout asked for.
    public init(
        of draft: Draft, memos range: Range<Int>? = nil, pictures: [Int64: Picture], title: String? = nil,
        layout: String, language: Language, captions: Captions = .standard, part: NotePart? = nil
    ) {
        let words = Wording(language: language)
        let text = part.map { $0.number == 1 } ?? true ? TextLines(draft.body) : TextLines("")
        let timeline = Timeline(of: draft, memos: range ?? draft.memos.indices, pictures: pictures, words: words)
        let piece = Piece(words: words, captions: captions, hasSeveralDays: timeline.hasSeveralDays)

        var writer = XMLWriter()
        writer.element("draft", ["version": "1", "uid": draft.uid, "lang": language.rawValue, "layout": layout]) {
            $0.element("title") { $0.text(title ?? draft.title) }
            $0.element("words", ["photos": words.photos])
            if let part {
                $0.element("notice", ["at": "top"]) { $0.text(words.top(part)) }
                if let end = words.end(part) { $0.element("notice", ["at": "end"]) { $0.text(end) } }
            }
            $0.lines(text)
            for run in timeline.runs {
                if run.isSheet { piece.sheet(run.entries, in: &$0) } else { piece.memo(run.entries[0], in: &$0) }
            }
        }
        xml = writer.bytes

        var warnings: [Warning] = []
        let titleDropped = (title ?? draft.title).unicodeScalars.count(where: \.isDroppedFromNotes)
        if titleDropped > 0 { warnings.append(.droppedCharacters(count: titleDropped, from: .title)) }
        if text.dropped > 0 { warnings.append(.droppedCharacters(count: text.dropped, from: .text)) }
        self.warnings = warnings + timeline.warnings
    }
}

/// Writes the pieces of a draft document.
private struct Piece {
    let words: Wording
    let captions: Captions
    let hasSeveralDays: Bool

    func memo(_ entry: Timeline.Entry, in writer: inout XMLWriter) {
        let (memo, photos) = (entry.memo, entry.pictures)
        let attributes: KeyValuePairs<StaticString, String?> = [
            "position": "\(entry.position)",
            "day": entry.day,
            "numbers": captions.contains(.number) ? numbers([entry]) : nil,
            "names": captions.contains(.name) && !photos.isEmpty
                ? photos.map(\.photo.name).joined(separator: ", ") : nil,
        ]
        writer.element("memo", attributes) {
            if let moment = memo.moment, captions.contains(.time) {
                let offset = moment.knownOffset.map(Moment.describe(offset:)) ?? ""
                $0.element(
                    "moment",
                    [
                        "iso": moment.local.description + offset, "clock": Wording.clock(moment.local),
                        "zone": entry.zone,
                    ])
            }
            if let place = memo.place, captions.contains(.place) { self.place(place, in: &$0) }
            $0.lines(entry.text)
            for (index, picture) in photos.enumerated() {
                photo(picture, number: entry.firstNumber + index, of: entry, in: &$0)
            }
        }
    }

    func sheet(_ entries: [Timeline.Entry], in writer: inout XMLWriter) {
        let times = entries.compactMap { $0.memo.moment.map { Wording.clock($0.local) } }
        var clock = times.first
        if let first = times.first, let last = times.last, first != last { clock = "\(first)–\(last)" }
        let attributes: KeyValuePairs<StaticString, String?> = [
            "numbers": captions.contains(.number) ? numbers(entries) : nil,
            "clock": captions.contains(.time) ? clock : nil,
            "label": words.count(ofPhotos: entries.reduce(0) { $0 + $1.pictures.count { !$0.photo.isVideo } }),
        ]
        writer.element("sheet", attributes) {
            for entry in entries { memo(entry, in: &$0) }
        }
    }

    /// `14`, or `14–16`; nil where there are no photos.
    private func numbers(_ entries: [Timeline.Entry]) -> String? {
        let count = entries.reduce(0) { $0 + $1.pictures.count }
        guard let first = entries.first?.firstNumber, count > 0 else { return nil }
        return count == 1 ? "\(first)" : "\(first)–\(first + count - 1)"
    }

    private func place(_ place: Place, in writer: inout XMLWriter) {
        let isCoarse = captions.contains(.coarse)
        let latitude = fixed(place.latitude, digits: isCoarse ? 2 : 5)
        let longitude = fixed(place.longitude, digits: isCoarse ? 2 : 5)
        let shown = isCoarse ? 2 : 4
        let numbers = "\(fixed(place.latitude, digits: shown)),\u{a0}\(fixed(place.longitude, digits: shown))"
        // As much of the map as the numbers leave open.
        let zoom = isCoarse ? 13 : 16
        writer.element(
            "place",
            [
                "latitude": latitude, "longitude": longitude, "label": place.name ?? numbers,
                "href":
                    "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=\(zoom)/\(latitude)/\(longitude)",
            ])
    }

    private func photo(_ picture: Picture, number: Int, of entry: Timeline.Entry, in writer: inout XMLWriter) {
        let photo = picture.photo
        let isAlone = entry.pictures.count == 1
        let time = (isAlone ? entry.memo.moment : photo.moment ?? entry.memo.moment)?.local
        let shownTime = captions.contains(.time) ? time : nil
        let day = shownTime.flatMap { hasSeveralDays ? words.shortDay($0) + " " : "" } ?? ""
        let caption = [
            "\(number)", shownTime.map { day + Wording.clock($0) },
            captions.contains(.name) || shownTime == nil || photo.isVideo ? photo.name : nil,
        ]
        let label = [
            captions.contains(.number) && !isAlone ? "\(number)" : nil,
            captions.contains(.name) && !isAlone || photo.isVideo ? photo.name : nil,
        ].compactMap(\.self).joined(separator: " · ")
        let size = picture.displaySize
        let attributes: KeyValuePairs<StaticString, String?> = [
            "number": "\(number)",
            "name": photo.name,
            "kind": photo.isVideo ? "video" : nil,
            "shape": PictureShape(size).rawValue,
            "caption": caption.compactMap(\.self).joined(separator: " · "),
            "label": label.isEmpty ? nil : label,
            "alt": entry.text.firstLine.map { String($0.prefix(60)) } ?? time.map(words.photo(at:)) ?? photo.name,
            "notice": picture.notice ?? (picture.full == nil && picture.thumb == nil ? photo.name : nil),
        ]
        writer.element("photo", attributes) {
            if let full = picture.full {
                let (width, height) = sides(full.pixels)
                $0.element(
                    "full",
                    [
                        "hash": full.blob.md5.hex, "mime": full.mime, "width": width, "height": height,
                        "show-width": photo.isVideo
                            ? nil : full.pixels.flatMap(PictureBox.largeWidth).map(String.init),
                    ])
            }
            if let thumb = picture.thumb, let size = size ?? thumb.pixels ?? PixelSize(width: 120, height: 90) {
                let (width, height) = sides(thumb.pixels)
                let isOnlyPicture = entry.pictures.count { $0.thumb != nil } == 1
                let box = (isOnlyPicture && !entry.isOnSheet ? PictureBox.card : .row).fit(size)
                $0.element(
                    "thumb",
                    [
                        "hash": thumb.blob.md5.hex, "mime": thumb.mime, "width": width, "height": height,
                        "show-width": "\(box.width)", "show-height": "\(box.height)",
                    ])
            }
        }
    }

    private func sides(_ size: PixelSize?) -> (width: String?, height: String?) {
        (size.map { "\($0.width)" }, size.map { "\($0.height)" })
    }
}

extension XMLWriter {
    fileprivate mutating func lines(_ text: TextLines) {
        guard !text.isEmpty else { return }
        element("text") {
            for block in text.blocks {
                switch block {
                case .line(let spans): $0.element("line") { $0.spans(spans) }
                case .blank: $0.element("blank")
                case .list(let kind, let items):
                    $0.element("list", ["kind": kind.rawValue]) {
                        for item in items { $0.element("item") { $0.spans(item) } }
                    }
                case .todo(let isChecked, let spans):
                    $0.element("todo", ["checked": isChecked ? "true" : "false"]) { $0.spans(spans) }
                }
            }
        }
    }

    private mutating func spans(_ spans: [TextLines.Span]) {
        for span in spans {
            switch span {
            case .text(let words): text(words)
            case .link(let url): element("link", ["href": url]) { $0.text(url) }
            }
        }
    }
}

/// A number of at most three digits before the point, with as many after it as asked for: `-0.5`, 4 → `-0.5000`.
func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return (value < 0 && scaled > 0 ? "-" : "") + "\(scaled / scale)."
        + String(repeating: "0", count: digits - fraction.count) + fraction
}
