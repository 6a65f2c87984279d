/// What a property wrapper tells the parser, and where the parser puts what it reads.
///
/// A class, so that `Mirror` finds it in a command that is a value, and the parser fills it in place.
final class Slot {
    enum Kind {
        case flag, option, argument
    }

    let kind: Kind
    let names: NameSpecification
    let help: ArgumentHelp
    let isRequired: Bool
    let isRepeating: Bool
    let valueName: String
    /// Ends the sentence `"abc" is not …`.
    let expectation: String
    let allValues: [String]
    /// nil where there is none, or none that the type could tell: the help text then says what holds.
    let defaultDescription: String?
    /// Takes a value over; false where the bytes are no such value.
    private let take: ([UInt8]) -> Bool
    /// The property's name.
    var property = ""
    private(set) var isFilled = false

    init(
        _ kind: Kind, names: NameSpecification = [], help: ArgumentHelp, isRequired: Bool = false,
        isRepeating: Bool = false, valueName: String = "", expectation: String = "", allValues: [String] = [],
        defaultDescription: String? = nil, take: @escaping ([UInt8]) -> Bool
    ) {
        self.kind = kind
        self.names = names
        self.help = help
        self.isRequired = isRequired
        self.isRepeating = isRepeating
        self.valueName = help.valueName ?? valueName
        self.expectation = expectation
        self.allValues = allValues
        self.defaultDescription = defaultDescription
        self.take = take
    }

    /// A slot for values of one type.
    convenience init<Value: ExpressibleByArgument>(
        _ kind: Kind, of type: Value.Type, names: NameSpecification = [], help: ArgumentHelp, isRequired: Bool = false,
        isRepeating: Bool = false, default: Value? = nil, put: @escaping (Value) -> Void
    ) {
        self.init(
            kind, names: names, help: help, isRequired: isRequired, isRepeating: isRepeating,
            valueName: Value.valueName, expectation: Value.expectation, allValues: Value.allValueStrings,
            defaultDescription: `default`.map(\.defaultValueDescription)
        ) { bytes in
            guard let value = Value(argument: bytes) else { return false }
            put(value)
            return true
        }
    }

    var spellings: [String] { names.spellings(of: property) }

    /// The name that messages use: the long one of an option, `FILE` of an argument.
    var displayName: String { kind == .argument ? valueName : spellings.last ?? property }

    /// - Parameter name: As it was written.
    func fill(_ bytes: [UInt8], as name: String) throws(UsageError) {
        guard take(bytes) else {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("\(name): the value is not UTF-8 text")
            }
            throw UsageError(
                "\(name): \"\(text)\" is not \(expectation)", suggestion: NearestName.of(text, among: allValues))
        }
        isFilled = true
    }
}

/// A value that the parser reaches from outside the command.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
