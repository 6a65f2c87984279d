public import Notes
import Hashing
import SQLite
public import System

/// A blob that something in the store names.
public struct NamedBlob: Hashable, Sendable {
    public var blob: BlobKey
    /// The photo's, or the first photo's that has these bytes; nil: it is a copy, or only a job's.
    public var photo: String?
    /// A draft that shows it.
    public var draft: Int64?
    /// A job that has it and may yet be sent.
    public var job: Int64?
}

/// An ENEX file that receipts name.
public struct DeliveredENEX: Hashable, Sendable {
    public var path: FilePath
    /// As it was delivered, hexadecimal digits; nil where that was not noted.
    public var sha256: String?
    /// One of the jobs that are in it.
    public var job: Int64
    /// How many jobs are in it.
    public var jobs: Int
    /// True where a later delivery gave another file this name, so that this one cannot be there any more.
    public var isReplaced: Bool
}

// Whether all that the store claims is so. Nothing here changes anything.

extension Store {
    /// What SQLite finds wrong with the file and with what points where, in its own words. Empty where all is well.
    public func databaseProblems() throws(StoreError) -> [String] {
        try reading {
            let integrity = try db.all("PRAGMA integrity_check") { row in row.text(0) }.filter { $0 != "ok" }
            let keys = try db.all("PRAGMA foreign_key_check") { row in
                "row \(row.integer(1)) of \(row.text(0)) points to nothing in \(row.text(2))"
            }
            return integrity + keys
        }
    }

    /// Every blob that a photo, a copy or a job names, once each.
    public func namedBlobs() throws(StoreError) -> [NamedBlob] {
        try reading {
            try db.all(
                """
                SELECT k.md5, k.size, k.serial,
                    (SELECT p.name FROM photo p WHERE p.md5 = k.md5 AND p.size = k.size AND p.serial = k.serial
                        ORDER BY p.id LIMIT 1),
                    (SELECT m.draft FROM photo p CROSS JOIN memo_photo l ON l.photo = p.id CROSS JOIN memo m ON m.id = l.memo
                        WHERE p.md5 = k.md5 AND p.size = k.size AND p.serial = k.serial LIMIT 1),
                    (SELECT j.id FROM job_resource s CROSS JOIN job j ON j.id = s.job
                        WHERE s.md5 = k.md5 AND s.size = k.size AND s.serial = k.serial
                        AND j.state IN ('queued', 'sending', 'uncertain', 'parked') LIMIT 1)
                FROM (
                    SELECT md5, size, serial FROM photo UNION SELECT copy_md5, copy_size, copy_serial FROM copy
                    UNION SELECT md5, size, serial FROM job_resource
                ) k
                """
            ) { row in
                NamedBlob(
                    blob: try row.blobKey(at: 0), photo: row.optionalText(3), draft: row.optionalInteger(4),
                    job: row.optionalInteger(5))
            }
        }
    }

    /// The ENEX files that receipts name, each once, the last first.
    public func deliveredENEX() throws(StoreError) -> [DeliveredENEX] {
        try reading {
            var names: Set<FilePath> = []
            return try db.all(
                """
                SELECT path, sha256, min(job), count(*) FROM receipt WHERE path IS NOT NULL
                GROUP BY path, sha256 ORDER BY max(job) DESC
                """
            ) { row in
                let path = FilePath(bytes: row.blob(0))
                return DeliveredENEX(
                    path: path, sha256: row.optionalText(1), job: row.integer(2), jobs: Int(row.integer(3)),
                    isReplaced: !names.insert(path).inserted)
            }
        }
    }
}

extension BlobStore {
    /// What is the matter with a blob.
    public enum Damage: String, Hashable, Sendable {
        case missing
        /// Its length is another.
        case wrongSize = "wrong_size"
        /// Its bytes have another MD5.
        case wrongBytes = "wrong_bytes"
        /// The disk does not give its bytes.
        case unreadable
    }

    /// Looks whether a blob is what its name says; nil: it is.
    /// - Parameter reads: Reads all of its bytes; otherwise only the length is looked at.
    /// - Throws: `interrupted`.
    public func damage(of key: BlobKey, reads: Bool) throws(StoreError) -> Damage? {
        guard let status = try? Files.status(path(of: key), followsLink: false) else { return .missing }
        guard status.kind == .file, status.size == key.size else { return .wrongSize }
        if !reads { return nil }
        do {
            let file = try FileDescriptor.openForReading(path(of: key), followsLink: false)
            return try MD5(of: file) == key.md5 ? nil : .wrongBytes
        } catch {
            if Interrupt.isRaised { throw .interrupted }
            return .unreadable
        }
    }

    /// Temporary files whose makers have died.
    public func abandonedTemporaries() -> [FilePath] {
        let all = folder.folder / "temporary"
        return ((try? Files.names(in: all)) ?? []).compactMap { name in
            let isAbandoned = (try? KernelLock.takeOver(all / name)).flatMap { $0 } != nil
            return isAbandoned ? all / name : nil
        }
    }
}
