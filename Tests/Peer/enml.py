"""The content of a note: well-formed, of the right type, and valid where a document type is there to judge by."""

import os
import pathlib
import subprocess
import tempfile
import xml.parsers.expat
from xml.sax.saxutils import quoteattr

ADDRESS = "http://xml.evernote.com/pub/enml2.dtd"


class Invalid(Exception):
    """What is wrong with the content, in words."""


def media(content):
    """The hashes of the photos that the content shows, in their order. Raises Invalid."""
    hashes = []
    seen = {"type": None, "root": None}

    def doctype(name, system, public, internal):
        if internal:
            raise Invalid("the document type has declarations of its own")
        if name != "en-note" or system != ADDRESS:
            raise Invalid(f"the document type is {name} {system}")
        seen["type"] = name

    def start(name, attributes):
        if seen["root"] is None:
            seen["root"] = name
            if seen["type"] is None:
                raise Invalid("no document type")
            if name != "en-note":
                raise Invalid(f"the outermost element is {name}")
        if name == "en-media":
            hashes.append(attributes.get("hash", ""))

    parser = xml.parsers.expat.ParserCreate()
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    try:
        parser.Parse(content.encode("utf-8", "surrogatepass"), True)
    except xml.parsers.expat.ExpatError as error:
        raise Invalid(f"not well-formed: {error}") from None
    return hashes


class DocumentType:
    """`enml2.dtd`, with the three entity files that it names beside it, as xmllint judges by it, without the network."""

    def __init__(self, path):
        folder = pathlib.Path(path).resolve().parent
        entries = [f"<system systemId={quoteattr(ADDRESS)} uri={quoteattr(pathlib.Path(path).resolve().as_uri())}/>"]
        for name, file in (("Latin 1", "lat1"), ("Symbols", "symbol"), ("Special", "special")):
            uri = (folder / f"xhtml-{file}.ent").as_uri()
            entries.append(f'<public publicId="-//W3C//ENTITIES {name} for XHTML//EN" uri={quoteattr(uri)}/>')
        self.folder = tempfile.TemporaryDirectory(prefix="evergear-peer-")
        self.catalog = pathlib.Path(self.folder.name) / "catalog.xml"
        self.catalog.write_text(
            f'<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">{"".join(entries)}</catalog>')

    def check(self, content):
        """Raises Invalid."""
        judged = subprocess.run(
            ["xmllint", "--nonet", "--huge", "--noout", "--valid", "-"], input=content.encode(), capture_output=True,
            env=dict(os.environ, XML_CATALOG_FILES=self.catalog.as_uri()))
        if judged.returncode:
            raise Invalid(judged.stderr.decode(errors="replace").partition("\n")[0] or f"status {judged.returncode}")
