import CSystem
import Glibc
public import System

/// Renders a stylesheet of the user's own in a child of this program.
///
/// A short sheet can double a string into gigabytes, and nothing in libxslt bounds that. The child is this program
/// again, started with `--render-stylesheet`: before it reads a byte it limits itself to 512 MiB of memory, five
/// seconds of CPU, no open file beside its two pipes and no written file at all. It gets the sheet, the shipped ones
/// and the draft document on its input, and answers with the note or with what is wrong.
///
/// SIGPIPE must be ignored, as `Interrupt.install` does: a child that ends early leaves a broken pipe.
public struct StylesheetProcess: Sendable {
    /// What the program is started with to become such a child; it then calls `serve()` and nothing else.
    public static let argument = "--render-stylesheet"

    private let sheet: [UInt8]
    private let name: String
    private let shipped: [String: [UInt8]]
    private let program: FilePath

    /// - Parameters:
    ///   - name: For messages: the path that the user gave.
    ///   - shipped: What the sheet may import, by plain name.
    ///   - program: Itself, unless a test runs another.
    public init(_ sheet: [UInt8], name: String, shipped: [String: [UInt8]], program: FilePath = "/proc/self/exe") {
        self.sheet = sheet
        self.name = name
        self.shipped = shipped
        self.program = program
    }

    /// Renders a draft document in a new child.
    public func render(_ xml: [UInt8]) throws(StylesheetError) -> String {
        let answer: Result<String, StylesheetError>
        do throws(SystemError) {
            answer = try ask(xml)
        } catch {
            throw StylesheetError(file: name, message: "could not be rendered: \(error.call): \(error.reason)")
        }
        return try answer.get()
    }

    /// Does the child's work: limits this process, reads the request, renders, answers.
    ///
    /// - Returns: The status to exit with; what is wrong with a sheet is an answer, and a success.
    public static func serve() -> Int32 {
        guard csystem_limit(memory, seconds, files, 0) == 0 else { return 71 }
        var request = Message.Reader(Pipe(descriptor: STDIN_FILENO))
        guard let name = request.text(), let sheet = request.bytes(), let xml = request.bytes(),
            let count = request.number(), count <= 100
        else { return 65 }
        var shipped: [String: [UInt8]] = [:]
        for _ in 0..<count {
            guard let name = request.text(), let bytes = request.bytes() else { return 65 }
            shipped[name] = bytes
        }
        var answer = Message()
        do throws(StylesheetError) {
            let note = try Stylesheet(sheet, name: name, shipped: shipped).render(xml)
            answer.number(0)
            answer.text(note)
        } catch {
            answer.number(1)
            answer.text(error.file)
            answer.number(UInt32(clamping: error.line ?? 0))
            answer.text(error.message)
        }
        return Pipe(descriptor: STDOUT_FILENO).write(answer.bytes) ? 0 : 74
    }

    // MARK: - The parent

    private static let memory: UInt64 = 512 << 20
    private static let seconds: UInt64 = 5
    private static let files: UInt64 = 3
    /// Milliseconds without a sign of life: a machine that is busy with other things is waited for.
    fileprivate static let patience: Int32 = 60_000

    private func ask(_ xml: [UInt8]) throws(SystemError) -> Result<String, StylesheetError> {
        var request = Message()
        request.text(name)
        request.block(sheet)
        request.block(xml)
        request.number(UInt32(shipped.count))
        for (name, bytes) in shipped {
            request.text(name)
            request.block(bytes)
        }
        var child = try ChildProcess(program, [Self.argument])
        var result: Result<String, StylesheetError>?
        if Pipe(descriptor: child.input.number).write(request.bytes) {
            var answer = Message.Reader(Pipe(descriptor: child.output.number))
            switch answer.number() {
            case 0: result = answer.text().map(Result.success)
            case 1:
                if let file = answer.text(), let line = answer.number(), let message = answer.text() {
                    let line = line == 0 ? nil : Int(line)
                    result = .failure(StylesheetError(file: file, line: line, message: message))
                }
            default: break
            }
        }
        if result == nil { child.kill() }
        let ending = child.wait()
        if result == nil, Interrupt.isRaised { throw SystemError(code: EINTR, call: "read") }
        return result ?? .failure(StylesheetError(file: name, message: Self.describe(ending)))
    }

    private static func describe(_ ending: ChildProcess.Ending) -> String {
        switch ending {
        case .signal(SIGXCPU), .signal(SIGKILL): "took more than \(seconds) seconds"
        case .signal: "needed more than \(memory >> 20) MiB of memory"
        case .status(let status): "could not be rendered: its process ended with status \(status)"
        }
    }
}

/// Numbers and blocks of bytes, each block behind its length; numbers are four bytes, the lowest first.
private struct Message {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ number: UInt32) {
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }

    mutating func block(_ block: [UInt8]) {
        number(UInt32(block.count))
        bytes += block
    }

    mutating func text(_ text: String) { block(Array(text.utf8)) }

    /// Takes a message apart as it comes. nil: it ended early, or is none.
    struct Reader {
        private let pipe: Pipe

        init(_ pipe: Pipe) { self.pipe = pipe }

        mutating func number() -> UInt32? {
            pipe.read(4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        mutating func bytes() -> [UInt8]? {
            guard let count = number(), count <= Self.largest else { return nil }
            return pipe.read(Int(count))
        }

        mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

        private static let largest: UInt32 = 64 << 20
    }
}

/// One end of a pipe, read and written whole.
private struct Pipe {
    let descriptor: Int32

    /// - Returns: false where the other end has gone.
    func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR, !Interrupt.isRaised { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// - Returns: nil where the other end has gone before, or said nothing for too long.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(max(count, 1), 64 << 10))
        while bytes.count < count {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, StylesheetProcess.patience)
            if ready < 0, errno == EINTR, !Interrupt.isRaised { continue }
            guard ready > 0 else { return nil }
            let got = Glibc.read(descriptor, &piece, min(piece.count, count - bytes.count))
            if got < 0, errno == EINTR, !Interrupt.isRaised { continue }
            guard got > 0 else { return nil }
            bytes += piece[..<got]
        }
        return bytes
    }
}
