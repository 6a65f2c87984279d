import CXML2
import Hashing
public import Notes
public import System

/// Reads an ENEX file piece by piece: titles, texts, times, and of each resource the MD5 and size. No body is held.
///
/// It serves to verify a file that was written or delivered. It shares nothing with the writer but the way to write a date.
/// libxml2's pull reader would hold each body whole, so this is its push parser, fed and heard piece by piece.
public enum ENEXReader {
    /// What a file says of itself, and what it is.
    public struct Summary: Hashable, Sendable {
        public var application: String?
        public var version: String?
        public var exported: Timestamp?
        public var notes = 0
        public var bytes: Int64 = 0
        /// Of the whole file.
        public var sha256: [UInt8] = []
    }

    /// - Parameter visit: Gets each note in order; what it throws ends the reading.
    /// - Throws: `ENEXError`, `Interrupted`, or what `visit` throws.
    public static func read(_ path: FilePath, _ visit: (ENEXNote) throws -> Void) throws -> Summary {
        let file: FileDescriptor
        do throws(SystemError) { file = try .openForReading(path) } catch { throw ENEXError.file(error) }
        let parser = try ENEXParser(path)
        let sha256 = Digest(.sha256)
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
        defer { chunk.deallocate() }
        var summary = Summary()
        while true {
            try Interrupt.check()
            let count: Int
            do throws(SystemError) {
                count = try file.read(into: chunk, at: summary.bytes)
            } catch {
                try Interrupt.check()
                throw ENEXError.file(error)
            }
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
            sha256.update(bytes)
            summary.bytes += Int64(count)
            try parser.feed(bytes, isLast: count == 0)
            for note in parser.takeNotes() {
                summary.notes += 1
                try visit(note)
            }
            if count == 0 { break }
        }
        summary.application = parser.attributes["application"]
        summary.version = parser.attributes["version"]
        summary.exported = parser.attributes["export-date"].flatMap(ENEXText.time)
        summary.sha256 = sha256.finish()
        return summary
    }
}

/// The owner of libxml2's push parser: makes notes of what it hears.
private final class ENEXParser {
    /// Of the outermost element.
    private(set) var attributes: [String: String] = [:]

    private let path: FilePath
    private var context: xmlParserCtxtPtr?
    private var failure: (line: Int, reason: String)?
    private var notes: [ENEXNote] = []
    private var note = ENEXNote()
    private var resource: Body?
    /// The names of the elements that are open.
    private var open: [String] = []
    /// The text of the innermost element, where it is wanted.
    private var text: [UInt8]?
    private var hasBegun = false
    /// Bytes fed since libxml2 last gave something: what it holds back.
    private var held = 0

    // Bounds of our own, since XML_PARSE_HUGE lifts libxml2's.
    private static let deepest = 8
    private static let longestContent = 4 * 5_242_880 + 65_536
    private static let longestText = 65_536
    private static let mostTags = 1_000
    private static let mostResources = 10_000

    /// The resource whose element is open.
    private struct Body {
        var size: Int64 = 0
        var mime = ""
        var pixels: PixelSize?
        var attributes = ResourceAttributes(fileName: "")
        var decoder = Base64.Decoder()
        let digest = Digest(.md5)
        /// Once its data has ended.
        var md5: MD5?
    }

