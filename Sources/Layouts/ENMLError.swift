/// Where a note's ENML breaks a rule, and which.
public struct ENMLError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Rule: Hashable, Sendable {
        // What the document type says
        /// Not XML at all, in libxml2's words.
        case wellFormed(String)
        /// No `<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">`, or one with more in it.
        case documentType
        /// An outermost element other than `en-note`.
        case root(String)
        case element(String)
        /// An `en-note` within a note.
        case nestedNote
        case attribute(String)
        case missingAttribute(String)
        case value(attribute: String, value: String, allowed: [String])
        /// An element that holds nothing, holding something.
        case notEmpty
        /// An element within one that holds only text.
        case textOnly(String)
        /// `standalone="yes"`, although the document type adds this attribute.
        case standalone(attribute: String)

        // What goes beyond it
        /// An encoding other than UTF-8, as declared.
        case encoding(String)
        /// An address that does not begin with http, https, mailto, evernote or evergear.
        case address(attribute: String, value: String)
        /// A hash that is not 32 hexadecimal digits in lower case.
        case hash(String)
        /// The hash of no resource of the note.
        case resource(String)
        /// More than 5,242,880 characters.
        case length(Int)

        /// A stable name.
        public var code: String {
            switch self {
            case .wellFormed: "not-xml"
            case .documentType: "document-type"
            case .root: "root"
            case .element: "element"
            case .nestedNote: "nested-note"
            case .attribute: "attribute"
            case .missingAttribute: "missing-attribute"
            case .value: "value"
            case .notEmpty: "not-empty"
            case .textOnly: "text-only"
            case .standalone: "standalone"
            case .encoding: "encoding"
            case .address: "address"
            case .hash: "hash"
            case .resource: "resource"
            case .length: "length"
            }
        }

        /// True for what Evernote's document type itself refuses.
        public var isOfDocumentType: Bool {
            switch self {
            case .encoding, .address, .hash, .resource, .length: false
            default: true
            }
        }
    }

    public let rule: Rule
    /// Counted from 1; 0 where there is no place.
    public let line: Int
    /// Characters, counted from 1; 0 where there is no place.
    public let column: Int
    /// The element, each step counted among its siblings of the same name: `en-note/div[3]/en-media[1]`.
    public let path: String

    public init(_ rule: Rule, line: Int = 0, column: Int = 0, path: String = "") {
        self.rule = rule
        self.line = line
        self.column = column
        self.path = path
    }

    /// `line 2, column 71, at en-note/div[3]: the attribute class is not allowed here`.
    public var description: String {
        var place: [String] = []
        if line > 0 { place.append("line \(line)") }
        if column > 0 { place.append("column \(column)") }
        if !path.isEmpty { place.append("at \(path)") }
        return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + words
    }

    private var words: String {
        switch rule {
        case .wellFormed(let reason): "not well-formed XML: \(reason)"
        case .documentType:
            "the document type must be <!DOCTYPE en-note SYSTEM \"\(ENMLRules.documentType)\"> and nothing more"
        case .root(let name): "the outermost element is \(name), not en-note"
        case .element(let name): "ENML has no element \(name)"
        case .nestedNote: "an en-note within the note"
        case .attribute(let name): "the attribute \(name) is not allowed here"
        case .missingAttribute(let name): "the attribute \(name) is missing"
        case .value(let attribute, let value, let allowed):
            "\(attribute)=\"\(Self.short(value))\" must be \(allowed.map { "\"\($0)\"" }.joined(separator: " or "))"
        case .notEmpty: "this element must be empty"
        case .textOnly(let name): "an element \(name) where only text is allowed"
        case .standalone(let attribute):
            "standalone=\"yes\", but the attribute \(attribute) is left to the document type"
        case .encoding(let name): "the encoding is \(name), not UTF-8"
        case .address(let attribute, let value):
            "\(attribute)=\"\(Self.short(value))\" is not an address of http, https, mailto, evernote or evergear"
        case .hash(let hash): "hash=\"\(Self.short(hash))\" is not an MD5 in lower-case digits"
        case .resource(let hash): "no resource of this note has the MD5 \(hash)"
        case .length(let count): "\(count) characters, and a note holds \(ENMLValidator.longestNote)"
        }
    }

    private static func short(_ value: String) -> String { value.count <= 80 ? value : value.prefix(79) + "…" }
}
