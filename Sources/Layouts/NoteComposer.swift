public import Notes

/// Makes a note of a draft, or of one part of it: rendered, held against the rules of ENML, with exactly those
/// resources that its content refers to.
public struct NoteComposer {
    private let sheet: LayoutSheet
    private let language: Language
    private let captions: Captions
    private let validate: (_ enml: String, _ resources: Set<MD5>) throws -> Void

    /// A draft that no note can be made of.
    public enum Failure: Error, Hashable, Sendable {
        /// Two files differ and have the same MD5, by which a note tells its resources apart.
        case sameHash([String])
        /// The content refers to a picture that the draft does not have; by the hash that it gives.
        case unknownPicture(String)
    }

    /// - Parameter validate: Throws where a note's content breaks the rules of ENML, or refers to a resource that is
    ///   none of these.
    public init(
        sheet: LayoutSheet, language: Language, captions: Captions = .standard,
        validate: @escaping (_ enml: String, _ resources: Set<MD5>) throws -> Void
    ) {
        self.sheet = sheet
        self.language = language
        self.captions = captions
        self.validate = validate
    }

    /// - Parameters:
    ///   - memos: Those of the part, by index; nil for all.
    ///   - uid: The note's name for the world.
    ///   - title: Fits Evernote's rule, with the part's number in it.
    ///   - pictures: What stands for each photo, by `Photo.id`.
    /// - Throws: `StylesheetError`, what `validate` throws, `Failure`.
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
        try validate(enml, Set(available.keys))

        var names = FileNames()
        let resources = try Self.references(in: enml).map { hash in
            guard let md5 = MD5(hex: hash), var resource = available[md5] else { throw Failure.unknownPicture(hash) }
            resource.attributes.fileName = names.next(resource.attributes.fileName, mime: resource.mime)
            return resource
        }
        let subject = draft.moment ?? memos.compactMap(\.moment).min(by: Moment.isEarlier)
        let note = Note(
            uid: uid, title: title, enml: enml, created: draft.noteCreated, updated: draft.updated,
            notebook: draft.notebook, tags: draft.tags,
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

    /// The hashes of a note's `en-media`, each once, in the order in which they are first named: importers that match
    /// by position need that order.
    static func references(in enml: String) throws -> [String] {
        var hashes: [String] = []
        var seen: Set<String> = []
        try XMLTree(Array(enml.utf8), allowsDocumentType: true).root?.visit { element in
            guard element.name == "en-media", let hash = element.attribute("hash")?.lowercased() else { return }
            if seen.insert(hash).inserted { hashes.append(hash) }
        }
        return hashes
    }
}
