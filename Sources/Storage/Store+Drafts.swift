public import Notes
import SQLite
public import System

extension Store {
    /// Keeps a new draft, memos, photos and all, in one transaction.
    ///
    /// The photos' blobs are synced before. A photo with an id is one that the store has; one without is made.
    /// - Parameters:
    ///   - sources: Where new photos came from, by blob.
    ///   - folder: The folder whose photos the draft is made of, by an absolute path, so that importing it again finds
    ///     the draft.
    ///   - group: Which of several drafts of that folder it is: a day, say.
    ///   - isInHand: As `takeInHand` does.
    /// - Returns: The draft with its numbers.
    public func addDraft(
        _ draft: Draft, sources: [BlobKey: PhotoSource] = [:], folder: FilePath? = nil, group: String? = nil,
        isInHand: Bool = false
    ) throws(StoreError) -> Draft {
        return try naming {
            var added = draft
            try db.execute(
                """
                INSERT INTO draft (uid, text, title_generated, notebook, tags, layout,
                    moment, moment_nanosecond, moment_offset, offset_assumed,
                    latitude, longitude, altitude, place_name, created, updated, held, folder, folder_group,
                    importing)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
                    ?20)
                """,
                [.text(draft.uid), .text(draft.text), Value(draft.isTitleGenerated), Value(draft.notebook)]
                    + [.text(try JSON.encode(draft.tags)), Value(draft.layout)]
                    + draft.moment.columns + draft.place.columns
                    + [.integer(draft.created.milliseconds), .integer(draft.updated.milliseconds)]
                    + [Value(draft.isHeld), Value(folder?.bytes), Value(folder == nil ? nil : group ?? "")]
                    + [Value(isInHand)])
            added.id = db.lastID
            for (position, memo) in draft.memos.enumerated() {
                added.memos[position] = try insert(memo, into: added.id, at: position, sources: sources)
            }
            return added
        }
    }

    /// A whole draft, with memos and photos in order.
    /// - Throws: `noSuchDraft`.
    public func draft(_ id: Int64) throws(StoreError) -> Draft {
        try reading {
            guard let draft = try draft(where: "id = ?1", .integer(id)) else { throw StoreError.noSuchDraft(id) }
            return draft
        }
    }

    /// A draft without its memos, of which there may be very many.
    /// - Throws: `noSuchDraft`.
    public func draftWithoutMemos(_ id: Int64) throws(StoreError) -> Draft {
        try reading {
            guard let draft = try draftWithoutMemos(where: "id = ?1", .integer(id)) else {
                throw StoreError.noSuchDraft(id)
            }
            return draft
        }
    }

    /// A whole draft by its address' UUID; nil where there is none.
    public func draft(uid: String) throws(StoreError) -> Draft? {
        try reading { try draft(where: "uid = ?1", .text(uid)) }
    }

    /// The number of the draft that was made last; nil where there is none.
    public func lastDraft() throws(StoreError) -> Int64? {
        try reading { try db.first("SELECT max(id) FROM draft") { row in row.optionalInteger(0) } ?? nil }
    }

    /// Every draft, in the order in which they were made.
    public func draftSummaries() throws(StoreError) -> [DraftSummary] {
        try reading {
            let standings = try draftStandings()
            let isImporting = try isImporting
            return try db.all(
                """
                SELECT id, uid, text, created, updated, held, importing, (SELECT count(*) FROM memo WHERE draft = d.id),
                    (SELECT count(*) FROM memo m JOIN memo_photo p ON p.memo = m.id WHERE m.draft = d.id)
                FROM draft d ORDER BY id
                """
            ) { row in
                var standing = DraftStanding(state: .unsent)
                if let known = standings[row.integer(0)] {
                    standing = DraftStanding(state: known.state, isChanged: known.made < row.timestamp(4))
                }
                standing.isBeingImported = isImporting && row.bool(6)
                return DraftSummary(
                    id: row.integer(0), uid: row.text(1), title: Draft.split(row.text(2)).title, standing: standing,
                    memos: Int(row.integer(7)), photos: Int(row.integer(8)), created: row.timestamp(3),
                    updated: row.timestamp(4), isHeld: row.bool(5))
            }
        }
    }

    /// How a draft stands; one that is not there is unsent.
    public func draftStanding(_ id: Int64) throws(StoreError) -> DraftStanding {
        try reading {
            let known = try Self.lastBatches(
                db.all(
                    """
                    SELECT draft, batch, state, count(*), min(draft_updated) FROM job WHERE draft = ?1
                    GROUP BY draft, batch, state ORDER BY draft, batch DESC
                    """, [.integer(id)], BatchCount.init))[id]
            guard let draft = try presence(ofDraft: id) else { return DraftStanding(state: .unsent) }
            return DraftStanding(
                state: known?.state ?? .unsent, isChanged: known.map { $0.made < draft.updated } ?? false,
                isBeingImported: draft.isBeingImported)
        }
    }

