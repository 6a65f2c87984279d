public import Notes
public import System

/// Why no picture could be made of one photo. The photo itself is whole and can still be sent as it is.
public enum ImagingError: Error, Hashable, Sendable {
    /// The decoder's own words, which come from outside: cleaned before they reach a terminal.
    case undecodable(String)
    /// A type of photo whose pixels nobody here decodes.
    case unsupported(mime: String)
    /// More pixels than are decoded at all (`ImagingFrame.mostPixels`).
    case tooManyPixels(PixelSize)
    /// A file of more bytes than are given to a decoder (`ImagingFrame.largestSource`).
    case tooLarge(bytes: Int64)
    /// The decoder ended on this photo.
    case crashed(ChildProcess.Ending)
    /// The decoder gave no answer within this many seconds.
    case timedOut(seconds: Int)
    /// The decoder's answer was none.
    case garbled
    /// The photo could not be read.
    case unreadable(SystemError)
    /// The photo became shorter while it was read.
    case changed
    /// `evergear-imaging` is not where it belongs; the place where it was expected.
    case missingProgram(FilePath)
    /// `evergear-imaging` could not be started.
    case start(SystemError)
    /// `evergear-imaging` started and gave up before the first photo: its exit status, `ImagingFrame.Unfit`.
    case unfit(status: Int32)
    /// A signal came; nothing is known against the photo.
    case interrupted

    /// Stable, for JSON.
    public var code: String {
        switch self {
        case .undecodable: "undecodable"
        case .unsupported: "unsupported_type"
        case .tooManyPixels: "too_many_pixels"
        case .tooLarge: "too_large"
        case .crashed: "decoder_crashed"
        case .timedOut: "decoder_timed_out"
        case .garbled: "decoder_garbled"
        case .unreadable: "unreadable"
        case .changed: "changed_while_read"
        case .missingProgram: "missing_program"
        case .start: "decoder_not_started"
        case .unfit: "decoder_unfit"
        case .interrupted: "interrupted"
        }
    }

    /// One clause for a person, without the photo's name.
    public var reason: String {
        switch self {
        case .undecodable(let words): "its pixels cannot be decoded (\(words))"
        case .unsupported(let mime): "pixels of type \(mime) are not decoded"
        case .tooManyPixels(let size):
            "\(size.width) × \(size.height) is more than \(ImagingFrame.mostPixels / 1_000_000) megapixels"
        case .tooLarge(let bytes):
            "its \(bytes) bytes are more than the \(ImagingFrame.largestSource >> 20) MiB that are decoded"
        case .crashed(.signal(let signal)): "the decoder crashed on it (signal \(signal))"
        case .crashed(.status(let status)): "the decoder gave up on it (status \(status))"
        case .timedOut(let seconds): "the decoder was still busy after \(seconds) s"
        case .garbled: "the decoder gave no proper answer"
        case .unreadable(let error): error.reason
        case .changed: "it became shorter while it was read"
        case .missingProgram(let path): "the program that decodes photos is missing: \(path)"
        case .start(let error): "the program that decodes photos does not start: \(error.reason)"
        case .unfit(ImagingFrame.Unfit.library): "the program that decodes photos cannot use libvips"
        case .unfit: "the program that decodes photos could not shut itself in (it needs Linux with seccomp)"
        case .interrupted: "interrupted"
        }
    }

    /// True where the next photo would fare no better.
    public var isForEveryPhoto: Bool {
        switch self {
        case .missingProgram, .start, .unfit, .interrupted: true
        default: false
        }
    }
}
