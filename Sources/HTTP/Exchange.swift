import CCurl
import Glibc

/// One request under way, as libcurl's callbacks see it.
final class Exchange {
    let easy: EasyHandle
    private let headers: HeaderList
    private let bodyCount: Int64
    private var body: BodyReader
    /// Bytes of the body that libcurl has asked for.
    private var taken: Int64 = 0
    private(set) var bodyFailure: BodyReader.Failure?
    private(set) var reply: ReplyCollector
    /// True once the request has begun, on a connection that stands.
    private(set) var hasBegun = false
    /// True where libcurl was about to send the request a second time, unasked, and was kept from it. Its count of what
    /// has gone does not hold then.
    private(set) var isRestarted = false

    /// - Throws: `HTTPError`, `unusable`.
    init(_ request: Request) throws(HTTPError) {
        easy = try EasyHandle()
        headers = try HeaderList(request.headers)
        body = BodyReader(request.body)
        bodyCount = request.body.count
        reply = ReplyCollector(limit: request.replyLimit, now: Int64(time(nil)))
        try connectCallbacks()
    }

    /// Bytes of the body that the connection has taken; where libcurl's count does not hold, those that it may have taken.
    var sent: Int64 { isRestarted ? taken : easy.offset(CURLINFO_SIZE_UPLOAD_T) }

    /// Bytes that have come, still packed.
    var received: Int64 { easy.offset(CURLINFO_SIZE_DOWNLOAD_T) + Int64(reply.headerCount) }

    /// True where the last byte of the body may have gone. An empty body has gone with the request itself.
    var isBodySent: Bool { hasBegun && sent >= bodyCount }

    /// True where the request went out on a connection that was kept from an earlier one.
    var isOnKeptConnection: Bool { isRestarted || easy.long(CURLINFO_NUM_CONNECTS) == 0 }

    // MARK: Callbacks

    /// The exchange frees its handle, so the handle never works on an exchange that has gone.
    private func connectCallbacks() throws(HTTPError) {
        try easy.set(CURLOPT_POST, 1)
        try easy.set(CURLOPT_POSTFIELDSIZE_LARGE, large: bodyCount)
        try easy.set(CURLOPT_HTTPHEADER, headers.list)
        try easy.check(ccurl_set_read(easy.pointer, Self.read))
        try easy.check(ccurl_set_socket(easy.pointer, Self.openSocket))
        try easy.check(ccurl_set_beginning(easy.pointer, Self.begin))
        try easy.check(ccurl_set_seek(easy.pointer, Self.seek))
        try easy.check(ccurl_set_write(easy.pointer, CURLOPT_HEADERFUNCTION, Self.takeHeader))
        try easy.check(ccurl_set_write(easy.pointer, CURLOPT_WRITEFUNCTION, Self.takeBody))
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_READDATA, CURLOPT_SOCKOPTDATA, CURLOPT_PREREQDATA, CURLOPT_SEEKDATA, CURLOPT_HEADERDATA,
            CURLOPT_WRITEDATA,
        ] {
            try easy.set(option, context)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read: curl_read_callback = { bytes, size, count, context in
        guard let exchange = Exchange.from(context) else { return Int(CURL_READFUNC_ABORT) }
        do throws(BodyReader.Failure) {
            let read = try exchange.body.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            exchange.taken += Int64(read)
            return read
        } catch {
            exchange.bodyFailure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private static let takeHeader: curl_write_callback = { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Exchange.from(context)?.reply.takeHeader(line) == true ? line.count : 0
    }

    private static let takeBody: curl_write_callback = { bytes, size, count, context in
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Exchange.from(context)?.reply.takeBody(piece) == true ? piece.count : 0
    }

    // libcurl tries again by itself where a kept connection has ended before any reply, and does not ask how much of
    // the body had gone. It then opens a socket, begins once more and goes back to the body's start: all are refused.

    private static let openSocket: curl_sockopt_callback = { context, socket, _ in
        // What has gone is then nearly what has left: for the clock of a stall on a slow line, and for who looks on.
        ccurl_keep_queue_short(socket, 262_144)
        return Exchange.from(context)?.mayStart() == true ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR
    }

    private static let begin: curl_prereq_callback = { context, _, _, _, _ in
        guard let exchange = Exchange.from(context), exchange.mayStart() else { return CURL_PREREQFUNC_ABORT }
        exchange.hasBegun = true
        return CURL_PREREQFUNC_OK
    }

    private static let seek: curl_seek_callback = { context, _, _ in
        Exchange.from(context)?.isRestarted = true
        return CURL_SEEKFUNC_FAIL
    }

    private func mayStart() -> Bool {
        if hasBegun { isRestarted = true }
        return !hasBegun
    }
}
