import Layouts
import Notes
import Storage

/// Shows which notes drafts would become: what is printed is what sending would make, pictures and all.
struct PlanReport {
    private let context: Context
    private let store: Store
    private let making: NoteMaking
    private let advice: AccountAdvice

    init(_ context: Context, _ store: Store, _ making: NoteMaking, _ advice: AccountAdvice) {
        self.context = context
        self.store = store
        self.making = making
        self.advice = advice
    }

    /// - Parameter isAlone: Whether no other draft was asked for.
    /// - Returns: How the program would end for each draft that no note can be made of; the others are shown.
    /// - Throws: What concerns all drafts; `Interrupted`.
    func print(_ drafts: [Draft], isAlone: Bool) throws -> [ExitStatus] {
        let output = context.output
        let progress = Progress(output, "Preparing", totalItems: drafts.reduce(0) { $0 + $1.photos.count })
        defer { progress.finish() }
        if drafts.isEmpty { output.line("There is nothing to send.") }
        var refused: [ExitStatus] = []
        for draft in drafts {
            do {
                try show(draft, making.make(draft, progress: progress))
            } catch {
                guard let refusal = Refusal(of: draft, error) else { throw error }
                refused.append(refusal.failure.status)
                try refusal.tell(output, isAlone: isAlone)
            }
        }
        if let line = advice.line { output.line(line) }
        return refused
    }

    private func show(_ draft: Draft, _ made: NoteMaker.Made) throws {
        let output = context.output
        let layout = making.layout(of: draft)
        let words = advice.words(on: made.notes)
        if output.isJSON { return try output.json(PlanJSON(draft, made, layout: layout.description, words)) }
        for remark in made.remarks(on: draft) { output.remark(remark) }
        output.line(
            "Draft \(draft.id): \(Words.title(draft.title)) · layout \(layout) · \(Words.count(made.notes.count, "note"))"
        )
        var table = Table([("note", .title), ("photos", .right), ("files", .right), ("size", .right)])
        for (note, photos) in zip(made.notes, made.photoCounts) {
            table.add([note.title, "\(photos)", "\(note.resources.count)", Words.size(note.size)])
        }
        output.lines(table.lines(width: output.columns).map { "  " + $0 })
        output.line("  " + self.words(made.oneNote, draft))
        for (note, words) in zip(made.notes, words) { if let words { output.line("  \(note.title): \(words)") } }
    }

    private func words(_ advice: PictureSizeAdvice, _ draft: Draft) -> String {
        switch advice {
        case .fits: "One note holds it, with the pictures as they are asked for."
        case .longSide(let pixels):
            "One note would hold it with pictures of at most \(pixels) pixels (--photo-size \(pixels)), by estimate."
        case .never where draft.photos.count > making.limits.photos:
            "It has \(draft.photos.count) photos, and one note holds \(making.limits.photos)."
        case .never: "No picture size makes it fit one note."
        }
    }
}

/// A line of `plan --json`: one draft.
struct PlanJSON: Encodable {
    let draft: Int64
    let title: String
    let layout: String
    let notes: [Note]
    /// The long side in pixels at which one note would hold the draft; null where it fits as it is, or at none.
    @Null var oneNotePhotoSize: Int?

    struct Note: Encodable {
        let title: String
        let part: Int
        let parts: Int
        let photos: Int
        let files: Int
        let bytes: Int64
        /// Why the account does not take it, or not yet; null where it does.
        @Null var reason: String?
    }

    /// - Parameter words: What the account has against each note.
    init(
        _ draft: Draft, _ made: NoteMaker.Made, layout: String, _ words: [String?]
    ) {
        self.draft = draft.id
        title = draft.title
        self.layout = layout
        notes = zip(made.notes, made.photoCounts).enumerated().map { index, pair in
            Note(
                title: pair.0.title, part: index + 1, parts: made.notes.count, photos: pair.1,
                files: pair.0.resources.count, bytes: pair.0.size, reason: words[index])
        }
        if case .longSide(let pixels) = made.oneNote { oneNotePhotoSize = pixels }
    }
}