    /// Keeps a draft back, or lets it go: no change of what is in it.
    /// - Throws: `noSuchDraft`.
    public func hold(_ id: Int64, _ isHeld: Bool) throws(StoreError) {
        try changing {
            try db.execute("UPDATE draft SET held = ?2 WHERE id = ?1", [.integer(id), Value(isHeld)])
            if db.changes == 0 { throw StoreError.noSuchDraft(id) }
        }
    }

    /// The drafts that were made of a folder's photos, the newest last.
    /// - Parameters:
    ///   - folder: As given to `addDraft`.
    ///   - group: As given to `addDraft`.
    public func drafts(ofFolder folder: FilePath, group: String? = nil) throws(StoreError) -> [Int64] {
        try reading {
            try db.all(
                "SELECT id FROM draft WHERE folder = ?1 AND folder_group = ?2 ORDER BY id",
                [.blob(folder.bytes), .text(group ?? "")]
            ) { row in row.integer(0) }
        }
    }

    /// Changes a draft as it is at that moment, in everything but its memos: text, notebook, tags, layout, time, place,
    /// held. What another command has changed about it since it was read stays so.
    /// - Parameter change: Is given the draft without its memos.
    /// - Throws: `noSuchDraft`.
    public func changeDraft(
        _ id: Int64, at now: Timestamp, _ change: (inout Draft) -> Void
    ) throws(StoreError) {
        try changing {
            let old = try draftWithoutMemos(id)
            var draft = old
            change(&draft)
            if draft == old { return }
            try touch(draft: id, at: now)
            try db.execute(
                """
                UPDATE draft SET text = ?2, title_generated = ?3, notebook = ?4, tags = ?5, layout = ?6,
                    moment = ?7, moment_nanosecond = ?8, moment_offset = ?9, offset_assumed = ?10,
                    latitude = ?11, longitude = ?12, altitude = ?13, place_name = ?14, held = ?15
                WHERE id = ?1
                """,
                [.integer(id), .text(draft.text), Value(draft.isTitleGenerated), Value(draft.notebook)]
                    + [.text(try JSON.encode(draft.tags)), Value(draft.layout)]
                    + draft.moment.columns + draft.place.columns + [Value(draft.isHeld)])
        }
    }

    /// What `draft edit` does: a new text, memos in a new order with new texts, those not named dropped, and for each
    /// of number 0 a new one with a text alone.
    ///
    /// Photos of dropped memos stay in the store until they are pruned. A title that the program made and that is
    /// still there stays one that the program made.
    /// - Parameters:
    ///   - updated: The draft's `updated` when it was read.
    ///   - moment: The time of new memos.
    ///   - now: The time of the change.
    /// - Throws: `noSuchDraft`, `changedMeanwhile`, `wrongMemo`.
    public func rewriteDraft(
        _ id: Int64, expecting updated: Timestamp, text: String, memos: [(id: Int64, text: String)],
        moment: Moment? = nil, at now: Timestamp
    ) throws(StoreError) {
        try changing {
            let old = try db.first("SELECT text, title_generated, updated FROM draft WHERE id = ?1", [.integer(id)]) {
                row in (text: row.text(0), isTitleGenerated: row.bool(1), updated: row.timestamp(2))
            }
            guard let old else { throw StoreError.noSuchDraft(id) }
            guard old.updated == updated else { throw StoreError.changedMeanwhile(draft: id) }
            var present: [Int64: (position: Int, text: String)] = [:]
            try db.forEach("SELECT id, position, text FROM memo WHERE draft = ?1", [.integer(id)]) { row in
                present[row.integer(0)] = (Int(row.integer(1)), row.text(2))
            }
            for (position, memo) in memos.enumerated() {
                if memo.id == 0 {
                    _ = try insert(Memo(text: memo.text, moment: moment), into: id, at: position, sources: [:])
                    continue
                }
                guard let was = present.removeValue(forKey: memo.id) else {
                    throw StoreError.wrongMemo(memo.id, draft: id)
                }
                if was != (position, memo.text) {
                    try db.execute(
                        "UPDATE memo SET position = ?2, text = ?3 WHERE id = ?1",
                        [.integer(memo.id), Value(position), .text(memo.text)])
                }
            }
            for dropped in present.keys { try db.execute("DELETE FROM memo WHERE id = ?1", [.integer(dropped)]) }
            try touch(draft: id, at: now)
            let keepsTitle = Draft.split(text).title == Draft.split(old.text).title
            try db.execute(
                "UPDATE draft SET text = ?2, title_generated = ?3 WHERE id = ?1",
                [.integer(id), .text(text), Value(old.isTitleGenerated && keepsTitle)])
        }
    }

