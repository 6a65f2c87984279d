import Foundation
import System
import Testing
import Workbench

/// A large note over a line that breaks.
@Suite("a broken line") struct BrokenLineServiceTests {
    @Test("a connection that breaks at 95 % of a 200 MB note: at most a fifth of the bytes go again")
    func nearTheEnd() throws {
        let size = 2_000_000
        let count = 100
        let folder = try Evergear()
        let album = try Album(in: folder.home, drafts: 1, sizes: Array(repeating: size, count: count))
        let service = try EvernotePeer()
        let evergear = try album.copy(sendingTo: service)
        // 32 MiB go at once: 16 photos of these. The sixth step is the fifth change of the note.
        let atOnce = 33_554_432 / size
        let before = 5 * atOnce * size
        try service.addFaults([
            EvernotePeer.Fault(
                "updateNoteIfUsnMatches", .dropMidBody, skip: 4, bytes: count * size * 95 / 100 - before)
        ])
        let run = try evergear.runForAWhile("send", "-y")
        #expect([0, 75].contains(run.status), "\(run)")
        if run.status == 75 { #expect(try evergear.runForAWhile("queue", "run", "--wait").status == 0) }
        #expect(try album.wrongs(at: service) == [])
        let stats = try service.stats()
        #expect(stats.faultsLeft == 0)
        #expect(stats.requests["createNote"] == 1)
        #expect(stats.requests["updateNoteIfUsnMatches"] == 7, "six changes, and one of them twice")
        let share = Double(stats.bytesReceived) / Double(count * size) - 1
        print("a line that broke at 95 % of \(count * size) bytes: \(Int((share * 100).rounded())) % went again")
        #expect(share <= 0.2)
    }
}
