import HTTP
import System
import Testing
import Thrift
import Workbench

@Suite("The writer of the binary protocol")
struct BinaryWriterTests {
    private func write(_ value: some ThriftValue) throws -> Body {
        var writer = try BinaryWriter(call: "all", sequence: -2)
        try writer.field(1, value)
        writer.stop()
        return writer.body
    }

    @Test("every type is written as Apache Thrift writes it")
    func everyType() throws {
        let body = try write(Everything.filled)
        guard case .bytes(let bytes) = body.segments.first, body.segments.count == 1 else {
            Issue.record("not one segment of bytes: \(body.segments)")
            return
        }
        #expect(Hexadecimal.digits(bytes) == Everything.filledByThrift)
        #expect(body.count == Int64(bytes.count))
    }

    @Test("a file goes by its place: its length stands before it, and the whole is known without reading it")
    func file() throws {
        var value = Everything()
        value.text = "before"
        value.binary = .file("/nowhere", offset: 7, count: 0x0102_0304)
        let body = try write(value)
        #expect(body.segments.count == 3)
        guard case .bytes(let before) = body.segments[0], case .bytes(let after) = body.segments[2] else {
            Issue.record("no bytes around the file: \(body.segments)")
            return
        }
        #expect(Hexadecimal.digits(before).hasSuffix("6265666f7265" + "0b0008" + "01020304"))
        guard case .file("/nowhere", offset: 7, count: 0x0102_0304) = body.segments[1] else {
            Issue.record("not the file: \(body.segments[1])")
            return
        }
        #expect(after == [0, 0])
        #expect(body.count == Int64(before.count) + 0x0102_0304 + 2)
    }

    @Test("an empty file is no segment")
    func emptyFile() throws {
        #expect(try write(Binary.file("/nowhere", count: 0)).segments.count == 1)
    }

    @Test("a file that is too long for the protocol is refused", arguments: [Int64(1) << 31, .max, -1])
    func tooLong(count: Int64) {
        #expect(throws: ThriftError.tooLong) { try write(Binary.file("/nowhere", count: count)) }
    }
}
