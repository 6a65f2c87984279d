import Glibc
import Hashing

/// Feeds digests on a thread of its own, so that hashing costs no time beside encoding and writing.
///
/// Buffers are handed over in order and stay their owner's; `wait` says when one may be used again.
final class DigestThread: @unchecked Sendable {
    private struct Piece {
        let digest: Digest
        let bytes: UnsafeRawBufferPointer
    }

    // Guarded by `lock`.
    private var waiting: [Piece] = []
    private var handedOver = 0
    private var done = 0
    private var isEnding = false

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var thread: pthread_t?
    /// Where no thread could be had (a limit on processes) the digests are fed on the spot.
    private var canStart = true
    /// Fewer bytes than this are not worth a thread.
    private static let worthwhile = 1 << 16

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<DigestThread>.fromOpaque(context).takeUnretainedValue().work() }
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
        canStart = code == 0
        self.thread = code == 0 ? thread : nil
    }

    /// Ends the thread; what was handed over is fed first.
    func end() {
        guard let thread else { return }
        locked { isEnding = true }
        pthread_join(thread, nil)
        self.thread = nil
        canStart = false
    }

    deinit {
        // The owner has called `end`: the thread, which holds on to this while it runs, is gone.
        pthread_mutex_destroy(lock)
        pthread_cond_destroy(changed)
        lock.deallocate()
        changed.deallocate()
    }

    /// - Returns: A ticket for `wait`. The bytes must not change before.
    func feed(_ digest: Digest, _ bytes: UnsafeRawBufferPointer) -> Int {
        if thread == nil, canStart, bytes.count >= Self.worthwhile { start() }
        guard thread != nil else {
            digest.update(bytes)
            done += 1
            handedOver = done
            return done
        }
        return locked {
            waiting.append(Piece(digest: digest, bytes: bytes))
            handedOver += 1
            return handedOver
        }
    }

    /// Waits until a ticket's bytes have been fed.
    func wait(_ ticket: Int) {
        pthread_mutex_lock(lock)
        while done < ticket { pthread_cond_wait(changed, lock) }
        pthread_mutex_unlock(lock)
    }

    /// Waits until everything has been fed.
    func waitForAll() { wait(handedOver) }

    private func work() {
        pthread_mutex_lock(lock)
        while true {
            if !waiting.isEmpty {
                let piece = waiting.removeFirst()
                pthread_mutex_unlock(lock)
                piece.digest.update(piece.bytes)
                pthread_mutex_lock(lock)
                done += 1
                pthread_cond_broadcast(changed)
            } else if isEnding {
                break
            } else {
                pthread_cond_wait(changed, lock)
            }
        }
        pthread_mutex_unlock(lock)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        return body()
    }
}
