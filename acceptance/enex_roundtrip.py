#!/usr/bin/env python3
"""Checks ENEX files against what was to be written, by readers that are not evergear's own.

    enex_roundtrip.py MANIFEST.json FILE.enex... [--tool] [--json]

The first reader is Python's XML parser. With --tool the parser of the PyPI package enex2notion reads the files as well
(acceptance/requirements.txt); without the package that fails.

The manifest, in which only "title" is needed:

    {"notes": [{
        "title": "A day at the lake",
        "created": "20260503T054800Z", "updated": "20260503T054801Z",     or ISO 8601 with an offset
        "tags": ["travel"],
        "enml": "<?xml ...",                 the whole document, as the note holds it
        "texts": ["Thermos of coffee"],      texts that a reader sees, in this order
        "resources": [{"md5": "57d0...", "sha256": "2cf2...", "size": 5, "mime": "image/jpeg", "file_name": "IMG_1.jpg"}]
    }]}

Notes are compared in the order of the files. Status 0: all is there. 1: not; each difference is one line.
"""

import argparse
import base64
import binascii
import datetime
import hashlib
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def utc(text):
    """An instant from `20260503T054800Z` or ISO 8601, to the second."""
    if re.fullmatch(r"\d{8}T\d{6}Z", text):
        return datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    time = datetime.datetime.fromisoformat(re.sub(r"Z$", "+00:00", text))
    if time.tzinfo is None:
        raise ValueError(f"{text}: no offset")
    return time.astimezone(datetime.timezone.utc).replace(microsecond=0)


