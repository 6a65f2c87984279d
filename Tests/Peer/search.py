"""The part of the search grammar that is needed: words, and words with a label."""

import re

TERM = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"((?:[^"\\]|\\.)*)"|(\S+))')


def matches(words, note, tags, notebook):
    """Whether all terms hold of a note. `tags`: the names of its tags; `notebook`: the name of its notebook."""
    for minus, label, quoted, bare in TERM.findall(words or ""):
        text = (re.sub(r"\\(.)", r"\1", quoted) or bare).casefold()
        if holds(label.casefold(), text, note, tags, notebook) == (minus == "-"):
            return False
    return True


def holds(label, text, note, tags, notebook):
    if label == "intitle":
        return text in note.title.casefold()
    if label == "tag":
        return any(same(text, name) for name in tags)
    if label == "notebook":
        return same(text, notebook)
    if not label:
        seen = re.sub(r"<[^>]*>", " ", note.content.partition("<en-note")[2])
        return text.rstrip("*") in f"{note.title} {seen}".casefold()
    values = vars(note.attributes) if note.attributes else {}
    return any(name.casefold() == label and value is not None and same(text, str(value))
               for name, value in values.items())


def same(text, value):
    """A star at the end stands for any characters."""
    value = value.casefold()
    return value.startswith(text[:-1]) if text.endswith("*") else value == text
