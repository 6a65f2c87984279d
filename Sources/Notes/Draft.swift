/// A card: a sentence and/or photos, with its own time and place.
public struct Memo: Hashable, Sendable {
    /// Its number in the store; 0 for one that is not stored.
    public var id: Int64
    /// Its number in the draft, which people use: it stays while the memo moves, and is not given again.
    public var number: Int
    public var text: String
    /// Mostly one, any number.
    public var photos: [Photo]
    public var moment: Moment?
    public var place: Place?

    public init(
        id: Int64 = 0, number: Int = 0, text: String = "", photos: [Photo] = [], moment: Moment? = nil,
        place: Place? = nil
    ) {
        self.id = id
        self.number = number
        self.text = text
        self.photos = photos
        self.moment = moment
        self.place = place
    }

    /// Neither words nor photos: nothing to show.
    public var isEmpty: Bool { photos.isEmpty && text.allSatisfy(\.isWhitespace) }
}

/// A text whose first line is the title, plus memos in order.
public struct Draft: Hashable, Sendable {
    /// The number people use (`draft 3`); 0 for one that is not stored.
    public var id: Int64
    /// The name the world uses: a UUID, version 7, in lower case.
    public var uid: String
    /// Title line and all.
    public var text: String
    /// True where the program made the title (from a folder's name, say).
    public var isTitleGenerated: Bool
    public var notebook: String?
    public var tags: [String]
    /// The layout asked for, by name or as a stylesheet's path; nil: the default.
    public var layout: String?
    /// The time given with `--at`.
    public var moment: Moment?
    public var place: Place?
    public var created: Timestamp
    public var updated: Timestamp
    /// A held draft is not sent until it is named.
    public var isHeld: Bool
    public var memos: [Memo]

    public init(
        id: Int64 = 0, uid: String, text: String, isTitleGenerated: Bool = false, notebook: String? = nil,
        tags: [String] = [], layout: String? = nil, moment: Moment? = nil, place: Place? = nil, created: Timestamp,
        updated: Timestamp, isHeld: Bool = false, memos: [Memo] = []
    ) {
        self.id = id
        self.uid = uid
        self.text = text
        self.isTitleGenerated = isTitleGenerated
        self.notebook = notebook
        self.tags = tags
        self.layout = layout
        self.moment = moment
        self.place = place
        self.created = created
        self.updated = updated
        self.isHeld = isHeld
        self.memos = memos
    }

    /// The first line that is not blank, as written; empty where there is none.
    public var title: String { Self.split(text).title }

    /// The text below the title line.
    public var body: String { Self.split(text).body }

    /// Cuts a text into its title line and the rest. Every kind of line end counts.
    public static func split(_ text: String) -> (title: String, body: String) {
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isNewline }
            rest = rest.dropFirst(line.count + 1)
            if !line.allSatisfy(\.isWhitespace) { return (String(line), String(rest)) }
        }
        return ("", "")
    }

    /// What the draft is about in time: `--at`, else its earliest memo's; nil where neither says.
    public var noteMoment: Moment? { moment ?? memos.compactMap(\.moment).min(by: Moment.isEarlier) }

    /// The time that the note carries as its creation: `noteMoment`, else when the draft was written.
    public var noteCreated: Timestamp { noteMoment?.timestamp ?? created }

    /// All photos, memo by memo.
    public var photos: [Photo] { memos.flatMap(\.photos) }
}
