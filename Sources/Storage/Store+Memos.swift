public import Notes
import SQLite

extension Store {
    /// Adds a memo to a draft.
    /// - Parameters:
    ///   - position: Counted from 0; at the end where it is nil or beyond.
    ///   - sources: Where new photos came from, by blob.
    ///   - now: The time of the change.
    /// - Returns: The memo with its numbers.
    /// - Throws: `noSuchDraft`.
    public func addMemo(
        _ memo: Memo, to draft: Int64, at position: Int? = nil, sources: [BlobKey: PhotoSource] = [:], now: Timestamp
    ) throws(StoreError) -> Memo {
        return try naming {
            try touch(draft: draft, at: now)
            let end = try nextPosition(in: draft)
            let place = min(max(0, position ?? end), end)
            if place < end {
                try db.execute(
                    "UPDATE memo SET position = position + 1 WHERE draft = ?1 AND position >= ?2",
                    [.integer(draft), Value(place)])
            }
            return try insert(memo, into: draft, at: place, sources: sources)
        }
    }

    /// The numbers and times of a draft's memos, in order.
    public func memoMoments(of draft: Int64) throws(StoreError) -> [(id: Int64, moment: Moment?)] {
        try reading { try moments(of: draft) }
    }

    private func moments(of draft: Int64) throws -> [(id: Int64, moment: Moment?)] {
        try db.all(
            """
            SELECT id, moment, moment_nanosecond, moment_offset, offset_assumed FROM memo
            WHERE draft = ?1 ORDER BY position
            """, [.integer(draft)]
        ) { row in (row.integer(0), row.moment(at: 1)) }
    }

    /// Changes a memo as it is at that moment: text, time, place, and which of its photos it keeps, in which order.
    /// What another command has changed about it since it was read stays so.
    /// - Throws: `noSuchMemo`, and what `change` throws; nothing is changed then.
    @discardableResult
    public func changeMemo(
        _ id: Int64, at now: Timestamp, _ change: (inout Memo) throws(StoreError) -> Void
    ) throws(StoreError) -> Memo {
        try changing {
            let draft = try position(of: id).draft
            guard let old = try memos(where: "id", id).first else { throw StoreError.noSuchMemo(id) }
            var memo = old
            try change(&memo)
            if memo == old { return memo }
            try touch(draft: draft, at: now)
            try db.execute(
                """
                UPDATE memo SET text = ?2, moment = ?3, moment_nanosecond = ?4, moment_offset = ?5,
                    offset_assumed = ?6, latitude = ?7, longitude = ?8, altitude = ?9, place_name = ?10
                WHERE id = ?1
                """, [.integer(id), .text(memo.text)] + memo.moment.columns + memo.place.columns)
            if memo.photos != old.photos {
                try db.execute("DELETE FROM memo_photo WHERE memo = ?1", [.integer(id)])
                memo.photos = try insert(memo.photos, into: id, of: draft, sources: [:])
            }
            return memo
        }
    }

    /// Moves a memo within its draft.
    /// - Parameter target: Its place afterwards, counted from 0; the end where it is beyond.
    /// - Throws: `noSuchMemo`.
    public func moveMemo(_ id: Int64, to target: Int, now: Timestamp) throws(StoreError) {
        try changing {
            let (draft, from) = try position(of: id)
            let to = min(max(0, target), try nextPosition(in: draft) - 1)
            guard to != from else { return }
            try touch(draft: draft, at: now)
            try db.execute(
                """
                UPDATE memo SET position = CASE WHEN id = ?2 THEN ?3 ELSE position + ?4 END
                WHERE draft = ?1 AND position BETWEEN ?5 AND ?6
                """,
                [.integer(draft), .integer(id), Value(to), Value(to < from ? 1 : -1)]
                    + [Value(min(from, to)), Value(max(from, to))])
        }
    }

    /// Puts all memos of a draft in an order.
    /// - Parameter order: Is given the memos as they are at that moment; returns each of their numbers, once.
    /// - Throws: `noSuchDraft`, `wrongMemo`.
    public func orderMemos(
        of draft: Int64, at now: Timestamp, by order: ([(id: Int64, moment: Moment?)]) -> [Int64]
    ) throws(StoreError) {
        try changing {
            let memos = try moments(of: draft)
            let ids = order(memos)
            if ids == memos.map(\.id), !ids.isEmpty { return }
            try touch(draft: draft, at: now)
            var present: [Int64: Int] = [:]
            try db.forEach("SELECT id, position FROM memo WHERE draft = ?1", [.integer(draft)]) { row in
                present[row.integer(0)] = Int(row.integer(1))
            }
            for (position, id) in ids.enumerated() {
                guard let was = present.removeValue(forKey: id) else { throw StoreError.wrongMemo(id, draft: draft) }
                if was != position {
                    try db.execute("UPDATE memo SET position = ?2 WHERE id = ?1", [.integer(id), Value(position)])
                }
            }
            if let left = present.keys.min() { throw StoreError.wrongMemo(left, draft: draft) }
        }
    }

