import Foundation
import System
import Testing
import Workbench

/// Every fault of the service, at every call that delivers or looks: each ends with one note for each job.
@Suite("the fault matrix") struct FaultMatrixServiceTests {
    @Test("whatever goes wrong at the service, each note is there once, whole, and every status says what is so")
    func everyFault() async throws {
        let folder = try Evergear()
        let rows = try await Self.rows(of: Self.cases, in: folder.home)
        print(([FaultRow.header] + rows.map(\.line).sorted()).joined(separator: "\n"))
        #expect(rows.count == Self.cases.count)
        for row in rows { #expect(row.wrongs.isEmpty, "\(row.test): \(row.statuses) \(row.wrongs)") }
    }

    /// Away from the threads of the tests, of which there are few.
    private static func rows(of cases: [FaultCase], in folder: URL) async throws -> [FaultRow] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try FaultMatrix(cases, in: folder).rows() })
            }
        }
    }

    /// A fault, and how sending ends where it strikes: the note's first request; a later step of it; a look.
    private struct Kind {
        let name: String
        let creation: FaultCase.Ending
        /// How often a note is created that meets it.
        let creations: Int
        let step: FaultCase.Ending
        /// nil: it makes no sense there, or is as good as another.
        let look: FaultCase.Ending?
        let action: EvernotePeer.Fault.Action
        var fields: (inout EvernotePeer.Fault) -> Void = { _ in }

        func fault(_ call: String, times: Int, skip: Int = 0) -> EvernotePeer.Fault {
            var fault = EvernotePeer.Fault(call, action, times: times, skip: skip)
            fields(&fault)
            return fault
        }
    }

    /// What was handed to the connection may have arrived, though nobody read it: so even a request that the service
    /// dropped at once is looked for until the last look.
    private static var kinds: [Kind] {
        var kinds = [
            Kind(
                name: "drop before the body", creation: .later, creations: 2, step: .done, look: .later,
                action: .dropBeforeRead),
            Kind(
                name: "reset before the body", creation: .later, creations: 2, step: .done, look: nil,
                action: .dropBeforeRead
            ) {
                $0.reset = true
            },
            Kind(
                name: "drop after commit", creation: .done, creations: 1, step: .done, look: .later,
                action: .dropAfterCommit),
            Kind(
                name: "reset after commit", creation: .done, creations: 1, step: .done, look: nil,
                action: .dropAfterCommit
            ) {
                $0.reset = true
            },
            Kind(name: "committed late", creation: .soon, creations: 1, step: .done, look: nil, action: .commitAfter) {
                $0.seconds = 1
            },
            Kind(name: "delay before", creation: .done, creations: 1, step: .done, look: .done, action: .delay) {
                $0.seconds = 0.3
            },
            Kind(name: "delay after", creation: .done, creations: 1, step: .done, look: nil, action: .delay) {
                ($0.seconds, $0.after) = (0, 0.3)
            },
            Kind(name: "early 503", creation: .later, creations: 2, step: .done, look: nil, action: .http) {
                ($0.status, $0.early) = (503, true)
            },
            Kind(name: "early 503, Retry-After", creation: .later, creations: 2, step: .later, look: nil, action: .http)
            {
                ($0.status, $0.early, $0.retryAfter) = (503, true, "1")
            },
            Kind(name: "rate limit", creation: .later, creations: 2, step: .later, look: .later, action: .system) {
                ($0.code, $0.rateLimitDuration) = ("RATE_LIMIT_REACHED", 1)
            },
            Kind(name: "quota", creation: .resume, creations: 2, step: .resume, look: nil, action: .user) {
                ($0.code, $0.parameter) = ("QUOTA_REACHED", "Accounting.uploadLimit")
            },
            Kind(name: "token expired", creation: .login, creations: 2, step: .login, look: .login, action: .user) {
                ($0.code, $0.parameter) = ("AUTH_EXPIRED", "authenticationToken")
            },
            Kind(name: "garbage", creation: .done, creations: 1, step: .done, look: .later, action: .garbage),
            Kind(name: "truncated", creation: .done, creations: 1, step: .done, look: .later, action: .truncate),
            Kind(name: "slow drip", creation: .done, creations: 1, step: .done, look: .done, action: .slowDrip) {
                ($0.bytes, $0.seconds) = (16, 0.005)
            },
            Kind(name: "throttle", creation: .done, creations: 1, step: .done, look: nil, action: .throttle) {
                $0.bytesPerSecond = 60_000
            },
            Kind(
                name: "wrong sequence id", creation: .done, creations: 1, step: .done, look: .later,
                action: .wrongSequenceID),
            Kind(name: "wrong name", creation: .done, creations: 1, step: .done, look: .later, action: .wrongName),
            Kind(
                name: "TApplicationException", creation: .later, creations: 2, step: .done, look: .later,
                action: .applicationException),
            Kind(name: "INTERNAL_ERROR", creation: .later, creations: 2, step: .done, look: .later, action: .system) {
                $0.code = "INTERNAL_ERROR"
            },
            Kind(name: "SHARD_UNAVAILABLE", creation: .soon, creations: 2, step: .soon, look: .later, action: .system) {
                $0.code = "SHARD_UNAVAILABLE"
            },
        ]
        for bytes in [5_000, 7_000, 1 << 20] {
            let name = bytes == 1 << 20 ? "drop behind the body" : "drop at \(bytes) bytes"
            kinds.append(
                Kind(
                    name: name, creation: .later, creations: 2, step: .done, look: bytes == 7_000 ? .later : nil,
                    action: .dropMidBody
                ) { $0.bytes = bytes })
        }
        for status in [429, 500, 502, 503, 504] {
            let look: FaultCase.Ending? = [429, 503].contains(status) ? .later : nil
            kinds.append(
                Kind(
                    name: "HTTP \(status), Retry-After", creation: .later, creations: 2, step: .later, look: look,
                    action: .http
                ) { ($0.status, $0.retryAfter) = (status, "1") })
            if status == 429 { continue }  // see `cases`
            kinds.append(
                Kind(
                    name: "HTTP \(status)", creation: .later, creations: 2, step: .done,
                    look: status == 500 ? .later : nil,
                    action: .http
                ) { $0.status = status })
        }
        return kinds
    }

    static let cases: [FaultCase] = {
        var cases: [FaultCase] = []
        // Without a word of the service the account is left alone for a minute: that is waited for once.
        cases.append(
            FaultCase(
                name: "HTTP 429", call: "createNote", fault: EvernotePeer.Fault("createNote", .http, status: 429),
                before: [],
                isStepped: false, jobs: 1, size: .small, ending: .later, creations: 2))
        for kind in kinds {
            for jobs in [1, 5] {
                let struck = jobs == 1 ? 1 : 3
                for isStepped in [false, true] {
                    cases.append(
                        FaultCase(
                            name: kind.name, call: "createNote", fault: kind.fault("createNote", times: struck),
                            before: [],
                            isStepped: isStepped, jobs: jobs, size: .small, ending: kind.creation,
                            creations: kind.creations))
                }
                cases.append(
                    FaultCase(
                        name: kind.name, call: "updateNoteIfUsnMatches",
                        fault: kind.fault("updateNoteIfUsnMatches", times: struck), before: [], isStepped: true,
                        jobs: jobs,
                        size: .small, ending: kind.step, creations: nil))
            }
            cases += looks(kind)
        }
        return cases + large
    }()

    private static func looks(_ kind: Kind) -> [FaultCase] {
        guard let ending = kind.look else { return [] }
        func lost(_ call: String, _ times: Int) -> EvernotePeer.Fault {
            EvernotePeer.Fault(call, .dropAfterCommit, times: times)
        }
        var cases: [FaultCase] = []
        for jobs in [1, 5] {
            let struck = jobs == 1 ? 1 : 3
            // The first call counts the account's notes.
            cases.append(
                FaultCase(
                    name: kind.name, call: "findNotesMetadata",
                    fault: kind.fault("findNotesMetadata", times: struck, skip: 1),
                    before: [lost("createNote", struck)],
                    isStepped: jobs == 5, jobs: jobs, size: .small, ending: ending, creations: 1))
            // Reached where the search finds nothing: the note is not there, and is looked for once more.
            cases.append(
                FaultCase(
                    name: kind.name, call: "getFilteredSyncChunk",
                    fault: kind.fault("getFilteredSyncChunk", times: struck),
                    before: [EvernotePeer.Fault("createNote", .http, times: struck, status: 500)], isStepped: jobs == 5,
                    jobs: jobs, size: .small, ending: ending == .done ? .later : ending, creations: 2))
            // Asked before anything is queued, and once more before the first note goes.
            let state: FaultCase.Ending =
                switch kind.action {
                case .delay, .slowDrip: .done
                case .user: .login
                default: kind.name.contains("Retry-After") || kind.name == "rate limit" ? .later : .soon
                }
            cases.append(
                FaultCase(
                    name: kind.name, call: "getSyncState",
                    fault: kind.fault("getSyncState", times: state == .done ? 1 : 2),
                    before: [], isStepped: jobs == 5, jobs: jobs, size: .small, ending: state, creations: nil))
        }
        cases.append(
            FaultCase(
                name: kind.name, call: "getNote", fault: kind.fault("getNote", times: 1),
                before: [lost("updateNoteIfUsnMatches", 1)], isStepped: true, jobs: 1, size: .small, ending: ending,
                creations: 1))
        return cases
    }

    /// Connections that end while most of the body is still on this side: that surely has not arrived, and goes again.
    private static var large: [FaultCase] {
        var cases: [FaultCase] = []
        for isStepped in [false, true] {
            for bytes in [100_000, 1_000_000] {
                for reset in [false, true] {
                    cases.append(
                        FaultCase(
                            name: "\(reset ? "reset" : "drop") at \(bytes) bytes", call: "createNote",
                            fault: EvernotePeer.Fault(
                                "createNote", .dropMidBody, bytes: bytes, reset: reset ? true : nil),
                            before: [], isStepped: isStepped, jobs: 1, size: .large, ending: .soon, creations: 2))
                }
            }
            cases.append(
                FaultCase(
                    name: "drop after commit", call: "createNote",
                    fault: EvernotePeer.Fault("createNote", .dropAfterCommit), before: [], isStepped: isStepped,
                    jobs: 1,
                    size: .large, ending: .done, creations: 1))
        }
        return cases
    }
}
