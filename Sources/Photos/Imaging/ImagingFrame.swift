import Notes

/// What passes between `ImagingClient` and an `evergear-imaging` process, over the latter's standard input and output.
///
/// An order is 28 bytes and the photo's bytes behind them; an answer is 24 bytes and the picture, or the reason why there
/// is none, behind them. One answer to each order, in turn; the end of the input ends the process. Numbers are little
/// endian. Both sides come from one build, so there is no version to negotiate, only a mark to notice garbage by.
///
///     order   0 "EGor"  4 operation  5 turn  6 box  7 quality  8 first side (4)  12 second side (4)  16 zero (4)
///             20 length (8)
///     answer  0 "EGan"  4 outcome  5 damaged  6 zero (2)  8 width (4)  12 height (4)  16 length (8)
package enum ImagingFrame {
    /// Pixels in a photo; above it, the header is enough to refuse it.
    package static let mostPixels = 300_000_000
    /// Bytes of a photo.
    package static let largestSource: Int64 = 512 << 20
    /// Bytes of a picture.
    package static let largestPicture = 256 << 20
    /// Bytes of a reason.
    package static let longestReason = 1000
    /// Pixels along a JPEG's side.
    package static let longestSide = 65_500

    /// Exit statuses of a process that does not get as far as its first photo.
    package enum Unfit {
        package static let library: Int32 = 69
        package static let sandbox: Int32 = 71
    }

    package static let orderLength = 28
    package static let answerLength = 24
}

/// The head of an order.
package struct ImagingOrder: Hashable, Sendable {
    package enum Operation: UInt8, Sendable {
        case render = 1
        /// Tries what the sandbox forbids and answers what came of it.
        case probe = 2
    }

    package var operation: Operation
    package var turn: Int
    package var box: ImageRequest.Box
    package var quality: Int
    /// Bytes that follow.
    package var length: Int

    package init(operation: Operation, turn: Int = 1, box: ImageRequest.Box = .original, quality: Int = 1, length: Int)
    {
        self.operation = operation
        self.turn = turn
        self.box = box
        self.quality = quality
        self.length = length
    }

    package var bytes: [UInt8] {
        let (kind, first, second): (UInt8, Int, Int) =
            switch box {
            case .original: (0, 0, 0)
            case .longSide(let side): (1, side, 0)
            case .thumbnail(let shortSide, let longSide): (2, shortSide, longSide)
            }
        return Array("EGor".utf8) + [operation.rawValue, UInt8(clamping: turn), kind, UInt8(clamping: quality)]
            + littleEndian(UInt32(clamping: first)) + littleEndian(UInt32(clamping: second)) + [0, 0, 0, 0]
            + littleEndian(UInt64(clamping: length))
    }

    /// - Returns: nil for anything that is no order within the limits.
    package init?(bytes: [UInt8]) {
        guard bytes.count == ImagingFrame.orderLength, bytes.starts(with: "EGor".utf8),
            let operation = Operation(rawValue: bytes[4]), (1...8).contains(bytes[5]), (1...100).contains(bytes[7])
        else { return nil }
        let first = Int(number(bytes[8..<12]))
        let second = Int(number(bytes[12..<16]))
        let length = number(bytes[20..<28])
        guard length <= UInt64(ImagingFrame.largestSource) else { return nil }
        switch (bytes[6], first, second) {
        case (0, _, _): box = .original
        case (1, 1..., _): box = .longSide(first)
        case (2, 1..., 1...): box = .thumbnail(shortSide: first, longSide: second)
        default: return nil
        }
        self.operation = operation
        turn = Int(bytes[5])
        quality = Int(bytes[7])
        self.length = Int(length)
    }
}

/// The head of an answer.
package struct ImagingAnswer: Hashable, Sendable {
    package enum Outcome: UInt8, Sendable {
        /// A picture follows.
        case picture = 0
        /// The decoder's words follow.
        case undecodable = 1
        /// Width and height are the photo's; nothing follows.
        case tooManyPixels = 2
        /// Text follows.
        case report = 3
    }

    package var outcome: Outcome
    package var isDamaged: Bool
    package var width: Int
    package var height: Int
    /// Bytes that follow.
    package var length: Int

    package init(outcome: Outcome, isDamaged: Bool = false, width: Int = 0, height: Int = 0, length: Int) {
        self.outcome = outcome
        self.isDamaged = isDamaged
        self.width = width
        self.height = height
        self.length = length
    }

    package var bytes: [UInt8] {
        Array("EGan".utf8) + [outcome.rawValue, isDamaged ? 1 : 0, 0, 0]
            + littleEndian(UInt32(clamping: width)) + littleEndian(UInt32(clamping: height))
            + littleEndian(UInt64(clamping: length))
    }

    /// - Returns: nil for anything that is no answer within the limits.
    package init?(bytes: [UInt8]) {
        guard bytes.count == ImagingFrame.answerLength, bytes.starts(with: "EGan".utf8),
            let outcome = Outcome(rawValue: bytes[4]), bytes[5] <= 1
        else { return nil }
        let length = number(bytes[16..<24])
        let limit =
            switch outcome {
            case .picture: ImagingFrame.largestPicture
            case .undecodable, .report: ImagingFrame.longestReason
            case .tooManyPixels: 0
            }
        guard length <= UInt64(limit) else { return nil }
        self.outcome = outcome
        isDamaged = bytes[5] == 1
        width = Int(number(bytes[8..<12]))
        height = Int(number(bytes[12..<16]))
        self.length = Int(length)
    }
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
