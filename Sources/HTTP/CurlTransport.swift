import CCurl
public import System

/// Requests by libcurl, over connections that are kept. One thread at a time: another thread makes its own.
///
/// Proxies come from the environment (`https_proxy`, `all_proxy`, `no_proxy`) and are never used for loopback. Nothing
/// is followed, remembered or looked up: no redirect, no cookie, no `.netrc`. The program must ignore SIGPIPE.
///
/// A kept connection may have ended without a word. A request that it took with it is sent once more, on a new one,
/// where that is surely no second time: the last byte of the body had not gone, and no byte of a reply had come.
/// libcurl's own second tries are refused, since they don't ask for the former.
public final class CurlTransport: Transport {
    private let multi: UnsafeMutableRawPointer
    private let userAgent: String
    private let caFile: FilePath?
    private let timeouts: Timeouts
    private let bytesPerSecond: Int64?

    /// A static is made once, whoever comes first: curl_global_init asks for that.
    private static let isLibraryReady = ccurl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - caFile: Certificates (PEM) to trust besides the system's own.
    ///   - bytesPerSecond: The most that is sent.
    /// - Throws: `HTTPError`, `unusable`, where libcurl cannot begin.
    public init(
        userAgent: String, caFile: FilePath? = nil, timeouts: Timeouts = Timeouts(), bytesPerSecond: Int64? = nil
    ) throws(HTTPError) {
        guard Self.isLibraryReady, let multi = ccurl_multi_init() else {
            throw HTTPError(.unusable, message: "libcurl does not start")
        }
        self.multi = multi
        self.userAgent = userAgent
        self.caFile = caFile
        self.timeouts = timeouts
        self.bytesPerSecond = bytesPerSecond.map { max(1, $0) }
    }

    deinit { ccurl_multi_cleanup(multi) }

    public func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply {
        var reported: Int64 = 0
        func report(_ sent: Int64) {
            guard sent > reported else { return }
            advance(sent - reported)
            reported = sent
        }
        if let reply = try send(request, onNewConnection: false, report) { return reply }
        if let reply = try send(request, onNewConnection: true, report) { return reply }
        throw HTTPError(.broken, message: "the connection ended")
    }

    /// - Returns: nil where a kept connection was found dead, and the request has surely not arrived.
    private func send(_ request: Request, onNewConnection: Bool, _ report: (Int64) -> Void) throws -> Reply? {
        try Interrupt.check()
        let exchange = try Exchange(request)
        try setUp(exchange.easy, request.address)
        try exchange.easy.set(CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0)
        guard ccurl_multi_add_handle(multi, exchange.easy.pointer) == CURLM_OK else {
            throw HTTPError(.unusable, message: "libcurl does not begin")
        }
        defer { ccurl_multi_remove_handle(multi, exchange.easy.pointer) }
        let result = try perform(exchange, request.body.count, report)
        return try conclude(result, exchange)
    }

