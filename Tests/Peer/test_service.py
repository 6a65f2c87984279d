"""The service as the official client sees it. EVERGEAR_PEER names another program with the same command line and pages."""

import concurrent.futures
import hashlib
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from evernote.edam.error.ttypes import EDAMErrorCode, EDAMNotFoundException, EDAMSystemException, EDAMUserException
from evernote.edam.notestore import NoteStore
from evernote.edam.notestore.ttypes import (
    NoteFilter, NoteResultSpec, NotesMetadataResultSpec, SyncChunkFilter)
from evernote.edam.type.ttypes import (
    Data, LazyMap, Note, NoteAttributes, Notebook, Resource, ResourceAttributes, Tag)
from evernote.edam.userstore import UserStore
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.Thrift import TApplicationException
from thrift.transport.THttpClient import THttpClient

OURS = pathlib.Path(__file__).resolve().with_name("service.py")
PROGRAM = os.environ.get("EVERGEAR_PEER", str(OURS))
SHARED = os.environ.get("EVERGEAR_SHARED")
NOBODY = "00000000-0000-0000-0000-000000000000"
PHOTOS = [b"first", b"second photo", b"\x00\xff" * 3000]


class Peer:
    """A running service and its official client."""

    def __init__(self, *options):
        judged = ["--dtd", f"{SHARED}/dtd/enml2.dtd"] if SHARED else []
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, *judged, *map(str, options)], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the service did not start: status {self.process.wait()}")
        self.line = json.loads(line)
        self.token = self.line["token"]
        self.context = ssl.create_default_context(cafile=self.line["ca"]) if self.line["ca"] else None
        self.transports = []
        self.connect()

    def connect(self):
        """New connections take the place of those there were."""
        self.disconnect()
        self.users, self.store = self.client(UserStore, "userStore"), self.client(NoteStore, "noteStore")

    def disconnect(self):
        while self.transports:
            transport = self.transports.pop()
            if transport.isOpen():
                transport.close()

    def client(self, store, name):
        transport = THttpClient(self.line[name], ssl_context=self.context)
        transport.setTimeout(120_000)
        self.transports.append(transport)
        return store.Client(TBinaryProtocol(transport))

    def page(self, name, tree=None):
        data = None if tree is None else json.dumps(tree).encode()
        url = f"{self.line['url']}/_peer/{name}"
        with urllib.request.urlopen(urllib.request.Request(url, data), context=self.context) as reply:
            return json.load(reply)

    def fault(self, method, action, **fields):
        """This one alone; the client begins with a new connection."""
        self.page("faults?replace", [{"method": method, "action": action, **fields}])
        self.connect()

    def stop(self):
        self.disconnect()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def document(body=""):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">\n<en-note>{body}</en-note>')


def resource(body, **fields):
    digest = hashlib.md5(body).digest()
    return Resource(**{"data": Data(bodyHash=digest, size=len(body), body=body), "mime": "image/jpeg", **fields})


def shown(*bodies):
    return document("".join(f'<div><en-media type="image/jpeg" hash="{hashlib.md5(body).hexdigest()}"/></div>'
                            for body in bodies))


def note(*bodies, **fields):
    return Note(**{"title": "A day at the lake", "content": shown(*bodies),
                   "resources": [resource(body) for body in bodies] or None, **fields})


class ServiceCase(unittest.TestCase):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.peer = Peer(*cls.options)
        cls.addClassCleanup(cls.peer.stop)

    def setUp(self):
        self.peer.page("reset", [])
        self.peer.connect()

    def create(self, *bodies, **fields):
        return self.peer.store.createNote(self.peer.token, note(*bodies, **fields))

    def refused(self, code, parameter, call, *arguments):
        with self.assertRaises(EDAMUserException) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.errorCode, EDAMErrorCode[code])
        if parameter:
            self.assertEqual(caught.exception.parameter, parameter)

    def refuses(self, code, parameter, *bodies, **fields):
        self.refused(code, parameter, lambda: self.create(*bodies, **fields))
        self.assertEqual(self.peer.page("notes"), [])

    def not_found(self, identifier, call, *arguments):
        with self.assertRaises(EDAMNotFoundException) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.identifier, identifier)


