import CXML2
public import Notes

/// Tells whether a note's ENML may be sent, so that a bad note is refused here and not by the server an hour later.
///
/// The first verdict equals that of Evernote's document type; the second asks for more. Nothing is loaded and nothing
/// from outside expanded: libxml2 reads the document, `ENMLRules` judges it.
///
/// Narrower than a validating parser in one point: a document type with declarations of its own (`[…]`) is refused.
public enum ENMLValidator {
    /// Characters in a note's content, at most (Evernote's `EDAM_NOTE_CONTENT_LEN_MAX`).
    public static let longestNote = 5_242_880

    /// The verdict of the document type alone.
    public static func checkDocumentType(_ enml: String) throws(ENMLError) {
        var check = ENMLCheck(enml, beyondDocumentType: false, resources: nil)
        try check.run()
    }

    /// Every rule: the document type's; UTF-8; the length; addresses only of http, https, mailto, evernote and evergear;
    /// each `en-media` the lower-case MD5 of one of the note's resources.
    ///
    /// - Parameter resources: nil where they are not known.
    /// - Returns: The hashes that the note refers to, in the order of their first mention.
    @discardableResult
    public static func check(_ enml: String, resources: Set<MD5>? = nil) throws(ENMLError) -> [MD5] {
        var check = ENMLCheck(enml, beyondDocumentType: true, resources: resources)
        try check.run()
        return check.media
    }

    static let schemes: Set<String> = ["http", "https", "mailto", "evernote", "evergear"]

    /// Whether an address begins with one of the schemes, exactly there: no space, no control before or in it.
    static func isAllowed(address: String) -> Bool {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return schemes.contains(address[..<colon].lowercased())
    }
}

/// One reading of one document.
private struct ENMLCheck {
    private let bytes: [UInt8]
    private let beyond: Bool
    private let resources: Set<MD5>?
    private(set) var media: [MD5] = []
    private var seen: Set<MD5> = []
    /// The elements that are open.
    private var open: [ENMLRules.Element] = []
    /// Start tags so far.
    private var tags = 0
    private var isStandalone = false

    init(_ enml: String, beyondDocumentType beyond: Bool, resources: Set<MD5>?) {
        bytes = Array(enml.utf8)
        self.beyond = beyond
        self.resources = resources
    }

    mutating func run() throws(ENMLError) {
        // The bound that keeps lengths within libxml2's; characters have at most four bytes.
        let characters = bytes.count { $0 & 0xc0 != 0x80 }
        if characters > ENMLValidator.longestNote, beyond || bytes.count > 8 * ENMLValidator.longestNote {
            throw ENMLError(.length(characters))
        }
        let text = ENMLText(bytes)
        guard let end = text.endOfDocumentType else { throw error(.documentType, text) }
        isStandalone = text.isStandalone
        // The names of characters become known by a document type of our own around the document's: expanded in
        // attributes as the official one expands them, an unknown one an error. A standalone document may use none.
        let added = isStandalone ? [] : Array(ENMLRules.characterDeclarations.utf8)
        let document = bytes[..<end] + added + bytes[end...]
        let reader = try ENMLReader(Array(document))
        while try advance(reader, text, added: added.count, at: end) {}
    }

    /// Takes in one node. - Returns: false at the end.
    private mutating func advance(
        _ reader: borrowing ENMLReader, _ text: ENMLText, added: Int, at end: Int
    ) throws(ENMLError) -> Bool {
        guard let node = reader.next() else {
            guard let failure = reader.failure else { return false }
            throw text.error(failure, added: added, at: end)
        }
        do throws(Broken) {
            try judge(node, reader)
        } catch { throw self.error(error.rule, text) }
        return true
    }

    private mutating func judge(_ node: ENMLReader.Node, _ reader: borrowing ENMLReader) throws(Broken) {
        switch node {
        case .documentType:
            guard reader.name == ENMLRules.root, reader.documentTypeAddress == ENMLRules.documentType else {
                throw Broken(.documentType)
            }
        case .element(let isEmpty):
            tags += 1
            let element = try self.element(reader.name)
            if tags == 1, beyond, let encoding = reader.encoding, encoding.uppercased() != "UTF-8" {
                throw Broken(.encoding(encoding))
            }
            try attributes(of: element, reader)
            if !isEmpty { open.append(element) }
        case .endOfElement: _ = open.popLast()
        case .other: if open.last?.content == .nothing { throw Broken(.notEmpty) }
        }
    }

    /// The rule of an element that may be where it is.
    private func element(_ name: String) throws(Broken) -> ENMLRules.Element {
        if open.isEmpty, name != ENMLRules.root { throw Broken(.root(name)) }
        guard let element = ENMLRules.elements[name] else { throw Broken(.element(name)) }
        switch open.last?.content {
        case .nothing: throw Broken(.notEmpty)
        case .text: throw Broken(.textOnly(name))
        case .anything: if name == ENMLRules.root { throw Broken(.nestedNote) }
        case nil: break
        }
        return element
    }

    private mutating func attributes(
        of element: ENMLRules.Element, _ reader: borrowing ENMLReader
    ) throws(Broken) {
        let name = reader.name
        var missing = element.attributes
        while let (attribute, value) = reader.nextAttribute() {
            guard let rule = element.attributes[attribute] else { throw Broken(.attribute(attribute)) }
            missing[attribute] = nil
            switch rule {
            case .any, .required, .defaulted: break
            case .oneOf(let allowed):
                if !allowed.contains(value.trimmingSpaces) {
                    throw Broken(.value(attribute: attribute, value: value, allowed: allowed))
                }
            case .exactly(let only):
                if !value.utf8.elementsEqual(only.utf8) {
                    throw Broken(.value(attribute: attribute, value: value, allowed: [only]))
                }
            }
            if beyond { try beyondDocumentType(name, attribute, value) }
        }
        for (attribute, rule) in missing.sorted(by: { $0.key < $1.key }) {
            switch rule {
            case .required: throw Broken(.missingAttribute(attribute))
            case .defaulted, .oneOf: if isStandalone { throw Broken(.standalone(attribute: attribute)) }
            case .any, .exactly: break
            }
        }
    }

    private mutating func beyondDocumentType(
        _ element: String, _ attribute: String, _ value: String
    ) throws(Broken) {
        switch attribute {
        case "href", "src", "cite", "longdesc":
            if !ENMLValidator.isAllowed(address: value) {
                throw Broken(.address(attribute: attribute, value: value))
            }
        case "hash" where element == "en-media":
            guard let hash = MD5(hex: value), hash.hex == value else { throw Broken(.hash(value)) }
            if let resources, !resources.contains(hash) { throw Broken(.resource(value)) }
            if seen.insert(hash).inserted { media.append(hash) }
        default: break
        }
    }

    private func error(_ rule: ENMLError.Rule, _ text: ENMLText) -> ENMLError {
        if case .documentType = rule { return text.error(rule, at: text.startOfDocumentType ?? 0) }
        // What is in an element that must be empty, or before the first tag, is shown at the tag before it.
        return text.error(rule, tag: tags)
    }

    private struct Broken: Error {
        let rule: ENMLError.Rule
        init(_ rule: ENMLError.Rule) { self.rule = rule }
    }
}

extension String {
    /// Without spaces at its ends: what a validating parser does to a value that is one of a list.
    fileprivate var trimmingSpaces: String {
        let kept = utf8.drop { $0 == UInt8(ascii: " ") }.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }
}
