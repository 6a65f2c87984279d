import Glibc
import Layouts
import Notes
import Photos
import Storage
import System

extension Context {
    /// Opens the store, and notes which jobs a dead process had in hand, so that no command takes them for being sent, and
    /// which waits a wrong clock ordered, so that no command takes them for years.
    /// - Throws: `StoreError`.
    func openStore() throws -> Store {
        let store = try Store(folder: home.data, waiting: tellWaiting)
        // Where that cannot be written, whoever only looks is not to be kept from it.
        _ = try? store.recoverAbandonedJobs(at: now())
        try? store.restartWaits(by: now)
        return store
    }

    /// Opens the store for a command that only looks: on a medium that cannot be written, too.
    /// - Throws: `StoreError`.
    func openStoreToRead() throws -> Store {
        do {
            return try openStore()
        } catch StoreError.readOnly {
            return try Store(folder: home.data, readOnly: true, waiting: tellWaiting)
        }
    }

    private func tellWaiting() {
        output.remark("Waiting for another evergear, which writes to the store just now.")
    }

    /// - Throws: `NoSuchDraft`, `StoreError`.
    func number(of reference: DraftReference, in store: Store) throws -> Int64 {
        switch reference {
        case .number(let number): return number
        case .uid(let uid):
            guard let draft = try store.draft(uid: uid) else { throw NoSuchDraft(reference) }
            return draft.id
        case .last:
            guard let last = try store.lastDraft() else { throw NoSuchDraft(reference) }
            return last
        }
    }

    /// - Throws: `NoSuchJob`, `StoreError`.
    func number(of reference: JobReference, in store: Store) throws -> Int64 {
        switch reference {
        case .number(let number): return number
        case .uid(let uid):
            guard let job = try store.job(uid: uid) else { throw NoSuchJob(uid: uid) }
            return job.id
        }
    }

    /// A whole draft.
    /// - Throws: `NoSuchDraft`, `StoreError`.
    func draft(_ reference: DraftReference, in store: Store) throws -> Draft {
        try store.draft(number(of: reference, in: store))
    }

    /// Reads photos and keeps their bytes.
    func photoIntake(_ store: Store) -> PhotoIntake {
        PhotoIntake(blobs: store.blobs, reader: PhotoReader(namedZone: configuration.timeZone?.zone))
    }

    /// The language of a note's own words: as asked, else by the setting, else by the locale.
    func language(_ asked: Language?) -> Language { asked ?? configuration.lang ?? Language(locale: environment) }

    /// Refuses a layout that is not there before a draft is kept with it.
    /// - Throws: `LayoutSheet.Unknown`, `SystemError`.
    func check(_ layout: LayoutChoice?) throws {
        if let layout { try LayoutSheet.check(layout.stored, ownFolder: home.layouts) }
    }

    /// Says at once which names no note can have, and not only when the draft is sent.
    func remarkOnNames(of draft: Draft) {
        for refusal in NoteMaker.refusals(ofNamesIn: draft) {
            output.remark("draft \(draft.id) cannot be sent so: \(Failure(refusal).sentence)")
        }
    }

    /// What the clock on this machine shows.
    func moment() -> Moment {
        let now = now()
        return now.moment(offset: Zone.system.offset(at: now.milliseconds / 1000))
    }

    /// A time that was given without an offset is one of this machine's zone.
    func inSystemZone(_ moment: Moment?) -> Moment? {
        guard var moment, moment.offset == nil else { return moment }
        moment.offset = Zone.system.offset(atLocal: moment.local.seconds)
        return moment
    }
}

/// A draft that is not there.
struct NoSuchDraft: ExplainedError {
    let reference: DraftReference
    init(_ reference: DraftReference) { self.reference = reference }

    var sentence: String {
        reference == .last
            ? "there is no draft yet. `evergear draft add` makes one."
            : "there is no draft \(reference). `evergear draft list` shows those there are."
    }
    var status: ExitStatus { .noInput }
}

/// A job that is not there.
struct NoSuchJob: ExplainedError {
    let uid: String
    var sentence: String {
        "there is no job of the note evergear://note/\(uid). `evergear queue list --all` shows those there are."
    }
    var status: ExitStatus { .noInput }
}

/// A memo that its draft does not have.
struct NoSuchMemo: ExplainedError {
    let number: Int
    let draft: Int64

    var sentence: String {
        "draft \(draft) has no memo \(number). `evergear draft show \(draft)` shows those it has."
    }
    var status: ExitStatus { .noInput }
}

extension Draft {
    /// - Throws: `NoSuchMemo`.
    func memo(_ number: Int) throws(NoSuchMemo) -> Memo {
        guard let memo = memos.first(where: { $0.number == number }) else {
            throw NoSuchMemo(number: number, draft: id)
        }
        return memo
    }
}

/// Input without a word in it.
struct NothingToKeep: ExplainedError {
    let sentence: String
    var status: ExitStatus { .badInput }
}
