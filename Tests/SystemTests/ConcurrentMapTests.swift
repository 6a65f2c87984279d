import Synchronization
import System
import Testing

@Suite("Work on several threads")
struct ConcurrentMapTests {
    @Test("each element is worked on once, and the results come in the elements' order", arguments: [0, 1, 4, 100])
    func order(threads: Int) {
        let calls = Atomic<Int>(0)
        let squares = Array(0..<50).concurrentMap(threads: threads) { number in
            calls.add(1, ordering: .relaxed)
            return number * number
        }
        #expect(squares == (0..<50).map { $0 * $0 })
        #expect(calls.load(ordering: .relaxed) == 50)
    }

    @Test("of nothing comes nothing")
    func nothing() {
        #expect([Int]().concurrentMap { $0 }.isEmpty)
    }
}
