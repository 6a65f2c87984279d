import Dispatch
import Glibc
import Synchronization

public enum Processors {
    /// Those that the system has on line.
    public static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

extension Array where Element: Sendable {
    /// Does the same with each element on several threads at once, and gives the results in the elements' order.
    /// - Parameter threads: By default one for each processor.
    public func concurrentMap<Result: Sendable>(
        threads: Int = Processors.count, _ body: @Sendable (Element) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: Swift.min(Swift.max(1, threads), count)) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let result = body(self[index])
                results.withLock { $0[index] = result }
            }
        }
        // Each index was taken by one thread, and all threads have come back.
        return results.withLock { $0.compactMap(\.self) }
    }
}
