import CXML2

/// A parsed document, freed with its owner. Elements that it hands out keep it alive.
final class XMLTree {
    private let document: xmlDocPtr
    /// libxslt takes a stylesheet's document over, and frees it.
    private var isOwned = true

    /// Why something is no acceptable XML.
    struct Failure: Error {
        /// Nil: the one that was to be parsed.
        var file: String?
        /// From 1; nil where it is not known.
        var line: Int?
        var message: String
    }

    /// Parses XML with all ways out closed: nothing is loaded or expanded, depth ends at 256 elements, a text at
    /// 10 MB.
    ///
    /// - Parameters:
    ///   - url: What relative addresses in it are relative to; nil leaves them as they are written.
    ///   - allowsDocumentType: false refuses a `<!DOCTYPE` before any declaration in it is read.
    init(
        _ bytes: [UInt8], url: String? = nil, dictionary: xmlDictPtr? = nil, allowsDocumentType: Bool = false
    ) throws(Failure) {
        guard bytes.count <= Int(Int32.max), let parser = xmlNewParserCtxt() else {
            throw Failure(message: "out of memory")
        }
        defer { xmlFreeParserCtxt(parser) }
        if let dictionary {
            xmlDictFree(parser.pointee.dict)
            parser.pointee.dict = dictionary
            xmlDictReference(dictionary)
        }
        if !allowsDocumentType {
            parser.pointee.sax.pointee.internalSubset = { context, _, _, _ in
                guard let parser = context?.assumingMemoryBound(to: xmlParserCtxt.self) else { return }
                parser.pointee.wellFormed = 0
                parser.pointee.valid = -1  // how the refusal is known below
                xmlStopParser(parser)
            }
        }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let parsed = bytes.withUnsafeBytes { buffer in
            xmlCtxtReadMemory(parser, buffer.baseAddress, Int32(buffer.count), url, nil, Int32(options))
        }
        if !allowsDocumentType, parser.pointee.valid == -1 {
            xmlFreeDoc(parsed)
            throw Failure(
                line: parser.pointee.input.map { Int($0.pointee.line) },
                message: "a document type declaration is not allowed")
        }
        guard let parsed else {
            let error = xmlCtxtGetLastError(parser)?.pointee
            let message = error?.message.map { String(cString: $0) } ?? "not XML"
            throw Failure(line: error.map { Int($0.line) }, message: message.trimmedLine)
        }
        document = parsed
    }

    deinit { if isOwned { xmlFreeDoc(document) } }

    /// Gives the document up: whoever takes it frees it.
    func release() -> xmlDocPtr {
        isOwned = false
        return document
    }

    /// Lends the document; it is not freed while `body` runs.
    func withDocument<Result, Failure: Error>(_ body: (xmlDocPtr) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(document)
    }

    var root: XMLElement? { xmlDocGetRootElement(document).map { XMLElement($0, in: self) } }
}

/// An element of an `XMLTree`.
struct XMLElement {
    private let node: xmlNodePtr
    private let tree: XMLTree

    fileprivate init(_ node: xmlNodePtr, in tree: XMLTree) {
        self.node = node
        self.tree = tree
    }

    enum Child {
        case element(XMLElement)
        case text(String)
    }

    /// Without a prefix.
    var name: String { String(cString: node.pointee.name) }

    var line: Int { xmlGetLineNo(node) }

    /// True for an instruction of a stylesheet.
    var isOfXSLT: Bool {
        node.pointee.ns?.pointee.href.map { String(cString: $0) } == "http://www.w3.org/1999/XSL/Transform"
    }

    /// Names (without a prefix) and values, in order.
    var attributes: [(name: String, value: String)] {
        var found: [(String, String)] = []
        var next = node.pointee.properties
        while let attribute = next {
            // Without a document type there are no entities: a value is text.
            var value = ""
            var part = attribute.pointee.children
            while let text = part {
                if let content = text.pointee.content { value += String(cString: content) }
                part = text.pointee.next
            }
            found.append((String(cString: attribute.pointee.name), value))
            next = attribute.pointee.next
        }
        return found
    }

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Elements and text; comments and processing instructions are passed over.
    var children: [Child] {
        var found: [Child] = []
        var next = node.pointee.children
        while let child = next {
            switch child.pointee.type {
            case XML_ELEMENT_NODE: found.append(.element(XMLElement(child, in: tree)))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                found.append(.text(child.pointee.content.map { String(cString: $0) } ?? ""))
            default: break
            }
            next = child.pointee.next
        }
        return found
    }

    /// Visits this element and all in it, in the order in which they begin. The parser bounds the depth.
    func visit<Failure: Error>(_ body: (XMLElement) throws(Failure) -> Void) throws(Failure) {
        try body(self)
        for case .element(let child) in children { try child.visit(body) }
    }
}

extension String {
    /// libxml2 ends what it says with a line end.
    var trimmedLine: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace)).replacing("\n", with: " ")
    }
}
