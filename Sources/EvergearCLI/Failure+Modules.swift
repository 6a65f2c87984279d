import ENEX
import Layouts
import Notes
import Photos
import Storage
import System

// What the errors of the modules below mean to a person: one extension for each type.

extension StoreError: ExplainedError {
    var sentence: String {
        switch self {
        case .newerStore(let folder, let found, let known):
            "the store in \(folder) was made by a newer evergear (version \(found), this one knows \(known)). Nothing was "
                + "touched: update evergear."
        case .olderStore(let folder, let found, let known):
            "the store in \(folder) has an older form (version \(found), now \(known)). Any command that may write to it, such as "
                + "`evergear draft list`, brings it up to date."
        case .noStore(let folder): "there is no store in \(folder). `evergear draft add` makes one."
        case .full(let folder):
            "\(folder): the disk is full. What was acknowledged before is kept: make room there and run the command again."
        case .readOnly(let folder): "\(folder) may not be written. Look at who may (`ls -ld`), or set EVERGEAR_HOME."
        case .unreadable(let path):
            "\(path) may not be read. Look at who may (`ls -ld`), and run evergear as whom the store belongs to."
        case .cannotOpen(let folder):
            "\(folder)/store.sqlite cannot be opened. Look at what it is, and at who may read and write it (`ls -l`)."
        case .busy(let folder):
            "the store in \(folder) is busy with another evergear. Wait for it to end, and run the command again."
        case .damaged(let folder, let what):
            "the store in \(folder) is damaged (\(what)). \(Self.afterDamage(folder))"
        case .noSuchDraft(let id): "there is no draft \(id). `evergear draft list` shows those there are."
        case .noSuchMemo: "the memo is not there any more: another command has removed it."
        case .noSuchJob(let id): "there is no job \(id). `evergear queue list --all` shows those there are."
        case .wrongMemo(_, let draft):
            "draft \(draft) does not have that memo any more: another command has moved or removed it."
        case .changedMeanwhile(let draft):
            "draft \(draft) was changed by another command in the meantime. Nothing was changed: edit it again."
        case .draftInHand(let draft):
            "draft \(draft) is being imported, and goes once it is whole: send it when the import is done."
        case .draftInOutbox(let draft, let job, let state):
            "draft \(draft) has job \(job) in the outbox, which is \(state.words). \(state.advice(job))"
        case .alreadyThere(let job, let other, let state):
            "job \(job): the same note goes there as job \(other), which is \(state.words). `evergear queue cancel \(job)` "
                + "gives this one up."
        case .illegalTransition(let job, let state, let event):
            "job \(job) is \(state.words): \(event.words) is not possible. \(state.advice(job))"
        case .sourceUnreadable(let error): error.sentence
        case .sourceChanged: "the file changed while it was read. Try again when nobody writes to it."
        case .missingBlob:
            "the store no longer has all bytes of the photos: they were freed, or are lost. `evergear import --into DRAFT "
                + "FILE` brings a photo back, and `evergear plan DRAFT` a copy of one, with the options that it was sent with; "
                + "then `evergear queue retry`."
        case .interrupted: Interrupted().sentence
        case .system(let error): error.sentence
        case .database(let code, let message, _):
            "the database of the store failed (\(message), \(code)). `evergear check` looks at all of it."
        }
    }

    /// What a person can do about a database that cannot be read.
    static func afterDamage(_ folder: FilePath) -> String {
        "Copy the folder before anything else is done with it. The photos are whole files in \(folder)/blobs, and sqlite3's "
            + "`.dump` gives back what can still be read of the rest: \"A damaged store\" in docs/RELIABILITY.md goes "
            + "through it."
    }

    var status: ExitStatus {
        switch self {
        case .newerStore, .olderStore, .noStore: .configuration
        case .noSuchDraft, .noSuchMemo, .noSuchJob: .noInput
        case .busy, .draftInHand, .draftInOutbox(_, _, .sending), .draftInOutbox(_, _, .uncertain): .notNow
        case .interrupted: .interrupted
        case .sourceUnreadable(let error), .system(let error): error.status
        case .sourceChanged: .badInput
        default: .failed
        }
    }
}

