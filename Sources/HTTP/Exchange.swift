import CCurl
import Glibc

/// One request under way: what libcurl's callbacks see. It lives until its handle has forgotten it.
final class Exchange {
    private var body: BodyReader
    private(set) var bodyFailure: BodyReader.Failure?
    private(set) var reply: ReplyCollector
    /// How often the request began on a connection that stands.
    private(set) var beginnings = 0

    init(_ request: Request) {
        body = BodyReader(request.body)
        reply = ReplyCollector(limit: request.replyLimit, now: Int64(time(nil)))
    }

    // Captureless closures become C functions; the last parameter is the exchange.

    static let read: curl_read_callback = { bytes, size, count, context in
        guard let exchange = Exchange.from(context) else { return Int(CURL_READFUNC_ABORT) }
        do throws(BodyReader.Failure) {
            return try exchange.body.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        } catch {
            exchange.bodyFailure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// libcurl goes back to the body's start where it would send a request a second time, unasked. Whether it may be
    /// is not for libcurl to decide.
    static let seek: curl_seek_callback = { _, _, _ in CURL_SEEKFUNC_FAIL }

    /// Called when the connection stands, before the request goes. A second time is a second sending.
    static let begin: curl_prereq_callback = { context, _, _, _, _ in
        guard let exchange = Exchange.from(context) else { return CURL_PREREQFUNC_ABORT }
        exchange.beginnings += 1
        return exchange.beginnings == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    static let takeHeader: curl_write_callback = { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Exchange.from(context)?.reply.takeHeader(line) == true ? line.count : 0
    }

    static let takeBody: curl_write_callback = { bytes, size, count, context in
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Exchange.from(context)?.reply.takeBody(piece) == true ? piece.count : 0
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }
}
