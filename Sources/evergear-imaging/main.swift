import CSandbox
import CSystem
import Glibc
import Notes
import Photos

/// The one process of evergear that decodes pixels: photos in on standard input, pictures out on standard output
/// (`ImagingFrame`), and nothing else. It shuts itself in before it reads the first byte.
enum EvergearImaging {
    /// Bytes of address space. A photo of 300 megapixels in three colours takes 0.9 GB.
    static let memory: UInt64 = 3 << 30
    /// Seconds of processor time in all: a backstop for a process that nobody waits for any more.
    static let processorTime: UInt64 = 3600
    /// Seconds for one photo, likewise: the client is less patient.
    static let patience: UInt32 = 300

    static func run() -> Int32 {
        guard csystem_limit(memory, processorTime, 64, 0) == 0 else { return ImagingFrame.Unfit.sandbox }
        // What a library has to say there says nothing to a person.
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0, dup2(nowhere, 2) == 2 else { return ImagingFrame.Unfit.sandbox }
        close(nowhere)
        guard Vips.start() else { return ImagingFrame.Unfit.library }
        guard csandbox_close() == 0 else { return ImagingFrame.Unfit.sandbox }
        while let order = readOrder() {
            alarm(patience)
            guard serve(order) else { return 74 }
            alarm(0)
        }
        return 0
    }

    /// - Returns: nil at the end of the input, or where it is out of step.
    private static func readOrder() -> ImagingOrder? {
        var head = [UInt8](repeating: 0, count: ImagingFrame.orderLength)
        guard head.withUnsafeMutableBytes({ fill($0) }) else { return nil }
        return ImagingOrder(bytes: head)
    }

    private static func serve(_ order: ImagingOrder) -> Bool {
        if order.operation == .probe {
            var report = [CChar](repeating: 0, count: ImagingFrame.longestReason)
            csandbox_probe(&report, Int32(report.count))
            let text = report.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return answer(.report, text: text)
        }
        guard let photo = malloc(max(1, order.length)) else { return false }
        defer { free(photo) }
        let bytes = UnsafeMutableRawBufferPointer(start: photo, count: order.length)
        guard fill(bytes) else { return false }
        do throws(Refusal) {
            return try Darkroom.develop(order, bytes) { jpeg, size, isDamaged in
                guard jpeg.count <= ImagingFrame.largestPicture else {
                    return answer(.undecodable, text: Array("the picture is too large".utf8))
                }
                let head = ImagingAnswer(
                    outcome: .picture, isDamaged: isDamaged, width: size.width, height: size.height, length: jpeg.count)
                return head.bytes.withUnsafeBytes({ send($0) }) && send(jpeg)
            }
        } catch {
            switch error {
            case .undecodable(let words):
                return answer(.undecodable, text: Array(words.utf8.prefix(ImagingFrame.longestReason)))
            case .tooManyPixels(let size):
                return ImagingAnswer(outcome: .tooManyPixels, width: size.width, height: size.height, length: 0).bytes
                    .withUnsafeBytes { send($0) }
            }
        }
    }

    private static func answer(_ outcome: ImagingAnswer.Outcome, text: [UInt8]) -> Bool {
        (ImagingAnswer(outcome: outcome, length: text.count).bytes + text).withUnsafeBytes { send($0) }
    }

    /// - Returns: False where the input ends before the buffer is full.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let count = read(0, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            if count > 0 { filled += count } else if count == 0 || errno != EINTR { return false }
        }
        return true
    }

    private static func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = write(1, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            if count >= 0 { sent += count } else if errno != EINTR { return false }
        }
        return true
    }
}

exit(EvergearImaging.run())
