import Glibc
import Notes
import System

/// One `evergear-imaging` process, and the talk with it. Used by one thread at a time: the one that took it from the pool.
final class ImagingWorker: @unchecked Sendable {
    private var process: ChildProcess
    /// Photos that it was given.
    private(set) var served = 0

    init(_ program: FilePath) throws(SystemError) {
        process = try ChildProcess(program)
        for end in [process.input.number, process.output.number] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            // A larger pipe means fewer changes between the two processes; the system may refuse it.
            _ = fcntl(end, Self.setPipeSize, 1 << 20)
        }
    }

    /// F_SETPIPE_SZ, which the headers show only under _GNU_SOURCE.
    private static let setPipeSize: Int32 = 1031

    /// False for one that ended while it had nothing to do, or that says something unasked.
    var isQuiet: Bool {
        var end = pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0)
        return poll(&end, 1, 0) == 0
    }

    /// Sends an order with the file's first `order.length` bytes and takes in the answer.
    ///
    /// After an error this worker is of no more use.
    /// - Parameter seconds: For all of it.
    func exchange(
        _ order: ImagingOrder, _ source: borrowing FileDescriptor, seconds: Int
    ) throws(ImagingError) -> (ImagingAnswer, [UInt8]) {
        served += 1
        let deadline = Deadline(seconds: seconds)
        try send(order.bytes[...], by: deadline)
        var sent = 0
        while sent < order.length {
            let chunk: [UInt8]
            do throws(SystemError) {
                chunk = try source.read(min(order.length - sent, 256 << 10), at: Int64(sent))
            } catch { throw .unreadable(error) }
            if chunk.isEmpty { throw .changed }
            try send(chunk[...], by: deadline)
            sent += chunk.count
        }
        guard let answer = ImagingAnswer(bytes: try receive(ImagingFrame.answerLength, by: deadline)) else {
            throw .garbled
        }
        return (answer, try receive(answer.length, by: deadline))
    }

    private func send(_ bytes: ArraySlice<UInt8>, by deadline: Deadline) throws(ImagingError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(process.input.number, $0.baseAddress, $0.count) }
            switch (count, errno) {
            case (0..., _): rest = rest.dropFirst(count)
            case (_, EAGAIN): try awaitEvent(POLLOUT, by: deadline)
            case (_, EINTR): continue
            default: throw ending()  // EPIPE: it has gone
            }
        }
    }

    private func receive(_ length: Int, by deadline: Deadline) throws(ImagingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < length {
            let wanted = min(length - bytes.count, 256 << 10)
            var failure: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                let count = read(process.output.number, buffer.baseAddress, wanted)
                failure = count < 0 ? errno : 0
                filled = max(0, count)
            }
            switch failure {
            case 0 where chunk.isEmpty: throw ending()
            case 0: bytes += chunk
            case EAGAIN: try awaitEvent(POLLIN, by: deadline)
            case EINTR: continue
            default: throw ending()
            }
        }
        return bytes
    }

    /// Waits until the process takes or gives something.
    ///
    /// A signal wakes only one thread of the program: the others look for it 20 times a second.
    private func awaitEvent(_ event: Int32, by deadline: Deadline) throws(ImagingError) {
        while true {
            if Interrupt.isRaised { throw .interrupted }
            var ends = [
                pollfd(fd: process.output.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.input.number, events: Int16(POLLOUT), revents: 0),
            ]
            let left = deadline.milliseconds
            // While there is more to send, an answer can only be an end or garbage.
            if poll(&ends, event == POLLOUT ? 2 : 1, Int32(min(max(left, 0), 50))) > 0 {
                if event == POLLOUT, ends[0].revents & Int16(POLLIN) != 0 { throw .garbled }
                if event == POLLOUT, ends[0].revents != 0 { throw ending() }
                return
            }
            if left <= 0 { throw .timedOut(seconds: deadline.seconds) }
        }
    }

    /// Takes in the end of a process that closed its output or its input. One that only pretends is ended for it: a
    /// process that is on its way out keeps its own ending.
    private func ending() -> ImagingError {
        process.kill()
        switch process.wait() {
        case .status(let status) where [ImagingFrame.Unfit.library, ImagingFrame.Unfit.sandbox].contains(status):
            return .unfit(status: status)
        case let ending: return .crashed(ending)
        }
    }

    private struct Deadline {
        let seconds: Int
        private let end: Int64

        init(seconds: Int) {
            self.seconds = seconds
            end = SystemClock.monotonicMilliseconds() + Int64(seconds) * 1000
        }

        var milliseconds: Int64 { end - SystemClock.monotonicMilliseconds() }
    }
}
