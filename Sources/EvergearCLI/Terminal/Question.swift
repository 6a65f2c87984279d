import Glibc
import System
import Text

extension Output {
    /// Asks before something that is not easily undone. Where no person sits at the other end nobody is asked.
    /// - Parameters:
    ///   - question: Without its question mark: `Send these 3 drafts`.
    ///   - isAnswered: `--yes` was given.
    /// - Throws: `SystemError` where Ctrl-C was the answer.
    func confirm(_ question: String, isAnswered: Bool) throws(SystemError) -> Bool {
        guard !isAnswered, isPersonThere else { return true }
        let answer = try answer(to: "\(question)? [y/N] ")
        return answer == "y" || answer == "yes"
    }

    /// Tells a mistake in a text that was edited, and asks whether the editor opens again.
    /// - Returns: nil where no person sits at the other end.
    /// - Throws: `SystemError` where Ctrl-C was the answer.
    func asksAgain(_ mistake: DraftFile.Mistake) throws(SystemError) -> Bool? {
        guard isPersonThere else { return nil }
        let answer = try answer(to: "evergear: \(Failure(mistake).sentence) Edit it again? [Y/n] ")
        return answer.map { $0 != "n" && $0 != "no" } ?? false
    }

    private var isPersonThere: Bool { StandardStream.input.isTerminal && StandardStream.error.isTerminal }

    /// In lower case; nil: there is nobody any more, or Ctrl-D was the answer.
    private func answer(to question: String) throws(SystemError) -> String? {
        flush()
        erase()
        try StandardStream.error.write(question.withoutControls.utf8)
        // A terminal hands over a line at a time.
        var buffer = [UInt8](repeating: 0, count: 256)
        try Interrupt.waitUntilReadable(StandardStream.input.rawValue)
        let count = try systemCall("read") {
            buffer.withUnsafeMutableBytes { Glibc.read(StandardStream.input.rawValue, $0.baseAddress, $0.count) }
        }
        if count == 0 { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).prefix { !$0.isNewline }.lowercased()
    }
}
