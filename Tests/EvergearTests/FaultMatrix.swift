import Foundation
import Synchronization
import System
import Testing
import Workbench

/// What can go wrong at the service, and how a person who sends comes through it.
struct FaultCase: Sendable, CustomStringConvertible {
    /// What `send` ends with, and what is to be done until all has arrived.
    enum Ending: String, Sendable {
        /// 0: nobody notices, or the note whose answer was lost is found at once.
        case done
        /// 75, and `queue run --wait` goes on: after a wait that the service asked for, or after the last look. 0 as
        /// well where the run outlasted that wait, as it does on a machine that is busy.
        case later
        /// 75 or 0, as it happens: the next try comes after a wait at random, which may be over within the same run.
        case soon
        /// 77, and 77 again until `auth login`.
        case login
        /// 75, and 75 again until `queue resume`.
        case resume
    }

    enum Size: Sendable { case small, large }

    let name: String
    /// The call that it happens to.
    let call: String
    let fault: EvernotePeer.Fault
    /// What has to go wrong before, so that the call is made at all.
    let before: [EvernotePeer.Fault]
    let isStepped: Bool
    let jobs: Int
    let size: Size
    let ending: Ending
    /// How often `createNote` is called for a job that meets it; nil: however often.
    let creations: Int?

    var description: String { "\(call), \(name), \(isStepped ? "in steps" : "at once"), \(jobs) jobs" }

    /// How long the service asks to be left alone, in seconds.
    var orderedWait: Double? { fault.retryAfter.flatMap(Double.init) ?? fault.rateLimitDuration.map(Double.init) }
}

/// How it went.
struct FaultRow: Sendable {
    let test: FaultCase
    /// What each run of the program ended with.
    var statuses: [String] = []
    var notes = 0
    var requests: [String: Int] = [:]
    /// In words; empty where all is as it should be.
    var wrongs: [String] = []

    static let header = columns("call", "fault", "as", "jobs", "notes", "creates", "updates", "ended")

    var line: String {
        let made = requests["createNote"] ?? 0
        let changed = requests["updateNoteIfUsnMatches"] ?? 0
        return Self.columns(
            test.call, test.name, (test.isStepped ? "steps" : "one") + (test.size == .large ? ", large" : ""),
            "\(test.jobs)", "\(notes)", "\(made)", "\(changed)", statuses.joined(separator: ", "))
            + (wrongs.isEmpty ? "" : "  WRONG: " + wrongs.joined(separator: "; "))
    }

    private static func columns(_ cells: String...) -> String {
        zip(cells, [22, 26, 12, 4, 5, 7, 7, 0]).map {
            $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0)
        }
        .joined(separator: "  ")
    }
}

/// Works the cases off, several at once, each thread with a service of its own.
final class FaultMatrix: Sendable {
    private struct State {
        var left: [FaultCase]
        var rows: [FaultRow] = []
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let one, five, large: Album

    /// - Parameter folder: For what it keeps; removed by the caller.
    init(_ cases: [FaultCase], in folder: URL) throws {
        state = Mutex(State(left: cases.reversed()))
        one = try Album(in: folder, drafts: 1, sizes: Self.small)
        five = try Album(in: folder, drafts: 5, sizes: Self.small)
        // More than the buffers of a connection hold.
        large = try Album(in: folder, drafts: 1, sizes: [12_000_000, 8_000])
    }

    private static let small = [8_000, 9_000, 7_000]
    /// Seconds.
    private static let day = 86_400
    /// Most of the time goes by in waits.
    private static let threads = 6

    /// - Returns: In the order in which they ended.
    func rows() throws -> [FaultRow] {
        let threads = try (0..<Self.threads).map { _ in
            try WorkThread { [self] in
                do {
                    let service = try EvernotePeer()
                    while let next = state.withLock({ $0.failure == nil ? $0.left.popLast() : nil }) {
                        let row = try row(of: next, service)
                        state.withLock { $0.rows.append(row) }
                    }
                } catch { state.withLock { $0.failure = error } }
            }
        }
        threads.forEach { $0.join() }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.rows
        }
    }

