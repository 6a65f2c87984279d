import Glibc
public import System

/// The end of a JPEG's picture, which a full card or a broken transfer cuts off.
public enum JPEGEnd {
    /// Whether a JPEG has no end-of-image marker (ITU T.81, B.1.1.3) behind its picture.
    ///
    /// A file that ends with the marker is looked at no further. In one that does not (a motion photo has a video behind
    /// its picture), the picture is walked through from marker to marker.
    public static func isMissing(in file: borrowing FileDescriptor, size: Int64) throws(SystemError) -> Bool {
        guard size > 4 else { return true }
        if try file.read(2, at: size - 2) == [0xff, 0xd9] { return false }
        let scan = Scan(size: size)
        defer { scan.window.deallocate() }
        return try !scan.findsEnd(in: file)
    }

    /// A walk over the markers of a file, through a window on it.
    private final class Scan {
        let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        private let size: Int64
        private var start: Int64 = 0
        private var filled = 0
        private var place: Int64 = 2

        init(size: Int64) { self.size = size }

        func findsEnd(in file: borrowing FileDescriptor) throws(SystemError) -> Bool {
            while let marker = try nextMarker(in: file) {
                switch marker {
                // A stuffed byte, restarts, and fill bytes: the picture goes on.
                case 0x00, 0x01, 0xd0...0xd8: continue
                case 0xd9: return true
                default:
                    guard let high = try byte(at: place, in: file), let low = try byte(at: place + 1, in: file) else {
                        return false
                    }
                    place += max(2, Int64(high) << 8 | Int64(low))
                }
            }
            return false
        }

        /// The byte behind the next 0xff, which is then passed; nil at the end of the file.
        private func nextMarker(in file: borrowing FileDescriptor) throws(SystemError) -> UInt8? {
            while place < size {
                guard try fill(for: place, in: file) else { return nil }
                let offset = Int(place - start)
                let rest = UnsafeRawBufferPointer(rebasing: window[offset..<filled])
                guard let base = rest.baseAddress, let found = memchr(base, 0xff, rest.count) else {
                    place = start + Int64(filled)
                    continue
                }
                place += Int64(UnsafeRawPointer(found) - base)
                while let next = try byte(at: place, in: file), next == 0xff { place += 1 }
                let marker = try byte(at: place, in: file)
                place += 1
                return marker
            }
            return nil
        }

        private func byte(at offset: Int64, in file: borrowing FileDescriptor) throws(SystemError) -> UInt8? {
            guard offset < size, try fill(for: offset, in: file) else { return nil }
            return window[Int(offset - start)]
        }

        /// Brings an offset into the window; false where the file is shorter by now.
        private func fill(for offset: Int64, in file: borrowing FileDescriptor) throws(SystemError) -> Bool {
            if offset >= start, offset < start + Int64(filled) { return true }
            start = offset
            filled = try file.read(into: window, at: offset)
            return filled > 0
        }
    }
}
