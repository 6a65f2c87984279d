import Photos
import System
import Testing
import Workbench

@Suite("The end of a JPEG's picture") struct JPEGEndTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG in outline (T.81, B.1.1): markers are what counts here, not what is coded between them.
    private let picture: [UInt8] =
        [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x04, 0xff, 0xd9]  // the marker of an end, inside a segment
        + [0xff, 0xda, 0x00, 0x03, 0x01] + [UInt8](repeating: 0x55, count: 300_000)
        + [0xff, 0x00, 0xff, 0xd0, 0x12, 0xff, 0xff, 0xd1, 0x34]

    private func isMissing(_ bytes: [UInt8], _ name: String) throws -> Bool {
        let file = try FileDescriptor.openForReading(try folder.write(bytes, as: name))
        return try JPEGEnd.isMissing(in: file, size: Int64(bytes.count))
    }

    @Test("is there at the end of the file, and before what stands behind it") func present() throws {
        #expect(try !isMissing(picture + [0xff, 0xd9], "whole.jpg"))
        #expect(try !isMissing(picture + [0xff, 0xd9] + Array("a video".utf8), "motion.jpg"))
        #expect(try !isMissing(picture + [0xff, 0xd9] + [UInt8](repeating: 0, count: 600_000), "padded.jpg"))
    }

    @Test("is missing where the file was cut, wherever that was") func missing() throws {
        for (index, length) in [picture.count, 200_000, 12, 9, 7, 3].enumerated() {
            #expect(try isMissing(Array(picture.prefix(length)), "cut\(index).jpg"), "\(length)")
        }
        #expect(try isMissing(picture + [0xff], "last.jpg"))
        #expect(try isMissing([], "empty.jpg"))
    }
}
