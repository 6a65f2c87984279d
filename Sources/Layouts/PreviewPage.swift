public import Notes

/// One page with a draft as it will look in each layout. It needs no network and no script: the layouts are behind
/// radio buttons, and every picture is in the page, once.
public struct PreviewPage {
    /// A draft in one layout: a note, or several where it became parts.
    public struct Version {
        public var layout: String
        public var notes: [Note]
        /// Why there is no note: a sentence, as text.
        public var refusal: String?

        public init(layout: String, notes: [Note]) {
            self.layout = layout
            self.notes = notes
        }

        /// A layout in which no note is made.
        public init(layout: String, refusal: String) {
            self.layout = layout
            notes = []
            self.refusal = refusal
        }

        var bytes: Int64 { notes.reduce(0) { $0 + $1.size } }
        var files: Int { notes.reduce(0) { $0 + $1.resources.count } }
    }

    private let versions: [Version]
    private let chosen: Int
    private let standing: String
    private let limit: Int64
    private let warnings: [String]

    /// - Parameters:
    ///   - chosen: The layout to show first; the first one where it is none of them.
    ///   - standing: What became of the draft until now, for the middle of a line: `not sent yet`.
    ///   - limit: Bytes that a note may have.
    ///   - warnings: Sentences, as text.
    public init(
        _ versions: [Version], chosen: String? = nil, standing: String, limit: Int64, warnings: [String] = []
    ) {
        self.versions = versions
        self.standing = standing
        self.chosen = versions.firstIndex { $0.layout == chosen } ?? 0
        self.limit = limit
        self.warnings = warnings
    }

    /// Writes the page in pieces, so that memory holds one picture at a time.
    ///
    /// - Parameter picture: A resource as browsers show it, and its type, small enough for a page; nil for what no
    ///   browser shows.
    public func write(
        picture: (Resource) throws -> (mime: String, bytes: [UInt8])?, to sink: ([UInt8]) throws -> Void
    ) throws {
        let note = versions.lazy.compactMap(\.notes.first).first
        try sink(Array(Self.head(title: note?.title ?? "").utf8))
        try sink(Array("<style>\n\(Self.css)\(choices)".utf8))
        let shown = try writePictures(picture, to: sink)
        try sink(Array("</style>\n".utf8))
        for index in versions.indices {
            let isChosen = index == chosen ? " checked" : ""
            try sink(Array("<input type=\"radio\" name=\"layout\" id=\"l\(index)\"\(isChosen)>\n".utf8))
        }
        try sink(
            Array("<header>\n<p>\(about(note))</p>\n<nav aria-label=\"Layout\">\(tabs)</nav>\n</header>\n<main>\n".utf8)
        )
        for (index, version) in versions.enumerated() {
            if let refusal = version.refusal {
                let words = "<article class=\"v\(index)\">\n<p class=\"refused\">\(escaped(refusal))</p>\n</article>\n"
                try sink(Array(words.utf8))
            }
            for note in version.notes {
                try sink(Array(try article(note, of: index, shown: shown).utf8))
            }
        }
        try sink(Array("<aside>\n\(sizes)\(warningList)</aside>\n</main>\n".utf8))
    }

    // MARK: - Pictures

    /// Each picture is the background of an image of its size that is otherwise empty: so its bytes stand in the page
    /// once, however many layouts show it.
    private func writePictures(
        _ picture: (Resource) throws -> (mime: String, bytes: [UInt8])?, to sink: ([UInt8]) throws -> Void
    ) throws -> Set<MD5> {
        var shown: Set<MD5> = []
        var asked: Set<MD5> = []
        for resource in versions.lazy.flatMap(\.notes).flatMap(\.resources) {
            let hash = resource.blob.md5
            guard resource.pixels != nil, asked.insert(hash).inserted, let (mime, bytes) = try picture(resource) else {
                continue
            }
            shown.insert(hash)
            try sink(Array(".p\(hash.hex){background-image:url(\"data:\(mime);base64,".utf8))
            try sink(base64(bytes))
            try sink(Array("\")}\n".utf8))
        }
        return shown
    }

