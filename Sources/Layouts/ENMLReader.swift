import CXML2

/// libxml2's pull reader over one document in memory: it loads nothing and replaces nothing by itself.
struct ENMLReader: ~Copyable {
    enum Node {
        case documentType
        case element(isEmpty: Bool)
        case endOfElement
        /// Text, space, CDATA, comment, instruction, or the name of a character.
        case other
    }

    /// Why the document is no XML: libxml2's first fatal error, or an unknown name of a character.
    struct Failure: Error {
        let line: Int
        /// Counted from 1, in libxml2's way.
        let column: Int
        let message: String
    }

    private let reader: xmlTextReaderPtr
    private let heard: Heard
    /// The reader keeps pointing into it.
    private let bytes: UnsafeMutableBufferPointer<CChar>

    init(_ document: [UInt8]) throws(ENMLError) {
        heard = Heard()
        bytes = .allocate(capacity: document.count)
        _ = bytes.initialize(from: document.lazy.map { CChar(bitPattern: $0) })
        // Without XML_PARSE_HUGE: depth ends at 256, a text at 10 MB, growth by names of characters is limited.
        let options = Int32(XML_PARSE_NONET.rawValue)
        guard let count = Int32(exactly: document.count),
            let reader = xmlReaderForMemory(bytes.baseAddress, count, nil, nil, options)
        else {
            bytes.deallocate()
            throw ENMLError(.wellFormed("nothing to read"))
        }
        self.reader = reader
        let listener = Unmanaged.passUnretained(heard).toOpaque()
        xmlTextReaderSetStructuredErrorHandler(
            reader,
            { listener, error in
                // The official document type is not loaded, so to libxml2 an unknown name of a character might be in it.
                guard let listener, let error,
                    error.pointee.level == XML_ERR_FATAL
                        || error.pointee.code == Int32(XML_WAR_UNDECLARED_ENTITY.rawValue)
                else { return }
                Unmanaged<Heard>.fromOpaque(listener).takeUnretainedValue().hear(error.pointee)
            }, listener)
    }

    deinit {
        xmlFreeTextReader(reader)
        bytes.deallocate()
    }

    /// Moves on. - Returns: nil at the end, and where the document is no XML (`failure` then says why).
    func next() -> Node? {
        guard xmlTextReaderRead(reader) == 1 else { return nil }
        switch UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
        case XML_READER_TYPE_ELEMENT.rawValue: return .element(isEmpty: xmlTextReaderIsEmptyElement(reader) == 1)
        case XML_READER_TYPE_END_ELEMENT.rawValue: return .endOfElement
        case XML_READER_TYPE_DOCUMENT_TYPE.rawValue: return .documentType
        default: return .other
        }
    }

    /// Set once `next` has met something that is no XML.
    var failure: Failure? {
        heard.failure
            ?? (xmlTextReaderReadState(reader) == XML_TEXTREADER_MODE_ERROR.rawValue
                ? Failure(line: 0, column: 0, message: "unreadable") : nil)
    }

    /// The name with its prefix, as written.
    var name: String { Self.string(xmlTextReaderConstName(reader)) ?? "" }

    /// The encoding that was declared or found out, if any.
    var encoding: String? { Self.string(xmlTextReaderConstEncoding(reader)) }

    /// The address in the document type, while that is the node.
    var documentTypeAddress: String? {
        guard let node = xmlTextReaderCurrentNode(reader), node.pointee.type == XML_DTD_NODE else { return nil }
        return node.withMemoryRebound(to: xmlDtd.self, capacity: 1) { Self.string($0.pointee.SystemID) }
    }

    /// The element's next attribute, declarations of namespaces among them, its name as written; nil behind the last.
    func nextAttribute() -> (name: String, value: String)? {
        guard xmlTextReaderMoveToNextAttribute(reader) == 1 else {
            xmlTextReaderMoveToElement(reader)
            return nil
        }
        return (name, Self.string(xmlTextReaderConstValue(reader)) ?? "")
    }

    private static func string(_ text: UnsafePointer<xmlChar>?) -> String? { text.map { String(cString: $0) } }

    private final class Heard {
        private(set) var failure: Failure?

        func hear(_ error: xmlError) {
            guard failure == nil else { return }
            let message = error.message.map { String(cString: $0) } ?? "unknown"
            failure = Failure(
                line: Int(error.line), column: Int(error.int2),
                message: String(message.prefix(200)).trimmingLineEnd)
        }
    }
}

extension String {
    fileprivate var trimmingLineEnd: String { last?.isNewline == true ? String(dropLast()) : self }
}
