import Hashing
import Layouts
import Notes
import Photos
import Storage
import System

/// Makes notes of drafts the way the command line and the settings ask for.
struct NoteMaking {
    let context: Context
    let store: Store
    let look: LookOptions
    let parts: PartOptions
    private let templates: TemplateFolder
    private let imaging: ImagingClient
    private let workers: Int

    /// - Throws: `TemplateFolder.Missing`.
    init(_ context: Context, _ store: Store, look: LookOptions, parts: PartOptions = PartOptions()) throws {
        self.context = context
        self.store = store
        self.look = look
        self.parts = parts
        templates = try TemplateFolder()
        workers = Processors.count
        imaging = ImagingClient(workers: workers)
    }

    /// The layout that a draft gets: asked for, else the draft's own, else the setting's.
    func layout(of draft: Draft) -> LayoutChoice {
        look.layout ?? draft.layout.flatMap { LayoutChoice(argument: $0) } ?? context.configuration.layout
    }

    /// - Parameter layout: nil: the one that the draft gets.
    /// - Throws: What is wrong with this draft, its layout or the store; `Interrupted`.
    func make(_ draft: Draft, layout: LayoutChoice? = nil, progress: Progress? = nil) throws -> NoteMaker.Made {
        let choice = layout ?? self.layout(of: draft)
        let sheet = try LayoutSheet(asked: choice.stored, in: templates, ownFolder: context.home.layouts)
        let maker = NoteMaker(sheet: sheet, pictures: pictures, options: options)
        return try maker.make(draft, at: context.now()) { count in progress?.advance(items: count) }
    }

    var limits: NotePlanner.Limits {
        NotePlanner.Limits(
            photos: parts.photosPerNote ?? context.configuration.photosPerNote,
            bytes: (parts.noteBytes ?? context.configuration.noteBytes).bytes)
    }

    private var options: NoteMaker.Options {
        var options = NoteMaker.Options(language: context.language(look.lang))
        options.captions = look.caption ?? context.configuration.caption
        options.limits = limits
        return options
    }

    var pictures: PictureMaker {
        PictureMaker(store: store, imaging: imaging, workers: workers, options: pictureOptions)
    }

    private var pictureOptions: PictureOptions {
        let settings = context.configuration
        var options = PictureOptions()
        options.thumbSize = look.thumbSize ?? settings.thumbSize
        options.photoSize = look.photoSize ?? settings.photoSize
        options.keepsOriginals = (look.originals ?? settings.originals) == .keep
        return options
    }

    /// All that the notes of a draft depend on, as a digest: equal for a draft that nobody changed and that is asked for
    /// in the same look. The version of the program and of the shipped layouts is no part of it, so that an update does
    /// not send everything anew.
    func digest(of draft: Draft) throws -> String {
        let layout = layout(of: draft)
        let settings = options
        var parts: [String] = [
            draft.uid, draft.text, draft.notebook ?? "", "\(draft.moment?.description ?? "")", "\(draft.place as Any)",
            layout.description, settings.language.rawValue, "\(settings.captions.rawValue)", "\(pictureOptions)",
            "\(limits)",
        ]
        parts += draft.tags
        for memo in draft.memos {
            parts += [memo.text, "\(memo.moment as Any)", "\(memo.place as Any)"]
            parts += memo.photos.map(\.blob.description)
        }
        if case .stylesheet(let path) = layout { parts.append(MD5.hex(try Files.read(path, limit: 1 << 20))) }
        let digest = Digest(.sha256)
        for part in parts { digest.update(Array("\(part.utf8.count) \(part)\n".utf8)) }
        return MD5.hex(digest.finish())
    }
}

extension NoteMaker.Made {
    /// Sentences on what was changed, left out, or attached otherwise.
    func remarks(on draft: Draft) -> [String] {
        let names = nameChanges.map { "\"\($0.name)\" was changed to fit: \($0.change)." }
        let texts = warnings.map { warning in
            switch warning {
            case .droppedCharacters(let count, let spot):
                "\(Words.count(count, "control character")) left out of \(spot.words)."
            case .emptyMemo(let position): "memo \(position) has neither words nor a photo, and is left out."
            case .unknownZone(let memo, let clock):
                "memo \(memo): the time zone is unknown: \(clock) is the camera's clock."
            }
        }
        return (names + texts + notices.map { $0 + "." }).map { "draft \(draft.id): \($0)" }
    }
}

extension DraftDocument.Spot {
    fileprivate var words: String {
        switch self {
        case .title: "the title"
        case .text: "the text"
        case .memo(let position): "memo \(position)"
        }
    }
}