class CallTests(ServiceCase):
    def test_user(self):
        token, users = self.peer.token, self.peer.users
        self.assertTrue(users.checkVersion("tests", 1, 28))
        self.assertFalse(users.checkVersion("tests", 2, 0))
        user = users.getUser(token)
        self.assertEqual(user.accountLimits.noteSizeMax, 209_715_200)
        self.assertGreater(user.accounting.uploadLimitEnd, 1_700_000_000_000)
        self.assertEqual(users.getUserUrls(token).noteStoreUrl, self.peer.line["noteStore"])

    def test_note_with_three_photos(self):
        token, store = self.peer.token, self.peer.store
        made = self.create(
            *PHOTOS, tagNames=["lake", "Tokyo"], created=1_700_000_000_000, updated=1_700_000_001_000,
            attributes=NoteAttributes(sourceURL="evergear:1", latitude=35.5, noteTitleQuality=1))
        self.assertIsNone(made.content)
        self.assertEqual([entry.data.body for entry in made.resources], [None] * 3)
        self.assertEqual(store.getSyncState(token).uploaded, made.contentLength + sum(map(len, PHOTOS)))
        self.assertEqual({tag.name for tag in store.listTags(token)}, {"lake", "Tokyo"})

        read = store.getNoteWithResultSpec(token, made.guid, NoteResultSpec(includeContent=True,
                                                                            includeResourcesData=True))
        self.assertEqual(read.content, shown(*PHOTOS))
        self.assertEqual([entry.data.body for entry in read.resources], PHOTOS)
        self.assertEqual(read.attributes.latitude, 35.5)
        bare = store.getNote(token, made.guid, False, False, False, False)
        self.assertEqual((bare.content, bare.resources[0].data.body), (None, None))
        by_hash = store.getResourceByHash(token, made.guid, hashlib.md5(PHOTOS[2]).digest(), True, False, False)
        self.assertEqual(by_hash.data.body, PHOTOS[2])
        self.assertEqual(store.getResourceData(token, made.resources[1].guid), PHOTOS[1])

        page, = self.peer.page("notes")
        self.assertEqual((page["title"], page["attributes"]["sourceURL"]), ("A day at the lake", "evergear:1"))
        self.assertEqual(page["resources"][1]["data"], {"bodyHash": hashlib.md5(PHOTOS[1]).hexdigest(), "size": 12})
        stats = self.peer.page("stats")
        self.assertEqual((stats["requests"]["createNote"], stats["results"]["createNote: ok"]), (1, 1))
        self.assertEqual((stats["warnings"], stats["duplicates"], stats["unreferenced_resources"]), ([], [], 0))

    def test_notebooks_and_tags(self):
        token, store = self.peer.token, self.peer.store
        first = store.getDefaultNotebook(token)
        trips = store.createNotebook(token, Notebook(name="Trips"))
        self.assertEqual([entry.guid for entry in store.listNotebooks(token)], [first.guid, trips.guid])
        self.assertEqual(self.create(notebookGuid=trips.guid).notebookGuid, trips.guid)
        self.refused("DATA_CONFLICT", "Notebook.name", store.createNotebook, token, Notebook(name="trips"))
        self.refused("BAD_DATA_FORMAT", "Notebook.name", store.createNotebook, token, Notebook(name=" x"))
        tag = store.createTag(token, Tag(name="lake"))
        self.refused("DATA_CONFLICT", "Tag.name", store.createTag, token, Tag(name="Lake"))
        self.refused("BAD_DATA_FORMAT", "Tag.name", store.createTag, token, Tag(name="a,b"))
        self.assertEqual(self.create(tagNames=["LAKE"]).tagGuids, [tag.guid])

    def test_update(self):
        token, store = self.peer.token, self.peer.store
        made = self.create(PHOTOS[0])
        # What is not set stays; a list of resources takes the place of the old one.
        store.updateNote(token, Note(guid=made.guid, title="Another title"))
        kept = Resource(guid=made.resources[0].guid, mime="image/jpeg", data=Data(bodyHash=made.resources[0].data.bodyHash))
        more = store.updateNote(token, Note(guid=made.guid, title="Another title", content=shown(*PHOTOS[:2]),
                                            resources=[kept, resource(PHOTOS[1])]))
        self.assertEqual(more.resources[0].guid, made.resources[0].guid)
        read = store.getNote(token, made.guid, True, True, False, False)
        self.assertEqual([entry.data.body for entry in read.resources], PHOTOS[:2])
        self.assertEqual(read.title, "Another title")
        unknown = Resource(mime="image/jpeg", data=Data(bodyHash=hashlib.md5(b"unknown").digest()))
        self.refused("DATA_REQUIRED", "Resource.data", store.updateNote, token,
                     Note(guid=made.guid, title="x", resources=[kept, unknown]))
        self.refused("BAD_DATA_FORMAT", "Note.title", store.updateNote, token, Note(guid=made.guid))
        self.not_found("Note.guid", store.updateNote, token, Note(guid=NOBODY, title="x"))

    def test_update_of_a_known_state(self):
        token, store = self.peer.token, self.peer.store
        made = self.create()
        change = Note(guid=made.guid, title="Mine", updateSequenceNum=made.updateSequenceNum)
        self.assertTrue(store.updateNoteIfUsnMatches(token, change).updated)
        change.title = "Too late"
        late = store.updateNoteIfUsnMatches(token, change)
        self.assertEqual((late.updated, late.note.title), (False, "Mine"))
        for number, code in ((None, "DATA_REQUIRED"), (0, "DATA_REQUIRED"), (1 << 20, "BAD_DATA_FORMAT")):
            change.updateSequenceNum = number
            self.refused(code, "Note.updateSequenceNum", store.updateNoteIfUsnMatches, token, change)

    def test_search(self):
        token, store = self.peer.token, self.peer.store
        trips = store.createNotebook(token, Notebook(name="Trips"))
        lake = self.create(attributes=NoteAttributes(sourceURL="evergear:1/a b"))
        sea = self.create(title="The sea", notebookGuid=trips.guid, attributes=NoteAttributes(sourceURL="evergear:2"))

        def found(words=None, **fields):
            spec = NotesMetadataResultSpec(includeTitle=True, includeAttributes=True)
            return [entry.guid for entry in store.findNotesMetadata(
                token, NoteFilter(words=words, ascending=True, **fields), 0, 10, spec).notes]

        self.assertEqual(found('sourceURL:"evergear:1/a b"'), [lake.guid])
        self.assertEqual(found('sourceURL:"evergear:3"'), [])
        self.assertEqual(found('intitle:"sea"'), [sea.guid])
        self.assertEqual(set(found()), {lake.guid, sea.guid})
        self.assertEqual(found(notebookGuid=trips.guid), [sea.guid])
        store.deleteNote(token, sea.guid)
        self.assertEqual(found('intitle:"sea"'), [])

    def test_what_is_new(self):
        token, store = self.peer.token, self.peer.store
        before = store.getSyncState(token).updateCount
        first, second = self.create(PHOTOS[0]), self.create(title="Second", tagNames=["lake"])
        everything = SyncChunkFilter(includeNotes=True, includeTags=True, includeNotebooks=True, includeExpunged=True,
                                     includeNoteResources=True, includeNoteAttributes=True)
        one = store.getFilteredSyncChunk(token, before, 1, everything)
        self.assertEqual(([entry.guid for entry in one.notes], one.chunkHighUSN), ([first.guid], first.updateSequenceNum))
        self.assertEqual(one.notes[0].contentHash, hashlib.md5(shown(PHOTOS[0]).encode()).digest())
        self.assertEqual(len(one.notes[0].resources), 1)
        rest = store.getFilteredSyncChunk(token, one.chunkHighUSN, 100, everything)
        self.assertEqual(([entry.name for entry in rest.tags], [entry.guid for entry in rest.notes]),
                         (["lake"], [second.guid]))
        self.assertEqual(rest.chunkHighUSN, rest.updateCount)
        store.deleteNote(token, first.guid)
        store.expungeNote(token, first.guid)
        last = store.getFilteredSyncChunk(token, rest.chunkHighUSN, 100, everything)
        self.assertIsNone(last.notes)
        if PROGRAM == str(OURS):
            self.assertEqual(last.expungedNotes, [first.guid])
        self.not_found("Note.guid", store.getNote, token, first.guid, True, False, False, False)
        self.not_found("Note.guid", store.expungeNote, token, NOBODY)


