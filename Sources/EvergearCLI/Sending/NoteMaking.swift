import Layouts
import Notes
import Photos
import Storage
import System

/// Makes notes of drafts the way the command line and the settings ask for.
final class NoteMaking {
    let limits: NotePlanner.Limits
    let pictures: PictureMaker
    private let context: Context
    private let blobs: BlobStore
    private let look: LookOptions
    private let pictureOptions: PictureOptions
    private let discretion: Discretion
    private let templates: TemplateFolder
    private var sheets: [String: LayoutSheet] = [:]

    /// - Parameter noteSizeMax: Bytes that the account takes in a note; nil where there is none.
    /// - Throws: `TemplateFolder.Missing`; what is wrong with the layout asked for.
    init(
        _ context: Context, _ store: Store, look: LookOptions, parts: PartOptions = PartOptions(),
        noteSizeMax: Int64? = nil
    ) throws {
        let settings = context.configuration
        self.context = context
        self.look = look
        blobs = store.blobs
        limits = NotePlanner.Limits(
            photos: parts.photosPerNote ?? settings.photosPerNote,
            bytes: min(parts.noteBytes?.bytes ?? noteSizeMax ?? settings.noteBytes.bytes, noteSizeMax ?? .max))
        var options = PictureOptions()
        options.thumbSize = look.thumbSize ?? settings.thumbSize
        options.photoSize = look.photoSize ?? settings.photoSize
        options.keepsOriginals = (look.originals ?? settings.originals) == .keep
        pictureOptions = options
        discretion = Discretion(
            isEverywhere: look.stripLocation || settings.stripLocation, zones: settings.noGoZones,
            blobs: store.blobs)
        let workers = Processors.count
        pictures = PictureMaker(
            store: store, imaging: ImagingClient(workers: workers), workers: workers, options: options)
        templates = try TemplateFolder()
        if let layout = look.layout { _ = try sheet(layout) }
    }

    /// The layout that a draft gets: asked for, else the draft's own, else the setting's.
    func layout(of draft: Draft) -> LayoutChoice {
        look.layout ?? draft.layout.flatMap { LayoutChoice(argument: $0) } ?? setting
    }

    private var setting: LayoutChoice {
        let choice = context.configuration.layout
        return if case .stylesheet(let path) = choice { .stylesheet(context.home.expand(path)) } else { choice }
    }

    /// - Parameter layout: nil: the one that the draft gets.
    /// - Throws: What is wrong with this draft, its layout or the store; `Interrupted`.
    func make(_ draft: Draft, layout: LayoutChoice? = nil, progress: Progress? = nil) throws -> NoteMaker.Made {
        var options = NoteMaker.Options(language: context.language(look.lang))
        options.captions = captions
        options.limits = limits
        let maker = NoteMaker(
            sheet: try layout.map { try sheet($0) } ?? sheet(of: draft), pictures: pictures, options: options)
        // What is here now is not freed before the notes are queued.
        try blobs.hold()
        let discreet = discretion.applied(to: draft)
        var made: NoteMaker.Made
        do {
            made = try maker.make(discreet.draft, at: context.now()) { count in progress?.advance(items: count) }
        } catch let stays as PlaceStays {
            throw stays.because(Self.mayTellPlace, of: discreet.doubtful)
        }
        made.notices.insert(contentsOf: discreet.remarks, at: 0)
        try requireBytes(of: made, draft)
        return made
    }

    private static let mayTellPlace =
        "it tells no place that is read here, and has parts that may tell one in a zone where places stay at home"

    /// A note is not queued without its photos.
    /// - Throws: `StoreError.missingBlob`, once all that are missing are told.
    private func requireBytes(of made: NoteMaker.Made, _ draft: Draft) throws {
        let gone = try made.notes.flatMap(\.resources).map(\.blob).filter { try !blobs.contains($0) }
        guard let first = gone.first else { return }
        let names = draft.photos.filter { gone.contains($0.blob) }.map(\.name)
        if !names.isEmpty {
            let more = names.count > 10 ? ["\(names.count - 10) others"] : []
            context.output.problem(
                "draft \(draft.id): the bytes of \(Words.list(names.prefix(10) + more)) are not here any more.")
        }
        throw StoreError.missingBlob(first)
    }

    /// The name of all that the notes of a draft depend on.
    /// - Throws: What is wrong with its layout.
    func digest(of draft: Draft) throws -> String {
        let sheet = try sheet(of: draft)
        return DraftDigest.of(
            discretion.applied(to: draft).draft,
            DraftDigest.Look(
                layout: sheet.shipped, sheet: sheet.ownText, language: look.lang ?? context.configuration.lang,
                captions: captions, pictures: pictureOptions))
    }

    private var captions: Captions {
        var captions = look.caption ?? context.configuration.caption
        switch look.places ?? context.configuration.places {
        case .full: break
        case .coarse: if captions.contains(.place) { captions.insert(.coarse) }
        case .none: captions.remove(.place)
        }
        return captions
    }

    /// - Throws: `ConfigurationError` where a setting names a layout that is not there.
    private func sheet(of draft: Draft) throws -> LayoutSheet {
        do {
            return try sheet(layout(of: draft))
        } catch
            where look.layout == nil && draft.layout == nil && (error is LayoutSheet.Unknown || error is SystemError)
        {
            throw ConfigurationError("the setting layout: " + Failure(error).sentence.dropLast())
        }
    }

    private func sheet(_ choice: LayoutChoice) throws -> LayoutSheet {
        if let known = sheets[choice.stored] { return known }
        let sheet = try LayoutSheet(asked: choice.stored, in: templates, ownFolder: context.home.layouts)
        sheets[choice.stored] = sheet
        return sheet
    }
}

extension NoteMaker.Made {
    /// One sentence for all memos of an unknown zone: a camera that knows none takes every photo so.
    private var zones: [String] {
        let memos = warnings.compactMap { warning -> (number: Int, clock: String)? in
            if case .unknownZone(let memo, let clock) = warning { (memo, clock) } else { nil }
        }
        guard let first = memos.first else { return [] }
        let others = memos.count > 1 ? " and \(Words.count(memos.count - 1, "other"))" : ""
        return ["memo \(first.number)\(others): the time zone is unknown: \(first.clock) is the camera's clock."]
    }

    /// Sentences on what was changed, left out, or attached otherwise.
    func remarks(on draft: Draft) -> [String] {
        let names = nameChanges.map { "\"\(Words.title($0.name))\" was changed to fit: \($0.change)." }
        let texts = warnings.compactMap { warning -> String? in
            switch warning {
            case .droppedCharacters(let count, let spot):
                "\(Words.count(count, "control character")) left out of \(spot.words)."
            case .emptyMemo(let memo): "memo \(memo) has neither words nor a photo, and is left out."
            case .unknownZone: nil
            }
        }
        return (names + texts + zones + notices.map { $0 + "." }).map { "draft \(draft.id): \($0)" }
    }
}

extension DraftDocument.Spot {
    fileprivate var words: String {
        switch self {
        case .title: "the title"
        case .text: "the text"
        case .memo(let number): "memo \(number)"
        }
    }
}
