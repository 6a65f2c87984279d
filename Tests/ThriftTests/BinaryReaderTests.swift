import HTTP
import Testing
import Thrift
import Workbench

@Suite("The reader of the binary protocol")
struct BinaryReaderTests {
    /// The head of a reply, and what follows it.
    private func reply(
        version: String = "80010002", name: String = "00000003616c6c", sequence: String = "00000009",
        _ rest: String = ""
    ) -> BinaryReader {
        BinaryReader(Hexadecimal.bytes(version + name + sequence + rest))
    }

    private func read(_ digits: String) throws -> Everything {
        var reader = BinaryReader(Hexadecimal.bytes(digits))
        return try Everything(from: &reader)
    }

    @Test("every type is read as Apache Thrift writes it")
    func everyType() throws {
        // Without the head of the message, the argument's own field header, and the end of the arguments.
        #expect(try read(String(Everything.filledByThrift.dropFirst(36))) == Everything.filled)
    }

    @Test("fields of any type that are not known are passed over, and a known number of another type is not that field")
    func unknown() throws {
        var expected = Everything()
        expected.number = 42
        #expect(try read(Everything.unknownByThrift) == expected)
    }

    @Test("every end of the bytes is noticed, wherever they end")
    func truncated() {
        for whole in [String(Everything.filledByThrift.dropFirst(36).dropLast(2)), Everything.unknownByThrift] {
            for count in 0..<(whole.count / 2) {
                #expect(throws: ThriftError.self) { try read(String(whole.prefix(count * 2))) }
            }
        }
    }

    @Test("the head of the awaited reply is taken")
    func head() throws {
        var reader = reply("00")
        try reader.reply(to: "all", sequence: 9)
        #expect(try reader.fieldHeader() == nil)
    }

    @Test("any other head is refused")
    func otherHeads() {
        let heads: [(BinaryReader, ThriftError)] = [
            (reply(version: "00000003"), .notStrict(3)),
            (reply(version: "80020002"), .notStrict(0x8002_0002)),
            (reply(version: "3c68746d"), .notStrict(0x3c68_746d)),
            (reply(version: "80010001"), .unexpectedMessage(kind: 1)),
            (reply(version: "80010004"), .unexpectedMessage(kind: 4)),
            (reply(name: "00000003616c6d"), .wrongName),
            (reply(name: "00000000"), .wrongName),
            (reply(name: "00000003ff6c6c"), .badText),
            (reply(name: "7fffffff"), .badLength(.max)),
            (reply(name: "ffffffff"), .badLength(-1)),
            (reply(sequence: "0000000a"), .wrongSequence(10)),
            (reply(sequence: "ffffffff"), .wrongSequence(-1)),
            (reply(sequence: "0000"), .truncated),
            (BinaryReader([]), .truncated),
        ]
        for (reader, error) in heads {
            var reader = reader
            #expect(throws: error) { try reader.reply(to: "all", sequence: 9) }
        }
    }

    @Test("what the service's own Thrift layer says is an error of its own, whatever call it names")
    func application() {
        var expected = ApplicationError()
        expected.message = "no"
        expected.kind = .internalError
        var reader = reply(
            version: "80010003", name: "00000000", sequence: "00000000", "0b0001000000026e6f" + "08000200000006" + "00")
        #expect(throws: ThriftError.application(expected)) { try reader.reply(to: "all", sequence: 9) }
    }

    @Test(
        "lengths, counts and types that cannot be are refused",
        arguments: [
            ("0b0007ffffffff", ThriftError.badLength(-1)), ("0b00078000000061", .badLength(.min)),
            ("0b00070000000361ffff00", .badText), ("0b000700000002c0af00", .badText),
            ("0b000700000003eda08000", .badText),
            ("0b00070000000461", .badLength(4)), ("0f00090bffffffff", .badCount(-1)),
            ("0f00090b7fffffff", .badCount(.max)),
            ("0f0009080000000100000000", .badType(8)), ("0f0009000000000100000000", .badType(0)),
            ("07000100", .badType(7)), ("110001", .badType(17)), ("ff0001", .badType(255)),
            ("0f0064000000000100", .badType(0)), ("0d006400020000000100", .badCount(1)),
            ("0d00640b0b7fffffff", .badCount(.max)), ("0e00640280000000", .badCount(.min)),
            ("0f0064037fffffff00", .badCount(.max)),
        ])
    func impossible(digits: String, error: ThriftError) {
        #expect(throws: error) { try read(digits) }
    }

    @Test("an empty list is one whatever it is said to be a list of")
    func emptyList() throws {
        for type in ["00", "08", "0b", "ff"] {
            var expected = Everything()
            expected.texts = []
            #expect(try read("0f0009" + type + "00000000" + "00") == expected)
        }
    }

    @Test("what is nested too deep is given up before the stack is", arguments: ["0c0064", "0f00640f00000001"])
    func depth(step: String) {
        let inner = String(step.dropFirst(step.hasPrefix("0c") ? 0 : 6))
        #expect(throws: ThriftError.tooDeep) {
            try read(step + String(repeating: inner, count: 5_000))
        }
    }

    @Test("a few bytes that become many values are refused before the memory is taken")
    func amplification() {
        // A struct that ends at once has one byte here, and `MemoryLayout<Everything>.stride` in memory.
        let count = 2_000_000
        var reader = BinaryReader(Hexadecimal.bytes("0f012d0c001e8480") + [UInt8](repeating: 0, count: count + 1))
        #expect(throws: ThriftError.badCount(Int32(count))) { try Everything(from: &reader) }
    }

    @Test("lists together may not have more than one may have")
    func amplificationInPieces() {
        #expect(MemoryLayout<Everything>.stride > 96)
        let list = Hexadecimal.bytes("0f012d0c00030d40") + [UInt8](repeating: 0, count: 200_000)
        var once = BinaryReader(list + [0])
        #expect(throws: Never.self) { try Everything(from: &once) }
        var often = BinaryReader(list + list + list + list + [0])
        #expect(throws: ThriftError.badCount(200_000)) { try Everything(from: &often) }
    }

    @Test("every byte of a good struct may be any other: what is still read is written and read again as the same")
    func anyByte() throws {
        func written(_ value: Everything) throws -> [UInt8] {
            var writer = try BinaryWriter(call: "", sequence: 0)
            try value.write(to: &writer)
            guard case .bytes(let bytes) = writer.body.segments.first else { return [] }
            return Array(bytes.dropFirst(12))
        }
        for whole in [String(Everything.filledByThrift.dropFirst(36)), Everything.unknownByThrift] {
            let bytes = Hexadecimal.bytes(whole)
            for index in bytes.indices {
                for value: UInt8 in [0, 1, 2, 7, 11, 12, 13, 15, 0x7f, 0x80, 0xff] {
                    var changed = bytes
                    changed[index] = value
                    var reader = BinaryReader(changed)
                    guard let value = try? Everything(from: &reader) else { continue }
                    var again = BinaryReader(try written(value))
                    let repeated = try Everything(from: &again)
                    #expect(try written(repeated) == written(value))
                }
            }
        }
    }
}
