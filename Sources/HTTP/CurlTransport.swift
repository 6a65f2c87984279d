import CCurl
import Glibc
public import System
import Text

/// Requests by libcurl, over connections that are kept. One thread at a time: another thread makes its own.
///
/// Proxies come from the environment (`https_proxy`, `all_proxy`, `no_proxy`) and are never used for loopback. Nothing
/// is followed, remembered or looked up: no redirect, no cookie, no `.netrc`.
///
/// A kept connection may have ended without a word. A request that it took with it is sent once more, on a new one,
/// where that is surely no second time: the last byte of the body had not gone, and no byte of a reply had come.
/// libcurl's own second tries are refused, since they don't ask for the former.
public final class CurlTransport: Transport {
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    /// libcurl's last words.
    private let words: UnsafeMutablePointer<CChar>
    private let userAgent: String
    private let caFile: FilePath?
    private let timeouts: Timeouts
    private let bytesPerSecond: Int64?

    /// A static is made once, whoever comes first: curl_global_init asks for that.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - caFile: Certificates (PEM) to trust besides the system's own.
    ///   - bytesPerSecond: The most that is sent.
    /// - Throws: `HTTPError`, `unusable`, where libcurl cannot begin.
    public init(
        userAgent: String, caFile: FilePath? = nil, timeouts: Timeouts = Timeouts(), bytesPerSecond: Int64? = nil
    ) throws(HTTPError) {
        guard Self.isLibraryReady, let multi = curl_multi_init() else {
            throw HTTPError(.unusable, message: "libcurl does not start")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw HTTPError(.unusable, message: "libcurl does not start")
        }
        self.multi = multi
        self.easy = easy
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.userAgent = userAgent
        self.caFile = caFile
        self.timeouts = timeouts
        self.bytesPerSecond = bytesPerSecond.map { max(1, $0) }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        words.deallocate()
    }

    public func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply {
        var reported: Int64 = 0
        let report = { (gone: Int64) in
            if gone > reported {
                advance(gone - reported)
                reported = gone
            }
        }
        if case .reply(let reply) = try exchange(request, isSecondTry: false, report) { return reply }
        if case .reply(let reply) = try exchange(request, isSecondTry: true, report) { return reply }
        throw HTTPError(.broken, message: "the connection ended")  // a new connection is never said to be lost
    }

    private enum Outcome {
        case reply(Reply)
        /// A kept connection was found dead, and the request has surely not arrived.
        case lost
    }