    /// Moves bytes until there is a result.
    private func perform(_ exchange: Exchange, _ bodyCount: Int64, _ report: (Int64) -> Void) throws -> CURLcode {
        var progress: Progress?
        while true {
            var running: Int32 = 0
            guard ccurl_multi_perform(multi, &running) == CURLM_OK else {
                throw failure(.broken, exchange, "libcurl gave up")
            }
            report(exchange.sent)
            if let result = result() { return result }
            try Interrupt.check()

            let now = SystemClock.monotonicMilliseconds()
            if exchange.hasBegun, progress == nil {
                progress = Progress(
                    stall: max(timeouts.stall.milliseconds, longestPause), reply: timeouts.reply.milliseconds,
                    bodyCount: bodyCount, now: now)
            }
            progress?.note(sent: exchange.sent, received: exchange.received, now: now)
            let deadline = progress?.deadline
            if let deadline, now >= deadline.at { throw failure(.timedOut, exchange, deadline.what) }
            // Before the request begins, libcurl keeps the time.
            let pause = Int32(clamping: min((deadline?.at ?? .max) - now, 60_000))
            var alarm = curl_waitfd(fd: Interrupt.alarmDescriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            ccurl_multi_poll(multi, &alarm, alarm.fd < 0 ? 0 : 1, pause, nil)
        }
    }

    private func result() -> CURLcode? {
        var left: Int32 = 0
        while let message = ccurl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }

    // MARK: What came of it

    private func conclude(_ result: CURLcode, _ exchange: Exchange) throws -> Reply? {
        let reply = exchange.reply
        if result == CURLE_OK {
            guard reply.hasWholeHeaders else { throw failure(.badReply, exchange, "a reply without headers") }
            return reply.reply
        }
        try Interrupt.check()
        switch exchange.bodyFailure {
        case .unreadable(let error):
            throw failure(.bodyUnreadable(error), exchange, "\(error.call): \(error.reason)")
        case .shorter(let path): throw failure(.bodyShorter(path), exchange, "a file has become shorter")
        case nil: break
        }
        if reply.isTooLong { throw failure(.replyTooLong, exchange, "the reply is too long") }
        let kind = kind(of: result, exchange)
        if kind == .broken, !exchange.isBodySent {
            // A refusal that came while the body still went is told, though the connection broke under it.
            if reply.hasWholeHeaders, reply.status >= 300 { return reply.reply }
            if reply.isEmpty, exchange.isOnKeptConnection { return nil }
        }
        throw failure(
            kind, exchange, exchange.isRestarted ? "the connection ended" : exchange.easy.text(result))
    }

    private func failure(_ kind: HTTPError.Kind, _ exchange: Exchange, _ message: String) -> HTTPError {
        HTTPError(kind, bodySent: exchange.isBodySent, message: message)
    }

    private func kind(of result: CURLcode, _ exchange: Exchange) -> HTTPError.Kind {
        switch result {
        case _ where exchange.isRestarted: .broken
        case CURLE_COULDNT_RESOLVE_HOST: .unresolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case _ where exchange.easy.long(CURLINFO_HTTP_CONNECTCODE) >= 300: .proxy
        case CURLE_COULDNT_CONNECT: .noConnection
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR where exchange.easy.saysConnectionEnded: .noConnection
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .badReply
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT: .unusable
        default: exchange.hasBegun ? .broken : .noConnection
        }
    }

    // MARK: Options

    /// Large enough for speed, and with a limit on it no more than goes in a quarter of a second.
    private var bufferSize: Int { min(262_144, max(16_384, Int(clamping: (bytesPerSecond ?? .max) / 4))) }

    /// With a limit, libcurl sends a bufferful and then waits for as long as it should have taken. Milliseconds.
    private var longestPause: Int64 { bytesPerSecond.map { 2 * 1000 * Int64(bufferSize) / $0 } ?? 0 }

    private func setUp(_ easy: EasyHandle, _ address: WebAddress) throws(HTTPError) {
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_QUICK_EXIT, 1)  // a resolver that does not answer is not waited for

        try easy.set(CURLOPT_URL, address.text)
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        try easy.set(CURLOPT_NETRC, 0)
        try easy.set(CURLOPT_USERAGENT, userAgent)
        try easy.set(CURLOPT_ACCEPT_ENCODING, "gzip")

        if address.isLoopback { try easy.set(CURLOPT_PROXY, "") }
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try easy.set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        // The system's certificates stay: they are found in their folder (CURLOPT_CAPATH).
        if let caFile { try easy.set(CURLOPT_CAINFO, caFile) }

        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, timeouts.connect.milliseconds)))
        // Many servers end a connection that was silent for a minute.
        try easy.set(CURLOPT_MAXAGE_CONN, 50)
        try easy.set(CURLOPT_TCP_KEEPALIVE, 1)
        try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, bufferSize)
        if let bytesPerSecond { try easy.set(CURLOPT_MAX_SEND_SPEED_LARGE, large: bytesPerSecond) }
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, rest) = components
        return min(max(0, seconds), 1_000_000_000) * 1000 + rest / 1_000_000_000_000_000
    }
}
