"""The built program in a home folder of its own, and what stands in its store, read without the program."""

import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
from datetime import datetime, timezone

PROGRAM = pathlib.Path(os.environ["EVERGEAR"]).resolve()
SHARED = pathlib.Path(os.environ["EVERGEAR_SHARED"]).resolve()
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "photos"


class Evergear:
    """One home folder; `with` removes it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="evergear-acceptance-")
        self.path = pathlib.Path(self.folder.name).resolve()
        self.home = self.path / "home"
        self.settings = {}  # EVERGEAR_… variables

    def close(self):
        self.folder.cleanup()

    def run(self, *arguments, status=0, input=""):
        """Runs the program to its end, which must be that status, and gives what it printed.

        status: one number, or a collection of those that are right.
        """
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], input=input, capture_output=True, encoding="utf-8", cwd=self.path,
            env={"EVERGEAR_HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Asia/Tokyo",
                 **self.settings})
        wanted = [status] if isinstance(status, int) else status
        if done.returncode not in wanted:
            raise AssertionError(f"evergear {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stderr}")
        return done.stdout

    def json(self, *arguments, **options):
        """The last line of the output, as JSON."""
        return json.loads(self.run(*arguments, "--json", **options).splitlines()[-1])

    def send(self, *arguments):
        """Sends to a new folder. Gives the files, and what they should hold (as enex_roundtrip wants it), in order."""
        folder = self.path / f"notes {len(list(self.path.glob('notes *')))}"
        notes = self.json("send", *arguments, "--to", f"enex:{folder}")["notes"]
        files = list(dict.fromkeys(note["path"] for note in notes))
        return files, {"notes": [job for file in files for job in self.jobs(file)]}

    def rows(self, query, *values):
        # Read-only, and the store is closed: nothing of it can be changed by looking.
        store = sqlite3.connect(f"file:{self.home / 'store.sqlite'}?mode=ro", uri=True)
        store.row_factory = sqlite3.Row
        try:
            return store.execute(query, values).fetchall()
        finally:
            store.close()

    def jobs(self, file):
        """The frozen jobs that were delivered into a file."""
        return self.frozen(self.rows(
            "SELECT job.* FROM job JOIN receipt ON receipt.job = job.id WHERE path = ? ORDER BY id", os.fsencode(file)))

    def frozen(self, jobs):
        """What rows of jobs say, as enex_roundtrip wants it."""
        return [
            {
                "title": job["title"],
                "created": instant(job["created"]),
                "updated": instant(job["updated"]),
                "tags": json.loads(job["tags"]),
                "enml": job["enml"],
                "resources": [self.resource(row) for row in self.rows(
                    "SELECT * FROM job_resource WHERE job = ? ORDER BY position", job["id"])],
            }
            for job in jobs
        ]

    def resource(self, row):
        return {
            "md5": row["md5"].hex(),
            "sha256": hashlib.sha256(self.blob(row).read_bytes()).hexdigest(),
            "size": row["size"],
            "mime": row["mime"],
            "file_name": json.loads(row["attributes"])["fileName"],
        }

    def blob(self, row):
        """Where the store keeps the bytes that a row with md5, size and serial names."""
        md5 = row["md5"].hex()
        serial = f"-{row['serial']}" if row["serial"] else ""
        return self.home / "blobs" / md5[:2] / f"{md5}-{row['size']}{serial}"


def instant(milliseconds):
    return datetime.fromtimestamp(milliseconds // 1000, timezone.utc).isoformat()
