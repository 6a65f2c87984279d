"""Where an account is kept: in memory, and in a folder where there is one."""

import json
import os
import pathlib

from evernote.edam.type.ttypes import Note, Notebook, Tag

from values import from_json, to_json


class Store:
    """`notes/GUID.json`, `resources/MD5` and `account.json` of a folder; only memory without one."""

    def __init__(self, folder=None):
        self.folder = pathlib.Path(folder) if folder else None
        self.bodies = {}
        if self.folder:
            for name in ("notes", "resources"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)

    def write(self, name, content):
        """A file is there whole, or not at all."""
        unfinished = self.folder / (name + ".unfinished")
        unfinished.write_bytes(content)
        os.replace(unfinished, self.folder / name)

    def keep_body(self, digest, body):
        if self.folder:
            self.write(f"resources/{digest.hex()}", body)
        else:
            self.bodies[digest] = body

    def body(self, digest):
        return (self.folder / "resources" / digest.hex()).read_bytes() if self.folder else self.bodies[digest]

    def keep_note(self, note):
        if self.folder:
            self.write(f"notes/{note.guid}.json", json.dumps(to_json(note), indent=1, ensure_ascii=False).encode())

    def forget_note(self, guid):
        if self.folder:
            (self.folder / "notes" / f"{guid}.json").unlink(missing_ok=True)

    def keep_account(self, numbers, notebooks, tags):
        if self.folder:
            tree = {**numbers, "notebooks": to_json(notebooks), "tags": to_json(tags)}
            self.write("account.json", json.dumps(tree, indent=1, ensure_ascii=False).encode())

    def account(self):
        """(numbers, notebooks, tags) as they were kept, or None."""
        if not self.folder or not (self.folder / "account.json").exists():
            return None
        tree = json.loads((self.folder / "account.json").read_bytes())
        return (tree, [from_json(Notebook, entry) for entry in tree.pop("notebooks")],
                [from_json(Tag, entry) for entry in tree.pop("tags")])

    def notes(self):
        paths = (self.folder / "notes").glob("*.json") if self.folder else []
        notes = [from_json(Note, json.loads(path.read_bytes())) for path in paths]
        return sorted(notes, key=lambda note: note.updateSequenceNum)

    def empty(self):
        self.bodies.clear()
        if self.folder:
            for path in [*self.folder.glob("notes/*"), *self.folder.glob("resources/*")]:
                path.unlink()
            (self.folder / "account.json").unlink(missing_ok=True)
