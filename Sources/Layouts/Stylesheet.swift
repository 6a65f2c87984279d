import CHear
import CXML2
import CXSLT
import Synchronization

/// What is wrong with a stylesheet, or with what it gave.
public struct StylesheetError: Error, Hashable, Sendable {
    /// The file as the user knows it: `mine.xsl`, or a shipped one that it imports.
    public var file: String
    /// From 1, where it is known.
    public var line: Int?
    public var message: String

    public init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }
}

/// A stylesheet that turns a draft document into ENML, run by libxslt with every way out closed.
///
/// It reads no file and no address but the shipped sheets, which come from memory; writes nothing; loads no document
/// type; and ends after a bounded number of steps. What cannot be bounded here is the size of strings that double: a
/// sheet of the user's own therefore runs in a `StylesheetProcess`.
public final class Stylesheet {
    private let style: xsltStylesheetPtr
    private let name: String

    /// - Parameters:
    ///   - name: For messages.
    ///   - shipped: What it may import, by the plain name that it uses: `common.xsl`.
    public init(_ bytes: [UInt8], name: String, shipped: [String: [UInt8]]) throws(StylesheetError) {
        self.name = name
        guard bytes.count <= Self.largestSheet else {
            throw StylesheetError(file: name, message: "larger than \(Self.largestSheet >> 10) KiB")
        }
        do {
            style = try Library.parsing(shipped) { () throws(XMLTree.Failure) in
                let tree = try XMLTree(bytes, url: Self.address)
                try Self.inspect(tree, shipped: shipped)
                chear_start()
                let document = tree.release()
                guard let style = xsltParseStylesheetDoc(document) else {
                    xmlFreeDoc(document)
                    throw Library.unreadable ?? XMLTree.Failure(message: String(cString: chear_said()))
                }
                guard style.pointee.errors == 0 else {
                    xsltFreeStylesheet(style)  // and with it the document
                    throw Library.unreadable ?? XMLTree.Failure(message: String(cString: chear_said()))
                }
                return style
            }
        } catch {
            throw Self.error(error, in: name)
        }
    }

    deinit { xsltFreeStylesheet(style) }

    /// Renders a draft document.
    ///
    /// - Returns: A whole ENML document: well-formed and with `en-note` as its root, but not yet held against the
    ///   rules of ENML.
    public func render(_ xml: [UInt8]) throws(StylesheetError) -> String {
        do {
            return Self.prologue + String(decoding: try transform(xml), as: UTF8.self)
        } catch {
            throw Self.error(error, in: name)
        }
    }

    private static let largestSheet = 256 << 10
    /// Bytes: what Evernote allows is 5,242,880 characters.
    private static let largestNote = 16 << 20
    /// Instructions, and XPath steps as many: the largest note that Evernote allows, twelve thousand memos without
    /// photos, takes two to three million.
    private static let mostSteps: UInt = 4_000_000
    private static let prologue = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">

