public import Notes
import SQLite
public import System

/// Where a photo came from.
public struct PhotoSource: Hashable, Sendable {
    /// The file's absolute path.
    public var path: FilePath
    /// The file's last change, nanoseconds since 1970.
    public var modified: Int64
    /// What its metadata says, and why what was chosen was: JSON.
    public var evidence: String?

    public init(path: FilePath, modified: Int64, evidence: String? = nil) {
        self.path = path
        self.modified = modified
        self.evidence = evidence
    }
}

/// A photo on its way into a draft.
public struct NewPhoto: Hashable, Sendable {
    public var photo: Photo
    public var source: PhotoSource

    public init(photo: Photo, source: PhotoSource) {
        self.photo = photo
        self.source = source
    }
}

/// Photos on their way into a draft as one memo, mostly one: a Live Photo brings its video.
public struct NewMemo: Hashable, Sendable {
    public var photos: [NewPhoto]
    /// A caption that the first file carries, say.
    public var text: String
    /// The memo of the draft that they join, if it is still there; else they become one of their own.
    public var joins: Int64?

    public init(photos: [NewPhoto], text: String = "", joins: Int64? = nil) {
        self.photos = photos
        self.text = text
        self.joins = joins
    }

    /// As one of its own: when the first photo was taken, and where the first was that says so.
    public var memo: Memo {
        let photos = photos.map(\.photo)
        return Memo(
            text: text, photos: photos, moment: photos.first?.moment, place: photos.lazy.compactMap(\.place).first)
    }

    public var sources: [BlobKey: PhotoSource] {
        Dictionary(photos.map { ($0.photo.blob, $0.source) }) { first, _ in first }
    }
}

/// What became of a photo that was added.
public enum PhotoOutcome: Hashable, Sendable {
    case added(memo: Int64, photo: Int64)
    /// The same bytes are in the draft already.
    case duplicate(of: PhotoUse)
}

/// A photo as it stands in a draft.
public struct PhotoUse: Hashable, Sendable {
    public var draft: Int64
    /// nil: its memo was dropped since.
    public var memo: Int64?
    public var photo: Int64
    public var blob: BlobKey
    public var name: String
    public var path: FilePath?
}

/// That a photo was delivered.
public struct PhotoDelivery: Hashable, Sendable {
    /// The last time.
    public var delivered: Timestamp
    /// Where the photo was imported from; nil where that was pruned, or nobody said.
    public var path: FilePath?
}

/// A smaller or otherwise shaped copy of a photo.
public struct PhotoCopy: Hashable, Sendable {
    public var blob: BlobKey
    public var mime: String
    public var pixels: PixelSize
    /// True where parts of the photo were missing or broken, and the copy shows what could be read.
    public var isDamaged: Bool

    public init(blob: BlobKey, mime: String, pixels: PixelSize, isDamaged: Bool = false) {
        self.blob = blob
        self.mime = mime
        self.pixels = pixels
        self.isDamaged = isDamaged
    }
}

extension Store {
    /// An import's batch: memos at the draft's end, without the photos whose bytes the draft has already.
    ///
    /// The blobs are synced together, then all is one transaction.
    /// - Returns: What became of each photo, memo by memo.
    /// - Throws: `noSuchDraft`.
    public func addMemos(
        _ batch: [NewMemo], to draft: Int64, at now: Timestamp
    ) throws(StoreError) -> [PhotoOutcome] {
        if batch.isEmpty { return [] }
        return try naming {
            try touch(draft: draft, at: now)
            var end = try nextPosition(in: draft)
            return try batch.flatMap { try add($0, to: draft, end: &end) }
        }
    }

    private func add(_ new: NewMemo, to draft: Int64, end: inout Int) throws -> [PhotoOutcome] {
        let present = try new.photos.map { try use(of: $0.photo.blob, in: draft) }
        var missing = new
        missing.photos = zip(new.photos, present).compactMap { photo, use in use == nil ? photo : nil }
        var (memo, added): (Int64, [Photo]) = (0, [])
        if !missing.photos.isEmpty {
            if let joined = new.joins, try has(joined, in: draft) {
                (memo, added) = (joined, try append(missing.memo.photos, to: joined, of: draft, sources: new.sources))
            } else {
                let made = try insert(missing.memo, into: draft, at: end, sources: new.sources)
                (memo, added) = (made.id, made.photos)
                end += 1
            }
        }
        var rest = added[...]
        return present.map { use in
            use.map { .duplicate(of: $0) } ?? .added(memo: memo, photo: rest.popFirst()?.id ?? 0)
        }
    }

