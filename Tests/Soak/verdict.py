"""What a store and a service have, told without the program."""

import collections
import hashlib
import pathlib
import shutil
import sqlite3
import tempfile


class Snapshot:
    """A store as a killed process left it, from a copy: reading the store itself would put it right."""

    def __init__(self, home):
        self.jobs, self.photos = [], 0
        self.blobs = {path.name for path in home.glob("blobs/*/*")}
        self.temporaries = len(list(home.glob("temporary/*/*")))
        with tempfile.TemporaryDirectory(prefix="evergear-soak-") as folder:
            for name in ("store.sqlite", "store.sqlite-wal"):
                if (home / name).exists():
                    shutil.copy(home / name, folder)
            path = pathlib.Path(folder) / "store.sqlite"
            if not path.exists():
                return
            store = sqlite3.connect(path)
            try:
                self.photos = store.execute("SELECT count(*) FROM photo").fetchone()[0]
                # UUID, state, how many resources, when its last attempt began in seconds since 1970
                self.jobs = store.execute(
                    "SELECT uid, state, (SELECT count(DISTINCT md5) FROM job_resource WHERE job = job.id),"
                    " (SELECT max(started) FROM attempt WHERE job = job.id) / 1000.0"
                    " FROM job WHERE state != 'cancelled'").fetchall()
            except sqlite3.OperationalError:
                pass  # it has no tables yet
            finally:
                store.close()


def wrongs(home, service, folders):
    """What is not as it should be once all is done, in words.

    folders: each draft's title begins with its name, and holds these files' bytes."""
    found = list(store_wrongs(home, folders))
    found += service_wrongs(home, service, folders)
    return found


def md5(content):
    return hashlib.md5(content).hexdigest()


def store_wrongs(home, folders):
    store = sqlite3.connect(f"file:{home / 'store.sqlite'}?mode=ro", uri=True)
    rows = lambda query: store.execute(query).fetchall()  # noqa: E731
    try:
        if rows("PRAGMA integrity_check") != [("ok",)]:
            yield f"integrity_check: {rows('PRAGMA integrity_check')}"
        if rows("PRAGMA foreign_key_check"):
            yield f"foreign_key_check: {rows('PRAGMA foreign_key_check')}"
        # Drafts, memos, photos: each once, none lost.
        drafts = collections.Counter(text.split(",")[0].split("\n")[0] for text, in rows("SELECT text FROM draft"))
        if drafts != collections.Counter(list(folders)):
            yield f"drafts: {dict(drafts)}"
        wanted = collections.Counter((name, md5(content)) for name, files in folders.items() for content in files)
        for table, joined in (("memo", "JOIN memo_photo m ON m.photo = p.id JOIN memo ON memo.id = m.memo "
                               "JOIN draft d ON d.id = memo.draft"), ("draft", "JOIN draft d ON d.id = p.draft")):
            there = collections.Counter(
                (text.split(",")[0].split("\n")[0], digest.hex())
                for text, digest in rows(f"SELECT d.text, p.md5 FROM photo p {joined}"))
            if there != wanted:
                yield f"photos by {table}: {len(wanted - there)} lost, {sum((there - wanted).values())} too many"
        memos, = rows("SELECT count(*) FROM memo")[0]
        if memos != sum(wanted.values()):
            yield f"{memos} memos"
        # The outbox.
        states = collections.Counter(state for state, in rows("SELECT state FROM job"))
        if states["sent"] != len(folders) or set(states) - {"sent", "cancelled"}:
            yield f"jobs: {dict(states)}"
        if rows("SELECT count(*) FROM receipt") != [(len(folders),)]:
            yield f"{rows('SELECT count(*) FROM receipt')} receipts"
        if rows("SELECT count(*) FROM attempt WHERE ended IS NULL") != [(0,)]:
            yield "an attempt goes on for ever"
        # Blobs: named and there, there and named.
        named = set()
        for columns in ("md5, size, serial FROM photo", "md5, size, serial FROM job_resource",
                        "copy_md5, copy_size, copy_serial FROM copy"):
            for digest, size, serial in rows(f"SELECT DISTINCT {columns}"):
                named.add(f"{digest.hex()}-{size}" + (f"-{serial}" if serial else ""))
        there = {path.name: path for path in home.glob("blobs/*/*")}
        if named - set(there):
            yield f"blobs missing: {sorted(named - set(there))}"
        if set(there) - named:
            yield f"blobs orphaned: {sorted(set(there) - named)}"
        for name, path in there.items():
            content = path.read_bytes()
            if not name.startswith(f"{md5(content)}-{len(content)}"):
                yield f"blob damaged: {name}"
        for path in home.glob("temporary/*"):
            yield f"temporary left: {path.name}"
    finally:
        store.close()


def service_wrongs(home, service, folders):
    store = sqlite3.connect(f"file:{home / 'store.sqlite'}?mode=ro", uri=True)
    try:
        receipts = dict(store.execute(
            "SELECT 'evergear://note/' || uid, guid FROM job JOIN receipt ON receipt.job = job.id WHERE state = 'sent'"))
        resources = collections.defaultdict(set)
        for address, digest in store.execute(
                "SELECT 'evergear://note/' || uid, md5 FROM job JOIN job_resource ON job = id WHERE state = 'sent'"):
            resources[address].add(digest.hex())
    finally:
        store.close()
    stats, notes = service.stats(), list(service.account.notes.values())
    if stats["duplicates"]:
        yield f"twice at the service: {stats['duplicates']}"
    if stats["warnings"]:
        yield f"warnings of the service: {stats['warnings']}"
    if len(notes) != len(folders):
        yield f"{len(notes)} notes at the service instead of {len(folders)}"
    titles = collections.Counter(note.title.split(",")[0] for note in notes)
    if titles != collections.Counter(list(folders)):
        yield f"titles at the service: {dict(titles)}"
    for note in notes:
        address = note.attributes.sourceURL
        if receipts.get(address) != note.guid:
            yield f"no receipt for {note.guid}, {address}"
        if {resource.data.bodyHash.hex() for resource in note.resources or []} != resources[address]:
            yield f"other resources in {note.guid}"
        if not note.active:
            yield f"{note.guid} is in the trash"
        for resource in note.resources or []:
            if hashlib.md5(service.account.store.body(resource.data.bodyHash)).digest() != resource.data.bodyHash:
                yield f"other bytes in {note.guid}"
        name = note.title.split(",")[0]
        originals = {md5(content) for content in folders.get(name, []) if content[:2] == b"\xff\xd8"}
        if not originals <= resources[address]:
            yield f"photos missing in {note.guid}"