    private func row(of test: FaultCase, _ service: EvernotePeer) throws -> FaultRow {
        let album = test.size == .large ? large : test.jobs == 1 ? one : five
        try service.reset()
        try service.addFaults(test.before + [test.fault])
        let evergear = try album.copy(sendingTo: service)
        if test.isStepped { evergear.environment["EVERGEAR_STEP_THRESHOLD"] = "9000" }
        // Longer than what comes late, whatever a busy machine adds to it.
        if test.fault.action == .commitAfter { evergear.environment["EVERGEAR_LOOK_AGAIN"] = "\(Self.day)" }
        var row = FaultRow(test: test)
        try send(evergear, service, test, &row)
        try wait { try service.stats().commitsPending == 0 }
        let stats = try service.stats()
        row.notes = stats.notes
        row.requests = stats.requests
        row.wrongs += try album.wrongs(at: service)
        if stats.faultsLeft > 0 { row.wrongs.append("\(stats.faultsLeft) faults were not met") }
        if let creations = test.creations {
            let struck = test.fault.times ?? 1
            let wanted = struck * creations + test.jobs - struck
            if stats.requests["createNote"] != wanted { row.wrongs.append("not \(wanted) calls of createNote") }
        }
        return row
    }

    /// Sends, and goes on as a person would who does what the program says, until it says that all is done.
    private func send(_ evergear: Evergear, _ service: EvernotePeer, _ test: FaultCase, _ row: inout FaultRow) throws {
        let start = ContinuousClock.now
        var run = try evergear.runForAWhile("send", "-y", "--json")
        row.statuses.append("\(run.status)")
        let outlasted = test.orderedWait.map { start.duration(to: .now) >= .seconds($0) } ?? false
        let expected: [Int32] =
            switch test.ending {
            case .done: [0]
            case .later: outlasted ? [0, 75] : [75]
            case .resume: [75]
            case .soon: [0, 75]
            case .login: [77]
            }
        if !expected.contains(run.status) { row.wrongs.append("send ended with \(run)") }
        // A fault that happens three times may want as many answers.
        for _ in 0..<6 where run.status != 0 {
            try check(run, in: evergear, &row)
            if run.status == 77 || test.ending == .resume {
                try open(evergear, service, after: run, &row)
                // Without --wait: the gate may be closed again, for a month.
                run = try evergear.runForAWhile("queue", "run", "--json")
            } else {
                if test.fault.action == .commitAfter {
                    try wait { try service.stats().commitsPending == 0 }
                    try evergear.letPass(seconds: Self.day)
                }
                run = try evergear.runForAWhile("queue", "run", "--wait", "--json")
            }
            row.statuses.append("\(run.status)")
        }
        if run.status != 0 { row.wrongs.append("it ended with \(run)") }
        try check(run, in: evergear, &row)
    }

    /// Sees that nothing is asked while the gate is closed, and opens it as the program says.
    private func open(
        _ evergear: Evergear, _ service: EvernotePeer, after run: Evergear.Run, _ row: inout FaultRow
    ) throws {
        let calls = try service.stats().requests
        let again = try evergear.runForAWhile("queue", "run")
        if again.status != run.status { row.wrongs.append("queue run ended with \(again)") }
        if try service.stats().requests != calls { row.wrongs.append("calls while the gate was closed") }
        row.statuses.append("\(again.status)")
        let opened =
            try run.status == 77
            ? evergear.run("auth", "login", input: service.token) : evergear.run("queue", "resume")
        if opened.status != 0 { row.wrongs.append("not opened: \(opened)") }
    }

    /// The status is to say what the store has.
    private func check(_ run: Evergear.Run, in evergear: Evergear, _ row: inout FaultRow) throws {
        let status = try evergear.run("queue", "status", "--json").object()
        func count(_ state: String) -> Int { status[state] as? Int ?? -1 }
        let waiting = count("queued") + count("uncertain")
        if count("sending") != 0 { row.wrongs.append("a job is in nobody's hands") }
        if count("parked") != 0 { row.wrongs.append("parked: \(status)") }
        if waiting + count("sent") != row.test.jobs { row.wrongs.append("jobs: \(status)") }
        if (run.status == 0) != (waiting == 0) { row.wrongs.append("status \(run.status) with \(waiting) waiting") }
    }
}
