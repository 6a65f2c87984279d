import Notes

/// How a note goes: in one request, or, where it is large, the first photos with a new note and the following ones by
/// changes of it, so that a connection that breaks costs one step and not the note.
struct NoteSteps {
    let note: Notes.Note

    private let threshold: Int64

    /// - Parameter threshold: Bytes of resources that go at once; at least one resource does.
    init(_ note: Notes.Note, threshold: Int64) {
        self.note = note
        self.threshold = threshold
    }

    /// How many of the note's first resources are there once the next step is done.
    /// - Parameters:
    ///   - done: How many are there before it.
    ///   - known: Those that the service has, at whatever place: they cost nothing.
    func end(after done: Int, known: Set<MD5>) -> Int {
        var end = done
        var bytes: Int64 = 0
        while end < note.resources.count {
            let blob = note.resources[end].blob
            if !known.contains(blob.md5) {
                if bytes > 0, bytes + blob.size > threshold { break }
                bytes += blob.size
            }
            end += 1
        }
        return end
    }

    /// The note's ENML, with only those resources that are there: the service refuses a reference to any other.
    /// - Parameter end: How many of the first ones are.
    func enml(to end: Int, known: Set<MD5>) -> String {
        let missing = Set(note.resources[end...].map(\.blob.md5)).subtracting(known)
        return missing.isEmpty ? note.enml : Self.without(Set(missing.map(\.hex)), note.enml)
    }

    /// Takes out each `en-media` of these hashes. ENML that this program queued is well-formed, with hashes in lower case.
    static func without(_ hashes: Set<String>, _ enml: String) -> String {
        var kept = ""
        var rest = enml[...]
        while let start = rest.firstRange(of: "<en-media") {
            kept += rest[..<start.lowerBound]
            guard let close = Self.close(of: rest[start.lowerBound...]) else { break }
            let element = rest[start.lowerBound..<close]
            if !hashes.contains(where: { element.contains("hash=\"\($0)\"") || element.contains("hash='\($0)'") }) {
                kept += element
            }
            rest = rest[close...]
        }
        return kept + rest
    }

    /// The end of the element that a text begins with: behind its `/>`, or behind its end tag.
    private static func close(of text: Substring) -> Substring.Index? {
        var quote: Character?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                let end = text.index(after: index)
                if text[..<index].last == "/" { return end }
                return text[end...].firstRange(of: "</en-media>")?.upperBound
            }
            index = text.index(after: index)
        }
        return nil
    }
}
