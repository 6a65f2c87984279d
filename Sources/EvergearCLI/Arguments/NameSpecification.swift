/// The names of an option or a flag.
struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
    enum Element: Hashable, Sendable {
        /// The property's name: `dryRun` is `--dry-run`.
        case long
        /// The first letter of the property's name.
        case short
        case customLong(String)
        case customShort(Character)
    }

    let elements: [Element]

    init(arrayLiteral elements: Element...) { self.elements = elements }

    static let long: Self = [.long]
    static let shortAndLong: Self = [.short, .long]

    static func customLong(_ name: String) -> Self { [.customLong(name)] }

    /// With their dashes, short ones first as they are listed.
    func spellings(of property: String) -> [String] {
        let words = property.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        return elements.map { element in
            switch element {
            case .long: "--" + words
            case .short: "-" + words.prefix(1)
            case .customLong(let name): "--" + name
            case .customShort(let letter): "-\(letter)"
            }
        }
    }
}

/// What help says of an option, a flag or an argument.
struct ArgumentHelp: ExpressibleByStringInterpolation, Sendable {
    let abstract: String
    /// Where the type's own does not do: `FOLDER` for a `FilePath`.
    let valueName: String?

    init(_ abstract: String, valueName: String? = nil) {
        self.abstract = abstract
        self.valueName = valueName
    }

    init(stringLiteral text: String) { self.init(text) }
}
