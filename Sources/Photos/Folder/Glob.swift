public import System
import Text

/// A pattern for file names, as in a shell: `*` any characters but `/`, `?` one of them, `[a-z]` and `[!a-z]` one of a
/// set, `**` any characters, `**/` any folders or none, `\` takes the next character as it is.
///
/// Without regard to case, because cameras write `.JPG` and people `.jpg`, nor to the way an accent is spelled (NFC or
/// NFD). Matching takes time in proportion to the name's length times the pattern's, whatever the pattern.
public struct Glob: Hashable, Sendable {
    public let pattern: String
    /// False for what was surely meant otherwise: an empty pattern, a bracket that none closes (it stands for itself), a
    /// set of nothing, a `\` with nothing behind it.
    public let isComplete: Bool
    private let steps: [Step]

    public init(_ pattern: String) {
        self.pattern = pattern
        (steps, isComplete) = Self.parse(Self.characters(pattern))
    }

    /// True if the path as a whole matches, or the name at its end alone.
    /// - Parameter path: Relative to the folder that is walked.
    public func matches(_ path: FilePath) -> Bool {
        let characters = Self.characters(path.description)
        if matches(characters[...]) { return true }
        guard let cut = characters.lastIndex(of: "/") else { return false }
        return matches(characters[(cut + 1)...])
    }

    private enum Step: Hashable, Sendable {
        case character(Unicode.Scalar)
        case one
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
        case anyInName
        case any
        case anyFolders

        /// True where the step may also stand for nothing.
        var isOptional: Bool {
            switch self {
            case .anyInName, .any, .anyFolders: true
            default: false
            }
        }
    }

    /// All the steps that the pattern may be at are followed at once, one character after the other.
    private func matches(_ characters: ArraySlice<Unicode.Scalar>) -> Bool {
        var reached = [Bool](repeating: false, count: steps.count + 1)
        func enter(_ step: Int, _ reached: inout [Bool]) {
            var step = step
            reached[step] = true
            while step < steps.count, steps[step].isOptional {
                step += 1
                reached[step] = true
            }
        }
        enter(0, &reached)
        for character in characters {
            var next = [Bool](repeating: false, count: steps.count + 1)
            for (index, step) in steps.enumerated() where reached[index] {
                switch step {
                case .character(let wanted): if character == wanted { enter(index + 1, &next) }
                case .one: if character != "/" { enter(index + 1, &next) }
                case .set(let ranges, let isNegated):
                    if character != "/", ranges.contains(where: { $0.contains(character) }) != isNegated {
                        enter(index + 1, &next)
                    }
                case .anyInName: if character != "/" { enter(index, &next) }
                case .any: enter(index, &next)
                case .anyFolders:
                    next[index] = true
                    if character == "/" { enter(index + 1, &next) }
                }
            }
            reached = next
        }
        return reached[steps.count]
    }

    private static func parse(_ characters: [Unicode.Scalar]) -> (steps: [Step], isComplete: Bool) {
        // The folder's own place in front and a mark of a folder at the end say nothing more.
        var rest = characters[...]
        if rest.starts(with: ["." as Unicode.Scalar, "/"]) { rest = rest.dropFirst(2) }
        if rest.first == "/" { rest = rest.dropFirst() }
        if rest.last == "/" { rest = rest.dropLast() }
        var steps: [Step] = []
        var isComplete = !rest.isEmpty
        while let character = rest.popFirst() {
            switch character {
            case "*" where rest.first == "*":
                while rest.first == "*" { rest = rest.dropFirst() }
                if rest.first == "/" {
                    rest = rest.dropFirst()
                    steps.append(.anyFolders)
                } else {
                    steps.append(.any)
                }
            case "*": steps.append(.anyInName)
            case "?": steps.append(.one)
            case "[":
                let set = set(&rest)
                isComplete = isComplete && set != nil && set != .set([], isNegated: false)
                steps.append(set ?? .character(character))
            case "\\":
                isComplete = isComplete && !rest.isEmpty
                steps.append(.character(rest.popFirst() ?? character))
            default: steps.append(.character(character))
            }
        }
        return (steps, isComplete)
    }

    /// The set behind an opening bracket.
    /// - Returns: nil where no bracket closes it; then `rest` is as before.
    private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Step? {
        var inside = rest
        let isNegated = inside.first == "!" || inside.first == "^"
        if isNegated { inside = inside.dropFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isFirst = true
        while var character = inside.popFirst() {
            if character == "]", !isFirst {
                rest = inside
                return .set(ranges, isNegated: isNegated)
            }
            isFirst = false
            if character == "\\", let next = inside.popFirst() { character = next }
            if inside.first == "-", let end = inside.dropFirst().first, end != "]" {
                inside = inside.dropFirst(2)
                if character <= end { ranges.append(character...end) }
            } else {
                ranges.append(character...character)
            }
        }
        return nil
    }

    private static func characters(_ text: String) -> [Unicode.Scalar] {
        text.nfc.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            if scalar.isASCII {
                guard ("A"..."Z").contains(scalar) else { return [scalar] }
                return [Unicode.Scalar(UInt8(scalar.value) + 32)]
            }
            return Array(scalar.properties.lowercaseMapping.unicodeScalars)
        }
    }
}
