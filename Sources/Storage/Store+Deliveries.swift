public import Notes
import SQLite
public import System

// What was delivered, by the receipts.

/// A file that a photo was imported from, and what a receipt says of its bytes.
public struct DeliveredFile: Hashable, Sendable {
    public var path: FilePath
    /// The file's as it was imported; `size` is a part of it.
    public var blob: BlobKey
    /// The file's last change when it was imported, nanoseconds since 1970.
    public var modified: Int64
    /// The last time.
    public var delivered: Timestamp
    /// nil: the draft was removed since.
    public var draft: Int64?
}

extension Store {
    /// That a receipt `r` proves that the bytes of its job have arrived, and are there still: not where a person said so,
    /// and not where a newer version took the note's place, or is about to. The plus takes the affinity off, which no
    /// index of an expression has: else each row would look through all jobs after its own.
    static let vouches = """
        (r.path IS NOT NULL OR r.guid IS NOT NULL) AND NOT r.superseded AND NOT EXISTS (
            SELECT 1 FROM job n WHERE n.upload IS NOT NULL AND n.upload ->> 'guid' = +r.guid AND n.id > r.job
                AND n.state <> 'cancelled')
        """

    /// Whether a receipt names a note of a service.
    public func isDelivered(note guid: String) throws(StoreError) -> Bool {
        try reading { try hasReceipt(note: guid) }
    }

    func hasReceipt(note guid: String) throws -> Bool {
        try db.first("SELECT 1 FROM receipt WHERE guid = ?1 LIMIT 1", [.text(guid)]) { row in row.bool(0) } ?? false
    }

    /// A note is not, or not any more, what its receipts say.
    /// - Parameter job: Whose receipt says what it is now.
    func supersede(note guid: String, by job: Int64) throws {
        try db.execute(
            "UPDATE receipt SET superseded = 1 WHERE guid = ?1 AND job <> ?2", [.text(guid), .integer(job)])
    }

    /// Every job with a receipt, the last delivery first.
    public func deliveries(limit: Int = .max) throws(StoreError) -> [Job] {
        var found: [Job] = []
        try forEachDelivery(limit: limit) { found.append($0) }
        return found
    }

    /// As `deliveries`, one by one: there may be very many.
    public func forEachDelivery(limit: Int = .max, _ body: (Job) throws -> Void) throws(StoreError) {
        try reading {
            // There is no delivery before 1970: said for the index.
            try db.forEach(
                """
                SELECT \(Job.columns) FROM receipt r CROSS JOIN job j ON j.id = r.job
                WHERE r.delivered > 0 ORDER BY r.delivered DESC, r.job DESC LIMIT ?1
                """, [Value(limit)]
            ) { row in try body(try Job(row)) }
        }
    }

    /// How many jobs have a receipt.
    public func deliveryCount() throws(StoreError) -> Int {
        try reading {
            Int(
                try db.first("SELECT count(*) FROM receipt WHERE delivered > 0") { row in row.integer(0) } ?? 0)
        }
    }

    /// When a note with these very bytes was delivered last; nil where no receipt vouches for it. A thumbnail or another
    /// copy of a photo is not the photo.
    public func vouched(for blob: BlobKey) throws(StoreError) -> Timestamp? {
        try reading {
            try db.first(
                """
                SELECT max(r.delivered) FROM job_resource s CROSS JOIN receipt r ON r.job = s.job
                WHERE s.md5 = ?1 AND s.size = ?2 AND s.serial = ?3 AND \(Self.vouches)
                """, blob.columns
            ) { row in row.isNull(0) ? nil : row.timestamp(0) } ?? nil
        }
    }

    /// The files that photos came from whose own bytes were delivered, sorted by path. Of a file that was imported more
    /// than once, as its content changed, there is one for each content that was delivered.
    public func deliveredFiles() throws(StoreError) -> [DeliveredFile] {
        try reading {
            var found: [DeliveredFile] = []
            try db.forEach(
                """
                SELECT p.source_path, p.md5, p.size, p.serial, p.source_modified, p.draft,
                    (SELECT max(r.delivered) FROM job_resource s CROSS JOIN receipt r ON r.job = s.job
                    WHERE s.md5 = p.md5 AND s.size = p.size AND s.serial = p.serial AND \(Self.vouches)) AS delivered
                FROM photo p INDEXED BY photo_of_source WHERE p.source_path > x'' ORDER BY p.source_path, p.id
                """
            ) { row in
                if row.isNull(6) { return }
                let file = DeliveredFile(
                    path: FilePath(bytes: row.blob(0)), blob: try row.blobKey(at: 1), modified: row.integer(4),
                    delivered: row.timestamp(6), draft: row.optionalInteger(5))
                // The same content in another draft.
                let isKnown = found.last.map {
                    ($0.path, $0.blob, $0.modified) == (file.path, file.blob, file.modified)
                }
                if isKnown != true { found.append(file) }
            }
            return found
        }
    }
}
