"""What the interface says of notes, notebooks and tags, each refusal with its documented code and parameter."""

import dataclasses
import hashlib
import re
import unicodedata

from evernote.edam.error.ttypes import EDAMErrorCode as Code, EDAMUserException
from evernote.edam.limits import constants
from evernote.edam.type.ttypes import AccountLimits, ServiceLevel
from thrift.Thrift import TType

import enml
from values import fields


def refuse(code, parameter):
    raise EDAMUserException(errorCode=code, parameter=parameter)


@dataclasses.dataclass
class Limits:
    """Of one account, in bytes, characters and pieces."""

    level: ServiceLevel
    note_size: int
    resource_size: int
    upload: int
    resources: int = constants.EDAM_NOTE_RESOURCES_MAX
    content: int = constants.EDAM_NOTE_CONTENT_LEN_MAX
    notes: int = constants.EDAM_USER_NOTES_MAX
    tags: int = constants.EDAM_USER_TAGS_MAX
    notebooks: int = constants.EDAM_USER_NOTEBOOKS_MAX
    note_tags: int = constants.EDAM_NOTE_TAGS_MAX

    @staticmethod
    def of(account):
        if account == "free":
            return Limits(ServiceLevel.BASIC, constants.EDAM_NOTE_SIZE_MAX_FREE,
                          constants.EDAM_RESOURCE_SIZE_MAX_FREE, constants.EDAM_USER_UPLOAD_LIMIT_FREE)
        return Limits(ServiceLevel.PREMIUM, constants.EDAM_NOTE_SIZE_MAX_PREMIUM,
                      constants.EDAM_RESOURCE_SIZE_MAX_PREMIUM, constants.EDAM_USER_UPLOAD_LIMIT_PREMIUM)

    def told(self):
        """As getUser tells them."""
        return AccountLimits(
            noteSizeMax=self.note_size, resourceSizeMax=self.resource_size, uploadLimit=self.upload,
            userNoteCountMax=self.notes, userNotebookCountMax=self.notebooks, userTagCountMax=self.tags,
            noteTagCountMax=self.note_tags, noteResourceCountMax=self.resources)


def fits(text, longest, trimmed=True, without=""):
    """The documented patterns: 1 to `longest` characters, none of them a control character or a separator of lines or
    paragraphs; where `trimmed`, none of any kind of space at either end."""
    if not text or len(text) > longest:
        return False
    kinds = [unicodedata.category(character) for character in text]
    if trimmed and (kinds[0][0] == "Z" or kinds[-1][0] == "Z"):
        return False
    return not any(kind in ("Cc", "Zl", "Zp") for kind in kinds) and not any(character in without for character in text)


def check_notebook_name(name):
    if not fits(name, constants.EDAM_NOTEBOOK_NAME_LEN_MAX):
        refuse(Code.BAD_DATA_FORMAT, "Notebook.name")


def check_tag_name(name):
    if not fits(name, constants.EDAM_TAG_NAME_LEN_MAX, without=","):
        refuse(Code.BAD_DATA_FORMAT, "Tag.name")


def check_attributes(attributes):
    """Of a note or of a resource."""
    kind = type(attributes).__name__
    for name, tag, details in fields(type(attributes)):
        value = getattr(attributes, name)
        if value is None:
            continue
        if tag == TType.STRING and details == "UTF8":
            if len(value) > constants.EDAM_ATTRIBUTE_LEN_MAX:
                refuse(Code.LIMIT_REACHED, f"{kind[:-1]}.{name}")
            if not fits(value, constants.EDAM_ATTRIBUTE_LEN_MAX, trimmed=False):
                refuse(Code.BAD_DATA_FORMAT, f"{kind}.{name}")
            if name == "contentClass" and not re.fullmatch(constants.EDAM_NOTE_CONTENT_CLASS_REGEX, value):
                refuse(Code.BAD_DATA_FORMAT, f"{kind}.{name}")
        elif name == "applicationData":
            for key, text in (value.fullMap or {}).items():
                if not re.fullmatch(constants.EDAM_APPLICATIONDATA_NAME_REGEX, key) \
                        or len(key) + len(text) > constants.EDAM_APPLICATIONDATA_ENTRY_LEN_MAX:
                    refuse(Code.BAD_DATA_FORMAT, f"{kind}.{name}")


def check_resource(resource, limits):
    """A body that comes along is measured: its size and MD5 are set."""
    if resource.mime is None or not re.fullmatch(constants.EDAM_MIME_REGEX, resource.mime) \
            or len(resource.mime) > constants.EDAM_MIME_LEN_MAX:
        refuse(Code.BAD_DATA_FORMAT, "Resource.mime")
    if resource.attributes:
        check_attributes(resource.attributes)
    if resource.data is None:
        refuse(Code.DATA_REQUIRED, "Resource.data")
    body = resource.data.body
    if body is not None:
        digest = hashlib.md5(body).digest()
        if resource.data.bodyHash not in (None, digest):
            refuse(Code.BAD_DATA_FORMAT, "Resource.data.bodyHash")
        if resource.data.size not in (None, len(body)):
            refuse(Code.BAD_DATA_FORMAT, "Resource.data.size")
        resource.data.bodyHash, resource.data.size = digest, len(body)
    if resource.data.size > limits.resource_size:
        refuse(Code.LIMIT_REACHED, "Resource.data.size")


def size(note):
    """Of a whole note: its content in characters and its resources in bytes."""
    return len(note.content) + sum(resource.data.size for resource in note.resources or [])


def check_note(note, limits, document_type):
    """A whole note, each of whose resources has been checked."""
    if not fits(note.title, constants.EDAM_NOTE_TITLE_LEN_MAX):
        refuse(Code.BAD_DATA_FORMAT, "Note.title")
    if note.content is None or len(note.content) > limits.content:
        refuse(Code.BAD_DATA_FORMAT, "Note.content")
    if note.deleted is not None and note.active is not False:
        refuse(Code.DATA_CONFLICT, "Note.deleted")
    if note.attributes:
        check_attributes(note.attributes)
    if size(note) > limits.note_size:
        refuse(Code.LIMIT_REACHED, "Note.size")
    try:
        shown = enml.media(note.content)
        if document_type:
            document_type.check(note.content)
        there = {resource.data.bodyHash.hex() for resource in note.resources or []}
        for digest in shown:
            if digest not in there:
                raise enml.Invalid(f"en-media {digest}: the note has no such resource")
    except enml.Invalid as fault:
        refuse(Code.ENML_VALIDATION, str(fault))
