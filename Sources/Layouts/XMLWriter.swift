/// Writes XML whose text and attributes are always escaped, and whose elements always close.
struct XMLWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

    /// An element, with what `content` writes in it. Attributes without a value are left out.
    mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
        _ content: (inout XMLWriter) -> Void = { _ in }
    ) {
        bytes += Array("<\(name)".utf8)
        for (key, value) in attributes {
            guard let value else { continue }
            bytes += Array(" \(key)=\"".utf8)
            text(value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
        content(&self)
        bytes += Array("</\(name)>".utf8)
    }

    /// Text of one line: control characters, line ends and tabs among them, are left out.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"": bytes.append(contentsOf: "&quot;".utf8)
            case _ where scalar.isDroppedFromNotes: break
            default: if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
            }
        }
    }
}
