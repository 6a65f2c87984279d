import Notes
import Synchronization
import System
import Text

/// How far a piece of work is, as numbers.
struct ProgressFigures: Hashable, Sendable {
    /// What is being done: `Importing`.
    var verb: String
    var items = 0
    /// nil where it is not known yet.
    var totalItems: Int?
    var bytes: Int64 = 0
    /// nil where bytes do not matter or are not known yet.
    var totalBytes: Int64?
    /// Milliseconds since the beginning.
    var elapsed: Int64 = 0

    /// `Importing  120/300  41%  512 MB of 1.2 GB  38 MB/s  0:18 left`, cut to the width.
    func line(width: Int) -> String {
        var parts = [verb]
        if let totalItems {
            parts.append("\(items)/\(totalItems)")
        } else if totalBytes == nil {
            parts.append("\(items)")
        }
        let fraction = fractionDone
        if let fraction { parts.append("\(Int(fraction * 100))%") }
        if let totalBytes {
            parts.append("\(Words.size(bytes)) of \(Words.size(totalBytes))")
        } else if bytes > 0 {
            parts.append(Words.size(bytes))
        }
        if elapsed >= 1000, bytes > 0 {
            parts.append(Words.size(Int64(Double(bytes) * 1000 / Double(elapsed))) + "/s")
        }
        if elapsed >= 1000, totalItems == nil, bytes == 0, items > 0 {
            parts.append("\(Int64(items) * 1000 / elapsed)/s")
        }
        if elapsed >= 1000, let fraction, fraction > 0, fraction < 1 {
            let left = Double(elapsed) * (1 - fraction) / fraction / 1000
            if left < 360_000 { parts.append(Words.clock(seconds: Int64(left.rounded(.up))) + " left") }
        }
        return parts.joined(separator: "  ").cut(toColumns: max(1, width - 1))
    }

    /// 0 to 1, by bytes where their sum is known.
    private var fractionDone: Double? {
        if let totalBytes, totalBytes > 0 { return min(1, Double(bytes) / Double(totalBytes)) }
        if let totalItems, totalItems > 0 { return min(1, Double(items) / Double(totalItems)) }
        return nil
    }
}

/// Shows how far a piece of work is: on a terminal only, after a second, redrawn ten times a second at most. It is
/// told from any thread, and removes itself at the end.
final class Progress: Sendable {
    private struct State {
        var figures: ProgressFigures
        var drawnAt: Int64
        var isFinished = false
    }

    private let output: Output
    private let start: Int64
    private let state: Mutex<State>

    /// - Parameters:
    ///   - verb: What is being done: `Importing`.
    ///   - totalBytes: nil where bytes do not matter.
    init(_ output: Output, _ verb: String, totalItems: Int? = nil, totalBytes: Int64? = nil) {
        self.output = output
        start = SystemClock.monotonicMilliseconds()
        // The first drawing is due a second after the beginning.
        state = Mutex(
            State(
                figures: ProgressFigures(verb: verb, totalItems: totalItems, totalBytes: totalBytes),
                drawnAt: start + 900))
    }

    deinit { finish() }

    /// More is done.
    func advance(items: Int = 0, bytes: Int64 = 0) {
        update {
            $0.items += items
            $0.bytes += bytes
        }
    }

    /// Some of it turned out to be done already: it is no work, and says nothing of how long the rest takes.
    func leaveOut(items: Int, bytes: Int64) {
        update {
            $0.totalItems = $0.totalItems.map { $0 - items }
            $0.totalBytes = $0.totalBytes.map { $0 - bytes }
        }
    }

    /// The figures have become known, or another piece of the work begins.
    func update(_ change: (inout ProgressFigures) -> Void) {
        state.withLock { state in
            change(&state.figures)
            guard let width = output.progressColumns, !state.isFinished else { return }
            let now = SystemClock.monotonicMilliseconds()
            guard now - state.drawnAt >= 100 else { return }
            state.drawnAt = now
            state.figures.elapsed = now - start
            output.draw(state.figures.line(width: width))
        }
    }

    /// Removes the line. What is told afterwards is not shown.
    func finish() {
        state.withLock { state in
            if !state.isFinished { output.erase() }
            state.isFinished = true
        }
    }
}
