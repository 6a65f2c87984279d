"""The photos that others made, from the folder to the notes."""

import hashlib
import json
import os
import subprocess
import unicodedata
import unittest
import xml.etree.ElementTree as ElementTree

import enex_roundtrip
from document_types import DocumentTypes, ENML
from evergear import Evergear, SHARED

CORPUS = SHARED / "corpus"
TRUTH = {os.fspath(CORPUS / file["path"]): file for file in json.loads((CORPUS / "truth.json").read_text())["files"]}
LAYOUTS = ["thumbs+full", "thumbs", "full", "plain"]


class CorpusTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.evergear = Evergear()
        cls.addClassCleanup(cls.evergear.close)
        # 3: some of these files are no photos, or empty, or in pieces.
        cls.report = cls.evergear.json("import", CORPUS / "photos", CORPUS / "synthetic", status=3)
        cls.photos = {
            os.fsdecode(row["source_path"]): row
            for row in cls.evergear.rows(
                "SELECT photo.*, memo.draft, memo.moment AS memo_moment, memo.moment_offset AS memo_offset,"
                " memo.latitude AS memo_latitude, memo.longitude AS memo_longitude FROM photo"
                " JOIN memo_photo ON memo_photo.photo = photo.id JOIN memo ON memo.id = memo_photo.memo")}
        cls.drafts = [str(draft["id"]) for draft in cls.report["drafts"]]


class Import(CorpusTest):
    def test_every_file_is_accounted_for(self):
        report = self.report
        files = {
            os.path.join(folder, name)
            for top in ("photos", "synthetic") for folder, _, names in os.walk(CORPUS / top) for name in names}
        self.assertEqual(files, set(TRUTH))
        self.assertEqual((report["found"], report["ignored"]), (len(files), 0))
        others = report["duplicates"] + report["skipped"] + report["failed"]
        self.assertEqual(report["found"], report["imported"] + len(others))
        self.assertEqual(report["imported"], len(self.photos))
        self.assertEqual(sum(draft["photos"] for draft in report["drafts"]), len(self.photos))
        # Each file once, by the name that it has on the disk.
        told = sorted(list(self.photos) + [other["path"] for other in others])
        self.assertEqual(told, sorted(files))

    def test_each_file_that_was_left_out_has_a_reason_that_is_true(self):
        for other in self.report["skipped"] + self.report["failed"]:
            with self.subTest(other["path"]):
                self.assertGreater(len(other["reason"]), 10)
                self.assertFalse(TRUTH[other["path"]]["is_decodable"], other["reason"])
        for duplicate in self.report["duplicates"]:
            with self.subTest(duplicate["path"]):
                self.assertIn(duplicate["of"], self.photos)
                self.assertEqual(TRUTH[duplicate["path"]]["sha256"], TRUTH[duplicate["of"]]["sha256"])

    def test_the_originals_are_kept_byte_for_byte(self):
        for path, photo in self.photos.items():
            with self.subTest(path):
                kept = hashlib.sha256(self.evergear.blob(photo).read_bytes()).hexdigest()
                self.assertEqual(kept, TRUTH[path]["sha256"])

    def test_a_photo_has_its_name_its_type_its_size_and_its_turn(self):
        for path, photo in self.photos.items():
            truth = TRUTH[path]
            with self.subTest(path):
                self.assertEqual(photo["name"], unicodedata.normalize("NFC", os.path.basename(path)))
                self.assertEqual((photo["width"], photo["height"]), (truth["width"], truth["height"]))
                if truth["mime"] not in ("image/heif", "image/x-tiff-big"):
                    self.assertEqual(photo["mime"], truth["mime"])
                if truth["mime"] == "image/jpeg":
                    turn = truth["orientation"] or 1
                    self.assertEqual(photo["orientation"], turn if 1 <= turn <= 8 else 1)

    def test_a_memo_has_the_time_of_its_photo(self):
        for path, photo in self.photos.items():
            truth = TRUTH[path]
            if truth["captured"] is None:
                continue
            with self.subTest(path):
                accepted = [truth["captured"]] + truth.get("captured_accept", [])
                self.assertIn(local(photo["memo_moment"]), accepted)
                if truth["offset"] and local(photo["memo_moment"]) == truth["captured"]:
                    sign = -1 if truth["offset"][0] == "-" else 1
                    hours, minutes = map(int, truth["offset"][1:].split(":"))
                    self.assertEqual(photo["memo_offset"], sign * (hours * 3600 + minutes * 60))

    def test_a_memo_has_the_place_of_its_photo(self):
        for path, photo in self.photos.items():
            truth = TRUTH[path]
            flags = truth.get("flags", [])
            place = (photo["memo_latitude"], photo["memo_longitude"])
            with self.subTest(path):
                if "null_island" in flags or truth["latitude"] is None or truth["longitude"] is None:
                    self.assertEqual(place, (None, None))
                elif place == (None, None):
                    self.assertIn("gps_ref_missing", flags)
                else:
                    self.assertAlmostEqual(place[0], truth["latitude"], delta=1.5e-6)
                    self.assertAlmostEqual(place[1], truth["longitude"], delta=1.5e-6)


