import EDAM
import Hashing
import Notes
import Outbox
import Storage
import System
import Thrift

// How a note gets to the service, and how one is found whose answer was lost.

extension EvernoteDestination {
    /// Sends what of a job is not there yet.
    /// - Parameter course: Told how far it has come.
    func send(_ job: Job, _ handover: Handover, _ course: inout Course) throws -> Receipt {
        let note = try handover.note(of: job)
        let steps = NoteSteps(note, threshold: threshold ?? .max)
        var there = There()
        if let begun = job.upload { there = try look(at: begun, steps, job, handover) }
        course.files = (there.upload?.resources ?? 0, note.resources.count)
        try takeRoom(for: note, there)
        defer { account.release() }
        var form = EDAM.Note(note, notebook: try notebook(note.notebook))
        repeat {
            // Asked for anew each time: another thread may have heard that the account is to be left alone.
            let notes = try account.notes()
            let known = Set(there.guids.keys)
            let end = steps.end(after: there.upload?.resources ?? 0, known: known)
            form.content = steps.enml(to: end, known: known)
            form.resources = note.resources.enumerated().compactMap { index, resource in
                if let guid = there.guids[resource.blob.md5] { return EDAM.Resource(there: guid, resource) }
                return index < end ? EDAM.Resource(resource, from: blobs) : nil
            }
            let sent: EDAM.Note
            if let upload = there.upload {
                form.guid = upload.guid
                // What is not set stays as it is at the service: no tags have to be said.
                if note.tags.isEmpty { form.tagGuids = [] }
                form.updateSequenceNum = Int32(exactly: upload.usn)
                course.isWriting = true
                let result = try notes.updateNoteIfUsnMatches(form, advance: handover.advance)
                guard result.updated == true, let changed = result.note else {
                    course.isWriting = false
                    // What the service holds may be this very step: an earlier request for it, whose answer was lost
                    // and which was carried out only now.
                    there = try look(at: upload, steps, job, handover)
                    if there.upload?.usn == upload.usn { throw conflict(job) }
                    course.files.there = there.upload?.resources ?? 0
                    continue
                }
                sent = changed
            } else {
                try handover.begin(job, after: Int64(account.standing().updateCount))
                course.isWriting = true
                sent = try notes.createNote(form, advance: handover.advance)
            }
            let before = there
            there = try There(sent, resources: end)
            course.isWriting = false
            course.files.there = end
            account.uploaded(before.missing(of: note.resources[..<end]), updateCount: sent.updateSequenceNum)
            if end < note.resources.count, let upload = there.upload { try handover.keep(upload, of: job) }
        } while there.upload.map { $0.resources < note.resources.count } ?? false
        return receipt(there, of: note)
    }

    /// Looks for one job.
    func find(_ job: Job, _ handover: Handover) throws -> Finding? {
        let note = try handover.note(of: job)
        let steps = NoteSteps(note, threshold: threshold ?? .max)
        if let begun = job.upload {
            let there = try look(at: begun, steps, job, handover)
            guard let upload = there.upload, upload.usn != begun.usn, there.resources == note.resources.count else {
                return .begun
            }
            return .arrived(receipt(there, of: note))
        }
        // Nothing was sent before the count was kept.
        guard let updateCount = job.updateCount, let address = note.attributes.sourceURL else { return .begun }
        var found = try search(address, after: updateCount)
        if found.isEmpty { found = try changes(after: updateCount, with: address) }
        if found.isEmpty { return nil }
        let there = try found.map { try There($0, of: note) }
        let own = zip(found, there).filter { isOwn($0, $1, steps) }.map(\.1)
        if let best = own.max(by: { $0.resources < $1.resources }), let upload = best.upload {
            if best.resources == note.resources.count { return .arrived(receipt(best, of: note)) }
            try handover.keep(upload, of: job)
            return .begun
        }
        // It arrived, and somebody has worked on it since. What is known is what was there before.
        if var whole = there.first(where: { $0.resources == note.resources.count }) {
            whole.upload?.usn = updateCount
            return .arrived(receipt(whole, of: note))
        }
        throw conflict(job)
    }

    /// What the service has of a note.
    struct There {
        /// nil: nothing.
        var upload: Upload?
        /// GUIDs of its resources, by their digest.
        var guids: [MD5: String] = [:]

        var resources: Int { upload?.resources ?? 0 }