extension JobState {
    /// For the middle of a sentence.
    var words: String {
        switch self {
        case .queued: "queued"
        case .sending: "being sent"
        case .uncertain: "uncertain (it may have arrived)"
        case .parked: "parked"
        case .sent: "sent"
        case .cancelled: "cancelled"
        }
    }

    /// What a person can do about jobs that are in it together.
    func advice(_ jobs: [Int64]) -> String {
        guard jobs.count > 1 else { return jobs.first.map(advice) ?? "" }
        let names = jobs.count > 9 ? "JOB…" : jobs.map(String.init).joined(separator: " ")
        return advice(names, it: "them", itIs: "they are")
    }

    /// What a person can do about a job that is in it.
    func advice(_ job: Int64) -> String { advice("\(job)", it: "it", itIs: "it is") }

    private func advice(_ job: String, it: String, itIs: String) -> String {
        switch self {
        case .queued: "`evergear queue run` sends \(it), `evergear queue cancel \(job)` gives \(it) up."
        case .sending: "Wait for \(it), or look at `evergear queue status`."
        case .uncertain:
            "`evergear queue run` looks whether \(itIs) there before anything is sent again. Where you have looked yourself, "
                + "say `evergear queue mark-sent \(job)` if \(itIs) there, `evergear queue retry \(job)` if not."
        case .parked: "`evergear queue retry \(job)` tries \(it) again, `evergear queue cancel \(job)` gives \(it) up."
        case .sent: "`evergear send DRAFT --again` makes another note of its draft."
        case .cancelled: "`evergear send` makes a new note."
        }
    }
}

extension JobEvent {
    fileprivate var words: String {
        switch self {
        case .cancel: "cancelling it"
        case .retry: "retrying it"
        case .redirect: "redirecting it"
        case .find: "marking it as sent"
        default: "changing it"
        }
    }
}

/// A file that is not a photo that can be taken in.
struct PhotoRefused: ExplainedError {
    let path: FilePath
    let reason: PhotoError

    var sentence: String { "\(path): \(reason.words)".asSentence }
    var status: ExitStatus {
        if case .unreadable(let error) = reason { error.status } else { .badInput }
    }
}

extension PhotoError {
    /// What is the matter and what to do about it, without a full stop.
    var words: String {
        switch self {
        case .unreadable(let error): error.words
        case .notAPhoto: "\(reason) by its content"
        default: reason
        }
    }
}

extension ImagingError: ExplainedError {
    var sentence: String {
        switch self {
        case .missingProgram: "\(reason). Install it again with `make install`."
        case .interrupted: Interrupted().sentence
        default: "\(reason)."
        }
    }
    var status: ExitStatus { self == .interrupted ? .interrupted : .failed }
}

extension TemplateFolder.Missing: ExplainedError {
    var sentence: String {
        "the folder of layouts is missing; it was looked for in \(Words.list(lookedIn.map(\.description))). Install "
            + "evergear again with `make install`."
    }
    var status: ExitStatus { .failed }
}

extension LayoutSheet.Unknown: ExplainedError {
    var sentence: String { "there is no layout \"\(name)\". There are \(Words.list(known))." }
    var status: ExitStatus { .usage }
}

extension StylesheetError: ExplainedError {
    var sentence: String { "\(file)\(line.map { ", line \($0)" } ?? ""): \(message)." }
    var status: ExitStatus { .badInput }
}

extension ENMLError: ExplainedError {
    var sentence: String {
        if case .length(let characters) = rule {
            return "the text is too long for a note: with all that shows it, it has \(characters) characters, and "
                + "\(ENMLValidator.longestNote) fit. Shorten it, or make memos of it, which may go into several parts."
        }
        return
            "the layout gives a note that no reader of notes takes: \(self). Use another layout, or mend the stylesheet."
    }
    var status: ExitStatus { .badInput }
}

