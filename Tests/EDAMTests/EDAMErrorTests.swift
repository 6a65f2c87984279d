import EDAM
import HTTP
import System
import Testing
import Thrift
import Workbench

@Suite("What can go wrong with a call")
struct EDAMErrorTests {
    private func create(_ answer: @escaping (Request) throws -> Reply) throws {
        _ = try Stores.note(ScriptedTransport(answer)).createNote(Note())
    }

    private func create(reply digits: String) throws {
        try create { _ in Reply(status: 200, body: Hexadecimal.bytes(digits)) }
    }

    @Test("what the service refuses, with its reason")
    func refusals() throws {
        #expect(throws: EDAMError.user(.quotaReached, parameter: "Accounting.uploadLimit")) {
            try create(reply: OfficialReply.userErrorReply)
        }
        #expect(throws: EDAMError.system(.rateLimitReached, message: "slow down", rateLimitDuration: 17)) {
            try create(reply: OfficialReply.systemErrorReply)
        }
        #expect(throws: EDAMError.notFound(identifier: "Note.notebookGuid", key: "k")) {
            try create(reply: OfficialReply.notFoundReply)
        }
        #expect(EDAMError.system(.rateLimitReached, message: nil, rateLimitDuration: 17).wait == 17)
        #expect(EDAMError.status(503, retryAfter: 7).wait == 7)
    }

    @Test("the one call that has its exceptions in another order")
    func otherOrder() throws {
        let store = try Stores.note(ScriptedTransport(reply: OfficialReply.updateMissingReply))
        #expect(throws: EDAMError.notFound(identifier: "Note.guid", key: Stores.guid)) {
            try store.updateNoteIfUsnMatches(Note())
        }
    }

    @Test("what the service's own Thrift layer says")
    func application() {
        var expected = ApplicationError()
        (expected.message, expected.kind) = ("Internal error", .internalError)
        #expect(throws: EDAMError.application(expected)) { try create(reply: OfficialReply.applicationReply) }
    }

    @Test("a reply with neither a value nor a reason")
    func empty() {
        #expect(throws: EDAMError.protocolBroken(.missing("success"))) {
            try create(reply: OfficialReply.emptyReply)
        }
    }

    @Test("a page of the web in place of a reply")
    func page() {
        #expect(throws: EDAMError.protocolBroken(.notStrict(0x3c21_444f))) {
            try create { _ in Reply(status: 200, body: Array("<!DOCTYPE html>".utf8)) }
        }
    }

    @Test("the transport's own failures are passed on")
    func transport() {
        let failure = HTTPError(.timedOut, bodySent: true, message: "x")
        #expect(throws: EDAMError.http(failure)) { try create { _ in throw failure } }
        #expect(throws: EDAMError.status(503, retryAfter: 7)) { try create { _ in Reply(status: 503, retryAfter: 7) } }
    }

    /// Is interrupted when so much of a request has gone.
    private struct Interrupting: Transport {
        let share: Double
        func send(_ request: Request, advance: (Int64) -> Void) throws -> Reply {
            advance(Int64(Double(request.body.count) * share))
            throw Interrupted()
        }
    }

    @Test("Ctrl-C after the last byte leaves the outcome open; before it, nothing was done")
    func interrupted() throws {
        #expect(throws: EDAMError.interrupted) { try Stores.note(Interrupting(share: 1)).createNote(Note()) }
        #expect(throws: Interrupted.self) { try Stores.note(Interrupting(share: 0.9)).createNote(Note()) }
    }

    @Test("progress is what the transport reports")
    func progress() throws {
        var gone: Int64 = 0
        let transport = ScriptedTransport(reply: OfficialReply.createdReply)
        _ = try Stores.note(transport).createNote(Note()) { gone += $0 }
        #expect(gone == Int64(try #require(transport.sent.first).count) && gone > 0)
    }

    @Test("a token that the service repeats in its reason is not repeated in the error")
    func repeatedToken() throws {
        let text = "x\(Stores.token)y"
        let digits =
            "8001000200000" + "00a6372656174654e6f746500000001" + "0c00020800010000000" + "40b0002"
            + Hexadecimal.digits([0, 0, 0, UInt8(text.utf8.count)]) + Hexadecimal.digits(text.utf8) + "0000"
        #expect(throws: EDAMError.system(.internalError, message: "x…y", rateLimitDuration: nil)) {
            try create(reply: digits)
        }
    }

    @Test(
        "what may have been done all the same is looked for first",
        arguments: [
            .http(HTTPError(.broken, bodySent: true, message: "")), .protocolBroken(.truncated),
            .protocolBroken(.wrongSequence(3)), .protocolBroken(.wrongName), .interrupted,
            .system(.internalError, message: nil, rateLimitDuration: nil),
            .system(.unknown, message: nil, rateLimitDuration: nil), .status(500, retryAfter: nil),
            .status(504, retryAfter: nil), .status(504, retryAfter: 7), .status(500, retryAfter: 0),
            .status(202, retryAfter: nil), brokenDown(.internalError),
            brokenDown(.missingResult), brokenDown(nil),
        ] as [EDAMError])
    func openOutcome(error: EDAMError) { #expect(error.mayHaveArrived) }

    @Test(
        "a clear no is one",
        arguments: [
            .http(HTTPError(.broken, bodySent: false, message: "")), .user(.quotaReached, parameter: nil),
            .user(.enmlValidation, parameter: nil), .system(.shardUnavailable, message: nil, rateLimitDuration: nil),
            .system(.rateLimitReached, message: nil, rateLimitDuration: 5), .notFound(identifier: nil, key: nil),
            .status(429, retryAfter: nil), .status(404, retryAfter: nil), .status(302, retryAfter: nil),
            .status(503, retryAfter: 7), brokenDown(.unknownMethod), brokenDown(.protocolError), .tooLong,
            .addressRefused("x"),
        ] as [EDAMError])
    func clearNo(error: EDAMError) { #expect(!error.mayHaveArrived) }

    @Test("codes have the names of the IDL, and a new one its number")
    func names() {
        #expect(EDAMErrorCode.quotaReached.description == "QUOTA_REACHED")
        #expect(EDAMErrorCode.ssoAuthenticationRequired.description == "SSO_AUTHENTICATION_REQUIRED")
        for code: Int32 in [0, 29, -1, .min, .max] {
            #expect(EDAMErrorCode(rawValue: code).description == "error \(code)")
        }
    }
}

private func brokenDown(_ kind: ApplicationError.Kind?) -> EDAMError {
    var error = ApplicationError()
    error.kind = kind
    return .application(error)
}