    /// Removes a memo. Its photos stay in the store until they are pruned.
    /// - Throws: `noSuchMemo`.
    public func removeMemo(_ id: Int64, now: Timestamp) throws(StoreError) {
        try changing {
            let (draft, position) = try position(of: id)
            try touch(draft: draft, at: now)
            try db.execute("DELETE FROM memo WHERE id = ?1", [.integer(id)])
            try db.execute(
                "UPDATE memo SET position = position - 1 WHERE draft = ?1 AND position > ?2",
                [.integer(draft), Value(position)])
        }
    }

    /// All memos of a draft, in order, with their photos.
    func memos(of draft: Int64) throws -> [Memo] { try memos(where: "draft", draft) }

    private func memos(where column: String, _ value: Int64) throws -> [Memo] {
        var photos: [Int64: [Photo]] = [:]
        try db.forEach(
            """
            SELECT l.memo, \(Self.photoColumns) FROM memo m JOIN memo_photo l ON l.memo = m.id
                JOIN photo p ON p.id = l.photo
            WHERE m.\(column) = ?1 ORDER BY l.memo, l.position
            """, [.integer(value)]
        ) { row in photos[row.integer(0), default: []].append(try Self.photo(row, at: 1)) }
        return try db.all(
            """
            SELECT id, text, moment, moment_nanosecond, moment_offset, offset_assumed,
                latitude, longitude, altitude, place_name, number
            FROM memo WHERE \(column) = ?1 ORDER BY position
            """, [.integer(value)]
        ) { row in
            Memo(
                id: row.integer(0), number: Int(row.integer(10)), text: row.text(1),
                photos: photos[row.integer(0)] ?? [], moment: row.moment(at: 2), place: row.place(at: 6))
        }
    }

    /// Makes a memo at a position that is free.
    func insert(
        _ memo: Memo, into draft: Int64, at position: Int, sources: [BlobKey: PhotoSource]
    ) throws -> Memo {
        try db.execute("UPDATE draft SET memos_made = memos_made + 1 WHERE id = ?1", [.integer(draft)])
        let number = try db.first("SELECT memos_made FROM draft WHERE id = ?1", [.integer(draft)]) { row in
            Int(row.integer(0))
        }
        var added = memo
        added.number = number ?? 0
        try db.execute(
            """
            INSERT INTO memo (draft, number, position, text, moment, moment_nanosecond, moment_offset, offset_assumed,
                latitude, longitude, altitude, place_name)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            [.integer(draft), Value(added.number), Value(position), .text(memo.text)] + memo.moment.columns
                + memo.place.columns)
        added.id = db.lastID
        added.photos = try insert(memo.photos, into: added.id, of: draft, sources: sources)
        return added
    }

    /// The position behind the last memo.
    func nextPosition(in draft: Int64) throws -> Int {
        Int(
            try db.first("SELECT max(position) + 1 FROM memo WHERE draft = ?1", [.integer(draft)]) { row in
                row.integer(0)
            } ?? 0)
    }

    private func position(of memo: Int64) throws -> (draft: Int64, position: Int) {
        let found = try db.first("SELECT draft, position FROM memo WHERE id = ?1", [.integer(memo)]) { row in
            (draft: row.integer(0), position: Int(row.integer(1)))
        }
        guard let found else { throw StoreError.noSuchMemo(memo) }
        return found
    }

    func has(_ memo: Int64, in draft: Int64) throws -> Bool {
        try db.first("SELECT draft FROM memo WHERE id = ?1", [.integer(memo)]) { row in row.integer(0) } == draft
    }

    /// Adds new photos behind those that a memo has.
    func append(
        _ photos: [Photo], to memo: Int64, of draft: Int64, sources: [BlobKey: PhotoSource]
    ) throws -> [Photo] {
        let end = try db.first("SELECT max(position) + 1 FROM memo_photo WHERE memo = ?1", [.integer(memo)]) { row in
            Int(row.integer(0))
        }
        return try insert(photos, into: memo, of: draft, from: end ?? 0, sources: sources)
    }

    private func insert(
        _ photos: [Photo], into memo: Int64, of draft: Int64, from start: Int = 0, sources: [BlobKey: PhotoSource]
    ) throws -> [Photo] {
        var added = photos
        for (index, photo) in photos.enumerated() {
            if photo.id == 0 { added[index].id = try insert(photo, from: sources[photo.blob], for: draft) }
            try db.execute(
                "INSERT INTO memo_photo (memo, position, photo) VALUES (?1, ?2, ?3)",
                [.integer(memo), Value(start + index), .integer(added[index].id)])
        }
        return added
    }
}