    init(_ path: FilePath) throws(ENEXError) {
        self.path = path
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { parser, name, _, _, _, _, count, _, attributes in
            ENEXParser.of(parser)?.start(name, count, attributes)
        }
        handler.endElementNs = { parser, _, _, _ in ENEXParser.of(parser)?.end() }
        handler.characters = { parser, bytes, count in ENEXParser.of(parser)?.characters(bytes, count) }
        handler.cdataBlock = { parser, bytes, count in ENEXParser.of(parser)?.characters(bytes, count) }
        handler.internalSubset = { parser, name, _, _ in
            if name.map({ String(cString: $0) }) != "en-export" {
                ENEXParser.of(parser)?.fail("the document type is not en-export")
            }
        }
        handler.entityDecl = { parser, _, _, _, _, _ in ENEXParser.of(parser)?.fail("it declares entities") }
        handler.serror = { parser, error in
            guard let error, error.pointee.domain != Int32(XML_FROM_NAMESPACE.rawValue),
                error.pointee.level != XML_ERR_WARNING
                    || error.pointee.code == Int32(XML_WAR_UNDECLARED_ENTITY.rawValue)
            else { return }
            let message = error.pointee.message.map { String(cString: $0) } ?? "no XML"
            ENEXParser.of(parser)?.fail(
                String(message.prefix(200).prefix { !$0.isNewline }), line: Int(error.pointee.line))
        }
        guard
            let context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        else { throw .malformed(path: path, line: 0, reason: "out of memory") }
        // The handler has been copied. HUGE: a body is longer than the 10 MB that libxml2 allows a text.
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue))
        self.context = context
    }

    deinit {
        // An entity that is declared makes libxml2 keep a document behind our back.
        if let document = context?.pointee.myDoc { xmlFreeDoc(document) }
        if let context { xmlFreeParserCtxt(context) }
    }

    func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ENEXError) {
        held += bytes.count
        if held > 2 * Self.longestContent { fail("a text without end") }
        if failure == nil {
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let code = xmlParseChunk(context, start, Int32(bytes.count), isLast ? 1 : 0)
            if code != 0, isLast || context?.pointee.wellFormed == 0 { fail("no XML") }
            if isLast, !hasBegun { fail("no en-export in it") }
        }
        if let failure { throw .malformed(path: path, line: failure.line, reason: failure.reason) }
    }

    func takeNotes() -> [ENEXNote] {
        defer { notes = [] }
        return notes
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> ENEXParser? {
        pointer.map { Unmanaged<ENEXParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private func fail(_ reason: String, line: Int? = nil) {
        if failure == nil { failure = (line ?? context.map { Int(xmlSAX2GetLineNumber($0)) } ?? 0, reason) }
        if let context { xmlStopParser(context) }
    }

    // MARK: What libxml2 tells

    private func start(
        _ name: UnsafePointer<xmlChar>?, _ count: Int32,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        held = 0
        let name = name.map { String(cString: $0) } ?? ""
        let parent = open.last
        open.append(name)
        if open.count > Self.deepest { return fail("elements within elements, more than \(Self.deepest)") }
        if parent == nil {
            if name != "en-export" { return fail("the outermost element is \(name), not en-export") }
            hasBegun = true
            self.attributes = Self.read(count, attributes)
        }
        text = nil
        switch (parent, name) {
        case ("en-export", "note"): note = ENEXNote()
        case ("note", "resource"):
            resource = Body()
            if note.resources.count >= Self.mostResources { fail("a note with more than 10000 resources") }
        case ("resource", "data"):
            if Self.read(count, attributes)["encoding"] != "base64" { fail("data without encoding=\"base64\"") }
        case ("note", "title"), ("note", "content"), ("note", "created"), ("note", "updated"), ("note", "tag"),
            ("resource", "mime"), ("resource", "width"), ("resource", "height"), ("note-attributes", _),
            ("resource-attributes", _):
            text = []
        default: break
        }
    }

    private func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
        held = 0
        let piece = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        if open.last == "data" {
            body(piece)
        } else if text != nil {
            text?.append(contentsOf: piece)
            let limit = open.last == "content" ? Self.longestContent : Self.longestText
            if let length = text?.count, length > limit { fail("a text longer than \(limit) bytes") }
        }
    }

    private func body(_ characters: UnsafeRawBufferPointer) {
        var rest = characters
        withUnsafeTemporaryAllocation(byteCount: 3 * 4_096 + 3, alignment: 8) { bytes in
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(4 * 4_096))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
                let count = resource?.decoder.decode(piece, into: bytes) ?? 0
                resource?.digest.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                resource?.size += Int64(count)
            }
        }
    }

    private func end() {
        held = 0
        let name = open.popLast() ?? ""
        let value = text.map { String(decoding: $0, as: UTF8.self) } ?? ""
        text = nil
        switch (open.last, name) {
        case ("en-export", "note"): notes.append(note)
        case ("note", "title"): note.title = value
        case ("note", "content"): note.content = value
        case ("note", "created"): note.created = time(value)
        case ("note", "updated"): note.updated = time(value)
        case ("note", "tag"):
            note.tags.append(value)
            if note.tags.count > Self.mostTags { fail("a note with more than \(Self.mostTags) tags") }
        case ("note-attributes", _): noteAttribute(name, value)
        case ("resource", "data"): finishBody()
        case ("resource", "mime"): resource?.mime = value
        case ("resource", "width"): pixels(width: Int(value), height: nil)
        case ("resource", "height"): pixels(width: nil, height: Int(value))
        case ("resource-attributes", _): resourceAttribute(name, value)
        case ("note", "resource"): finishResource()
        default: break
        }
    }

    private func finishBody() {
        guard let last = resource?.decoder.finish() else { return fail("data that is no base64") }
        resource?.digest.update(last)
        resource?.size += Int64(last.count)
        let digest = resource?.digest.finish() ?? []
        resource?.md5 = MD5(bytes: digest)
    }

    private func finishResource() {
        guard let body = resource, let md5 = body.md5 else { return fail("a resource without data") }
        note.resources.append(
            ENEXResource(
                md5: md5, size: body.size, mime: body.mime, pixels: body.pixels, attributes: body.attributes))
        resource = nil
    }

    /// Width comes first, height next.
    private func pixels(width: Int?, height: Int?) {
        let known = resource?.pixels
        resource?.pixels = PixelSize(width: width ?? known?.width ?? 1, height: height ?? known?.height ?? 1)
    }

    private func noteAttribute(_ name: String, _ value: String) {
        switch name {
        case "latitude": note.attributes.latitude = Double(value)
        case "longitude": note.attributes.longitude = Double(value)
        case "altitude": note.attributes.altitude = Double(value)
        case "place-name": note.attributes.placeName = value
        case "source-url": note.attributes.sourceURL = value
        case "source-application": note.attributes.sourceApplication = value
        case "subject-date": note.attributes.subjectDate = time(value)?.milliseconds
        default: break
        }
    }

    private func resourceAttribute(_ name: String, _ value: String) {
        switch name {
        case "timestamp": resource?.attributes.timestamp = time(value)?.milliseconds
        case "latitude": resource?.attributes.latitude = Double(value)
        case "longitude": resource?.attributes.longitude = Double(value)
        case "altitude": resource?.attributes.altitude = Double(value)
        case "camera-make": resource?.attributes.cameraMake = value
        case "camera-model": resource?.attributes.cameraModel = value
        case "file-name": resource?.attributes.fileName = value
        default: break
        }
    }

    private func time(_ value: String) -> Timestamp? {
        let time = ENEXText.time(value)
        if time == nil { fail("\"\(value.prefix(40))\" is no time") }
        return time
    }

    /// Attributes as libxml2 gives them: five pointers each, the value between the last two.
    private static func read(
        _ count: Int32, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) -> [String: String] {
        guard let attributes else { return [:] }
        var read: [String: String] = [:]
        for index in 0..<Int(count) {
            guard let name = attributes[5 * index], let start = attributes[5 * index + 3],
                let end = attributes[5 * index + 4]
            else { continue }
            read[String(cString: name)] = String(
                decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
        }
        return read
    }
}