class RuleTests(ServiceCase):
    def test_titles(self):
        for title in (None, "", " x", "x ", "a\nb", "a\u2028b", "\u3000x", "x" * 256):
            self.refuses("BAD_DATA_FORMAT", "Note.title", title=title)
        for title in ("x", "x" * 255, "旅の写真 🏞️"):
            self.create(title=title)

    def test_content(self):
        self.refuses("BAD_DATA_FORMAT", "Note.content", content=None)
        self.refuses("BAD_DATA_FORMAT", "Note.content", content=document("x" * 5_242_881))
        untyped = document().replace('<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">', "")
        elsewhere = document().replace("evernote.com", "example.com")
        subset = document().replace('.dtd">', '.dtd" [<!ENTITY a "b">]>')
        for content in (document("<div>"), untyped, elsewhere, subset, document("&#0;")):
            self.refuses("ENML_VALIDATION", None, content=content)
        self.refuses("ENML_VALIDATION", None, content=shown(b"nowhere"))
        if SHARED:
            for body in ("<script/>", "<div id='x'/>", "<en-media type='image/jpeg'/>"):
                self.refuses("ENML_VALIDATION", None, content=document(body))

    def test_resources(self):
        body = PHOTOS[0]
        content = document()
        wrong = hashlib.md5(b"other").digest()
        for code, parameter, entry in (
                ("DATA_REQUIRED", "Resource.data", Resource(mime="image/jpeg")),
                ("BAD_DATA_FORMAT", "Resource.mime", resource(body, mime="jpeg")),
                ("BAD_DATA_FORMAT", "Resource.mime", resource(body, mime=None)),
                ("BAD_DATA_FORMAT", "Resource.data.bodyHash", resource(body, data=Data(bodyHash=wrong, body=body))),
                ("BAD_DATA_FORMAT", "Resource.data.size", resource(body, data=Data(size=4, body=body))),
                ("BAD_DATA_FORMAT", "ResourceAttributes.fileName",
                 resource(body, attributes=ResourceAttributes(fileName=""))),
                ("LIMIT_REACHED", "ResourceAttribute.cameraMake",
                 resource(body, attributes=ResourceAttributes(cameraMake="x" * 4097)))):
            with self.subTest(parameter=parameter):
                self.refuses(code, parameter, content=content, resources=[entry])
        self.refuses("LIMIT_REACHED", "Note.resources", content=content, resources=[resource(b"x")] * 1001)

    def test_attributes_tags_and_places(self):
        self.refuses("BAD_DATA_FORMAT", "NoteAttributes.sourceURL", attributes=NoteAttributes(sourceURL=""))
        self.refuses("BAD_DATA_FORMAT", "NoteAttributes.author", attributes=NoteAttributes(author="a\tb"))
        self.refuses("LIMIT_REACHED", "NoteAttribute.author", attributes=NoteAttributes(author="x" * 4097))
        self.refuses("BAD_DATA_FORMAT", "NoteAttributes.applicationData",
                     attributes=NoteAttributes(applicationData=LazyMap(fullMap={"a": "b"})))
        self.refuses("BAD_DATA_FORMAT", "Tag.name", tagNames=["a,b"])
        self.refuses("LIMIT_REACHED", "Note.tagGuids", tagNames=[f"tag {index}" for index in range(101)])
        self.refuses("DATA_CONFLICT", "Note.deleted", deleted=1_700_000_000_000)
        self.not_found("Note.notebookGuid", lambda: self.create(notebookGuid=NOBODY))
        self.assertEqual(self.peer.store.listTags(self.peer.token), [])

    def test_token(self):
        users = self.peer.users
        for token, code in (("", "DATA_REQUIRED"), ("nonsense", "BAD_DATA_FORMAT"), ("S=s1:U=9:E=1:H=2", "INVALID_AUTH")):
            self.refused(code, "authenticationToken", users.getUser, token)


