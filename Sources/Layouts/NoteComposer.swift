public import Notes
import Photos

/// Makes a note of a draft, or of one part of it: rendered, held against the rules of ENML, with exactly those
/// resources that its content refers to.
public struct NoteComposer {
    private let sheet: LayoutSheet
    private let language: Language
    private let captions: Captions

    /// A draft that no note can be made of.
    public enum Failure: Error, Hashable, Sendable {
        /// Two files differ and have the same MD5, by which a note tells its resources apart.
        case sameHash([String])
    }

    public init(sheet: LayoutSheet, language: Language, captions: Captions = .standard) {
        self.sheet = sheet
        self.language = language
        self.captions = captions
    }

    /// - Parameters:
    ///   - memos: Those of the part, by index; nil for all.
    ///   - uid: The note's name for the world.
    ///   - title: Fits Evernote's rule, with the part's number in it.
    ///   - pictures: What stands for each photo, by `Photo.id`.
    /// - Throws: `StylesheetError`, `ENMLError`, `Failure`.
    public func compose(
        _ draft: Draft, memos range: Range<Int>? = nil, part: NotePart? = nil, uid: String, title: String,
        pictures: [Int64: Picture]
    ) throws -> (note: Note, warnings: [DraftDocument.Warning]) {
        let document = DraftDocument(
            of: draft, memos: range, pictures: pictures, title: title, layout: sheet.name, language: language,
            captions: captions, part: part)
        let enml = try sheet.render(document)
        let memos = draft.memos[range ?? draft.memos.indices]
        let available = try Self.resources(of: memos, pictures: pictures)
        var names = FileNames.Unique()
        // By first mention: importers that match by position need that order.
        let resources = try ENMLValidator.check(enml, resources: Set(available.keys)).compactMap { hash in
            available[hash].map { Self.named(&names, $0) }
        }
        let subject = draft.moment ?? memos.compactMap(\.moment).min(by: Moment.isEarlier)
        let note = Note(
            uid: uid, title: title, enml: enml, created: draft.noteCreated,
            createdOffset: draft.noteMoment.map { $0.offset ?? 0 }, updated: draft.updated, notebook: draft.notebook,
            tags: draft.tags,
            attributes: NoteAttributes(
                place: draft.place ?? memos.lazy.compactMap(\.place).first, sourceURL: "evergear://note/\(uid)",
                sourceApplication: "evergear", titleQuality: draft.isTitleGenerated ? Self.mediumQuality : nil,
                subjectDate: subject?.timestamp.milliseconds),
            resources: resources)
        return (note, document.warnings)
    }

    /// `NOTE_TITLE_QUALITY_MEDIUM` of Evernote's IDL: a folder's name and dates say something, not everything.
    private static let mediumQuality = 2

    /// Everything that could be attached, by hash. Identical bytes are one resource.
    private static func resources(
        of memos: ArraySlice<Memo>, pictures: [Int64: Picture]
    ) throws(Failure) -> [MD5: Resource] {
        var resources: [MD5: Resource] = [:]
        for photo in memos.lazy.flatMap(\.photos) {
            guard let picture = pictures[photo.id] else { continue }
            for resource in [picture.full, picture.thumb].compactMap(\.self) {
                if let other = resources[resource.blob.md5] {
                    guard other.blob == resource.blob else {
                        throw .sameHash([other.attributes.fileName, resource.attributes.fileName])
                    }
                } else {
                    resources[resource.blob.md5] = resource
                }
            }
        }
        return resources
    }

    /// The resource with a file name that no other has, and that ends as its type does: importers go by it.
    private static func named(_ names: inout FileNames.Unique, _ resource: Resource) -> Resource {
        var resource = resource
        let name = resource.attributes.fileName
        let stem = FileNames.stem(name)
        let old = String(name.dropFirst(stem.count + 1))
        let format = PhotoFormat(mime: resource.mime)
        let isFitting = format?.allows(fileExtension: old.lowercased()) ?? true
        resource.attributes.fileName = names.name(stem, fileExtension: isFitting ? old : format?.fileExtension ?? "")
        return resource
    }
}