    private func article(_ note: Note, of version: Int, shown: Set<MD5>) throws -> String {
        let resources = Dictionary(note.resources.map { ($0.blob.md5, $0) }) { first, _ in first }
        let html = NoteHTML { element in
            guard let resource = element.attribute("hash").flatMap({ MD5(hex: $0) }).flatMap({ resources[$0] }) else {
                return ""
            }
            guard let pixels = resource.pixels, shown.contains(resource.blob.md5) else {
                return "<span class=\"file\">\(escaped(resource.attributes.fileName))</span>"
            }
            let empty =
                "%3Csvg xmlns='http://www.w3.org/2000/svg' width='\(pixels.width)' height='\(pixels.height)'/%3E"
            var text = "<img class=\"p\(resource.blob.md5.hex)\" src=\"data:image/svg+xml,\(empty)\""
            for name in ["alt", "width", "height", "style"] {
                if let value = element.attribute(name) { text += " \(name)=\"\(escaped(value))\"" }
            }
            return text + ">"
        }
        return """
            <article class="v\(version)">
            <h1>\(escaped(note.title))</h1>
            <div class="note">\(try html.html(note.enml))</div>
            </article>

            """
    }

    // MARK: - Around the note

    private func about(_ note: Note?) -> String {
        var words: [String] = []
        if let notebook = note?.notebook { words.append("Notebook <b>\(escaped(notebook))</b>") }
        if let tags = note?.tags, !tags.isEmpty {
            words.append("tags " + tags.map { "<b>\(escaped($0))</b>" }.joined(separator: ", "))
        }
        return (words + [escaped(standing)]).joined(separator: " · ")
    }

    private var tabs: String {
        versions.enumerated().map { index, version in
            "<label for=\"l\(index)\"><b>\(escaped(version.layout))</b><small>\(version.refusal == nil ? Self.size(version.bytes) : "no note")</small></label>"
        }.joined()
    }

    /// What each radio button does.
    private var choices: String {
        versions.indices.map { index in
            """
            #l\(index):checked~main .v\(index){display:block}
            #l\(index):checked~header [for=l\(index)]{background:var(--accent);color:var(--paper)}
            #l\(index):checked~header [for=l\(index)] small{color:inherit;opacity:.8}
            #l\(index):focus-visible~header [for=l\(index)]{outline:2px solid var(--accent);outline-offset:2px}
            #l\(index):checked~main .s\(index){color:var(--ink)}#l\(index):checked~main .s\(index) th{font-weight:600}

            """
        }.joined()
    }

    private var sizes: String {
        let rows = versions.enumerated().map { index, version in
            let largest = version.notes.map(\.size).max() ?? 0
            let share = limit > 0 ? min(100, Double(largest) / Double(limit) * 100) : 0
            return """
                <tr class="s\(index)"><th>\(escaped(version.layout))</th><td>\(version.notes.count)</td>\
                <td>\(version.files)</td><td>\(Self.size(version.bytes))</td>\
                <td><meter min="0" max="100" value="\(fixed(share, digits: 1))"></meter></td></tr>

                """
        }
        return """
            <section>
            <h2>Size</h2>
            <table>
            <thead><tr><th></th><th>notes</th><th>files</th><th>size</th><th>of \(Self.limit(limit))</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>
            </section>

            """
    }

    private var warningList: String {
        guard !warnings.isEmpty else { return "" }
        let items = warnings.map { "<li>\(escaped($0))</li>\n" }.joined()
        let count = warnings.count == 1 ? "1 warning" : "\(warnings.count) warnings"
        return "<section>\n<h2>\(count)</h2>\n<ul>\n\(items)</ul>\n</section>\n"
    }

    /// Limits are round in the binary units: `25 MiB`.
    private static func limit(_ bytes: Int64) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : size(bytes)
    }

    /// `481 kB`, `2.4 MB`.
    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\((bytes + 500) / 1000) kB"
        case ..<100_000_000: "\(fixed(Double(bytes) / 1_000_000, digits: 1)) MB"
        default: "\((bytes + 500_000) / 1_000_000) MB"
        }
    }
}

/// Bytes in base 64, with padding (RFC 4648, section 4).
private func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
        for place in 0..<4 {
            text.append(place <= count ? digits[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
        }
    }
    return text
}