class LimitTests(ServiceCase):
    options = ("--account", "free", "--note-size-max", 4000, "--resource-size-max", 3000, "--quota", 6000,
               "--notes-max", 3, "--tags-max", 2, "--expired-token", "S=s1:old", "--readonly-token", "S=s1:look")

    def test_limits(self):
        limits = self.peer.users.getUser(self.peer.token).accountLimits
        self.assertEqual((limits.noteSizeMax, limits.resourceSizeMax, limits.uploadLimit), (4000, 3000, 6000))
        self.refuses("LIMIT_REACHED", "Resource.data.size", bytes(3001))
        self.refuses("LIMIT_REACHED", "Note.size", bytes(2000), bytes(2001))
        self.refuses("LIMIT_REACHED", "Tag", tagNames=["a", "b", "c"])
        self.create(bytes(2500))
        self.create(bytes(2500))
        self.refused("QUOTA_REACHED", "Accounting.uploadLimit", lambda: self.create(bytes(2500)))
        self.create()
        self.refused("LIMIT_REACHED", "Note", self.create)

    def test_tokens(self):
        store = self.peer.store
        self.refused("AUTH_EXPIRED", "authenticationToken", store.getSyncState, "S=s1:old")
        store.getSyncState("S=s1:look")
        self.refused("PERMISSION_DENIED", "authenticationToken", store.createNote, "S=s1:look", note())