extension NoteMaker.Overfull: ExplainedError {
    var sentence: String {
        switch reason {
        case .tooLarge(_, let bytes, let text, let limit):
            subject + (memo == nil ? "" : " alone")
                + " makes a note of \(Words.size(bytes)), \(Words.size(bytes - text)) in files and up to "
                + "\(Words.size(text)) of text and what shows it, and \(Words.size(limit)) fit. "
                + (text > limit ? "So little is too little for any note, where --note-bytes says so. " : "")
                + advice(hasFiles: bytes > text)
        case .headTooLong(let characters, let limit):
            "the draft's text is too long for a note (about \(characters) characters of \(limit)). Shorten it, or make memos "
                + "of it, which may go into several parts."
        case .tooManyPhotos(_, let photos, let limit): "\(subject) has \(photos) photos, and \(limit) fit into a note."
        case .tooMuchText(_, let characters, let limit):
            "\(subject) has too much text for a note (about \(characters) characters of \(limit)). Split it."
        }
    }
    var status: ExitStatus { .badInput }

    private var subject: String { memo.map { "memo \($0)" } ?? "the draft" }

    private func advice(hasFiles: Bool) -> String {
        let isMemo = memo != nil
        guard hasFiles else {
            return isMemo
                ? "Split it." : "Shorten the draft's text, or make memos of it, which may go into several parts."
        }
        let smaller =
            layout == .thumbs
            ? "Make its thumbnails smaller with --thumb-size"
            : "Make its pictures smaller with --photo-size or send --layout thumbs"
        return smaller + (isMemo ? "; where they cannot be decoded, take the memo out with `evergear memo rm`." : ".")
    }
}

extension PlaceStays: ExplainedError {
    var sentence: String {
        "\(photos.map { "\($0.name) cannot go out without its place: \($0.reason)" }.joined(separator: "; ")). Take "
            + (photos.count == 1 ? "it" : "them") + " out of the draft with `evergear memo rm`, or out of a memo that "
            + "has others with `evergear memo edit --without NAME`."
    }
    var status: ExitStatus { .badInput }
}

extension NoteMaker.NameRefused: ExplainedError {
    var sentence: String {
        "the \(kind.rawValue) \"\(name)\" cannot be used: \(problem). Change it with `evergear draft edit DRAFT "
            + "--\(kind.rawValue)`."
    }
    var status: ExitStatus { .badInput }
}

extension NoteMaker.TooManyTags: ExplainedError {
    var sentence: String {
        "the draft has \(count) tags, and a note has at most \(limit). Take some away with `evergear draft edit DRAFT --tag`."
    }
    var status: ExitStatus { .badInput }
}

extension NoteComposer.Failure: ExplainedError {
    var sentence: String {
        switch self {
        case .sameHash(let names):
            "\(Words.list(names)) are different files with the same MD5, which a note cannot hold both of. Send them in "
                + "two drafts."
        }
    }
    var status: ExitStatus { .badInput }
}

extension ENEXError: ExplainedError {
    var sentence: String {
        switch self {
        case .file(let error): error.sentence
        case .bodyUnreadable(let note, let fileName, let error):
            "\(fileName) of the note \"\(note)\": \(error.sentence)"
        case .bodyChanged(let note, let fileName):
            "\(fileName) of the note \"\(note)\" is no longer what the note was made of. Import the photo again, and send "
                + "the draft anew."
        case .noteRefused(let note, let reason): "the note \"\(note)\" cannot be written: \(reason)."
        case .noNotes: "there is no note to write."
        case .unusable: "the file failed before and is of no use."
        case .malformed(let path, let line, let reason): "\(path), line \(line): \(reason)."
        }
    }
    var status: ExitStatus {
        if case .file(let error) = self { error.status } else { .failed }
    }
}

extension ChildProcess.Ending {
    /// Ends the sentence "the program …".
    var words: String {
        switch self {
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was ended by signal \(signal)"
        }
    }
}