def line_ends(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def same_document(a, b):
    """Equal as XML: a CDATA section in a note arrives as escaped text."""
    if a == b:
        return True
    try:
        return ElementTree.canonicalize(a) == ElementTree.canonicalize(b)
    except ElementTree.ParseError:
        return False


class PythonReader:
    """Python's own XML parser, note by note."""

    name = "python"

    @staticmethod
    def read(path):
        """Yields a dictionary for each note, and problems with the form as (None, text)."""
        seen_root = None
        for event, element in ElementTree.iterparse(path, events=("start", "end")):
            if event == "start" and seen_root is None:
                seen_root = element
                if element.tag != "en-export":
                    yield None, f"the outermost element is {element.tag}"
            if event == "end" and element.tag == "note":
                yield PythonReader.note(element)
                seen_root.clear()

    @staticmethod
    def note(element):
        problems = []
        resources = []
        for resource in element.findall("resource"):
            data = resource.find("data")
            if data is None or data.get("encoding") != "base64":
                problems.append("a resource without data in base64")
                continue
            try:
                body = base64.b64decode("".join((data.text or "").split()), validate=True)
            except binascii.Error as error:
                problems.append(f"a resource whose data is no base64: {error}")
                continue
            resources.append({
                "md5": hashlib.md5(body).hexdigest(),
                "sha256": hashlib.sha256(body).hexdigest(),
                "size": len(body),
                "mime": resource.findtext("mime"),
                "file_name": resource.findtext("resource-attributes/file-name"),
            })
        note = {
            "title": element.findtext("title"),
            "enml": element.findtext("content") or "",
            "created": element.findtext("created"),
            "updated": element.findtext("updated"),
            "tags": [tag.text for tag in element.findall("tag")],
            "resources": resources,
        }
        return note, "; ".join(problems)


class ToolReader:
    """The parser of enex2notion."""

    name = "enex2notion"

    @staticmethod
    def read(path):
        from enex2notion import enex_parser

        for note in enex_parser.iter_notes(pathlib.Path(path)):
            yield {
                "title": note.title,
                "enml": note.content,
                "created": note.created.isoformat(),
                "updated": note.updated.isoformat(),
                "tags": note.tags,
                "resources": [
                    {
                        "md5": r.md5,
                        "sha256": hashlib.sha256(r.data_bin).hexdigest(),
                        "size": r.size,
                        "mime": r.mime,
                        "file_name": r.file_name,
                    }
                    for r in note.resources
                ],
            }, ""


def inner_problems(note):
    """What must hold in every note: the content is ENML, its pictures are there and in order, the names differ."""
    if not note["enml"].startswith("<?xml"):
        yield "the content does not begin with the XML declaration"
    try:
        root = ElementTree.fromstring(note["enml"].encode())
    except ElementTree.ParseError as error:
        yield f"the content is no XML: {error}"
        return
    if root.tag.split("}")[-1] != "en-note":
        yield f"the content is a {root.tag}"
    mentioned = list(dict.fromkeys(media.get("hash") for media in root.iter() if media.tag.endswith("en-media")))
    present = [resource["md5"] for resource in note["resources"]]
    if mentioned != present:
        missing = [md5 for md5 in mentioned if md5 not in present]
        extra = [md5 for md5 in present if md5 not in mentioned]
        if missing or extra:
            yield f"pictures without a resource: {missing}; resources without a picture: {extra}"
        else:
            yield "the resources are not in the order of their mention"
    names = [resource["file_name"] for resource in note["resources"]]
    if None in names or len(set(map(str.lower, filter(None, names)))) != len(names):
        yield f"file names are missing or not unique: {names}"


INLINE = {"a", "b", "i", "em", "strong", "span", "u", "s", "small", "code"}


def words(enml):
    """The text that a reader sees, its spaces made one. Every element but those within a line begins a new one."""
    pieces = []

    def read(element):
        edge = "" if element.tag in INLINE else "\n"
        pieces.extend([edge, element.text or ""])
        for child in element:
            read(child)
            pieces.append(child.tail or "")
        pieces.append(edge)

    try:
        read(ElementTree.fromstring(enml.encode()))
    except ElementTree.ParseError:
        return ""
    return " ".join("".join(pieces).split())


def differences(note, wanted):
    if note["title"] != wanted["title"]:
        yield f"the title is {note['title']!r}, not {wanted['title']!r}"
    for key in ("created", "updated"):
        if key in wanted and (not note[key] or utc(note[key]) != utc(wanted[key])):
            yield f"{key} is {note[key]}, not {wanted[key]}"
    if "tags" in wanted and note["tags"] != wanted["tags"]:
        yield f"the tags are {note['tags']}, not {wanted['tags']}"
    if "enml" in wanted and not same_document(note["enml"].strip(), line_ends(wanted["enml"]).strip()):
        yield "the content is not the one that was to be written"
    text, place = words(note["enml"]), 0
    for piece in wanted.get("texts", []):
        found = text.find(" ".join(piece.split()), place)
        if found < 0:
            yield f"the text {piece!r} is missing, or not in its order"
        else:
            place = found + len(piece.split())
    if "resources" in wanted:
        if len(note["resources"]) != len(wanted["resources"]):
            yield f"{len(note['resources'])} resources, not {len(wanted['resources'])}"
        for number, (read, want) in enumerate(zip(note["resources"], wanted["resources"]), 1):
            for key, value in want.items():
                if read.get(key) != value:
                    yield f"resource {number}: {key} is {read.get(key)!r}, not {value!r}"


def check(reader, paths, manifest):
    problems = []
    notes = []
    for path in paths:
        try:
            for note, problem in reader.read(path):
                if problem:
                    problems.append(f"{path}: note {len(notes) + 1}: {problem}")
                if note is not None:
                    problems += [f"{path}: note {len(notes) + 1}: {p}" for p in inner_problems(note)]
                    notes.append(note)
        except ElementTree.ParseError as error:
            problems.append(f"{path}: no XML: {error}")
    wanted = manifest["notes"]
    if len(notes) != len(wanted):
        problems.append(f"{len(notes)} notes, not {len(wanted)}")
    for number, (note, want) in enumerate(zip(notes, wanted), 1):
        problems += [f"note {number}: {difference}" for difference in differences(note, want)]
    return notes, [f"{reader.name}: {problem}" for problem in problems]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("manifest")
    arguments.add_argument("enex", nargs="+")
    arguments.add_argument("--tool", action="store_true", help="read with enex2notion's parser as well")
    arguments.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    options = arguments.parse_args()
    manifest = json.loads(pathlib.Path(options.manifest).read_text(encoding="utf-8"))
    problems = []
    counts = {}
    for reader in [PythonReader] + ([ToolReader] if options.tool else []):
        notes, found = check(reader, options.enex, manifest)
        problems += found
        counts[reader.name] = {"notes": len(notes), "resources": sum(len(note["resources"]) for note in notes)}
    if options.json:
        print(json.dumps({"read": counts, "problems": problems}, ensure_ascii=False))
    else:
        for name, count in counts.items():
            print(f"{name}: {count['notes']} notes, {count['resources']} resources")
        for problem in problems:
            print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
