import EDAM
import Notes
import Storage
import System

/// What the account that notes are to go to takes, so that nothing is queued that it never will. Without an account,
/// and while the service cannot be asked, nothing is held against a note; it is looked at again when it goes.
final class AccountAdvice {
    /// nil where nothing is known.
    private(set) var standing: AccountStanding?
    private let account: EvernoteAccount?
    private let context: Context
    /// nil where the service could not be asked.
    private var notesThere: Int64?
    /// In lower case, those of notes that were let through among them; nil: not asked yet.
    private var tagsThere: Set<String>?
    /// Bytes and notes of this run that were let through.
    private var planned: (bytes: Int64, notes: Int64) = (0, 0)

    /// Asks the service, where notes are to go to one.
    init(_ destination: JobDestination, _ context: Context, _ store: Store, _ network: Network) throws {
        self.context = context
        guard case .account(let service) = destination else {
            account = nil
            return
        }
        let account = EvernoteAccount(service, context, store, network)
        self.account = account
        do {
            standing = try account.standing()
            notesThere = try account.noteCount()
        } catch let error as any ExplainedError where error.status != .interrupted {
            context.output.remark("what the account takes could not be asked: \(error.sentence)")
            let cached = AccountCache(context.home).entry(of: service)
            standing = standing ?? cached.standing
        }
    }

    /// Bytes of a note at most; nil where no account says so.
    var noteSizeMax: Int64? { standing?.noteSizeMax }

    /// Refuses what the account will never take.
    /// - Parameter creating: Whether a notebook that is not there is made.
    /// - Throws: `UnknownNotebook`, `AccountRefuses`; `EDAMError` where a notebook could not be made.
    func check(_ notes: [Notes.Note], creating: Bool) throws {
        for note in notes {
            let room = standing?.room(for: note)
            switch room {
            case nil, .fits, .notBefore: break
            case let room?: throw AccountRefuses(title: note.title, words: room.words(at: context.now()))
            }
        }
        if let words = words(onNotes: notes.count) {
            throw AccountRefuses(title: notes.first?.title ?? "", words: words)
        }
        try checkTags(notes.first)
        try checkNotebook(notes.first?.notebook, creating: creating)
        planned.notes += Int64(notes.count)
    }

    /// - Returns: nil where the service cannot be asked: then what was to be known is looked at again when the note goes.
    private func answer<Answer>(_ question: () throws -> Answer) throws -> Answer? {
        do {
            return try question()
        } catch let error as any ExplainedError where error.status != .interrupted { return nil }
    }

    /// The service makes the tags that are not there, up to a number.
    private func checkTags(_ note: Notes.Note?) throws {
        guard let note, !note.tags.isEmpty, let account, let most = standing?.tagsMax else { return }
        if tagsThere == nil {
            guard let tags = try answer(account.tags) else { return }
            tagsThere = Set(tags.map { $0.lowercased() })
        }
        let all = (tagsThere ?? []).union(note.tags.map { $0.lowercased() })
        guard all.count > most else {
            tagsThere = all
            return
        }
        throw AccountRefuses(
            title: note.title,
            words:
                "The account would have \(Words.count(all.count, "tag")), and takes \(most). Use some that `evergear tags` "
                + "lists.")
    }

    private func checkNotebook(_ name: String?, creating: Bool) throws {
        guard let name, let account, notesThere != nil, let known = try answer({ try account.notebooks() }),
            known.notebook(name) == nil
        else { return }
        guard creating else { throw UnknownNotebook(name: name, notebooks: known) }
        if let most = standing?.notebooksMax, known.count >= most {
            throw AccountRefuses(title: name, words: "The account has \(known.count) notebooks, and takes no more.")
        }
        try account.createNotebook(name)
        context.output.report("The notebook \"\(name)\" was made.")
    }

    /// What is to be said of notes before they go, in their order: nil where one just fits.
    func words(on notes: [Notes.Note]) -> [String?] {
        guard var standing else { return notes.map { _ in nil } }
        standing.uploaded += planned.bytes
        return notes.map { note in
            if let words = words(onNotes: 1) { return words }
            let room = standing.room(for: note)
            if case .fits = room {
                standing.uploaded += note.size
                planned.bytes += note.size
                planned.notes += 1
                return nil
            }
            return room.words(at: context.now())
        }
    }

    /// What is to be said of so many notes more; nil where the account has room for them.
    private func words(onNotes count: Int) -> String? {
        guard let most = standing?.notesMax, let there = notesThere, there + planned.notes + Int64(count) > most else {
            return nil
        }
        return "The account has \(Words.count(Int(there), "note")) and takes \(most). Delete some there first."
    }

    /// How the account stands, in a line.
    var line: String? {
        guard let standing else { return nil }
        let left = standing.uploadLeft.map { "\(Words.size($0)) of this month's upload left" }
        let size = standing.noteSizeMax.map { "notes of up to \(Words.size($0))" }
        let parts = [left, size].compactMap(\.self)
        return parts.isEmpty ? nil : "The account: " + parts.joined(separator: ", ") + "."
    }
}

/// The account will never take this.
struct AccountRefuses: ExplainedError {
    let title: String
    let words: String
    var sentence: String { "\(title): \(words)" }
    var status: ExitStatus { .badInput }
}
