import SQLite

extension Migrator {
    /// The store's form, step by step. One that was released is never edited: the next one follows it.
    ///
    /// Times are milliseconds since 1970. A moment is the wall clock (`moment`, seconds since 1970 by that clock, and
    /// `moment_nanosecond`) with its offset in seconds, and whether that was only assumed. Blobs go by MD5, size and
    /// serial. Paths are bytes.
    static let store = Migrator([
        """
        CREATE TABLE draft (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uid TEXT NOT NULL UNIQUE,
            text TEXT NOT NULL,
            title_generated INTEGER NOT NULL,
            notebook TEXT,
            tags TEXT NOT NULL,
            layout TEXT,
            moment INTEGER, moment_nanosecond INTEGER, moment_offset INTEGER, offset_assumed INTEGER,
            latitude REAL, longitude REAL, altitude REAL, place_name TEXT,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            held INTEGER NOT NULL,
            memos_made INTEGER NOT NULL DEFAULT 0,
            folder BLOB,
            folder_group TEXT,
            -- An import has it in hand, if one is under way.
            importing INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX draft_of_folder ON draft (folder, folder_group) WHERE folder IS NOT NULL;
        CREATE INDEX draft_in_hand ON draft (id) WHERE importing = 1;

        CREATE TABLE memo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            draft INTEGER NOT NULL REFERENCES draft ON DELETE CASCADE,
            number INTEGER NOT NULL,
            position INTEGER NOT NULL,
            text TEXT NOT NULL,
            moment INTEGER, moment_nanosecond INTEGER, moment_offset INTEGER, offset_assumed INTEGER,
            latitude REAL, longitude REAL, altitude REAL, place_name TEXT
        ) STRICT;
        CREATE INDEX memo_of_draft ON memo (draft, position);

        -- Stays when its memo is dropped: the original is freed by prune alone, and is not imported anew.
        CREATE TABLE photo (
            id INTEGER PRIMARY KEY,
            draft INTEGER REFERENCES draft ON DELETE SET NULL,
            md5 BLOB NOT NULL CHECK (length(md5) = 16),
            size INTEGER NOT NULL,
            serial INTEGER NOT NULL,
            mime TEXT NOT NULL,
            width INTEGER, height INTEGER,
            orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
            name TEXT NOT NULL,
            moment INTEGER, moment_nanosecond INTEGER, moment_offset INTEGER, offset_assumed INTEGER,
            latitude REAL, longitude REAL, altitude REAL, place_name TEXT,
            make TEXT, model TEXT,
            source_path BLOB, source_modified INTEGER,
            evidence TEXT
        ) STRICT;
        CREATE INDEX photo_of_draft ON photo (draft);
        CREATE INDEX photo_of_blob ON photo (md5, size, serial);
        CREATE INDEX photo_of_source ON photo (source_path) WHERE source_path IS NOT NULL;

        CREATE TABLE memo_photo (
            memo INTEGER NOT NULL REFERENCES memo ON DELETE CASCADE,
            position INTEGER NOT NULL,
            photo INTEGER NOT NULL REFERENCES photo,
            PRIMARY KEY (memo, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX memo_of_photo ON memo_photo (photo);

        CREATE TABLE copy (
            md5 BLOB NOT NULL, size INTEGER NOT NULL, serial INTEGER NOT NULL,
            recipe TEXT NOT NULL,
            copy_md5 BLOB NOT NULL CHECK (length(copy_md5) = 16),
            copy_size INTEGER NOT NULL,
            copy_serial INTEGER NOT NULL,
            mime TEXT NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL,
            damaged INTEGER NOT NULL,
            PRIMARY KEY (md5, size, serial, recipe)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX copy_blob ON copy (copy_md5, copy_size, copy_serial);

        CREATE TABLE job (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uid TEXT NOT NULL UNIQUE,
            draft INTEGER REFERENCES draft ON DELETE SET NULL,
            draft_hash TEXT NOT NULL,
            -- The draft's `updated` when the note was made of it.
            draft_updated INTEGER NOT NULL,
            layout TEXT NOT NULL,
            batch TEXT NOT NULL,
            part INTEGER NOT NULL, parts INTEGER NOT NULL CHECK (part BETWEEN 1 AND parts),
            destination TEXT NOT NULL,
            title TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            queued INTEGER NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('queued', 'sending', 'uncertain', 'parked', 'sent', 'cancelled')),
            not_before INTEGER NOT NULL DEFAULT 0,
            -- When that wait was ordered: with its end, how long it was to be.
            waits_since INTEGER,
            code TEXT, message TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            tries INTEGER NOT NULL DEFAULT 0,
            worker TEXT CHECK ((worker IS NOT NULL) = (state = 'sending')),
            target BLOB,
            -- Of a delivery that is on its way: the service's update count before it, what has arrived of it, and the
            -- first look for it after its answer was lost.
            update_count INTEGER, upload TEXT, looked INTEGER,
            notebook TEXT, tags TEXT NOT NULL,
            created INTEGER NOT NULL, created_offset INTEGER, updated INTEGER NOT NULL,
            attributes TEXT NOT NULL,
            -- Last: large, and never read with the rest.
            enml TEXT NOT NULL
        ) STRICT;
        CREATE INDEX job_of_state ON job (state, id, bytes);
        CREATE INDEX job_due ON job (destination, tries, not_before, id) WHERE state = 'queued';
        CREATE INDEX job_parked ON job (code) WHERE state = 'parked';
        CREATE INDEX job_waiting ON job (not_before) WHERE state = 'queued' AND not_before > 0;
        CREATE INDEX job_waits_since ON job (waits_since) WHERE waits_since IS NOT NULL;
        CREATE INDEX job_of_worker ON job (worker) WHERE worker IS NOT NULL;
        CREATE INDEX job_of_draft ON job (draft, batch, state, draft_updated) WHERE draft IS NOT NULL;
        CREATE INDEX job_of_note ON job (upload ->> 'guid') WHERE upload IS NOT NULL;
        CREATE INDEX job_of_content ON job (draft_hash, destination, layout) WHERE state = 'sent';

        CREATE TABLE job_resource (
            job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
            position INTEGER NOT NULL,
            md5 BLOB NOT NULL CHECK (length(md5) = 16), size INTEGER NOT NULL, serial INTEGER NOT NULL,
            mime TEXT NOT NULL,
            width INTEGER, height INTEGER,
            attributes TEXT NOT NULL,
            PRIMARY KEY (job, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX job_of_blob ON job_resource (md5, size, serial);

        CREATE TABLE attempt (
            job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
            number INTEGER NOT NULL,
            worker TEXT NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER,
            outcome TEXT CHECK (outcome IN ('sent', 'postponed', 'parked', 'unknown', 'abandoned')),
            code TEXT, message TEXT, parameter TEXT,
            bytes INTEGER,
            PRIMARY KEY (job, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attempt_failed ON attempt (ended) WHERE code IS NOT NULL;

        CREATE TABLE receipt (
            job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
            delivered INTEGER NOT NULL,
            path BLOB, guid TEXT, usn INTEGER, sha256 TEXT, bytes INTEGER,
            -- The note is not at the service any more as it was delivered.
            superseded INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX receipt_of_note ON receipt (guid) WHERE guid IS NOT NULL;
        CREATE INDEX receipt_delivered ON receipt (delivered);

        -- Blobs whose bytes were freed on purpose: of those that are missing, these are not lost.
        CREATE TABLE freed (
            md5 BLOB NOT NULL CHECK (length(md5) = 16), size INTEGER NOT NULL, serial INTEGER NOT NULL,
            PRIMARY KEY (md5, size, serial)
        ) STRICT, WITHOUT ROWID;

        -- What a person may open and what the service ordered: the one says nothing of the other.
        CREATE TABLE gate (
            account TEXT NOT NULL,
            for_person INTEGER NOT NULL,
            -- NULL: before somebody opens it.
            not_before INTEGER,
            code TEXT NOT NULL, message TEXT NOT NULL,
            -- When that was.
            closed INTEGER NOT NULL,
            PRIMARY KEY (account, for_person)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE mark (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    ])
}