class FaultTests(ServiceCase):
    def notes(self):
        return len(self.peer.page("notes"))

    def broken(self, method, action, notes, **fields):
        self.peer.fault(method, action, **fields)
        with self.assertRaises((OSError, http.client.HTTPException, EOFError)):
            self.create(PHOTOS[2], title=f"{action} {fields}")
        self.assertEqual(self.notes(), notes)
        self.assertEqual(self.peer.page("stats")["faults_used"][-1], {"method": "createNote", "action": action})
        self.create(title=f"after {action} {fields}")  # and only once

    def test_lost_connections(self):
        self.broken("createNote", "drop_before_read", 0)
        self.broken("*", "drop_mid_body", 1, bytes=5000)
        self.broken("createNote", "drop_mid_body", 2, rst=1)
        self.broken("createNote", "drop_after_commit", 4)
        self.assertEqual(self.peer.page("stats")["requests"]["createNote"], 8)

    def test_committed_later(self):
        # Longer than a busy machine takes to look whether the note is there already.
        self.broken("createNote", "commit_after", 0, seconds=5)
        deadline = time.monotonic() + 120
        while self.peer.page("stats")["commits_pending"] and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.notes(), 2)
        self.peer.fault("createNote", "commit_after", seconds=60)
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.create()
        self.assertEqual(self.peer.page("stats")["commits_pending"], 1)
        self.peer.page("reset", [])
        self.assertEqual(self.peer.page("stats")["commits_pending"], 0)

    def test_duplicates(self):
        self.peer.fault("createNote", "drop_after_commit")
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.create(*PHOTOS)
        again = self.create(*PHOTOS)
        group, = self.peer.page("stats")["duplicates"]
        self.assertIn(again.guid, group)
        self.peer.store.deleteNote(self.peer.token, again.guid)
        self.assertEqual(self.peer.page("stats")["duplicates"], [])

    def test_refusals(self):
        self.peer.fault("createNote", "user", code="QUOTA_REACHED", parameter="Accounting.uploadLimit")
        self.refuses("QUOTA_REACHED", "Accounting.uploadLimit")
        self.peer.fault("createNote", "system", code="RATE_LIMIT_REACHED", message="slowly", rateLimitDuration=7)
        with self.assertRaises(EDAMSystemException) as caught:
            self.create()
        self.assertEqual((caught.exception.errorCode, caught.exception.rateLimitDuration),
                         (EDAMErrorCode.RATE_LIMIT_REACHED, 7))
        self.peer.fault("createNote", "notfound", identifier="Note.notebookGuid", key=NOBODY)
        self.not_found("Note.notebookGuid", self.create)
        self.peer.fault("createNote", "app_exception")
        self.assertRaises(TApplicationException, self.create)
        self.assertEqual(self.notes(), 0)

    def post(self, body=b"\x80\x01\x00\x01\x00\x00\x00\x0cgetSyncState\x00\x00\x00\x05\x00", **headers):
        """One message of our own over HTTP: the reply's status, headers and body."""
        scheme, _, host = self.peer.line["url"].partition("://")
        connection = http.client.HTTPConnection(host, timeout=120)
        self.addCleanup(connection.close)
        connection.request("POST", "/edam/note/s1", body, {"Content-Type": "application/x-thrift", **headers})
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read()

    def test_answers_that_are_none(self):
        self.peer.fault("*", "http", status=503, retry_after=7, times=2, skip=1)
        self.assertEqual(self.post()[0], 200)
        for _ in range(2):
            status, headers, _ = self.post()
            self.assertEqual((status, headers["Retry-After"]), (503, "7"))
        status, _, right = self.post()
        self.assertEqual((status, right[8:20]), (200, b"getSyncState"))

        self.peer.fault("getSyncState", "garbage", bytes=100)
        self.assertEqual(len(self.post()[2]), 100)
        self.peer.fault("getSyncState", "truncate", bytes=10)
        self.assertRaises(http.client.IncompleteRead, self.post)
        self.peer.fault("getSyncState", "wrong_seqid")
        self.assertEqual((right[20:24], self.post()[2][20:24] == right[20:24]), (b"\x00\x00\x00\x05", False))
        self.peer.fault("getSyncState", "wrong_name")
        self.assertNotIn(b"getSyncState", self.post()[2])
        self.peer.fault("getSyncState", "slow_drip", bytes=20, seconds=0.01)
        self.assertEqual(self.post()[2], right)
        self.peer.fault("getSyncState", "delay", seconds=0.01, after=0.01)
        self.assertEqual(self.post()[2], right)
        self.peer.fault("getSyncState", "throttle", bytes_per_second=10_000)
        self.assertEqual(self.post()[2], right)

    def test_early_error(self):
        """It comes while most of the body is still unread."""
        self.peer.fault("*", "http", status=413, early=1, linger=1)
        head = b"\x80\x01\x00\x01\x00\x00\x00\x0acreateNote\x00\x00\x00\x01" + bytes(5000)
        port = int(self.peer.line["url"].rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
            connection.sendall(b"POST /edam/note/s1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n" + head)
            self.assertIn(b" 413 ", connection.recv(4096))

    def test_warnings(self):
        self.assertEqual(self.post(**{"Content-Type": "text/plain"})[0], 200)
        message = b"\x80\x01\x00\x01\x00\x00\x00\x0cgetSyncState\x00\x00\x00\x05\x00"
        self.assertEqual(self.post(message + b"more")[0], 200)
        unknown = message[:-1] + b"\x08\x00\x63\x00\x00\x00\x01\x00"  # a field that getSyncState does not have
        self.assertEqual(self.post(unknown)[0], 200)
        self.assertGreaterEqual(len(self.peer.page("stats")["warnings"]), 3)
        self.assertEqual(self.post(b"nonsense")[0], 500)
        self.assertEqual(self.peer.page("stats")["malformed"], 1)

    def test_faults_that_nobody_knows(self):
        for fault in ({"action": "explode"}, {"action": "http"}, {"action": "user", "code": "NOTHING"}):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                self.peer.page("faults", [fault])
            self.assertEqual(caught.exception.code, 400)
            caught.exception.close()
        self.peer.page("faults", [{"method": "getUser", "action": "app_exception", "times": 3}])
        self.assertEqual([fault["action"] for fault in self.peer.page("faults")], ["app_exception"])
        self.assertEqual(self.peer.page("stats")["faults_left"], 1)

    def test_together(self):
        def send(index):
            return self.peer.client(NoteStore, "noteStore").createNote(
                self.peer.token, note(PHOTOS[2], title=f"Note {index}"))
        # Longer than a busy machine takes to start four threads.
        self.peer.fault("createNote", "delay", seconds=3, times=4)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            guids = {made.guid for made in pool.map(send, range(4))}
        stats = self.peer.page("stats")
        self.assertEqual((len(guids), stats["notes"], stats["peak_concurrent_createNote"] > 1), (4, 4, True))


class StoreTests(unittest.TestCase):
    def test_restart_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            peer = Peer("--tls", "--store", folder)
            try:
                made = peer.store.createNote(peer.token, note(*PHOTOS, tagNames=["lake"]))
            finally:
                peer.process.kill()
                peer.stop()
            for body in PHOTOS:
                kept = pathlib.Path(folder) / "resources" / hashlib.md5(body).hexdigest()
                self.assertEqual(kept.read_bytes(), body)
            self.assertTrue((pathlib.Path(folder) / "notes" / f"{made.guid}.json").exists())
            peer = Peer("--tls", "--store", folder)
            try:
                read = peer.store.getNote(peer.token, made.guid, True, True, False, False)
                self.assertEqual((read.content, [entry.data.body for entry in read.resources]), (shown(*PHOTOS), PHOTOS))
                self.assertGreater(peer.store.createNote(peer.token, note()).updateSequenceNum, made.updateSequenceNum)
            finally:
                peer.page("shutdown", [])
                self.assertEqual(peer.process.wait(), 0)
                peer.stop()

    @unittest.skipIf(PROGRAM != str(OURS), "an option of ours")
    def test_search_that_lags(self):
        peer = Peer("--search-lag", 3600)
        self.addCleanup(peer.stop)
        peer.store.createNote(peer.token, note(attributes=NoteAttributes(sourceURL="evergear:1")))
        found = peer.store.findNotesMetadata(peer.token, NoteFilter(words='sourceURL:"evergear:1"'), 0, 10,
                                             NotesMetadataResultSpec())
        self.assertEqual(found.totalNotes, 0)
        chunk = peer.store.getFilteredSyncChunk(peer.token, 0, 10, SyncChunkFilter(includeNotes=True))
        self.assertEqual(len(chunk.notes), 1)


if __name__ == "__main__":
    unittest.main()
