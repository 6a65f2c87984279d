"""Evernote's own document types, as xmllint judges by them, without the network."""

import os
import pathlib
import subprocess
from xml.sax.saxutils import quoteattr

ENML = "http://xml.evernote.com/pub/enml2.dtd"
EXPORT = "http://xml.evernote.com/pub/evernote-export3.dtd"


class DocumentTypes:
    """Judges documents; its files go to a folder."""

    def __init__(self, shared, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.catalog = self.folder / "catalog.xml"
        dtd = shared / "dtd"
        entries = [("system", "systemId", ENML, "enml2.dtd"), ("system", "systemId", EXPORT, "evernote-export3.dtd")]
        for name, file in (("Latin 1", "lat1"), ("Symbols", "symbol"), ("Special", "special")):
            entries.append(("public", "publicId", f"-//W3C//ENTITIES {name} for XHTML//EN", f"xhtml-{file}.ent"))
        lines = "".join(
            f"<{kind} {key}={quoteattr(name)} uri={quoteattr((dtd / file).as_uri())}/>"
            for kind, key, name, file in entries)
        self.catalog.write_text(f'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">{lines}</catalog>')

    def complaint(self, path):
        """What is wrong with a file; nothing where it is valid."""
        judged = subprocess.run(
            ["xmllint", "--nonet", "--huge", "--noout", "--valid", path], capture_output=True, text=True,
            env=dict(os.environ, XML_CATALOG_FILES=self.catalog.as_uri()))
        return (judged.stderr[:2000] or f"status {judged.returncode}") if judged.returncode else ""

    def complaint_about_text(self, text):
        path = self.folder / "document.xml"
        path.write_text(text, encoding="utf-8")
        return self.complaint(path)
