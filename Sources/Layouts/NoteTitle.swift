import Text

/// What was done to a name so that it fits Evernote's rule.
public enum NameChange: Hashable, Sendable, CustomStringConvertible {
    /// There was nothing to see in it: the fall-back stands in its place.
    case empty
    /// Controls, line ends or characters that XML forbids were taken out or became spaces.
    case controls
    /// Spaces at its ends were taken away.
    case spaces
    /// Letters and their marks were put together (Unicode's NFC): the same to the eye.
    case composed
    /// Cut. The number of characters (code points) that it had.
    case shortened(from: Int)

    public var description: String {
        switch self {
        case .empty: "it was empty"
        case .controls: "control characters and line ends were taken out"
        case .spaces: "spaces at its ends were taken away"
        case .composed: "accents were put together with their letters (NFC)"
        case .shortened(let count): "it was shortened from \(count) characters"
        }
    }
}

/// Why a name of a tag or notebook can't be used; mending it would make it another name.
public enum NameProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// A tag's name has no comma: Evernote separates tags by it.
    case comma
    /// Over 100 characters.
    case tooLong(Int)

    public var description: String {
        switch self {
        case .empty: "it is empty"
        case .comma: "it contains a comma"
        case .tooLong(let count): "it has \(count) characters, and at most \(NameRule.longestName) are allowed"
        }
    }
}

/// Titles of notes, made to fit Evernote's rule (`EDAM_NOTE_TITLE_REGEX`): 1 to 255 characters, no controls and no line
/// separators, no space of any kind at the ends. Counted both in code points and in UTF-16 units, since it is not known
/// which the service counts everywhere.
public enum NoteTitle {
    public static let longest = 255

    /// - Parameters:
    ///   - suffix: Stands at the end whatever happens: ` (1/3)`. It has at most 100 characters.
    ///   - fallback: The title where there is none.
    /// - Returns: The title, suffix and all, and what was done to it.
    public static func fit(
        _ title: String, suffix: String = "", fallback: String = "Untitled"
    ) -> (title: String, changes: [NameChange]) {
        var (fitted, changes) = NameRule.mend(title)
        if !NameRule.isVisible(fitted) {
            changes = [.empty]
            fitted = NameRule.mend(fallback).name
            if !NameRule.isVisible(fitted) { fitted = "Untitled" }
        }
        let suffix = NameRule.cut(NameRule.clean(suffix), to: 100)
        let room = longest - NameRule.length(suffix)
        if NameRule.length(fitted) > room {
            changes.append(.shortened(from: fitted.unicodeScalars.count))
            fitted = NameRule.trim(NameRule.cut(fitted, to: room - 1)) + "…"
        }
        return (NameRule.trim((fitted + suffix).nfc), changes)
    }

    /// Whether a title is within the rule.
    public static func isValid(_ title: String) -> Bool { NameRule.isValid(title, longest: longest) }
}

/// Names of tags: 1 to 100 characters, no comma, no controls, no space at the ends (`EDAM_TAG_NAME_REGEX`).
public enum TagName {
    /// How many a note has at most (`EDAM_NOTE_TAGS_MAX`).
    public static let mostInNote = 100

    /// Puts right what is invisible (spaces at the ends, controls, NFC).
    /// - Throws: `NameProblem` where that is not enough.
    public static func fit(_ name: String) throws(NameProblem) -> (name: String, changes: [NameChange]) {
        let fitted = try NameRule.fit(name)
        if fitted.name.unicodeScalars.contains(",") { throw .comma }
        return fitted
    }
}

/// Names of notebooks: 1 to 100 characters, no controls, no space at the ends (`EDAM_NOTEBOOK_NAME_REGEX`).
public enum NotebookName {
    /// Puts right what is invisible (spaces at the ends, controls, NFC).
    /// - Throws: `NameProblem` where that is not enough.
    public static func fit(_ name: String) throws(NameProblem) -> (name: String, changes: [NameChange]) {
        try NameRule.fit(name)
    }
}

/// What Evernote's rules for names have in common.
enum NameRule {
    static let longestName = 100

    static func fit(_ name: String) throws(NameProblem) -> (name: String, changes: [NameChange]) {
        let fitted = mend(name)
        if !isVisible(fitted.name) { throw .empty }
        if length(fitted.name) > longestName { throw .tooLong(fitted.name.unicodeScalars.count) }
        return fitted
    }

    /// Everything but the length.
    static func mend(_ name: String) -> (name: String, changes: [NameChange]) {
        var changes: [NameChange] = []
        func take(_ changed: String, _ old: String, _ change: NameChange) -> String {
            if !changed.unicodeScalars.elementsEqual(old.unicodeScalars) { changes.append(change) }
            return changed
        }
        let trimmed = take(trim(name), name, .spaces)
        let cleaned = trim(take(clean(trimmed), trimmed, .controls))
        return (trim(take(cleaned.nfc, cleaned, .composed)), changes)
    }

    /// The larger of code points and UTF-16 units. (The latter, always; said so that nobody has to think.)
    static func length(_ name: String) -> Int { max(name.utf16.count, name.unicodeScalars.count) }

    static func isValid(_ name: String, longest: Int) -> Bool {
        !name.isEmpty && length(name) <= longest && name.unicodeScalars.elementsEqual(trim(clean(name)).unicodeScalars)
            && name.unicodeScalars.elementsEqual(name.nfc.unicodeScalars)
    }

    /// Line ends and tabs become spaces; other controls, and what XML forbids, go.
    static func clean(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: kept.append(" ")
            case .control: if scalar.properties.isWhitespace { kept.append(" ") }
            default: if scalar.value & 0xfffe != 0xfffe { kept.append(scalar) }
            }
        }
        return String(kept)
    }

    /// Without spaces and controls at the ends.
    static func trim(_ name: String) -> String {
        var kept = name.unicodeScalars[...]
        while let first = kept.first, isEdge(first) { kept.removeFirst() }
        while let last = kept.last, isEdge(last) { kept.removeLast() }
        return String(kept)
    }

    /// Whether there is a character to see.
    static func isVisible(_ name: String) -> Bool {
        name.unicodeScalars.contains { !isEdge($0) && $0.properties.generalCategory != .format }
    }

    /// Whole characters as a reader sees them, up to a length; of one that alone is longer, its beginning.
    static func cut(_ name: String, to limit: Int) -> String {
        var kept = ""
        var left = limit
        for character in name {
            left -= length(String(character))
            if left < 0 { break }
            kept.append(character)
        }
        if !kept.isEmpty || name.isEmpty { return kept }
        left = limit
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            left -= UTF16.width(scalar)
            if left < 0 { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: true
        default: false
        }
    }
}
