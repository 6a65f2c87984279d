import Storage
import Testing

@Suite struct JobStateTests {
    /// Rows are states, columns events; a blank is a transition that does not exist.
    static let table = """
                  | claim   | succeed | postpone  | park   | lose      | find | miss   | cancel    | retry  | redirect
        queued    | sending |         | queued    | parked |           |      |        | cancelled | queued | queued
        sending   |         | sent    | queued    | parked | uncertain |      |        |           |        |
        uncertain |         |         | uncertain | parked |           | sent | queued |           | queued |
        parked    |         |         |           |        |           | sent |        | cancelled | queued | queued
        sent      |         |         |           |        |           |      |        |           |        |
        cancelled |         |         |           |        |           |      |        |           |        |
        """

    @Test("a job goes from state to state by the table and no other way")
    func transitions() throws {
        let lines = Self.table.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        }
        let events = try lines[0].dropFirst().map { try #require(JobEvent(rawValue: $0)) }
        #expect(Set(events) == Set(JobEvent.allCases))
        #expect(lines.dropFirst().map { JobState(rawValue: $0[0]) } == JobState.allCases)
        for line in lines.dropFirst() {
            let state = try #require(JobState(rawValue: line[0]))
            for (event, cell) in zip(events, line.dropFirst()) {
                #expect(state.after(event)?.rawValue ?? "" == cell, "\(state) \(event)")
            }
        }
    }

    @Test("what may have arrived is sent again only once it was looked for, or a person says so")
    func uncertainty() {
        #expect(JobState.uncertain.after(.claim) == nil)
        #expect(JobEvent.allCases.filter { JobState.uncertain.after($0) == .queued } == [.miss, .retry])
        #expect(JobEvent.allCases.allSatisfy { JobState.uncertain.after($0) != .cancelled }, "its draft could go again")
        #expect(JobEvent.allCases.allSatisfy { JobState.sent.after($0) == nil })
    }
}
