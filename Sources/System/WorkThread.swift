import Glibc

/// A thread that runs one body to its end. Unlike a pool's, it may wait for the network: nobody else needs it.
public final class WorkThread {
    private let thread: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Throws: `SystemError`, EAGAIN where the system allows no more threads.
    public init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError(code: code, call: "pthread_create")
        }
        self.thread = thread
    }

    /// Waits until the body has come to its end. To be called once.
    public func join() { pthread_join(thread, nil) }
}
