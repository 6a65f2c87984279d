import Glibc
import Notes
import Synchronization
public import System

/// Makes pictures of photos in a few `evergear-imaging` processes, which it starts when they are first needed.
///
/// A photo that crashes, stalls or bloats a decoder costs that one photo: its process is ended and the next photo gets
/// another. Callable from several threads; each call waits for its picture, and for a process where all are busy.
public final class ImagingClient: Sendable {
    private let program: FilePath?
    private let seconds: Int
    private let idle = Mutex<[ImagingWorker]>([])
    private let free: Permits

    /// Starts nothing yet. From here on a closed pipe is an error instead of a signal (SIGPIPE is ignored): a decoder's
    /// end must not be the program's.
    /// - Parameters:
    ///   - workers: Processes at most; so many photos are worked on at once.
    ///   - program: Where `evergear-imaging` is; by default it is looked for beside the running program.
    ///   - seconds: For one photo.
    public init(workers: Int, program: FilePath? = nil, seconds: Int = 60) {
        self.program = program
        self.seconds = seconds
        free = Permits(max(1, workers))
        signal(SIGPIPE, SIG_IGN)
    }

    /// The picture of a photo.
    /// - Parameter source: A regular file. It is streamed, so memory stays flat.
    public func render(_ source: FilePath, as request: ImageRequest) throws(ImagingError) -> RenderedImage {
        guard request.isDecodable else { throw .unsupported(mime: request.mime) }
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor.openForReading(source) } catch { throw .unreadable(error) }
        return try render(file, as: request)
    }

    /// The picture of an open photo, read from its beginning.
    public func render(
        _ source: borrowing FileDescriptor, as request: ImageRequest
    ) throws(ImagingError) -> RenderedImage {
        guard request.isDecodable else { throw .unsupported(mime: request.mime) }
        let size: Int64
        do throws(SystemError) { size = try source.status().size } catch { throw .unreadable(error) }
        guard size <= ImagingFrame.largestSource else { throw .tooLarge(bytes: size) }
        let order = ImagingOrder(
            operation: .render, turn: request.turn, box: request.box, quality: request.quality, length: Int(size))
        let (answer, bytes) = try exchange(order, source)
        let pixels = PixelSize(width: answer.width, height: answer.height)
        switch (answer.outcome, pixels) {
        case (.picture, let pixels?) where bytes.starts(with: [0xff, 0xd8, 0xff]):
            return RenderedImage(jpeg: bytes, pixels: pixels, isDamaged: answer.isDamaged)
        case (.tooManyPixels, let pixels?): throw .tooManyPixels(pixels)
        case (.undecodable, _): throw .undecodable(String(decoding: bytes, as: UTF8.self))
        default: throw .garbled
        }
    }

    /// What a decoding process may do: a line for each thing that it tried, with the `errno` that came of it.
    func probe() throws(ImagingError) -> String {
        let nothing: FileDescriptor
        do throws(SystemError) { nothing = try FileDescriptor.openFolder("/") } catch { throw .unreadable(error) }
        let (answer, bytes) = try exchange(ImagingOrder(operation: .probe, length: 0), nothing)
        guard answer.outcome == .report else { throw .garbled }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the processes that have nothing to do. Those at work end with their photo's call; a later call starts others.
    public func shutdown() { idle.withLock { $0.removeAll() } }

    private func exchange(
        _ order: ImagingOrder, _ source: borrowing FileDescriptor
    ) throws(ImagingError) -> (ImagingAnswer, [UInt8]) {
        guard free.take() else { throw .interrupted }
        defer { free.give() }
        let worker = try worker()
        let result = try worker.exchange(order, source, seconds: seconds)
        // A library that leaks a little is given a fresh start now and then, long before its processor time is used up.
        if worker.served < 200 { idle.withLock { $0.append(worker) } }
        return result
    }

    private func worker() throws(ImagingError) -> ImagingWorker {
        while let worker = idle.withLock({ $0.popLast() }) {
            if worker.isQuiet { return worker }
        }
        let program: FilePath
        if let given = self.program { program = given } else { program = try Self.findProgram() }
        do throws(SystemError) {
            return try ImagingWorker(program)
        } catch {
            throw error.code == ENOENT ? .missingProgram(program) : .start(error)
        }
    }

    /// Beside the running program, or in `../libexec/evergear` as seen from there. Never by PATH.
    private static func findProgram() throws(ImagingError) -> FilePath {
        let folder = (Files.runningProgram ?? "").folder
        let beside = folder / "evergear-imaging"
        let installed = folder.folder / "libexec/evergear/evergear-imaging"
        for program in [beside, installed] where program.withCString({ access($0, X_OK) }) == 0 { return program }
        throw .missingProgram(installed)
    }
}

/// As many permits as there may be processes. Unchecked, as a `sem_t` is made to be used from several threads.
private final class Permits: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ count: Int) { sem_init(semaphore, 0, UInt32(count)) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Waits for a permit.
    /// - Returns: false once a signal has come.
    func take() -> Bool {
        while !Interrupt.isRaised {
            var until = timespec()
            clock_gettime(CLOCK_REALTIME, &until)
            until.tv_nsec += 50_000_000
            if until.tv_nsec >= 1_000_000_000 {
                until.tv_nsec -= 1_000_000_000
                until.tv_sec += 1
            }
            if sem_timedwait(semaphore, &until) == 0 { return true }
        }
        return false
    }

    func give() { sem_post(semaphore) }
}