    /// What was made of a file by earlier imports, if it has not changed since: one for each draft that took it, the
    /// newest first. So a folder is imported again without reading what was taken.
    ///
    /// A use without memo was dropped from its draft by somebody, who will not want it back.
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - modified: Nanoseconds since 1970.
    public func imported(_ path: FilePath, size: Int64, modified: Int64) throws(StoreError) -> [PhotoUse] {
        try reading {
            try db.all(
                """
                SELECT p.draft, (SELECT min(memo) FROM memo_photo WHERE photo = p.id), \(Self.useColumns)
                FROM photo p WHERE source_path = ?1 AND size = ?2 AND source_modified = ?3 AND draft IS NOT NULL
                ORDER BY p.id DESC
                """, [.blob(path.bytes), .integer(size), .integer(modified)], Self.use)
        }
    }

    /// Every draft that has these bytes, the newest photo first.
    public func uses(of blob: BlobKey) throws(StoreError) -> [PhotoUse] {
        try reading {
            try db.all(
                """
                SELECT m.draft, m.id, \(Self.useColumns)
                FROM photo p JOIN memo_photo l ON l.photo = p.id JOIN memo m ON m.id = l.memo
                WHERE p.md5 = ?1 AND p.size = ?2 AND p.serial = ?3 ORDER BY p.id DESC
                """, blob.columns, Self.use)
        }
    }

    /// When a photo was delivered last, by the receipts: as it is, or as a copy that was made of it. It need not be in a
    /// draft any more.
    /// - Returns: nil where no receipt says so.
    public func delivery(of photo: BlobKey) throws(StoreError) -> PhotoDelivery? {
        try reading {
            let delivered = try db.first(
                """
                SELECT max(
                    ifnull((SELECT max(d.delivered) FROM job_resource r JOIN receipt d ON d.job = r.job
                        WHERE r.md5 = ?1 AND r.size = ?2 AND r.serial = ?3), 0),
                    ifnull((SELECT max(d.delivered) FROM copy c CROSS JOIN job_resource r
                            ON r.md5 = c.copy_md5 AND r.size = c.copy_size AND r.serial = c.copy_serial
                        JOIN receipt d ON d.job = r.job
                        WHERE c.md5 = ?1 AND c.size = ?2 AND c.serial = ?3), 0))
                """, photo.columns
            ) { row in row.timestamp(0) }
            guard let delivered, delivered.milliseconds > 0 else { return nil }
            let path = try db.first(
                """
                SELECT p.source_path FROM photo p
                WHERE p.md5 = ?1 AND p.size = ?2 AND p.serial = ?3 AND p.source_path IS NOT NULL ORDER BY p.id LIMIT 1
                """, photo.columns
            ) { row in FilePath(bytes: row.blob(0)) }
            return PhotoDelivery(delivered: delivered, path: path)
        }
    }

    /// Where a photo came from; nil where nobody said.
    public func source(ofPhoto id: Int64) throws(StoreError) -> PhotoSource? {
        try reading {
            try db.first(
                "SELECT source_path, source_modified, evidence FROM photo WHERE id = ?1 AND source_path IS NOT NULL",
                [.integer(id)]
            ) { row in
                PhotoSource(
                    path: FilePath(bytes: row.blob(0)), modified: row.integer(1), evidence: row.optionalText(2))
            }
        }
    }

    /// The copy of a photo that was made by a recipe; nil where none was made or its bytes are gone.
    /// - Parameter recipe: Everything that the copy depends on beside the photo's bytes: `thumb 240 turn 6`.
    public func copy(of photo: BlobKey, by recipe: String) throws(StoreError) -> PhotoCopy? {
        let copy = try reading {
            try db.first(
                """
                SELECT copy_md5, copy_size, copy_serial, mime, width, height, damaged FROM copy
                WHERE md5 = ?1 AND size = ?2 AND serial = ?3 AND recipe = ?4
                """, photo.columns + [.text(recipe)]
            ) { row -> PhotoCopy? in
                guard let pixels = row.pixels(at: 4) else { return nil }
                return PhotoCopy(
                    blob: try row.blobKey(at: 0), mime: row.text(3), pixels: pixels, isDamaged: row.bool(6))
            }
        }
        guard let copy = copy ?? nil, try blobs.contains(copy.blob) else { return nil }
        return copy
    }

    /// The photos of which a job has the bytes or a copy.
    public func originals(ofJob id: Int64) throws(StoreError) -> Set<BlobKey> {
        try reading {
            let found = try db.all(
                """
                SELECT md5, size, serial FROM job_resource WHERE job = ?1
                UNION SELECT c.md5, c.size, c.serial FROM job_resource r JOIN copy c
                    ON c.copy_md5 = r.md5 AND c.copy_size = r.size AND c.copy_serial = r.serial
                WHERE r.job = ?1
                """, [.integer(id)]
            ) { row in try row.blobKey(at: 0) }
            return Set(found)
        }
    }

