import Hashing
public import Notes
public import System

/// Writes notes to an ENEX file, Evernote's exchange format (version 3), piece by piece: memory stays flat whatever the
/// size of the notes.
///
/// The form is the one that the importers of Evernote, Joplin, Obsidian, Apple Notes and others all read: content in one
/// CDATA section that begins with the XML declaration, every body in base64 with its encoding named, the resources in the
/// order of their mention, each with a file name.
public final class ENEXWriter {
    /// What the file says it was made by. Some importers know only Evernote's own programs.
    public struct Maker: Hashable, Sendable {
        public var application: String
        public var version: String

        public init(application: String, version: String) {
            self.application = application
            self.version = version
        }

        /// As NixNote 2 wants it, which refuses every other program's files.
        public static let nixnote2 = Maker(application: "Evernote", version: "6.x")
    }

    /// What became of a finished file.
    public struct Written: Hashable, Sendable {
        public let notes: Int
        public let bytes: Int64
        public let sha256: [UInt8]
    }

    private let output: ENEXOutput
    /// For the MD5s; the output has its own for the whole. With both beside it, this thread reads, encodes and writes.
    private let hashing = DigestThread()
    private let bodies: [UnsafeMutableRawBufferPointer]
    private var notes = 0
    private var isUsable = true

    /// - Parameters:
    ///   - path: A temporary name that is not in use yet. The file stays where it is if something fails: its owner removes
    ///     it.
    ///   - exported: The time in the file's header.
    /// - Throws: `ENEXError`
    public init(_ path: FilePath, maker: Maker, exported: Timestamp) throws(ENEXError) {
        do throws(SystemError) {
            output = ENEXOutput(try FileDescriptor.create(path))
        } catch { throw .file(error) }
        // A multiple of a base64 line; its characters fit a buffer of the output.
        bodies = (0..<4).map { _ in .allocate(byteCount: Base64.bytesInLine * 6_800, alignment: 64) }
        try write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">
            <en-export
            """)
        if let date = ENEXText.date(exported) { try write(" export-date=\"\(date)\"") }
        try write(" application=\"")
        try write(ENEXText.escape(maker.application))
        try write("\" version=\"")
        try write(ENEXText.escape(maker.version))
        try write("\">\n")
    }

    deinit {
        hashing.end()
        for body in bodies { body.deallocate() }
    }

    /// Bytes so far.
    public var count: Int64 { output.count }

    /// The bytes that a note will add to a file, to a few hundred: for files of a limited size.
    public static func size(of note: Note) -> Int64 {
        var size = 1_000 + Int64(note.enml.utf8.count) + 8 * Int64(note.title.utf8.count)
        for tag in note.tags { size += 24 + Int64(tag.utf8.count) }
        for resource in note.resources {
            let characters = resource.blob.size / 57 * 77 + 80
            size += characters + 600
        }
        return size
    }

    /// Adds a note.
    ///
    /// - Parameter open: Opens the bytes of a resource.
    /// - Throws: `ENEXError`, `Interrupted`, or what `open` throws. The file is of no use then.
    public func append(_ note: Note, open: (Resource) throws -> FileDescriptor) throws {
        guard isUsable else { throw ENEXError.unusable }
        isUsable = false
        try check(note)
        try write("<note>\n")
        try element("title", note.title)
        try write("<content><![CDATA[")
        try write(ENEXText.content(note.enml))
        try write("]]></content>\n")
        try element("created", ENEXText.date(note.created))
        try element("updated", ENEXText.date(note.updated))
        for tag in note.tags { try element("tag", tag) }
        try attributes(of: note)
        for resource in note.resources { try append(resource, of: note, open) }
        try write("</note>\n")
        notes += 1
        isUsable = true
    }

    /// Ends the file, which is on the disk then (its name in the folder not yet).
    /// - Throws: `ENEXError`
    public func finish() throws(ENEXError) -> Written {
        guard isUsable else { throw .unusable }
        isUsable = false
        guard notes > 0 else { throw .noNotes }
        try write("</en-export>\n")
        do throws(SystemError) {
            let bytes = output.count
            return Written(notes: notes, bytes: bytes, sha256: try output.finish(syncing: true))
        } catch { throw .file(error) }
    }

    // MARK: Notes

    /// What would make the file wrong, or useless to an importer, is refused before its first byte.
    private func check(_ note: Note) throws(ENEXError) {
        func refuse(_ reason: String) -> ENEXError { .noteRefused(note: note.title, reason: reason) }
        if AttributeText.valid(note.title) == nil { throw refuse("it has no title") }
        if note.enml.isEmpty { throw refuse("it has no content") }
        var names: Set<String> = []
        for resource in note.resources {
            let name = resource.attributes.fileName
            guard AttributeText.valid(name) == name, !name.utf8.contains(UInt8(ascii: "/")) else {
                throw refuse("\"\(name)\" is no name for a file")
            }
            guard names.insert(name).inserted else { throw refuse("two resources are named \"\(name)\"") }
            let kind = resource.mime.split(separator: "/", omittingEmptySubsequences: false)
            guard kind.count == 2, kind.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isOfMIME) }) else {
                throw refuse("\"\(resource.mime)\" is no MIME type")
            }
        }
    }

    private static func isOfMIME(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic && byte < 0x80 || scalar.properties.numericType != nil && byte < 0x80
            || "._+-".unicodeScalars.contains(scalar)
    }

    private func attributes(of note: Note) throws(ENEXError) {
        let attributes = note.attributes
        var inner: [(String, String)] = []
        func add(_ name: String, _ value: String?) { if let value { inner.append((name, value)) } }
        add("subject-date", attributes.subjectDate.flatMap { ENEXText.date(Timestamp(milliseconds: $0)) })
        add("latitude", attributes.latitude.flatMap(ENEXText.decimal))
        add("longitude", attributes.longitude.flatMap(ENEXText.decimal))
        add("altitude", attributes.altitude.flatMap(ENEXText.decimal))
        add("source-url", AttributeText.valid(attributes.sourceURL))
        add("source-application", AttributeText.valid(attributes.sourceApplication))
        add("place-name", AttributeText.valid(attributes.placeName))
        try group("note-attributes", inner)
    }

    private func attributes(of resource: Resource) throws(ENEXError) {
        let attributes = resource.attributes
        var inner: [(String, String)] = []
        func add(_ name: String, _ value: String?) { if let value { inner.append((name, value)) } }
        add("timestamp", attributes.timestamp.flatMap { ENEXText.date(Timestamp(milliseconds: $0)) })
        add("latitude", attributes.latitude.flatMap(ENEXText.decimal))
        add("longitude", attributes.longitude.flatMap(ENEXText.decimal))
        add("altitude", attributes.altitude.flatMap(ENEXText.decimal))
        add("camera-make", AttributeText.valid(attributes.cameraMake))
        add("camera-model", AttributeText.valid(attributes.cameraModel))
        add("file-name", attributes.fileName)
        try group("resource-attributes", inner)
    }

    // MARK: Resources

    private func append(_ resource: Resource, of note: Note, _ open: (Resource) throws -> FileDescriptor) throws {
        let fileName = resource.attributes.fileName
        let file: FileDescriptor
        do {
            file = try open(resource)
        } catch let error as SystemError {
            throw ENEXError.bodyUnreadable(note: note.title, fileName: fileName, error)
        }
        try write("<resource>\n<data encoding=\"base64\">\n")
        guard try appendBody(of: file, resource, note) else {
            throw ENEXError.bodyChanged(note: note.title, fileName: fileName)
        }
        try write("</data>\n")
        try element("mime", resource.mime)
        // Evernote's own numbers have 16 bits.
        if let pixels = resource.pixels, pixels.width <= 32_767, pixels.height <= 32_767 {
            try element("width", String(pixels.width))
            try element("height", String(pixels.height))
        }
        try attributes(of: resource)
        try write("</resource>\n")
    }

    /// - Returns: false where the bytes are not the resource's.
    private func appendBody(
        of file: borrowing FileDescriptor, _ resource: Resource, _ note: Note
    ) throws -> Bool {
        let md5 = Digest(.md5)
        var tickets = [Int](repeating: 0, count: bodies.count)
        var turn = 0
        var offset: Int64 = 0
        // The digest goes with this call: nothing of it may be left to the thread.
        defer { hashing.waitForAll() }
        while true {
            try Interrupt.check()
            hashing.wait(tickets[turn])
            let count: Int
            do throws(SystemError) {
                count = try file.read(into: bodies[turn], at: offset)
            } catch {
                try Interrupt.check()
                throw ENEXError.bodyUnreadable(
                    note: note.title, fileName: resource.attributes.fileName, error)
            }
            if count == 0 { break }
            offset += Int64(count)
            guard offset <= resource.blob.size else { return false }
            let bytes = UnsafeRawBufferPointer(rebasing: bodies[turn][..<count])
            tickets[turn] = hashing.feed(md5, bytes)
            do throws(SystemError) {
                try output.write(room: Base64.size(of: count)) { Base64.encode(bytes, into: $0) }
            } catch {
                try Interrupt.check()
                throw ENEXError.file(error)
            }
            turn = (turn + 1) % bodies.count
            if count < bodies[0].count { break }
        }
        hashing.waitForAll()
        return offset == resource.blob.size && md5.finish() == resource.blob.md5.bytes
    }

    // MARK: Elements

    private func group(_ name: String, _ inner: [(name: String, value: String)]) throws(ENEXError) {
        if inner.isEmpty { return }
        try write("<\(name)>\n")
        for (name, value) in inner { try element(name, value) }
        try write("</\(name)>\n")
    }

    /// An element of text; none for nil.
    private func element(_ name: String, _ value: String?) throws(ENEXError) {
        guard let value else { return }
        try write("<\(name)>")
        try write(ENEXText.escape(value))
        try write("</\(name)>\n")
    }

    private func write(_ text: String) throws(ENEXError) { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws(ENEXError) {
        do throws(SystemError) { try output.write(bytes) } catch { throw .file(error) }
    }
}