class Notes(CorpusTest):
    def setUp(self):
        self.types = DocumentTypes(SHARED, self.evergear.path / f"judged {self._testMethodName}")

    def test_the_judge_knows_valid_from_invalid(self):
        head = f'<!DOCTYPE en-note SYSTEM "{ENML}">'
        self.assertEqual(self.types.complaint_about_text(f"{head}<en-note>&nbsp;&hearts;<div/></en-note>"), "")
        self.assertIn("section", self.types.complaint_about_text(f"{head}<en-note><section/></en-note>"))

    def test_every_note_is_valid_and_comes_back_whole(self):
        for layout in LAYOUTS:
            for originals in ("convert", "keep"):
                with self.subTest(layout=layout, originals=originals):
                    self.check(layout, *self.evergear.send(
                        *self.drafts, "--layout", layout, "--originals", originals), originals == "keep")

    def test_every_caption_in_japanese_is_valid_and_comes_back_whole(self):
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                self.check(layout, *self.evergear.send(
                    *self.drafts, "--layout", layout, "--lang", "ja", "--caption", "number,time,place,name"), False)

    def test_an_export_in_several_files_holds_every_photo_once(self):
        file = self.evergear.path / "写真 & all.enex"
        self.evergear.run(
            "export", *self.drafts, "-o", file, "--originals", "keep", "--enex-split", "8M", "--photos-per-note", "20")
        files = [file] + [file.with_stem(f"{file.stem} {number}") for number in range(2, 100)]
        files = [file for file in files if file.exists()]
        self.assertGreater(len(files), 2)
        self.assertEqual(len(files), len(list(self.evergear.path.glob("*.enex"))))
        bodies = []
        for file in files:
            self.assertEqual(self.types.complaint(file), "")
            for note, problem in enex_roundtrip.PythonReader.read(file):
                self.assertEqual([problem, *enex_roundtrip.inner_problems(note)], [""])
                self.assertEqual(self.types.complaint_about_text(note["enml"]), "")
                self.assertLessEqual(len(note["resources"]), 20)
                bodies += [resource["sha256"] for resource in note["resources"]]
        self.assertEqual(sorted(bodies), sorted(TRUTH[path]["sha256"] for path in self.photos))

    def test_thumbnails_stand_upright(self):
        self.evergear.send(*self.drafts, "--layout", "thumbs", "--again")
        copies = {row["name"]: row for row in self.evergear.rows(
            "SELECT photo.name, copy_md5 AS md5, copy_size AS size, copy_serial AS serial FROM copy JOIN photo"
            " USING (md5, size, serial) WHERE recipe LIKE 'thumb %'")}

        def pixels(name):
            shrunk = self.evergear.path / "shrunk.ppm"
            subprocess.run(
                ["vips", "thumbnail", self.evergear.blob(copies[name]), shrunk, "16", "--height", "16", "--size", "force"],
                check=True)
            return shrunk.read_bytes()[-16 * 16 * 3:]

        def difference(a, b):
            return sum(abs(x - y) for x, y in zip(a, b)) / len(a)

        # One scene, stored in each of the eight ways.
        upright = pixels("rot-1.jpg")
        upside_down = b"".join(upright[place:place + 3] for place in range(len(upright) - 3, -1, -3))
        self.assertGreater(difference(upright, upside_down), 20)
        for turn in range(2, 9):
            with self.subTest(turn=turn):
                self.assertLess(difference(upright, pixels(f"rot-{turn}.jpg")), 10)

    def check(self, layout, files, wanted, keeps_originals):
        self.assertGreaterEqual(len(wanted["notes"]), len(self.drafts))
        for file in files:
            self.assertEqual(self.types.complaint(file), "")
        for reader in (enex_roundtrip.PythonReader, enex_roundtrip.ToolReader):
            notes, problems = enex_roundtrip.check(reader, files, wanted)
            self.assertEqual(problems, [])
            for note in notes:
                self.assertEqual(self.types.complaint_about_text(note["enml"]), "")
                mentioned = {media.get("hash") for media in ElementTree.fromstring(note["enml"]).iter("en-media")}
                self.assertEqual(mentioned, {resource["md5"] for resource in note["resources"]})
                if layout == "plain":
                    self.assertNotIn(" style=", note["enml"])
            if keeps_originals and layout != "thumbs":
                bodies = {resource["sha256"] for note in notes for resource in note["resources"]}
                self.assertEqual([path for path in self.photos if TRUTH[path]["sha256"] not in bodies], [])

    def test_a_resource_says_when_where_and_with_what_it_was_taken(self):
        files, _ = self.evergear.send(*self.drafts, "--layout", "full", "--originals", "keep", "--again")
        by_md5 = {TRUTH[path]["md5"]: (path, photo) for path, photo in self.photos.items()}
        told = 0
        for file in files:
            for resource in ElementTree.parse(file).iter("resource"):
                attributes = {element.tag: element.text for element in resource.find("resource-attributes")}
                body = enex_roundtrip.base64.b64decode(resource.findtext("data"))
                path, photo = by_md5[hashlib.md5(body).hexdigest()]
                truth = TRUTH[path]
                with self.subTest(path):
                    told += 1
                    shown = [text(truth["display_width"]), text(truth["display_height"])]
                    size = [resource.findtext("width"), resource.findtext("height")]
                    accepted = [shown]
                    if "exif_orientation_without_irot" in truth.get("flags", []):
                        accepted.append(shown[::-1])
                    self.assertIn(size, accepted)
                    self.assertEqual(attributes.get("camera-make"), truth["make"] or None)
                    self.assertEqual(attributes.get("camera-model"), truth["model"] or None)
                    if photo["memo_latitude"] is not None:
                        self.assertAlmostEqual(float(attributes["latitude"]), truth["latitude"], delta=1.5e-6)
                        self.assertAlmostEqual(float(attributes["longitude"]), truth["longitude"], delta=1.5e-6)
                    else:
                        self.assertNotIn("latitude", attributes)
                    if photo["moment"] is not None:
                        taken = enex_roundtrip.utc(attributes["timestamp"])
                        self.assertEqual(taken.timestamp(), photo["moment"] - photo["moment_offset"])
        self.assertEqual(told, len(self.photos))


def local(seconds):
    """A wall clock from its seconds since 1970."""
    return (enex_roundtrip.utc("19700101T000000Z") + enex_roundtrip.datetime.timedelta(seconds=seconds)).strftime(
        "%Y-%m-%dT%H:%M:%S")


def text(number):
    return None if number is None else str(number)


if __name__ == "__main__":
    unittest.main()