        """

    private func transform(_ xml: [UInt8]) throws(XMLTree.Failure) -> [UInt8] {
        try XMLTree(xml).withDocument { (draft) throws(XMLTree.Failure) in try transform(draft) }
    }

    private func transform(_ draft: xmlDocPtr) throws(XMLTree.Failure) -> [UInt8] {
        guard let context = xsltNewTransformContext(style, draft) else {
            throw XMLTree.Failure(message: "out of memory")
        }
        defer { xsltFreeTransformContext(context) }
        context.pointee.opLimit = Self.mostSteps
        context.pointee.xpathCtxt.pointee.opLimit = Self.mostSteps
        context.pointee.maxTemplateDepth = 200
        context.pointee.maxTemplateVars = 2_000
        chear_start()
        xmlResetLastError()
        let result = xsltApplyStylesheetUser(style, draft, nil, nil, nil, context)
        defer { if let result { xmlFreeDoc(result) } }
        guard let result, context.pointee.state == XSLT_STATE_OK else {
            throw XMLTree.Failure(message: String(cString: chear_said()))
        }
        // XPath goes on with half a string where it finds no memory for the whole.
        guard xmlGetLastError()?.pointee.code != Int32(XML_ERR_NO_MEMORY.rawValue) else {
            throw XMLTree.Failure(message: "it needs more memory than a stylesheet may have")
        }
        let note = try Self.root(of: result)

        // The tree is what counts. What xsl:output asks for (a method, an encoding, a document type) is not followed.
        let buffer = xmlBufferCreate()
        defer { xmlBufferFree(buffer) }
        let count = Int(xmlNodeDump(buffer, result, note, 0, 0))
        guard count > 0, count <= Self.largestNote else {
            throw XMLTree.Failure(message: "it gives a note of more than \(Self.largestNote >> 20) MiB")
        }
        let bytes = Array(UnsafeBufferPointer(start: xmlBufferContent(buffer), count: count))
        _ = try XMLTree(bytes)  // what leaves is what a parser accepts
        return bytes
    }

    /// The one `en-note` that a result has to be.
    private static func root(of result: xmlDocPtr) throws(XMLTree.Failure) -> xmlNodePtr {
        var elements: [xmlNodePtr] = []
        var others = false
        var next = result.pointee.children
        while let node = next {
            switch node.pointee.type {
            case XML_ELEMENT_NODE: elements.append(node)
            case XML_DTD_NODE: break
            default: others = true
            }
            next = node.pointee.next
        }
        guard let root = elements.first, elements.count == 1, !others, String(cString: root.pointee.name) == "en-note"
        else {
            throw XMLTree.Failure(message: "it must give one en-note element and nothing beside it")
        }
        return root
    }

    /// Refuses what would only be refused later, and with less to say about where: `disable-output-escaping`, by which
    /// a sheet could forge markup, and imports of what does not ship.
    private static func inspect(_ tree: XMLTree, shipped: [String: [UInt8]]) throws(XMLTree.Failure) {
        try tree.root?.visit { (element) throws(XMLTree.Failure) in
            if element.attribute("disable-output-escaping") != nil {
                throw XMLTree.Failure(line: element.line, message: "disable-output-escaping is not allowed")
            }
            guard element.isOfXSLT, element.name == "import" || element.name == "include" else { return }
            let name = element.attribute("href") ?? ""
            if shipped[name] == nil {
                let known = shipped.keys.sorted().joined(separator: ", ")
                throw XMLTree.Failure(
                    line: element.line, message: "\(element.name) of \(name): there are only \(known)")
            }
        }
    }

    /// The address that libxslt knows the sheet by: without one it tells no lines. It has no folder in it, so what the
    /// sheet imports by a plain name keeps that name.
    private static let address = "stylesheet"

    /// libxslt says `runtime error: file common.xsl line 12 element copy` and what the matter is around that line.
    private static func error(_ failure: XMLTree.Failure, in name: String) -> StylesheetError {
        let header =
            /(?:compilation|runtime) error: ?(?:file (?<file>\S+) )?(?:line (?<line>\d+) )?element (?<element>\S+)\n/
        let said = failure.message.split(separator: "\n").filter { $0 != "error" }.joined(separator: "\n") + "\n"
        guard let match = said.firstMatch(of: header) else {
            let message = said.trimmedLine
            return StylesheetError(
                file: failure.file ?? name, line: failure.line, message: message.isEmpty ? "is no stylesheet" : message)
        }
        var after = said[match.range.upperBound...]
        if let next = after.firstMatch(of: header) { after = after[..<next.range.lowerBound] }
        let before = String(said[..<match.range.lowerBound]).trimmedLine
        return StylesheetError(
            file: match.file.map { $0 == address ? name : String($0) } ?? name,
            line: match.line.flatMap { Int($0) },
            message: "\(match.element): \(String(after).trimmedLine)" + (before.isEmpty ? "" : " (\(before))"))
    }
}

/// libxslt as this process has it: closed once, before its first use, for good.
private enum Library {
    /// Runs a parse in which the loader serves `shipped` and nothing else. One at a time.
    static func parsing<Result, Failure: Error>(
        _ sheets: [String: [UInt8]], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = closed
        return try lock.withLock { (_) throws(Failure) in
            (shipped, unreadable) = (sheets, nil)
            defer { shipped = [:] }
            return try body()
        }
    }

    private static let lock = Mutex(())

    /// Read and written under `lock` only: the loader runs on the thread that parses.
    nonisolated(unsafe) private static var shipped: [String: [UInt8]] = [:]

    /// The imported sheet that could not be parsed: libxslt itself only says that it could not be loaded.
    nonisolated(unsafe) private(set) static var unreadable: XMLTree.Failure?

    private static let closed: Void = {
        xsltInit()
        chear_install()
        let closed = xsltNewSecurityPrefs()
        for way in [
            XSLT_SECPREF_WRITE_FILE, XSLT_SECPREF_CREATE_DIRECTORY, XSLT_SECPREF_READ_NETWORK,
            XSLT_SECPREF_WRITE_NETWORK,
        ] {
            xsltSetSecurityPrefs(closed, way, xsltSecurityForbid)
        }
        // Asked before the loader runs, so that forbidding all would refuse the shipped sheets too. A transform (it has
        // a context) reads nothing at all.
        xsltSetSecurityPrefs(closed, XSLT_SECPREF_READ_FILE) { _, transform, name in
            transform == nil && name.flatMap { Library.shipped[String(cString: $0)] } != nil ? 1 : 0
        }
        xsltSetDefaultSecurityPrefs(closed)
        // The options that libxslt passes along load document types: they are not used.
        xsltSetLoaderFunc { name, dictionary, _, _, kind in
            guard kind == XSLT_LOAD_STYLESHEET, let name, let bytes = Library.shipped[String(cString: name)] else {
                return nil
            }
            let file = String(cString: name)
            do throws(XMLTree.Failure) {
                return try XMLTree(bytes, url: file, dictionary: dictionary).release()
            } catch {
                Library.unreadable = XMLTree.Failure(file: file, line: error.line, message: error.message)
                return nil
            }
        }
    }()
}
