"""One account, and the calls of UserStore and NoteStore on it."""

import copy
import hashlib
import re
import threading
import time
import uuid

from evernote.edam.error.ttypes import EDAMErrorCode as Code, EDAMNotFoundException
from evernote.edam.notestore.ttypes import (
    NoteMetadata, NotesMetadataList, SyncChunk, SyncState, UpdateNoteIfUsnMatchesResult)
from evernote.edam.type.ttypes import Accounting, Notebook, NoteSortOrder, PrivilegeLevel, Tag, User
from evernote.edam.userstore.constants import EDAM_VERSION_MAJOR, EDAM_VERSION_MINOR
from evernote.edam.userstore.ttypes import UserUrls

import rules
import search
from rules import refuse
from values import to_json

MONTH = 30 * 24 * 3600 * 1000
FOUND_AT_ONCE = 250  # notes that one search gives at most


def now():
    """Milliseconds, as everywhere in the interface."""
    return int(time.time() * 1000)


def missing(identifier, key):
    raise EDAMNotFoundException(identifier=identifier, key=key)


class Account:
    """Its methods that the interface names are the calls; one of them runs at a time."""

    def __init__(self, limits, token, store, urls, document_type=None, expired_token=None, readonly_token=None,
                 search_lag=0):
        self.limits, self.token, self.store, self.urls = limits, token, store, urls
        self.document_type = document_type
        self.expired_token, self.readonly_token = expired_token, readonly_token
        self.search_lag = search_lag
        self.lock = threading.RLock()
        self.begin()

    def begin(self):
        """As it was kept, or with one empty notebook."""
        self.notes = {note.guid: note for note in self.store.notes()}
        self.committed = {}  # when a note came, for the search; those from before are found at once
        kept = self.store.account()
        if kept:
            numbers, notebooks, tags = kept
            self.update_count, self.uploaded = numbers["updateCount"], numbers["uploaded"]
            self.expunged = [tuple(entry) for entry in numbers["expunged"]]
        else:
            self.update_count, self.uploaded, self.expunged = 1, 0, []
            notebooks = [Notebook(guid=str(uuid.uuid4()), name="First Notebook", updateSequenceNum=1,
                                  defaultNotebook=True, serviceCreated=now(), serviceUpdated=now())]
            tags = []
        self.notebooks = {notebook.guid: notebook for notebook in notebooks}
        self.tags = {tag.guid: tag for tag in tags}
        self.keep()

    def keep(self):
        numbers = {"updateCount": self.update_count, "uploaded": self.uploaded, "expunged": self.expunged}
        self.store.keep_account(numbers, list(self.notebooks.values()), list(self.tags.values()))

    def reset(self):
        with self.lock:
            self.store.empty()
            self.begin()

    def next_number(self):
        self.update_count += 1
        return self.update_count

    def admit(self, token, writes=False):
        """Refuses a token that is not good for a call."""
        if not token:
            refuse(Code.DATA_REQUIRED, "authenticationToken")
        if token == self.expired_token:
            refuse(Code.AUTH_EXPIRED, "authenticationToken")
        if token == self.readonly_token:
            if writes:
                refuse(Code.PERMISSION_DENIED, "authenticationToken")
        elif token != self.token:
            known = re.fullmatch(r"S=\w+(:\w+=[^:]*)+", token)
            refuse(Code.INVALID_AUTH if known else Code.BAD_DATA_FORMAT, "authenticationToken")

    # UserStore

    def checkVersion(self, clientName, edamVersionMajor, edamVersionMinor):
        return edamVersionMajor == EDAM_VERSION_MAJOR and edamVersionMinor <= EDAM_VERSION_MINOR

    def getUser(self, token):
        self.admit(token)
        return User(
            id=7, username="tester", email="tester@example.invalid", name="Test Person", timezone="UTC", created=1,
            updated=1, active=True, shardId="s1", privilege=PrivilegeLevel.NORMAL, serviceLevel=self.limits.level,
            accounting=Accounting(uploadLimitEnd=now() + MONTH, uploadLimitNextMonth=self.limits.upload),
            accountLimits=self.limits.told())

    def getUserUrls(self, token):
        self.admit(token)
        return UserUrls(noteStoreUrl=self.urls["noteStore"], userStoreUrl=self.urls["userStore"],
                        webApiUrlPrefix=self.urls["url"] + "/shard/s1/")

    # Notebooks and tags

    def getSyncState(self, token):
        self.admit(token)
        with self.lock:
            return SyncState(currentTime=now(), fullSyncBefore=1, updateCount=self.update_count, uploaded=self.uploaded)

    def listNotebooks(self, token):
        self.admit(token)
        with self.lock:
            return list(self.notebooks.values())

    def getDefaultNotebook(self, token):
        self.admit(token)
        with self.lock:
            return next(notebook for notebook in self.notebooks.values() if notebook.defaultNotebook)

    def listLinkedNotebooks(self, token):
        """None: other people's notebooks are not part of the service, but clients that read all ask for them."""
        self.admit(token)
        return []

    def createNotebook(self, token, notebook):
        self.admit(token, writes=True)
        with self.lock:
            rules.check_notebook_name(notebook.name)
            if any(other.name.casefold() == notebook.name.casefold() for other in self.notebooks.values()):
                refuse(Code.DATA_CONFLICT, "Notebook.name")
            if len(self.notebooks) >= self.limits.notebooks:
                refuse(Code.LIMIT_REACHED, "Notebook")
            notebook.guid, notebook.updateSequenceNum = str(uuid.uuid4()), self.next_number()
            notebook.serviceCreated = notebook.serviceUpdated = now()
            for other in self.notebooks.values():
                other.defaultNotebook = other.defaultNotebook and not notebook.defaultNotebook
            notebook.defaultNotebook = bool(notebook.defaultNotebook)
            self.notebooks[notebook.guid] = notebook
            self.keep()
            return notebook

    def listTags(self, token):
        self.admit(token)
        with self.lock:
            return list(self.tags.values())

    def createTag(self, token, tag):
        self.admit(token, writes=True)
        with self.lock:
            rules.check_tag_name(tag.name)
            if self.tag_named(tag.name):
                refuse(Code.DATA_CONFLICT, "Tag.name")
            if tag.parentGuid is not None and tag.parentGuid not in self.tags:
                missing("Tag.parentGuid", tag.parentGuid)
            if len(self.tags) >= self.limits.tags:
                refuse(Code.LIMIT_REACHED, "Tag")
            made = self.make_tag(tag.name, tag.parentGuid)
            self.keep()
            return made

    def make_tag(self, name, parent=None):
        tag = Tag(guid=str(uuid.uuid4()), name=name, parentGuid=parent, updateSequenceNum=self.next_number())
        self.tags[tag.guid] = tag
        return tag

    def tag_named(self, name):
        return next((tag for tag in self.tags.values() if tag.name.casefold() == name.casefold()), None)

    # Notes that are written

    def createNote(self, token, note):
        self.admit(token, writes=True)
        with self.lock:
            note.guid = str(uuid.uuid4())
            note.active = note.active is not False
            note.created = now() if note.created is None else note.created
            note.updated = note.created if note.updated is None else note.updated
            note.notebookGuid = note.notebookGuid or self.getDefaultNotebook(self.token).guid
            self.check(note, None)
            if len(self.notes) >= self.limits.notes:
                refuse(Code.LIMIT_REACHED, "Note")
            return self.commit(note, rules.size(note))

    def updateNote(self, token, note):
        self.admit(token, writes=True)
        with self.lock:
            old = self.note(note.guid)
            merged = copy.copy(old)
            for name in ("content", "created", "deleted", "active", "notebookGuid", "resources", "attributes",
                         "tagGuids", "tagNames"):
                if getattr(note, name) is not None:
                    setattr(merged, name, getattr(note, name))
            if note.tagNames is not None and note.tagGuids is None:
                merged.tagGuids = None
            merged.title = note.title
            merged.updated = now() if note.updated is None else note.updated
            self.check(merged, old)
            bodies = [resource.data for resource in note.resources or [] if resource.data.body is not None]
            return self.commit(merged, len(note.content or "") + sum(data.size for data in bodies))

    def updateNoteIfUsnMatches(self, token, note):
        self.admit(token, writes=True)
        with self.lock:
            old = self.note(note.guid)
            if not note.updateSequenceNum:
                refuse(Code.DATA_REQUIRED, "Note.updateSequenceNum")
            if note.updateSequenceNum > old.updateSequenceNum:
                refuse(Code.BAD_DATA_FORMAT, "Note.updateSequenceNum")
            if note.updateSequenceNum < old.updateSequenceNum:
                return UpdateNoteIfUsnMatchesResult(note=self.shown(old), updated=False)
            return UpdateNoteIfUsnMatchesResult(note=self.updateNote(token, note), updated=True)

    def note(self, guid):
        if guid is None:
            refuse(Code.BAD_DATA_FORMAT, "Note.guid")
        return self.notes.get(guid) or missing("Note.guid", guid)

    def check(self, note, old):
        """A whole note; resources without a body must be those of the old one."""
        if note.notebookGuid not in self.notebooks:
            missing("Note.notebookGuid", note.notebookGuid)
        if len(note.resources or []) > self.limits.resources:
            refuse(Code.LIMIT_REACHED, "Note.resources")
        for resource in note.resources or []:
            if resource.data is None or resource.data.body is None:
                self.take_over(resource, old)
            rules.check_resource(resource, self.limits)
        rules.check_note(note, self.limits, self.document_type)
        self.check_tags(note)

    def take_over(self, resource, old):
        """Makes a resource without a body the one of the old note with the same GUID or hash."""
        for other in (old.resources or []) if old else []:
            if other.guid == resource.guid or resource.guid is None and resource.data \
                    and other.data.bodyHash == resource.data.bodyHash:
                if resource.data and resource.data.bodyHash not in (None, other.data.bodyHash):
                    refuse(Code.BAD_DATA_FORMAT, "Resource.data.bodyHash")
                resource.guid, resource.data = other.guid, other.data
                return
        resource.data = None

    def check_tags(self, note):
        for guid in note.tagGuids or []:
            if guid not in self.tags:
                missing("Note.tagGuids", guid)
        for name in note.tagNames or []:
            rules.check_tag_name(name)
        known = {tag.guid for tag in map(self.tag_named, note.tagNames or []) if tag}
        fresh = {name.casefold() for name in note.tagNames or [] if not self.tag_named(name)}
        if len(known | set(note.tagGuids or [])) + len(fresh) > self.limits.note_tags:
            refuse(Code.LIMIT_REACHED, "Note.tagGuids")
        if fresh and len(self.tags) + len(fresh) > self.limits.tags:
            refuse(Code.LIMIT_REACHED, "Tag")

    def commit(self, note, uploaded):
        """Keeps a note that has passed every check."""
        if self.uploaded + uploaded > self.limits.upload:
            refuse(Code.QUOTA_REACHED, "Accounting.uploadLimit")
        self.uploaded += uploaded
        guids = list(note.tagGuids or [])
        for name in note.tagNames or []:
            guids.append((self.tag_named(name) or self.make_tag(name)).guid)
        note.tagGuids, note.tagNames = list(dict.fromkeys(guids)) or None, None
        note.updateSequenceNum = self.next_number()
        note.contentHash = hashlib.md5(note.content.encode()).digest()
        note.contentLength = len(note.content)
        for resource in note.resources or []:
            if resource.data.body is not None:
                self.store.keep_body(resource.data.bodyHash, resource.data.body)
                resource.data.body, resource.guid = None, str(uuid.uuid4())
                resource.updateSequenceNum = note.updateSequenceNum
            resource.noteGuid, resource.active = note.guid, note.active
        self.committed.setdefault(note.guid, time.monotonic())
        self.notes[note.guid] = note
        self.store.keep_note(note)
        self.keep()
        return self.shown(note)

    def deleteNote(self, token, guid):
        self.admit(token, writes=True)
        with self.lock:
            note = self.note(guid)
            if not note.active:
                refuse(Code.DATA_CONFLICT, "Note.guid")
            note.active, note.deleted, note.updateSequenceNum = False, now(), self.next_number()
            self.store.keep_note(note)
            self.keep()
            return note.updateSequenceNum

    def expungeNote(self, token, guid):
        self.admit(token, writes=True)
        with self.lock:
            del self.notes[self.note(guid).guid]
            self.expunged.append((self.next_number(), guid))
            self.store.forget_note(guid)
            self.keep()
            return self.update_count

    # Notes that are read

    def shown(self, note, content=False, bodies=False):
        """A copy for a reply."""
        reply = copy.deepcopy(note)
        reply.content = note.content if content else None
        for resource in (reply.resources or []) if bodies else []:
            resource.data.body = self.store.body(resource.data.bodyHash)
        return reply

    def getNote(self, token, guid, withContent, withResourcesData, withResourcesRecognition,
                withResourcesAlternateData):
        self.admit(token)
        with self.lock:
            return self.shown(self.note(guid), withContent, withResourcesData)

    def getNoteWithResultSpec(self, token, guid, resultSpec):
        self.admit(token)
        with self.lock:
            return self.shown(self.note(guid), resultSpec.includeContent, resultSpec.includeResourcesData)

    def resource(self, wanted, identifier, key):
        for note in self.notes.values():
            for resource in note.resources or []:
                if wanted(resource):
                    return resource
        return missing(identifier, key)

    def getResourceByHash(self, token, noteGuid, contentHash, withData, withRecognition, withAlternateData):
        self.admit(token)
        with self.lock:
            note = self.note(noteGuid)
            found = copy.deepcopy(self.resource(
                lambda resource: resource.noteGuid == note.guid and resource.data.bodyHash == contentHash,
                "Resource", contentHash.hex()))
            found.data.body = self.store.body(contentHash) if withData else None
            return found

    def getResourceData(self, token, guid):
        self.admit(token)
        with self.lock:
            found = self.resource(lambda resource: resource.guid == guid, "Resource.guid", guid)
            return self.store.body(found.data.bodyHash)

    def findNotesMetadata(self, token, filter, offset, maxNotes, resultSpec):
        self.admit(token)
        with self.lock:
            if offset < 0:
                refuse(Code.BAD_DATA_FORMAT, "offset")
            if maxNotes < 0:
                refuse(Code.BAD_DATA_FORMAT, "maxNotes")
            found = [note for note in self.notes.values() if self.is_found(note, filter)]
            key = {NoteSortOrder.UPDATED: lambda note: note.updated, NoteSortOrder.TITLE: lambda note: note.title,
                   NoteSortOrder.UPDATE_SEQUENCE_NUMBER: lambda note: note.updateSequenceNum}
            found.sort(key=key.get(filter.order, lambda note: note.created), reverse=not filter.ascending)
            page = found[offset:offset + min(maxNotes, FOUND_AT_ONCE)]
            return NotesMetadataList(startIndex=offset, totalNotes=len(found), updateCount=self.update_count,
                                     notes=[self.metadata(note, resultSpec) for note in page])

    def is_found(self, note, filter):
        came = self.committed.get(note.guid)
        return (note.active != bool(filter.inactive)
                and filter.notebookGuid in (None, note.notebookGuid)
                and set(filter.tagGuids or []) <= set(note.tagGuids or [])
                and (came is None or time.monotonic() - came >= self.search_lag)
                and search.matches(filter.words, note, [self.tags[guid].name for guid in note.tagGuids or []],
                                   self.notebooks[note.notebookGuid].name))

    def metadata(self, note, spec):
        metadata = NoteMetadata(guid=note.guid)
        for name in ("title", "contentLength", "created", "updated", "deleted", "updateSequenceNum", "notebookGuid",
                     "tagGuids", "attributes"):
            if getattr(spec, "include" + name[0].upper() + name[1:]):
                setattr(metadata, name, getattr(note, name))
        return metadata

    def getFilteredSyncChunk(self, token, afterUSN, maxEntries, filter):
        self.admit(token)
        with self.lock:
            if afterUSN < 0:
                refuse(Code.BAD_DATA_FORMAT, "afterUSN")
            if maxEntries < 1:
                refuse(Code.BAD_DATA_FORMAT, "maxEntries")
            kinds = []
            if filter.includeNotes:
                kinds.append(("notes", [(note.updateSequenceNum, note) for note in self.notes.values()]))
            if filter.includeNotebooks:
                kinds.append(("notebooks", [(entry.updateSequenceNum, entry) for entry in self.notebooks.values()]))
            if filter.includeTags:
                kinds.append(("tags", [(entry.updateSequenceNum, entry) for entry in self.tags.values()]))
            if filter.includeNotes and filter.includeExpunged:
                kinds.append(("expungedNotes", self.expunged))
            entries = sorted((number, name, entry) for name, all in kinds for number, entry in all if number > afterUSN)
            chunk = SyncChunk(currentTime=now(), updateCount=self.update_count)
            for number, name, entry in entries[:maxEntries]:
                if name == "notes":
                    entry = self.shown(entry)
                    entry.resources = entry.resources if filter.includeNoteResources else None
                    entry.attributes = entry.attributes if filter.includeNoteAttributes else None
                setattr(chunk, name, (getattr(chunk, name) or []) + [entry])
                chunk.chunkHighUSN = number
            return chunk

    # For the pages

    def notes_to_json(self):
        with self.lock:
            return [{**to_json(note), "size": rules.size(note)} for note in self.notes.values()]

    def figures(self):
        """What the notes add to the figures."""
        with self.lock:
            alike = {}
            unreferenced = 0
            for note in self.notes.values():
                digests = [resource.data.bodyHash for resource in note.resources or []]
                unreferenced += sum(digest.hex() not in note.content for digest in digests)
                if note.active:
                    alike.setdefault((note.title, note.content, *sorted(digests)), []).append(note.guid)
            return {"notes": len(self.notes), "uploaded": self.uploaded, "unreferenced_resources": unreferenced,
                    "duplicates": [guids for guids in alike.values() if len(guids) > 1]}
