/// Fills the slots of a command from the words that follow its name.
///
/// `--name VALUE`, `--name=VALUE`, `-n VALUE`, `-nVALUE`, several short flags in one word, options and arguments in any
/// order, nothing but arguments after `--`. A dash before a digit begins a value, `--place -33.9,151.2`, unless the command
/// has just that option: `-0`. Of an option that is given twice and is not repeatable the last one counts.
struct ArgumentParser {
    private let named: [String: Slot]
    private var positional: ArraySlice<Slot>
    private let hasArguments: Bool
    private var words: ArraySlice<[UInt8]> = []

    init(_ slots: [Slot]) {
        var named: [String: Slot] = [:]
        for slot in slots {
            for name in slot.spellings { named[name] = slot }
        }
        self.named = named
        positional = slots.filter { $0.kind == .argument }[...]
        hasArguments = !positional.isEmpty
    }

    enum Outcome {
        case filled, helpRequested
    }

    mutating func fill(from all: [[UInt8]]) throws(UsageError) -> Outcome {
        words = all[...]
        do throws(UsageError) {
            while let word = words.popFirst() {
                if word == Array("--".utf8) {
                    while let rest = words.popFirst() { try takeArgument(rest) }
                } else if Self.asksForHelp(word) {
                    return .helpRequested
                } else if Self.looksLikeOption(word) || areFlags(word) {
                    try takeOption(word)
                } else {
                    try takeArgument(word)
                }
            }
        } catch {
            // Someone who asks for help gets it, whatever is wrong before the question.
            if words.prefix(while: { $0 != Array("--".utf8) }).contains(where: Self.asksForHelp) {
                return .helpRequested
            }
            throw error
        }
        return .filled
    }

    private static func asksForHelp(_ word: [UInt8]) -> Bool {
        word == Array("-h".utf8) || word == Array("--help".utf8)
    }

    /// A dash and something that is no number. A lone dash stands for the standard input.
    static func looksLikeOption(_ word: [UInt8]) -> Bool {
        guard word.count > 1, word[0] == UInt8(ascii: "-") else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return !digits.contains(word[1])
            && !(word[1] == UInt8(ascii: ".") && word.count > 2 && digits.contains(word[2]))
    }

    /// `-0`, `-0q`: options that begin as a number does.
    private func areFlags(_ word: [UInt8]) -> Bool {
        word.count > 1 && word[0] == UInt8(ascii: "-")
            && word.dropFirst().allSatisfy { named["-" + String(decoding: [$0], as: UTF8.self)]?.kind == .flag }
    }

    private mutating func takeArgument(_ word: [UInt8]) throws(UsageError) {
        guard let slot = positional.first else {
            // It is not repeated: of a command like `auth login` it may be a secret.
            if !hasArguments { throw UsageError("a word where only options belong") }
            throw UsageError("one word too many: \"\(String(decoding: word, as: UTF8.self))\"")
        }
        try slot.fill(word, as: slot.valueName)
        if !slot.isRepeating { positional.removeFirst() }
    }

    private mutating func takeOption(_ word: [UInt8]) throws(UsageError) {
        let isLong = word[1] == UInt8(ascii: "-")
        let cut = word.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: word[..<(cut ?? word.endIndex)], as: UTF8.self)
        if let slot = named[name] {
            switch (slot.kind, cut) {
            case (.flag, nil): try slot.fill([], as: name)
            case (.flag, _): throw UsageError("\(name) takes no value")
            case (_, let cut?): try slot.fill(Array(word[(cut + 1)...]), as: name)
            case (_, nil): try slot.fill(try nextValue(of: slot, name), as: name)
            }
        } else if isLong {
            throw UsageError(
                "there is no option \(name)", suggestion: NearestName.of(name, among: named.keys.sorted()))
        } else {
            try takeShortOptions(word[1...])
        }
    }

    /// `-qv`, `-ofile`, `-qo file`.
    private mutating func takeShortOptions(_ letters: ArraySlice<UInt8>) throws(UsageError) {
        var rest = letters
        while let letter = rest.popFirst() {
            let name = "-" + String(decoding: [letter], as: UTF8.self)
            guard let slot = named[name] else {
                throw UsageError("there is no option -" + String(decoding: [letter] + rest, as: UTF8.self).prefix(1))
            }
            if slot.kind == .flag {
                try slot.fill([], as: name)
            } else {
                return try slot.fill(rest.isEmpty ? try nextValue(of: slot, name) : Array(rest), as: name)
            }
        }
    }

    private mutating func nextValue(of slot: Slot, _ name: String) throws(UsageError) -> [UInt8] {
        guard let next = words.popFirst() else { throw UsageError("\(name) needs a value (\(slot.valueName))") }
        if Self.looksLikeOption(next) {
            let text = String(decoding: next, as: UTF8.self)
            throw UsageError(
                "\(name) needs a value (\(slot.valueName)) before \(text); one that begins with a dash is written "
                    + "\(slot.displayName)=\(text)")
        }
        return next
    }
}
