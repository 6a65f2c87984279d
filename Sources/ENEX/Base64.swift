/// Base64 (RFC 4648) over buffers, in lines of 76 characters as MIME and Evernote's own exports have them.
enum Base64 {
    /// Bytes that make one line: chunks are multiples of it.
    static let bytesInLine = 57
    /// Characters of a line, with its end.
    static let charactersInLine = 77

    /// Characters that a number of bytes becomes, line ends and all.
    static func size(of bytes: Int) -> Int {
        let (lines, rest) = bytes.quotientAndRemainder(dividingBy: bytesInLine)
        return lines * charactersInLine + (rest == 0 ? 0 : (rest + 2) / 3 * 4 + 1)
    }

    /// - Parameter output: At least `size(of:)` bytes.
    /// - Returns: The characters written. Only the last chunk of a body may be anything but a multiple of `bytesInLine`.
    static func encode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        guard output.count >= size(of: input.count), let source = input.baseAddress, let target = output.baseAddress
        else { return 0 }
        return pairs.withUnsafeBufferPointer { pairs in
            guard let pair = pairs.baseAddress else { return 0 }
            var read = source
            var write = target
            for _ in 0..<(input.count / bytesInLine) {
                // Nine times six bytes; each load takes eight and stays within the line.
                for _ in 0..<9 {
                    let bits = UInt64(bigEndian: read.loadUnaligned(as: UInt64.self))
                    let eight =
                        UInt64(pair[Int(bits >> 52)]) | UInt64(pair[Int(bits >> 40 & 0xfff)]) << 16
                        | UInt64(pair[Int(bits >> 28 & 0xfff)]) << 32 | UInt64(pair[Int(bits >> 16 & 0xfff)]) << 48
                    write.storeBytes(of: eight.littleEndian, as: UInt64.self)
                    read += 6
                    write += 8
                }
                encodeThree(&read, &write, pair)
                write.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
                write += 1
            }
            let end = source + input.count
            if read == end { return write - target }
            while end - read >= 3 { encodeThree(&read, &write, pair) }
            if end - read > 0 {
                let first = read.load(as: UInt8.self)
                let second = end - read == 2 ? (read + 1).load(as: UInt8.self) : 0
                write.storeBytes(of: pair[Int(first) << 4 | Int(second >> 4)].littleEndian, as: UInt16.self)
                (write + 2).storeBytes(
                    of: end - read == 2 ? UInt8(truncatingIfNeeded: pair[Int(second & 15) << 8]) : UInt8(ascii: "="),
                    as: UInt8.self)
                (write + 3).storeBytes(of: UInt8(ascii: "="), as: UInt8.self)
                write += 4
            }
            write.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
            write += 1
            return write - target
        }
    }

    @inline(__always)
    private static func encodeThree(
        _ read: inout UnsafeRawPointer, _ write: inout UnsafeMutableRawPointer, _ pair: UnsafePointer<UInt16>
    ) {
        let (a, b, c) = (read.load(as: UInt8.self), (read + 1).load(as: UInt8.self), (read + 2).load(as: UInt8.self))
        let four =
            UInt32(pair[Int(a) << 4 | Int(b >> 4)]) | UInt32(pair[Int(b & 15) << 8 | Int(c)]) << 16
        write.storeBytes(of: four.littleEndian, as: UInt32.self)
        read += 3
        write += 4
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8

    /// For twelve bits their two characters, the first in the lower byte.
    private static let pairs: [UInt16] = {
        let all = [UInt8](letters)
        return (0..<4096).map { UInt16(all[$0 >> 6]) | UInt16(all[$0 & 63]) << 8 }
    }()

    /// Takes characters in pieces of any size, gives bytes.
    struct Decoder {
        private var bits: UInt32 = 0
        private var count = 0
        private var padding = 0
        private(set) var isValid = true

        /// - Parameter output: Room for three bytes to every four characters, and three more.
        /// - Returns: The bytes written.
        mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
            var written = 0
            for character in input {
                let value = Base64.values[Int(character)]
                if value < 64 {
                    if padding > 0 { isValid = false }
                    bits = bits << 6 | UInt32(value)
                    count += 1
                    if count == 4 {
                        output[written] = UInt8(truncatingIfNeeded: bits >> 16)
                        output[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                        output[written + 2] = UInt8(truncatingIfNeeded: bits)
                        written += 3
                        count = 0
                    }
                } else if character == UInt8(ascii: "=") {
                    padding += 1
                } else if value != 64 {
                    isValid = false
                }
            }
            return written
        }

        /// The last one or two bytes. - Returns: nil where the text was no base64.
        mutating func finish() -> [UInt8]? {
            guard isValid else { return nil }
            switch (count, padding) {
            case (0, 0): return []
            case (2, 2): return [UInt8(truncatingIfNeeded: bits >> 4)]
            case (3, 1): return [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
            default: return nil
            }
        }
    }

    /// The value of each character; 64 for space, 255 for what may not be there.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        for space in [0x20, 0x09, 0x0a, 0x0d] { values[space] = 64 }
        return values
    }()
}