    private func exchange(_ request: Request, isSecondTry: Bool, _ report: (Int64) -> Void) throws -> Outcome {
        try Interrupt.check()
        let exchange = Exchange(request)
        let headers = try HeaderList(request.headers)
        return try withExtendedLifetime((exchange, headers)) {
            defer { curl_easy_reset(easy) }  // which keeps the connections
            try setUp(request, headers, exchange, onNewConnection: isSecondTry)
            guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
                throw HTTPError(.unusable, message: "libcurl does not begin")
            }
            defer { curl_multi_remove_handle(multi, easy) }
            let result = try perform(exchange, request, report)
            return try conclude(result, exchange, request, isSecondTry: isSecondTry)
        }
    }

    /// Moves bytes until there is a result.
    private func perform(_ exchange: Exchange, _ request: Request, _ report: (Int64) -> Void) throws -> CURLcode {
        var progress: Progress?
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else {
                throw failure(.broken, exchange, request, "libcurl gave up")
            }
            report(offset(CURLINFO_SIZE_UPLOAD_T))
            if let result = result() { return result }
            try Interrupt.check()

            let now = SystemClock.monotonicMilliseconds()
            if exchange.beginnings > 0, progress == nil {
                progress = Progress(
                    stall: max(timeouts.stall.milliseconds, longestPause), reply: timeouts.reply.milliseconds,
                    bodyCount: request.body.count, now: now)
            }
            progress?.note(
                sent: offset(CURLINFO_SIZE_UPLOAD_T),
                received: offset(CURLINFO_SIZE_DOWNLOAD_T) + Int64(exchange.reply.headerCount), now: now)
            let deadline = progress?.deadline
            if let deadline, now >= deadline.at { throw failure(.timedOut, exchange, request, deadline.what) }
            // Before the request begins, libcurl keeps the time.
            let pause = Int32(clamping: min((deadline?.at ?? .max) - now, 60_000))
            var alarm = curl_waitfd(fd: Interrupt.alarmDescriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            curl_multi_poll(multi, &alarm, alarm.fd < 0 ? 0 : 1, pause, nil)
        }
    }

    private func result() -> CURLcode? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }

    private func conclude(
        _ result: CURLcode, _ exchange: Exchange, _ request: Request, isSecondTry: Bool
    ) throws -> Outcome {
        let reply = exchange.reply
        if result == CURLE_OK {
            guard reply.hasWholeHeaders else { throw failure(.badReply, exchange, request, "a reply without headers") }
            return .reply(reply.reply)
        }
        try Interrupt.check()
        switch exchange.bodyFailure {
        case .unreadable(let error):
            throw failure(.bodyUnreadable(error), exchange, request, "\(error.call): \(error.reason)")
        case .shorter(let path):
            throw failure(.bodyShorter(path), exchange, request, "a file has become shorter")
        case nil: break
        }
        if reply.isTooLong { throw failure(.replyTooLong, exchange, request, "the reply is too long") }
        let kind = kind(of: result, exchange)
        if kind == .broken, !isBodySent(exchange, request) {
            // A refusal that came while the body still went is told, though the connection broke under it.
            if reply.hasWholeHeaders, reply.status >= 300 { return .reply(reply.reply) }
            let wasKept = long(CURLINFO_NUM_CONNECTS) == 0 || exchange.beginnings > 1
            if reply.isEmpty, wasKept, !isSecondTry { return .lost }
        }
        throw failure(kind, exchange, request, text(result))
    }

    /// An empty body has gone with the request itself.
    private func isBodySent(_ exchange: Exchange, _ request: Request) -> Bool {
        exchange.beginnings > 0 && offset(CURLINFO_SIZE_UPLOAD_T) >= request.body.count
    }

    private func failure(
        _ kind: HTTPError.Kind, _ exchange: Exchange, _ request: Request, _ message: String
    ) -> HTTPError {
        HTTPError(kind, bodySent: isBodySent(exchange, request), message: message)
    }

    private func kind(of result: CURLcode, _ exchange: Exchange) -> HTTPError.Kind {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .unresolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case _ where long(CURLINFO_HTTP_CONNECTCODE) >= 300: .proxy
        case CURLE_COULDNT_CONNECT: .noConnection
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .badReply
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT: .unusable
        default: exchange.beginnings > 0 ? .broken : .noConnection
        }
    }

    /// libcurl's words, in one line. With an @ there may be a proxy's password in them.
    private func text(_ result: CURLcode) -> String {
        let own = String(cString: words).withoutControls
        return own.isEmpty || own.contains("@") ? String(cString: curl_easy_strerror(result)) : own
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return ccurl_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    // MARK: Options

    /// Large enough for speed, and with a limit on it no more than goes in a quarter of a second.
    private var bufferSize: Int { min(262_144, max(16_384, Int(clamping: (bytesPerSecond ?? .max) / 4))) }

    /// With a limit, libcurl sends a bufferful and then waits for as long as it should have taken.
    private var longestPause: Int64 { bytesPerSecond.map { 2 * 1000 * Int64(bufferSize) / $0 } ?? 0 }

    private func setUp(
        _ request: Request, _ headers: HeaderList, _ exchange: Exchange, onNewConnection: Bool
    ) throws(HTTPError) {
        words[0] = 0
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        let proxyless = request.address.isLoopback
        try check(ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, words))
        try check(ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1))  // a resolver that does not answer is not waited for

        try check(ccurl_set_text(easy, CURLOPT_URL, request.address.text))
        try check(ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
        try check(ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0))
        try check(ccurl_set_long(easy, CURLOPT_NETRC, 0))
        try check(ccurl_set_text(easy, CURLOPT_USERAGENT, userAgent))
        try check(ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip"))
        try check(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers.list))

        if proxyless { try check(ccurl_set_text(easy, CURLOPT_PROXY, "")) }
        try check(ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
        for version in [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION] {
            try check(ccurl_set_long(easy, version, Int(CURL_SSLVERSION_TLSv1_2)))
        }
        try check(ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1))
        try check(ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2))
        // The system's certificates stay: they are found in their folder (CURLOPT_CAPATH).
        if let caFile { try check(caFile.withCString { ccurl_set_text(easy, CURLOPT_CAINFO, $0) }) }

        try check(
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, timeouts.connect.milliseconds))))
        // Many servers end a connection that was silent for a minute.
        try check(ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, 50))
        try check(ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1))
        try check(ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0))
        // What has gone is then nearly what has left: for the clock of a stall on a slow line, and for who looks on.
        try check(
            ccurl_set_socket(easy) { _, socket, _ in
                ccurl_keep_queue_short(socket, 262_144)
                return CURL_SOCKOPT_OK
            })

        try check(ccurl_set_long(easy, CURLOPT_POST, 1))
        try check(ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
        try check(ccurl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, bufferSize))
        if let bytesPerSecond {
            try check(ccurl_set_offset(easy, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(bytesPerSecond)))
        }

        try check(ccurl_set_read(easy, Exchange.read))
        try check(ccurl_set_seek(easy, Exchange.seek))
        try check(ccurl_set_beginning(easy, Exchange.begin))
        try check(ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, Exchange.takeHeader))
        try check(ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, Exchange.takeBody))
        for option in [
            CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA,
        ] {
            try check(ccurl_set_pointer(easy, option, context))
        }
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        if code != CURLE_OK { throw HTTPError(.unusable, message: String(cString: curl_easy_strerror(code))) }
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, rest) = components
        return min(max(0, seconds), 1_000_000_000) * 1000 + rest / 1_000_000_000_000_000
    }
}
