import CCurl
import System
import Text

/// libcurl's handle of one request, freed with its owner. The connections live elsewhere, with the multi handle.
///
/// Each request gets one of its own: what libcurl remembers of a request that was broken off is not all cleared by
/// curl_easy_reset, and would act on the next.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// libcurl's last words.
    private let words: UnsafeMutablePointer<CChar>

    init() throws(HTTPError) {
        guard let pointer = ccurl_easy_init() else { throw HTTPError(.unusable, message: "libcurl does not start") }
        self.pointer = pointer
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_ERRORBUFFER, words)
    }

    deinit {
        ccurl_easy_cleanup(pointer)
        words.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(ccurl_set_long(pointer, option, value))
    }

    /// For the options that end in `_LARGE`.
    func set(_ option: CURLoption, large value: Int64) throws(HTTPError) {
        try check(ccurl_set_offset(pointer, option, curl_off_t(value)))
    }

    /// The text is copied.
    func set(_ option: CURLoption, _ text: String) throws(HTTPError) {
        try check(ccurl_set_text(pointer, option, text))
    }

    /// The path is copied.
    func set(_ option: CURLoption, _ path: FilePath) throws(HTTPError) {
        try check(path.withCString { ccurl_set_text(pointer, option, $0) })
    }

    /// What is pointed to must stay as long as the handle works.
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(HTTPError) {
        try check(ccurl_set_pointer(pointer, option, value))
    }

    func check(_ code: CURLcode) throws(HTTPError) {
        if code != CURLE_OK { throw HTTPError(.unusable, message: String(cString: ccurl_easy_strerror(code))) }
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    /// True where a TLS greeting failed only because the connection did: libcurl has one code for both.
    var saysConnectionEnded: Bool {
        let own = String(cString: words)
        return ["SSL_ERROR_SYSCALL", "unexpected eof", "Recv failure", "Send failure"].contains { own.contains($0) }
    }

    /// What libcurl says of a failure, in one line. With an @ there may be a proxy's password in it.
    func text(_ result: CURLcode) -> String {
        let own = String(cString: words).withoutControls
        return own.isEmpty || own.contains("@") ? String(cString: ccurl_easy_strerror(result)) : own
    }
}
