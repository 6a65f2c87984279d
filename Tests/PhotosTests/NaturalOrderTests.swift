import Photos
import System
import Testing

@Suite("Natural order of file names")
struct NaturalOrderTests {
    @Test("numbers count by value, letters without regard to case")
    func examples() {
        let ordered = [
            "", "1.jpg", "2.jpg", "010.jpg", "a", "A1", "a2", "A10", "b", "IMG_9.JPG", "img_10.jpg", "IMG_0011.JPG",
            "IMG_99999999999999999999998.JPG", "IMG_99999999999999999999999.JPG", "IMG_E1.JPG", "Übung", "日本",
        ]
        for (before, after) in zip(ordered, ordered.dropFirst()) {
            #expect(NaturalOrder.isBefore(before, after), "\(before) < \(after)")
            #expect(!NaturalOrder.isBefore(after, before), "\(after) < \(before)")
        }
        #expect(ordered.shuffled().sorted(by: NaturalOrder.isBefore) == ordered)
    }

    @Test("names that count as the same go by their bytes: the order is total")
    func ties() {
        for (before, after) in [("A", "a"), ("IMG_007", "IMG_07"), ("IMG_07", "IMG_7"), ("a1B", "a1b"), ("x0", "x00")] {
            #expect(NaturalOrder.isBefore(before, after), "\(before) < \(after)")
            #expect(!NaturalOrder.isBefore(after, before), "\(after) < \(before)")
        }
        #expect(!NaturalOrder.isBefore("IMG_7", "IMG_7"))
    }

    @Test("it is an order: of two different names exactly one comes first, and before is before, at any distance")
    func properties() {
        var random = SeededGenerator(seed: 20_240_501)
        let alphabet = Array("aAbB0019._-/:éÿ日".utf8) + [0xff]
        let names = (0..<120).map { _ in
            FilePath(
                bytes: (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? 0
                })
        }
        for a in names {
            for b in names {
                let count = (NaturalOrder.isBefore(a, b) ? 1 : 0) + (NaturalOrder.isBefore(b, a) ? 1 : 0)
                #expect(count == (a == b ? 0 : 1), "\(a.bytes) and \(b.bytes)")
            }
        }
        let sorted = names.sorted(by: NaturalOrder.isBefore)
        for (i, a) in sorted.enumerated() {
            for b in sorted[(i + 1)...] { #expect(!NaturalOrder.isBefore(b, a), "\(a.bytes) … \(b.bytes)") }
        }
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
