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
        guard !isAnswered, StandardStream.input.isTerminal, StandardStream.error.isTerminal else { return true }
        flush()
        erase()
        try StandardStream.error.write("\(question.withoutControls)? [y/N] ".utf8)
        // A terminal hands over a line at a time.
        var buffer = [UInt8](repeating: 0, count: 256)
        try Interrupt.waitUntilReadable(StandardStream.input.rawValue)
        let count = try systemCall("read") {
            buffer.withUnsafeMutableBytes { Glibc.read(StandardStream.input.rawValue, $0.baseAddress, $0.count) }
        }
        let answer = String(decoding: buffer[..<count], as: UTF8.self).prefix { !$0.isNewline }.lowercased()
        return answer == "y" || answer == "yes"
    }
}
