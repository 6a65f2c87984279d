public import Notes
import Storage

/// Turns a draft into its notes: makes the pictures, cuts it into parts, renders each and holds it against the rules.
public struct NoteMaker {
    public struct Options {
        public var language: Language
        public var captions = Captions.standard
        public var limits = NotePlanner.Limits()

        public init(language: Language) { self.language = language }
    }

    /// Notes made of a draft, and what its writer should know of them.
    public struct Made {
        public var notes: [Note] = []
        /// Memos of each note.
        public var photoCounts: [Int] = []
        /// What was changed in the draft's title, in a tag or in the notebook's name so that it fits.
        public var nameChanges: [(name: String, change: NameChange)] = []
        public var warnings: [DraftDocument.Warning] = []
        /// Sentences on photos that go out otherwise than asked.
        public var notices: [String] = []
        /// How large the pictures may be for one note to hold the draft.
        public var oneNote = PictureSizeAdvice.fits
        /// How the pixels of resources that are not upright are to be turned to be seen so, 2 to 8.
        public var turns: [BlobKey: Int] = [:]
    }

    /// A name in a draft that no service takes, and that cannot be mended without being another one.
    public struct NameRefused: Error, Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable {
            case tag, notebook
        }
        public let kind: Kind
        public let name: String
        public let problem: NameProblem
    }

    /// More tags than a note may have.
    public struct TooManyTags: Error, Hashable, Sendable {
        public let count: Int
        public let limit: Int
    }

    /// Something in a draft is more than a note may hold.
    public struct Overfull: Error, Hashable, Sendable {
        /// The number of the memo that is too much; nil where it is none alone.
        public let memo: Int?
        /// What is said of a memo in it is said of this one.
        public let reason: PlanError
        /// The shipped layout that was to be made; nil for a user's own.
        public let layout: Layout?
    }

    /// Evernote's `EDAM_NOTE_TAGS_MAX`.
    private static let mostTags = 100

    private let sheet: LayoutSheet
    private let pictures: PictureMaker
    private let options: Options

    public init(sheet: LayoutSheet, pictures: PictureMaker, options: Options) {
        self.sheet = sheet
        self.pictures = pictures
        self.options = options
    }

    /// The name of the layout.
    public var layout: String { sheet.name }

    /// - Parameters:
    ///   - now: The time in the notes' names for the world.
    ///   - made: Called with the number of photos whose pictures are ready.
    /// - Throws: `NameRefused`, `TooManyTags`, `Overfull`, `PlaceStays`, `StylesheetError`, `ENMLError`, `NoteComposer.Failure`, `StoreError`,
    ///   `ImagingError`, `Interrupted`.
    public func make(_ draft: Draft, at now: Timestamp, made: (Int) -> Void = { _ in }) throws -> Made {
        var result = Made()
        var draft = try withFittingNames(draft, &result)
        // Known before a picture is made, and before a text of megabytes is laid out.
        let characters = draft.body.unicodeScalars.count
        guard characters <= options.limits.characters else {
            throw overfull(.headTooLong(characters: characters, limit: options.limits.characters), memo: nil)
        }
        let pictures = try pictures.pictures(of: draft.photos, for: sheet.shipped, made: made)
        for picture in draft.photos.compactMap({ pictures[$0.id] }) {
            result.notices += [picture.notice, picture.remark].compactMap(\.self)
            if let full = picture.full, picture.turn != 1 { result.turns[full.blob] = picture.turn }
        }

        let whole = Self.weight(
            of: draft.photos,
            characters: draft.memos.reduce(Self.characters(of: draft.body)) { $0 + Self.characters(of: $1) },
            pictures: pictures)
        let parts = try plan(&draft, pictures)
        if parts.count > 1 { result.oneNote = advice(whole, draft.photos.compactMap { pictures[$0.id]?.full }) }
        try compose(draft, parts, pictures, at: now, into: &result)
        return result
    }

    /// Cuts what no note can hold whole, and finds the memos of each part.
    private func plan(_ draft: inout Draft, _ pictures: [Int64: Picture]) throws(Overfull) -> [Range<Int>] {
        let planner = NotePlanner(options.limits)
        let head = Self.characters(of: draft.body)
        var pieces: [Memo] = []
        for (index, memo) in draft.memos.enumerated() {
            do throws(PlanError) {
                pieces += try planner.cut(
                    memo, text: Self.characters(of: memo.text), frame: Self.charactersOfMemo,
                    head: index == 0 ? head : 0
                ) { photo in Self.weight(of: [photo], characters: 0, pictures: pictures) }
            } catch { throw overfull(error, memo: memo.number) }
        }
        draft.memos = pieces
        let weights = pieces.map { memo in
            Self.weight(of: memo.photos, characters: Self.characters(of: memo), pictures: pictures)
        }
        do throws(PlanError) {
            return try planner.parts(weights, head: head)
        } catch { throw overfull(error, memo: error.memo.map { pieces[$0].number }) }
    }

    private func overfull(_ reason: PlanError, memo: Int?) -> Overfull {
        if case .headTooLong = reason { return Overfull(memo: nil, reason: reason, layout: sheet.shipped) }
        return Overfull(memo: memo, reason: reason, layout: sheet.shipped)
    }

    /// - Parameters:
    ///   - whole: All that the planner reckons with.
    ///   - attached: The pictures themselves, and videos.
    private func advice(_ whole: NotePlanner.Weight, _ attached: [Resource]) -> PictureSizeAdvice {
        if sheet.shipped == .thumbs { return .never }
        let others = Set(whole.resources).subtracting(attached.map(\.blob)).reduce(0) { $0 + $1.size }
        return PictureSizeAdvice.advise(
            attached, photos: whole.photos, text: whole.text, others: others, limits: options.limits)
    }

    private func compose(
        _ draft: Draft, _ parts: [Range<Int>], _ pictures: [Int64: Picture], at now: Timestamp, into result: inout Made
    ) throws {
        let composer = NoteComposer(sheet: sheet, language: options.language, captions: options.captions)
        let titles = parts.indices.map { index in
            NoteTitle.fit(draft.title, suffix: parts.count > 1 ? " (\(index + 1)/\(parts.count))" : "")
        }
        result.nameChanges += (titles.first?.changes ?? []).map { (draft.title, $0) }
        for (index, range) in parts.enumerated() {
            let part = NotePart(
                number: index + 1, count: parts.count, previousTitle: index > 0 ? titles[index - 1].title : nil,
                nextTitle: index + 1 < parts.count ? titles[index + 1].title : nil)
            let (note, warnings) = try composer.compose(
                draft, memos: range, part: parts.count > 1 ? part : nil, uid: UID.make(at: now),
                title: titles[index].title, pictures: pictures)
            guard note.size <= options.limits.bytes else {
                let files = note.resources.reduce(0) { $0 + $1.blob.size }
                throw overfull(
                    .tooLarge(
                        memo: range.lowerBound, bytes: note.size, text: note.size - files, limit: options.limits.bytes),
                    memo: range.count == 1 ? draft.memos[range.lowerBound].number : nil)
            }
            result.notes.append(note)
            result.photoCounts.append(draft.memos[range].reduce(0) { $0 + $1.photos.count })
            // What is wrong with the title or the text is the same in each part.
            result.warnings += warnings.filter { !result.warnings.contains($0) }
        }
    }

    /// Why the draft's tags and notebook are in no note, for who wants to know it before one is made: each a `NameRefused`, or
    /// `TooManyTags`.
    public static func refusals(ofNamesIn draft: Draft) -> [any Error] {
        var refusals: [any Error] = []
        func look(_ name: String, _ kind: NameRefused.Kind, _ rule: (String) throws(NameProblem) -> Void) {
            do throws(NameProblem) {
                try rule(name)
            } catch { refusals.append(NameRefused(kind: kind, name: name, problem: error)) }
        }
        if let notebook = draft.notebook {
            look(notebook, .notebook) { name throws(NameProblem) in _ = try NotebookName.fit(name) }
        }
        for tag in draft.tags { look(tag, .tag) { name throws(NameProblem) in _ = try TagName.fit(name) } }
        let count = Set(draft.tags).count
        if count > mostTags { refusals.append(TooManyTags(count: count, limit: mostTags)) }
        return refusals
    }

    private func withFittingNames(_ draft: Draft, _ result: inout Made) throws -> Draft {
        func fit(
            _ name: String, _ kind: NameRefused.Kind,
            _ rule: (String) throws(NameProblem) -> (name: String, changes: [NameChange])
        ) throws(NameRefused) -> String {
            do throws(NameProblem) {
                let fitted = try rule(name)
                result.nameChanges += fitted.changes.map { (name, $0) }
                return fitted.name
            } catch { throw NameRefused(kind: kind, name: name, problem: error) }
        }
        var fitted = draft
        fitted.notebook = try draft.notebook.map { name in try fit(name, .notebook, NotebookName.fit) }
        var tags: [String] = []
        for tag in draft.tags {
            let name = try fit(tag, .tag, TagName.fit)
            if !tags.contains(name) { tags.append(name) }
        }
        guard tags.count <= Self.mostTags else { throw TooManyTags(count: tags.count, limit: Self.mostTags) }
        fitted.tags = tags
        return fitted
    }

    // What a memo weighs before it is rendered. Characters are reckoned high: by the longest that the shipped layouts
    // write around a line, a photo and a caption.

    private static let charactersOfPhoto = 1_100
    private static let charactersOfMemo = 800

    private static func weight(
        of photos: [Photo], characters: Int, pictures: [Int64: Picture]
    ) -> NotePlanner.Weight {
        let files = photos.compactMap { pictures[$0.id] }.flatMap { [$0.full, $0.thumb] }.compactMap { $0?.blob }
        return NotePlanner.Weight(
            photos: photos.count, resources: files, text: characters + photos.count * charactersOfPhoto)
    }

    private static func characters(of memo: Memo) -> Int { charactersOfMemo + characters(of: memo.text) }

    /// Markup for each line and link, and `&amp;` for a character.
    private static func characters(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar {
            case "&", "<", ">", "\"": sum + 6
            case ":": sum + 30
            case "\n", "\r", "\u{2028}", "\u{2029}": sum + 30
            default: sum + 2
            }
        }
    }
}