        init() {}

        /// A note of which nobody knows how far it came.
        /// - Throws: As `init(_:resources:)`.
        init(_ found: EDAM.Note, of note: Notes.Note) throws {
            let hashes = Set((found.resources ?? []).compactMap { $0.data?.bodyHash })
            try self.init(found, resources: note.resources.prefix { hashes.contains($0.blob.md5) }.count)
        }

        /// Bytes of those resources that it does not have.
        func missing(of resources: ArraySlice<Notes.Resource>) -> Int64 {
            resources.filter { guids[$0.blob.md5] == nil }.reduce(0) { $0 + $1.blob.size }
        }

        /// - Throws: `EDAMError` for a note without what every note has.
        init(_ note: EDAM.Note, resources: Int) throws {
            guard let guid = note.guid, let usn = note.updateSequenceNum else {
                throw EDAMError.protocolBroken(.missing("Note.guid"))
            }
            upload = Upload(guid: guid, usn: Int64(usn), resources: resources)
            for resource in note.resources ?? [] {
                if let hash = resource.data?.bodyHash, let guid = resource.guid { guids[hash] = guid }
            }
        }
    }

    private func receipt(_ there: There, of note: Notes.Note) -> Receipt {
        Receipt(delivered: now(), guid: there.upload?.guid, usn: there.upload?.usn, bytes: note.size)
    }

    /// Looks at a note that is there in part, or that is to be replaced. A step whose answer was lost, and that is
    /// there, is kept.
    /// - Throws: `DeliveryFailure` where the note is gone, or somebody else has changed it.
    private func look(at begun: Upload, _ steps: NoteSteps, _ job: Job, _ handover: Handover) throws -> There {
        let present: EDAM.Note
        do {
            present = try account.notes().getNote(begun.guid, withContent: false)
        } catch EDAMError.notFound { throw gone(job) }
        if present.active == false { throw gone(job) }
        var there = try There(present, resources: begun.resources)
        if there.upload?.usn == begun.usn { return there }
        // Not the version that is known. Ours, if it is what the next step would have made.
        for known in [Set(there.guids.keys), []] {
            there.upload?.resources = steps.end(after: begun.resources, known: known)
            if isOwn(present, there, steps) {
                if let upload = there.upload { try handover.keep(upload, of: job) }
                return there
            }
        }
        throw conflict(job)
    }

    /// Whether a version of a note is one that this very job has made: by its address, its title and its text, with all
    /// the resources that it is to have by then. A note that somebody else has changed is not.
    private func isOwn(_ found: EDAM.Note, _ there: There, _ steps: NoteSteps) -> Bool {
        guard found.attributes?.sourceURL == steps.note.attributes.sourceURL, found.title == steps.note.title,
            steps.note.resources[..<there.resources].allSatisfy({ there.guids[$0.blob.md5] != nil })
        else { return false }
        return [Set(there.guids.keys), []].contains { known in
            found.contentHash == MD5(of: Array(steps.enml(to: there.resources, known: known).utf8))
        }
    }

    private func gone(_ job: Job) -> DeliveryFailure {
        DeliveryFailure(
            .rejected, code: "note_gone",
            message:
                "The note is not at the service any more, or in its trash. `evergear queue retry \(job.id)` makes a new "
                + "one.", job: job.id)
    }

    private func conflict(_ job: Job) -> DeliveryFailure {
        DeliveryFailure(
            .rejected, code: "conflict",
            message:
                "Somebody else has changed the note meanwhile, and it is not written over. `evergear queue retry \(job.id)` "
                + "makes a new one beside it, `evergear queue cancel \(job.id)` leaves it as it is.", job: job.id)
    }

    // MARK: Where a note is

    /// By the service's search, whose index may be behind. What was there before is not what is looked for: the note that
    /// a job was to go on with, and that somebody has changed, has the same address.
    private func search(_ address: String, after updateCount: Int64) throws -> [EDAM.Note] {
        var filter = NoteFilter()
        filter.words = "sourceURL:\"\(address)\""
        var spec = NotesMetadataResultSpec()
        spec.includeAttributes = true
        let list = try account.notes().findNotesMetadata(filter, maxNotes: 10, spec)
        var notes: [EDAM.Note] = []
        for found in list.notes ?? [] where found.attributes?.sourceURL == address {
            guard let guid = found.guid else { continue }
            let note = try account.notes().getNote(guid, withContent: false)
            if Int64(note.updateSequenceNum ?? 0) > updateCount { notes.append(note) }
        }
        return notes
    }

