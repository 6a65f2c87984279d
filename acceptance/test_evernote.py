"""The photos that others made, to a service that is not ours, and back through a client that is not ours."""

import json
import pathlib
import ssl
import subprocess
import sys
import unittest
import urllib.request
import xml.etree.ElementTree as ElementTree

import enex_roundtrip
from evergear import Evergear, SHARED

CORPUS = SHARED / "corpus"
LAYOUTS = ["thumbs+full", "thumbs", "full", "plain"]
READ_BACK = pathlib.Path(__file__).resolve().with_name("read_back.py")


class Evernote(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.evergear = Evergear()
        self.addCleanup(self.evergear.close)
        self.service = subprocess.Popen(
            [sys.executable, SHARED / "peer" / "edam_peer.py", "--tls", "--dtd", SHARED / "dtd" / "enml2.dtd",
             "--store", self.evergear.path / "service"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.service.stdout.close)
        self.addCleanup(self.service.wait)
        self.addCleanup(self.service.terminate)
        self.line = json.loads(self.service.stdout.readline())
        self.evergear.settings = {
            "EVERGEAR_TO": "evernote", "EVERGEAR_SERVICE": self.line["url"], "EVERGEAR_CA_FILE": self.line["ca"],
            "EVERGEAR_TOKEN": self.line["token"]}

    def page(self, name):
        trust = ssl.create_default_context(cafile=self.line["ca"])
        with urllib.request.urlopen(f"{self.line['url']}/_peer/{name}", context=trust) as reply:
            return json.load(reply)

    def read_back(self):
        """Each note by its address, as another client exports it."""
        folder = self.evergear.path / "read back"
        done = subprocess.run(
            [sys.executable, READ_BACK, self.line["url"], self.line["token"], folder, "--ca", self.line["ca"]],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        notes = {}
        for file in folder.rglob("*.enex"):
            for element in ElementTree.parse(file).iter("note"):
                note, problem = enex_roundtrip.PythonReader.note(element)
                self.assertEqual(problem, "")
                address = element.findtext("note-attributes/source-url")
                self.assertNotIn(address, notes)
                notes[address] = note
        return notes

    def test_every_good_photo_comes_back_byte_for_byte_in_every_layout(self):
        report = self.evergear.json("import", CORPUS / "photos", CORPUS / "synthetic", "--tag", "旅行 🗻", status=3)
        drafts = [draft["id"] for draft in report["drafts"]]
        self.evergear.run("draft", "add", "写真のない一日 📓", "--tag", "日記")
        for layout in LAYOUTS:
            for choice in (["--originals", "keep", "--single-request"], ["--again", "--lang", "ja"]):
                sent = self.evergear.json("send", *drafts, "last", "--layout", layout, *choice)
                self.assertEqual({note["state"] for note in sent["notes"]}, {"sent"})
        stats = self.page("stats")
        self.assertEqual((stats["warnings"], stats["malformed"], stats["unreferenced_resources"]), ([], 0, 0))

        jobs = self.evergear.rows("SELECT * FROM job ORDER BY id")
        self.assertGreaterEqual(len(jobs), (len(drafts) + 1) * len(LAYOUTS) * 2)
        found = self.read_back()
        self.assertEqual(set(found), {f"evergear://note/{job['uid']}" for job in jobs})
        bodies = set()
        for job, wanted in zip(jobs, self.evergear.frozen(jobs)):
            with self.subTest(title=job["title"], layout=job["layout"]):
                note = found[f"evergear://note/{job['uid']}"]
                self.assertEqual(list(enex_roundtrip.differences(note, wanted)), [])
                self.assertEqual([resource["sha256"] for resource in note["resources"]],
                                 [resource["sha256"] for resource in wanted["resources"]])
                bodies |= {resource["sha256"] for resource in note["resources"]}
        photos = self.evergear.rows("SELECT photo.* FROM photo JOIN memo_photo ON memo_photo.photo = photo.id")
        self.assertEqual(len(photos), report["imported"])
        for photo in photos:
            self.assertIn(self.evergear.resource({**photo, "attributes": '{"fileName": ""}'})["sha256"], bodies)
        verified = self.evergear.run("queue", "verify", "--json").splitlines()
        self.assertEqual([json.loads(line)["verdict"] for line in verified], ["same"] * len(jobs))


if __name__ == "__main__":
    unittest.main()