    /// Remembers copies, so that each is made once. Their blobs are synced before.
    public func addCopies(
        _ copies: [(photo: BlobKey, recipe: String, copy: PhotoCopy)]
    ) throws(StoreError) {
        if copies.isEmpty { return }
        try blobs.sync()
        try changing {
            for (photo, recipe, copy) in copies {
                try db.execute(
                    """
                    INSERT OR REPLACE INTO copy (md5, size, serial, recipe, copy_md5, copy_size, copy_serial, mime,
                        width, height, damaged)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                    """,
                    photo.columns + [.text(recipe)] + copy.blob.columns + [.text(copy.mime)]
                        + Optional(copy.pixels).columns + [Value(copy.isDamaged)])
                try forgetFreed(copy.blob)
            }
        }
    }

    /// Notes that the bytes of a photo that were freed are here again, because somebody brought them.
    public func noteReturn(of blob: BlobKey) throws(StoreError) { try changing { try forgetFreed(blob) } }

    /// Blobs that nothing in the store names: left where a process died between a copy and its transaction. Importing
    /// the same file again takes them up. What a running import has not committed yet is among them.
    public func unreferencedBlobs() throws(StoreError) -> [BlobKey] {
        try reading {
            var found: [BlobKey] = []
            try blobs.forEachKey { key in
                let isNamed = try db.first(
                    """
                    SELECT EXISTS (SELECT 1 FROM photo WHERE md5 = ?1 AND size = ?2 AND serial = ?3)
                        OR EXISTS (SELECT 1 FROM copy WHERE copy_md5 = ?1 AND copy_size = ?2 AND copy_serial = ?3)
                        OR EXISTS (SELECT 1 FROM job_resource WHERE md5 = ?1 AND size = ?2 AND serial = ?3)
                    """, key.columns
                ) { row in row.bool(0) }
                if isNamed != true { found.append(key) }
            }
            return found
        }
    }

    static let photoColumns = """
        p.id, p.md5, p.size, p.serial, p.mime, p.width, p.height, p.orientation, p.name,
        p.moment, p.moment_nanosecond, p.moment_offset, p.offset_assumed,
        p.latitude, p.longitude, p.altitude, p.place_name, p.make, p.model
        """

    /// Reads `photoColumns`.
    static func photo(_ row: borrowing Row, at column: Int) throws -> Photo {
        Photo(
            id: row.integer(column), blob: try row.blobKey(at: column + 1), mime: row.text(column + 4),
            pixels: row.pixels(at: column + 5), orientation: Int(row.integer(column + 7)), name: row.text(column + 8),
            moment: row.moment(at: column + 9), place: row.place(at: column + 13),
            camera: Camera(make: row.optionalText(column + 17), model: row.optionalText(column + 18)))
    }

    /// Makes a photo, which belongs to no memo yet.
    func insert(_ photo: Photo, from source: PhotoSource?, for draft: Int64) throws -> Int64 {
        try db.execute(
            """
            INSERT INTO photo (draft, md5, size, serial, mime, width, height, orientation, name,
                moment, moment_nanosecond, moment_offset, offset_assumed, latitude, longitude, altitude, place_name,
                make, model, source_path, source_modified, evidence)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
            """,
            [.integer(draft)] + photo.blob.columns + [.text(photo.mime)] + photo.pixels.columns
                + [Value(photo.orientation), .text(photo.name)] + photo.moment.columns + photo.place.columns
                + [Value(photo.camera?.make), Value(photo.camera?.model)]
                + [Value(source?.path.bytes), Value(source?.modified), Value(source?.evidence)])
        let id = db.lastID
        try forgetFreed(photo.blob)
        return id
    }

    private func forgetFreed(_ blob: BlobKey) throws {
        try db.execute("DELETE FROM freed WHERE md5 = ?1 AND size = ?2 AND serial = ?3", blob.columns)
    }

    private func use(of blob: BlobKey, in draft: Int64) throws -> PhotoUse? {
        // CROSS keeps the order: by itself SQLite would go through every memo of the draft for a photo it has.
        try db.first(
            """
            SELECT m.draft, m.id, \(Self.useColumns)
            FROM photo p CROSS JOIN memo_photo l ON l.photo = p.id CROSS JOIN memo m ON m.id = l.memo
            WHERE p.md5 = ?1 AND p.size = ?2 AND p.serial = ?3 AND m.draft = ?4 LIMIT 1
            """, blob.columns + [.integer(draft)], Self.use)
    }

    private static let useColumns = "p.id, p.md5, p.size, p.serial, p.name, p.source_path"

    /// Reads the draft, the memo and `useColumns`.
    private static func use(_ row: borrowing Row) throws -> PhotoUse {
        PhotoUse(
            draft: row.integer(0), memo: row.optionalInteger(1), photo: row.integer(2), blob: try row.blobKey(at: 3),
            name: row.text(6), path: row.optionalBlob(7).map { FilePath(bytes: $0) })
    }
}
