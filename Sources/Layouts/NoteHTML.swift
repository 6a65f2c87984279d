import Notes

/// A note's ENML as HTML for a browser: pictures, attachments and to-dos become elements that it knows.
struct NoteHTML {
    /// Writes what stands for an `en-media`.
    let media: (_ element: XMLElement) -> String

    func html(_ enml: String) throws -> String {
        guard let root = try XMLTree(Array(enml.utf8), allowsDocumentType: true).root else { return "" }
        return html(root)
    }

    private func html(_ element: XMLElement) -> String {
        switch element.name {
        case "en-media": return media(element)
        case "en-todo":
            return "<input type=\"checkbox\" disabled\(element.attribute("checked") == "true" ? " checked" : "")>"
        case "en-crypt": return "<i>🔒</i>"
        case let name:
            let tag = name == "en-note" ? "div" : name
            var text = "<\(tag)"
            for (name, value) in element.attributes { text += " \(name)=\"\(escaped(value))\"" }
            if name == "a" { text += " rel=\"noreferrer\" target=\"_blank\"" }
            text += ">"
            if Self.voids.contains(tag) { return text }
            for child in element.children {
                switch child {
                case .text(let words): text += escaped(words)
                case .element(let child): text += html(child)
                }
            }
            return text + "</\(tag)>"
        }
    }

    private static let voids: Set<String> = ["area", "br", "col", "hr", "img"]
}

/// Text as HTML, for content and for quoted attributes.
func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
        switch character {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        default: result.unicodeScalars.append(character)
        }
    }
    return result
}
