import EDAM
import Notes
import Testing

@testable import EvergearCLI

/// What an account has room for, by what the service said last.
@Suite("how an account stands") struct AccountStandingTests {
    /// 1,000 bytes a month, 900 of them used, asked at a time 0; a note takes 500.
    private func standing(monthEnds: Int64?) -> AccountStanding {
        var limits = AccountLimits()
        limits.uploadLimit = 1_000
        limits.noteSizeMax = 500
        limits.noteTagCountMax = 2
        var accounting = Accounting()
        accounting.uploadLimitEnd = monthEnds.map { Timestamp(milliseconds: $0) }
        var user = User()
        user.accountLimits = limits
        user.accounting = accounting
        var sync = SyncState()
        sync.uploaded = 900
        return AccountStanding(user, sync, asked: Timestamp(milliseconds: 0))
    }

    private func note(_ characters: Int, tags: [String] = []) -> Notes.Note {
        Notes.Note(
            uid: "u", title: "t", enml: String(repeating: "x", count: characters), created: Timestamp(milliseconds: 0),
            updated: Timestamp(milliseconds: 0), notebook: nil, tags: tags, attributes: Notes.NoteAttributes(),
            resources: [])
    }

    @Test("what is left of the month decides, and the account's limits before it")
    func room() {
        let standing = standing(monthEnds: 5_000)
        #expect(standing.room(for: note(100)) == .fits)
        #expect(standing.room(for: note(101)) == .notBefore(Timestamp(milliseconds: 5_000)))
        #expect(standing.room(for: note(501)) == .tooLarge(size: 501, limit: 500, file: nil))
        #expect(standing.room(for: note(9, tags: ["a", "b", "c"])) == .tooManyTags(count: 3, limit: 2))
        #expect(standing.room(for: note(500), uploading: 1_001) == .overQuota(size: 1_001, limit: 1_000))
    }

    @Test(
        "a month whose end is unknown, or lies in the past, holds nothing back: the service judges",
        arguments: [nil, -1, 0])
    func unknownMonth(end: Int64?) {
        #expect(standing(monthEnds: end).room(for: note(101)) == .fits)
    }

    @Test("it is asked again after an hour, and once the month has ended") func fresh() {
        let standing = standing(monthEnds: 5_000)
        #expect(standing.isFresh(at: Timestamp(milliseconds: 4_999)))
        #expect(!standing.isFresh(at: Timestamp(milliseconds: 5_000)))
        let other = self.standing(monthEnds: nil)
        #expect(other.isFresh(at: Timestamp(milliseconds: 3_599_999)))
        #expect(!other.isFresh(at: Timestamp(milliseconds: 3_600_000)))
        #expect(!other.isFresh(at: Timestamp(milliseconds: -1)), "a clock that was set back")
    }
}
