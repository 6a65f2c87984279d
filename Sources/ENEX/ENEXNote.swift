public import Notes

/// A note as an ENEX file has it.
public struct ENEXNote: Hashable, Sendable {
    public var title = ""
    public var content = ""
    public var created: Timestamp?
    public var updated: Timestamp?
    public var tags: [String] = []
    public var attributes = NoteAttributes()
    public var resources: [ENEXResource] = []

    /// What is not as in the note that was to be written, in words; empty where all is there.
    ///
    /// Times are compared to the second, which is all that the format keeps.
    public func differences(from note: Note) -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ isSame: Bool) { if !isSame { found.append(what) } }
        func isSame(_ a: String?, _ b: String?) -> Bool { a.map { Array($0.utf8) } == b.map { Array($0.utf8) } }
        func isSame(_ a: Timestamp?, _ milliseconds: Int64?) -> Bool {
            let date = milliseconds.flatMap { ENEXText.date(Timestamp(milliseconds: $0)) }
            return a.flatMap(ENEXText.date) == date
        }
        compare("the title", isSame(title, note.title))
        compare("the text", Array(content.utf8) == ENEXText.content(note.enml))
        compare("the time of creation", isSame(created, note.created.milliseconds))
        compare("the time of the last change", isSame(updated, note.updated.milliseconds))
        compare("the tags", tags.map { Array($0.utf8) } == note.tags.map { Array($0.utf8) })
        compare(
            "the place",
            attributes.latitude == note.attributes.latitude && attributes.longitude == note.attributes.longitude
                && attributes.altitude == note.attributes.altitude
                && isSame(attributes.placeName, AttributeText.valid(note.attributes.placeName)))
        compare("the address", isSame(attributes.sourceURL, AttributeText.valid(note.attributes.sourceURL)))
        compare("the number of resources", resources.count == note.resources.count)
        for (read, wanted) in zip(resources, note.resources) {
            let name = wanted.attributes.fileName
            compare("the bytes of \(name)", read.md5 == wanted.blob.md5 && read.size == wanted.blob.size)
            compare("the kind of \(name)", isSame(read.mime, wanted.mime))
            compare("the name of \(name)", isSame(read.attributes.fileName, name))
            compare(
                "the time of \(name)",
                isSame(
                    read.attributes.timestamp.map { Timestamp(milliseconds: $0) }, wanted.attributes.timestamp))
        }
        return found
    }
}

/// A resource as an ENEX file has it; its bytes went by.
public struct ENEXResource: Hashable, Sendable {
    /// Computed from the bytes.
    public let md5: MD5
    /// Bytes.
    public let size: Int64
    public let mime: String
    public let pixels: PixelSize?
    /// `fileName` is empty where there is none.
    public let attributes: ResourceAttributes
}
