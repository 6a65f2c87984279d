import EDAM
import HTTP
import Notes
import Outbox
import Storage
import System

/// What a call that came to nothing means for a delivery.
enum EvernoteFailure {
    /// Codes of failures that a new token mends.
    static let accessCodes: Set<String> = [
        "no_token", "invalid_auth", "auth_expired", "permission_denied_token", "sso_authentication_required",
        "business_security_login_required", "device_limit_reached", "account_clear", "address_refused",
    ]

    /// - Parameters:
    ///   - writes: Whether the call makes or changes a note: then an answer that was lost is not a failure yet.
    ///   - monthEnds: When the account's upload counts from 0 again, where that is known.
    static func of(
        _ error: any Error, writes: Bool, at now: Timestamp, monthEnds: Timestamp? = nil
    ) -> any Error {
        func failure(
            _ kind: DeliveryFailure.Kind, _ code: String, _ message: String, _ parameter: String? = nil
        ) -> DeliveryFailure { DeliveryFailure(kind, code: code, message: message, parameter: parameter) }

        func later(_ seconds: Int) -> DeliveryFailure.Kind {
            // No time at all, as by a clock that is behind, would ask again without an end.
            let seconds = seconds > 0 ? min(seconds, 366 * 86_400) : unsaidWait
            return .accountClosed(until: Timestamp(milliseconds: now.milliseconds + Int64(seconds) * 1000))
        }

        switch error {
        case let closed as AccountClosed:
            return failure(
                .accountClosed(until: closed.gate.notBefore), closed.gate.reason.code, closed.gate.reason.message)
        case is Interrupted: return failure(.interrupted, "interrupted", Failure(error).sentence)
        case StoreError.missingBlob: return failure(.rejected, "missing_blob", Failure(error).sentence)
        case let error as HTTPError: return of(EDAMError.http(error), writes: writes, at: now, monthEnds: monthEnds)
        case let error as EDAMError:
            let code = error.code
            if accessCodes.contains(code) {
                return failure(.accountClosed(until: nil), code, error.sentence, error.parameter)
            }
            // Whoever heard of the wait first has closed the gate.
            if writes, error.mayHaveArrived {
                return failure(.outcomeUnknown, code, error.sentence, error.parameter)
            }
            if let wait = error.wait { return failure(later(wait), code, error.sentence) }
            switch error {
            case .system(.rateLimitReached, message: _, rateLimitDuration: _), .status(429, retryAfter: _):
                return failure(later(unsaidWait), code, error.sentence)
            case .user(.quotaReached, parameter: let parameter):
                let kind: DeliveryFailure.Kind =
                    monthEnds.map { $0 > now } ?? false ? .accountClosed(until: monthEnds) : later(3600)
                return failure(kind, code, error.sentence, parameter)
            case .user(.limitReached, parameter: "Note"):
                return failure(.accountClosed(until: nil), "note_limit", error.sentence, "Note")
            case .http(let http):
                switch http.kind {
                case .bodyUnreadable, .bodyShorter: return failure(.rejected, "missing_blob", error.sentence)
                default: break
                }
            default: break
            }
            let isFinal = error.isFinal && !error.mayHaveArrived
            return failure(isFinal ? .rejected : .unreachable, code, error.sentence, error.parameter)
        // What keeps a token from being had here, before anything is asked of the service.
        case let error as any ExplainedError where error.status == .authentication:
            return failure(.accountClosed(until: nil), "no_token", error.sentence)
        default: return error
        }
    }

    /// Seconds to leave a service alone that does not say how long.
    private static let unsaidWait = 60
}

extension EDAMError {
    /// A stable word: `quota_reached`, `connection-broken`.
    var code: String {
        switch self {
        case .user(.permissionDenied, parameter: "authenticationToken"): "permission_denied_token"
        // No token at all, or one that is none: the same help helps.
        case .user(.dataRequired, parameter: "authenticationToken"),
            .user(.badDataFormat, parameter: "authenticationToken"):
            "invalid_auth"
        case .user(let code, parameter: _), .system(let code, message: _, rateLimitDuration: _):
            code.description.lowercased().replacing(" ", with: "_")
        case .notFound: "not_found"
        case .application: "service_failed"
        case .protocolBroken: "reply_garbled"
        case .http(let error): error.code
        case .status(let status, retryAfter: _): "http_\(status)"
        case .addressRefused: "address_refused"
        case .tooLong: "too_long"
        case .interrupted: "interrupted"
        }
    }

    /// What the service says it is about.
    var parameter: String? {
        switch self {
        case .user(_, let parameter): parameter
        case .notFound(let identifier, key: _): identifier
        default: nil
        }
    }

    /// Whether the same request would be refused again.
    fileprivate var isFinal: Bool {
        switch self {
        case .user, .notFound, .tooLong: true
        case .status(let status, retryAfter: _): status == 413
        default: false
        }
    }
}

