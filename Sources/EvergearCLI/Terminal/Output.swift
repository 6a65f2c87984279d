import Glibc
import Synchronization
import System
import Text

/// Where everything that the program says goes: results to the standard output, the rest to the standard error.
///
/// Every line loses its controls here, so no title, file name or server message can act on a terminal, and a line end
/// in one cannot feign a second line. Lines from several threads do not mix. Once the reader of the standard output
/// has gone, the work is asked to end as if by Ctrl-C, and the program then ends as if by SIGPIPE.
final class Output: Sendable {
    /// `-q`: nothing on success, every problem otherwise.
    let isQuiet: Bool
    /// `-v`.
    let isVerbose: Bool
    /// `--json`: the standard output carries JSON and nothing else.
    let isJSON: Bool
    /// TERM=dumb: the terminal shows lines and knows no commands, as that of an editor.
    private let isDumb: Bool
    /// Columns of the terminal that shows the results; nil where none does, and then nothing is cut.
    let columns: Int?
    /// Columns for what is drawn on the standard error. nil where that is no terminal, and where the standard output
    /// carries JSON: then nothing is drawn.
    let progressColumns: Int?

    private struct State {
        var buffer: [UInt8] = []
        /// What stands in the last line of the terminal and gives way to the next line.
        var isDrawn = false
        var failure: SystemError?
    }

    private let state = Mutex(State())

    init(isQuiet: Bool = false, isVerbose: Bool = false, isJSON: Bool = false, isDumb: Bool = false) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.isJSON = isJSON
        columns = StandardStream.output.columns
        progressColumns = isQuiet || isJSON || isDumb ? nil : StandardStream.error.columns
        self.isDumb = isDumb
    }

    // MARK: Results

    /// A line of what was asked for (a list, a plan, a status). `-q` does not silence it.
    func line(_ text: String) {
        if isJSON { return }
        write(text.withoutControls + "\n")
    }

    func lines(_ lines: [String]) { lines.forEach(line) }

    /// Text of several lines, as a draft's is.
    func text(_ text: String) {
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            self.line(String(line))
        }
    }

    /// A whole file as a result: byte for byte, unless a terminal shows it. It is to be read back.
    func document(_ text: String) {
        if columns == nil { write(text) } else { self.text(text) }
    }

    /// Bytes as a result, as they are, unless a terminal shows them or JSON is wanted.
    func document(_ bytes: [UInt8]) {
        if isJSON { return }
        if columns != nil { return text(String(decoding: bytes.dropLast(), as: UTF8.self)) }
        write(bytes)
    }

    /// A line on what was done, on the standard output. `-q` silences it.
    func report(_ text: String) {
        if !isQuiet { line(text) }
    }

    /// A result of `--json`: one object, one line. A property `pathHex` is the key `path_hex`.
    func json(_ value: some Encodable) throws { write(try JSONText.of(value) + "\n") }

    /// A result of `--json` with long lists.
    func jsonObject() -> JSONObject { JSONObject { self.write($0) } }

    /// A result of `--json` that is JSON already.
    func json(line: String) { write(JSONText.escapingControls(line) + "\n") }

    /// One line of a stream of JSON, which is not kept back: someone may be waiting for it.
    func event(_ value: some Encodable) throws {
        try json(value)
        flush()
    }

    // MARK: The rest

    /// A line on the standard error for those who asked for more with `-v`.
    func detail(_ text: String) {
        if isVerbose { say(text) }
    }

    /// A line on the standard error that helps and can be missed. `-q` silences it.
    func remark(_ text: String) {
        if !isQuiet { say(text) }
    }

    /// A line on the standard error that nothing silences.
    func problem(_ text: String) { say("evergear: " + text) }

    private func say(_ text: String) {
        state.withLock { state in
            Self.flush(&state)
            Self.erase(&state)
            try? StandardStream.error.write((text.withoutControls + "\n").utf8)
        }
    }

    // MARK: The line that is drawn over

    /// Shows a line in place of the one shown before. Only for a terminal.
    func draw(_ text: String) {
        guard progressColumns != nil else { return }
        state.withLock { state in
            try? StandardStream.error.write(("\r" + text.withoutControls + "\u{1b}[K").utf8)
            state.isDrawn = true
        }
    }

    func erase() { state.withLock { Self.erase(&$0) } }

    private static func erase(_ state: inout State) {
        guard state.isDrawn else { return }
        try? StandardStream.error.write("\r\u{1b}[K".utf8)
        state.isDrawn = false
    }

    /// Empties the terminal that shows the results.
    func clearScreen() {
        if columns != nil, !isDumb { write("\u{1b}[H\u{1b}[2J") }
    }

    // MARK: Writing

    private func write(_ text: String) { write(text.utf8) }

    private func write(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            state.buffer += bytes
            if columns != nil { Self.erase(&state) }
            if columns != nil || state.buffer.count >= 65_536 { Self.flush(&state) }
        }
    }

    /// Hands over what is kept back.
    func flush() { state.withLock { Self.flush(&$0) } }

    private static func flush(_ state: inout State) {
        defer { state.buffer.removeAll(keepingCapacity: true) }
        guard state.failure == nil, !state.buffer.isEmpty else { return }
        do throws(SystemError) {
            try StandardStream.output.write(state.buffer)
        } catch {
            state.failure = error
            Interrupt.raise()
        }
    }

    /// Why the results could not be written, if they could not; `EPIPE` where nobody reads them any more.
    var failure: SystemError? { state.withLock { $0.failure } }
}