    /// Removes a draft with its memos. Its jobs and receipts stay, and its photos until they are pruned.
    /// - Throws: `noSuchDraft`; `draftInOutbox` while a note of it is queued, being sent or uncertain.
    public func removeDraft(_ id: Int64) throws(StoreError) {
        try changing {
            let open = try db.first(
                "SELECT id, state FROM job WHERE draft = ?1 AND state IN ('queued', 'sending', 'uncertain') LIMIT 1",
                [.integer(id)]
            ) { row in (row.integer(0), JobState(rawValue: row.text(1))) }
            if let (job, state) = open {
                throw StoreError.draftInOutbox(draft: id, job: job, state: state ?? .uncertain)
            }
            try db.execute("DELETE FROM draft WHERE id = ?1", [.integer(id)])
            if db.changes == 0 { throw StoreError.noSuchDraft(id) }
        }
    }

    /// Notes that a draft was changed, and that it is there.
    ///
    /// `updated` always grows, also within a millisecond and when the clock was set back: by it an editor sees that
    /// somebody else was here.
    func touch(draft id: Int64, at now: Timestamp) throws {
        try db.execute(
            "UPDATE draft SET updated = max(updated + 1, ?2) WHERE id = ?1", [.integer(id), .integer(now.milliseconds)])
        if db.changes == 0 { throw StoreError.noSuchDraft(id) }
    }

    private func draft(where condition: String, _ value: Value) throws -> Draft? {
        guard var draft = try draftWithoutMemos(where: condition, value) else { return nil }
        draft.memos = try memos(of: draft.id)
        return draft
    }

    private func draftWithoutMemos(where condition: String, _ value: Value) throws -> Draft? {
        try db.first(
            """
            SELECT id, uid, text, title_generated, notebook, tags, layout,
                moment, moment_nanosecond, moment_offset, offset_assumed,
                latitude, longitude, altitude, place_name, created, updated, held
            FROM draft WHERE \(condition)
            """, [value]
        ) { row in
            Draft(
                id: row.integer(0), uid: row.text(1), text: row.text(2), isTitleGenerated: row.bool(3),
                notebook: row.optionalText(4), tags: try JSON.decode(tags: row.text(5)), layout: row.optionalText(6),
                moment: row.moment(at: 7), place: row.place(at: 11), created: row.timestamp(15),
                updated: row.timestamp(16), isHeld: row.bool(17))
        }
    }

    func draftStandings() throws -> [Int64: (state: DraftState, made: Timestamp)] {
        try Self.lastBatches(
            db.all(
                """
                SELECT draft, batch, state, count(*), min(draft_updated) FROM job WHERE draft IS NOT NULL
                GROUP BY draft, batch, state ORDER BY draft DESC, batch DESC, state DESC
                """, [], BatchCount.init))
    }

    /// Jobs of one draft, one sending and one state, counted.
    private struct BatchCount {
        let draft: Int64
        let batch: String
        let state: JobState
        let count: Int
        /// The draft's `updated` of which they were made.
        let made: Timestamp

        init(_ row: borrowing Row) throws {
            guard let state = JobState(rawValue: row.text(2)) else {
                throw Undecodable(description: "a job's state: \(row.text(2))")
            }
            (draft, batch, count) = (row.integer(0), row.text(1), Int(row.integer(3)))
            made = row.timestamp(4)
            self.state = state
        }
    }

    /// What counts is the last sending that was not given up as a whole.
    /// - Parameter counts: By draft, the newest sending first.
    private static func lastBatches(
        _ counts: [BatchCount]
    ) -> [Int64: (state: DraftState, made: Timestamp)] {
        var last: [Int64: (batch: String, made: Timestamp, jobs: [JobState: Int])] = [:]
        for count in counts {
            let known = last[count.draft]
            if known?.batch == count.batch {
                last[count.draft]?.jobs[count.state] = count.count
            } else if known?.jobs.keys.allSatisfy({ $0 == .cancelled }) ?? true {
                last[count.draft] = (count.batch, count.made, [count.state: count.count])
            }
        }
        return last.mapValues { (DraftState($0.jobs), $0.made) }
    }
}