extension EDAMError: ExplainedError {
    var sentence: String {
        switch self {
        case .user(let code, let parameter): Self.words(code, parameter)
        case .system(.rateLimitReached, message: _, let wait):
            "Evernote asks to be left alone\(wait.map { " for \(Words.duration(seconds: Int64($0)))" } ?? " for a while"): too "
                + "many calls were made within an hour. It goes on by itself after that."
        case .system(.shardUnavailable, message: _, rateLimitDuration: _):
            "the part of the service that keeps this account is not available now."
        case .system(let code, let message, rateLimitDuration: _):
            "the service has a trouble of its own (\(code)\(message.map { ": \($0)" } ?? ""))."
        case .notFound("Note.notebookGuid", key: _):
            "the notebook is not in the account any more. `evergear notebooks --refresh` lists those there are; choose one "
                + "with `evergear draft edit DRAFT --notebook`, and send it again."
        case .notFound(let identifier, let key):
            "the service does not have what was meant (\(identifier ?? "something")\(key.map { ": \($0)" } ?? ""))."
        case .application: "the service failed inside while it worked on the request."
        case .protocolBroken:
            "what came back is no reply of Evernote's. Is --service right, and is no login page in between?"
        case .http(let error) where error.kind == .tls:
            "the service could not prove who it is: \(error.message). Where it has a certificate of its own, --ca-file or the "
                + "setting caFile names it."
        case .http(let error): "the service cannot be reached: \(error.words)."
        case .status(let status, retryAfter: _): "the service answers with HTTP status \(status)."
        case .addressRefused(let address):
            "the service names \(address) for its notes, which is not on its own domain: the token does not go there."
        case .tooLong:
            "the note is larger than the protocol allows (2 GB). Send its pictures smaller with --photo-size."
        case .interrupted: "interrupted while the answer was awaited."
        }
    }

    var status: ExitStatus {
        if EvernoteFailure.accessCodes.contains(code) { return .authentication }
        switch self {
        case .user(.quotaReached, parameter: _): return .notNow
        case .user(.permissionDenied, parameter: _), .user(.limitReached, parameter: "Note"): return .failed
        case .user, .tooLong: return .badInput
        case .notFound: return .noInput
        case .interrupted: return .interrupted
        case .http(let error): return error.kind == .tls || error.kind == .unusable ? .configuration : .notNow
        case .system, .status, .application, .protocolBroken: return .notNow
        case .addressRefused: return .authentication
        }
    }

    /// What a refusal means and what to do about it.
    private static func words(_ code: EDAMErrorCode, _ parameter: String?) -> String {
        let about = parameter.map { " (\(code), \($0))" } ?? " (\(code))"
        switch (code, parameter) {
        case (.invalidAuth, _), (.authExpired, _), (.permissionDenied, "authenticationToken"),
            (.dataRequired, "authenticationToken"),
            (.badDataFormat, "authenticationToken"):
            return
                "the service does not accept the token\(about). `evergear auth login` takes a new one, and the queue goes on."
        case (.businessSecurityLoginRequired, _), (.ssoAuthenticationRequired, _), (.deviceLimitReached, _),
            (.accountClear, _):
            return "the service wants a new login\(about). `evergear auth login` takes a new token."
        case (.quotaReached, _):
            return
                "this month's upload is used up\(about). It goes on by itself when the new month begins, which `evergear auth "
                + "status` tells, or once the account was given more, with `evergear queue resume`."
        case (.limitReached, "Note"):
            return "the account holds as many notes as it may\(about). Delete some, then `evergear queue resume`."
        case (.limitReached, "Note.size"), (.limitReached, "Resource.data.size"):
            return
                "the note, or one of its photos, is too large for this account\(about). Send it again with --photo-size or "
                + "a smaller --note-bytes."
        case (.limitReached, "Note.resources"):
            return "the note has more files than the account takes\(about). Send it again with --photos-per-note."
        case (.limitReached, "Note.tagGuids"), (.limitReached, "Tag"):
            return
                "there are too many tags\(about). Take some away with `evergear draft edit DRAFT --tag`, and send it again."
        case (.badDataFormat, "Note.title"):
            return "the service refuses the title\(about). Change the draft's first line, and send it again."
        case (.badDataFormat, "Note.content"):
            return "the service refuses the text for its length\(about). Cut the draft in two, and send both."
        case (.badDataFormat, "Tag.name"):
            return
                "the service refuses a tag\(about). Change it with `evergear draft edit DRAFT --tag`, and send it again."
        case (.enmlValidation, _):
            return
                "the service refuses the note's text\(about). If the layout is one of your own, look at it; else please "
                + "report this with `evergear queue show JOB --content`."
        case (.permissionDenied, "Note.notebookGuid"):
            return
                "the account may not write into that notebook\(about). Choose another with `evergear draft edit DRAFT "
                + "--notebook`."
        case (.permissionDenied, _):
            return "the token does not permit this\(about). A token that may read and write notes is needed."
        default:
            return "the service refuses the note\(about). Please report this with `evergear queue show JOB --content`."
        }
    }
}

extension HTTPError: ExplainedError {
    /// libcurl's own words only where they name what nobody else knows.
    fileprivate var words: String {
        switch kind {
        case .broken: "the connection ended before the answer was there"
        case .timedOut: "it took too long"
        case .badReply: "what answers there does not speak HTTP"
        case .replyTooLong: "its answer has no end"
        case .bodyUnreadable(let error): error.words
        case .bodyShorter(let file): "\(file) is shorter than it was"
        case .unresolved, .noConnection, .tls, .proxy, .unusable: message
        }
    }

    var sentence: String { EDAMError.http(self).sentence }
    var status: ExitStatus { EDAMError.http(self).status }
}