    /// By what has changed since, which is never behind. A note in the trash counts: it has arrived.
    private func changes(after updateCount: Int64, with address: String) throws -> [EDAM.Note] {
        var notes: [EDAM.Note] = []
        var filter = SyncChunkFilter()
        filter.includeNotes = true
        filter.includeNoteResources = true
        filter.includeNoteAttributes = true
        var after = Int32(clamping: updateCount)
        while true {
            let chunk = try account.notes().getFilteredSyncChunk(
                afterUSN: after, maxEntries: Self.changesAtOnce, filter)
            notes += chunk.notes?.filter { $0.attributes?.sourceURL == address } ?? []
            guard let high = chunk.chunkHighUSN, high > after, high < chunk.updateCount ?? 0 else { return notes }
            after = high
            try Interrupt.check()
        }
    }

    private static let changesAtOnce: Int32 = 250

    // MARK: What holds before anything is sent

    /// The GUID of a notebook.
    /// - Parameter name: By name or GUID; nil: the default notebook.
    private func notebook(_ name: String?) throws -> String? {
        guard let name else { return nil }
        if let notebook = try account.notebooks().notebook(name) ?? account.notebooks(isFresh: true).notebook(name) {
            return notebook.guid
        }
        throw DeliveryFailure(
            .rejected, code: "notebook_unknown",
            message: UnknownNotebook(name: name, notebooks: try account.notebooks()).sentence)
    }

    private func takeRoom(for note: Notes.Note, _ there: There) throws {
        let text = note.size - There().missing(of: note.resources[...])
        let room = try account.reserve(text + there.missing(of: note.resources[...]), for: note)
        if let failure = room.failure(at: now()) { throw failure }
    }
}

/// A notebook that the account does not have.
struct UnknownNotebook: ExplainedError {
    let name: String
    let notebooks: [NotebookName]

    var sentence: String {
        let nearest = NearestName.of(name, among: notebooks.map(\.name))
        return "there is no notebook \"\(name)\" in the account."
            + (nearest.map { " Did you mean \"\($0)\"?" } ?? "")
            + " `evergear notebooks` lists those there are; `evergear send --create-notebook` makes it."
    }
    var status: ExitStatus { .badInput }
}

extension AccountStanding.Room {
    /// What it means for a delivery; nil where the note fits.
    func failure(at now: Timestamp) -> DeliveryFailure? {
        switch self {
        case .fits: nil
        case .notBefore(let time):
            DeliveryFailure(.held(until: time), code: "quota_reached", message: words(at: now))
        case .tooLarge, .overQuota: DeliveryFailure(.rejected, code: "note_too_large", message: words(at: now))
        case .tooManyFiles: DeliveryFailure(.rejected, code: "too_many_files", message: words(at: now))
        case .tooManyTags: DeliveryFailure(.rejected, code: "too_many_tags", message: words(at: now))
        }
    }

    /// What is in the way, and what to do.
    func words(at now: Timestamp) -> String {
        switch self {
        case .fits: "It fits."
        case .notBefore(let time):
            "This month's upload does not suffice for it. The next month begins \(Words.relative(time, to: now)); it goes by "
                + "itself then."
        case .tooLarge(let size, let limit, let file?):
            "\(file) has \(Words.size(size)), and the account takes files of up to \(Words.size(limit)). Send it with "
                + "--photo-size."
        case .tooLarge(let size, let limit, nil):
            "The note has \(Words.size(size)), and the account takes notes of up to \(Words.size(limit)). Send it with "
                + "--photo-size, or with --note-bytes \(limit)."
        case .overQuota(let size, let limit):
            "The note has \(Words.size(size)), and the account may upload \(Words.size(limit)) a month. Send it with "
                + "--photo-size, or in parts with --note-bytes."
        case .tooManyFiles(let count, let limit):
            "The note has \(Words.count(count, "file")), and the account takes \(limit). Send it with --photos-per-note."
        case .tooManyTags(let count, let limit):
            "The note has \(Words.count(count, "tag")), and the account takes \(limit). Take some away with `evergear draft edit "
                + "DRAFT --tag`."
        }
    }
}
