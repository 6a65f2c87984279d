"""Drafts that are hard to write down, from the command line to the notes."""

import hashlib
import itertools
import unittest

import enex_roundtrip
from document_types import DocumentTypes
from evergear import Evergear, FIXTURES, SHARED

LAYOUTS = ["thumbs+full", "thumbs", "full", "plain"]
HARD = [
    "]]>", "]]]]>><![CDATA[ x ]]>", "<b>not bold</b> & &amp; &lt; &#65; &nbsp;", "\"double\" 'single' `back`", "a\u00a0b\u3000c",
    "<!-- no comment --> <?no instruction?>", "e\u0301 and \u00e9", "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1ef\U0001f1f5",
    "東京タワーの朝、𠮷野家", "https://example.org/?a=1&b=%20#c, and on", "שלום עולם", "C:\\x\\y", "%s %d {folder} $HOME", "--x",
]


class Drafts(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.evergear = Evergear()
        self.addCleanup(self.evergear.close)
        self.types = DocumentTypes(SHARED, self.evergear.path / "judged")
        self.photo = FIXTURES / "2024-05-01 Hakone" / "IMG_0409.JPG"

    def photos(self, count):
        """JPEGs of different bytes and one capture time, by copying one with a remark in front."""
        folder = self.evergear.path / "遠足 & <photos>"
        folder.mkdir()
        body = self.photo.read_bytes()
        for number in range(1, count + 1):
            remark = f"photo {number}".encode()
            segment = b"\xff\xfe" + (len(remark) + 2).to_bytes(2, "big") + remark
            (folder / f"写真 {number} & é.jpg").write_bytes(body[:2] + segment + body[2:])
        return folder

    def read(self, files, wanted):
        """Reads the files by both readers, which must find what is wanted; gives the notes."""
        for file in files:
            self.assertEqual(self.types.complaint(file), "")
        for reader in (enex_roundtrip.ToolReader, enex_roundtrip.PythonReader):
            notes, problems = enex_roundtrip.check(reader, files, wanted)
            self.assertEqual(problems, [])
        for note in notes:
            self.assertEqual(self.types.complaint_about_text(note["enml"]), "")
        return notes

    def test_titles_texts_and_tags_come_back_as_they_were_written(self):
        for number, text in enumerate(HARD):
            tags = [f"tag {number}", text.replace(",", ";").replace("、", ";").strip()[:90]]
            title = f"{number} {text} 湖"
            draft = self.evergear.json(
                "draft", "add", "--at", f"2024-02-29T23:59:{number:02}+09:00", f"--tag={tags[0]}", f"--tag={tags[1]}", "-",
                input=f"{title}\nfirst {text} line\n\n  last {text}")["id"]
            self.evergear.run("memo", "add", draft, "--photo", self.photo, "-", input=f"memo {text}\nend")
            for layout in LAYOUTS:
                with self.subTest(text=text, layout=layout):
                    files, frozen = self.evergear.send(draft, "--layout", layout)
                    self.read(files, frozen)
                    self.read(files, {"notes": [{
                        "title": enex_title(title), "tags": [enex_title(tag) for tag in tags],
                        "created": f"2024-02-29T14:59:{number:02}Z",
                        "texts": [f"first {text} line", f"last {text}", f"memo {text}", "end"]}]})

    def test_101_photos_make_two_parts_that_hold_each_photo_once_and_in_order(self):
        folder = self.photos(101)
        names = [f"写真 {number} & é.jpg" for number in range(1, 102)]
        wanted = [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]
        report = self.evergear.json("import", folder, "--title", "{folder}: 箱根 🗻 ]]>", "--tag", "旅行", "--tag", "a & b")
        self.assertEqual((report["found"], report["imported"]), (101, 101))
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                files, frozen = self.evergear.send("last", "--layout", layout, "--originals", "keep", "--caption", "name")
                notes = self.read(files, frozen)
                title = "遠足 & <photos>: 箱根 🗻 ]]>"
                self.assertEqual([note["title"] for note in notes], [f"{title} (1/2)", f"{title} (2/2)"])
                self.assertTrue(all(note["tags"] == ["旅行", "a & b"] for note in notes))
                text = " ".join(enex_roundtrip.words(note["enml"]) for note in notes)
                places = [text.find(name) for name in names]
                self.assertTrue(all(a < b for a, b in itertools.pairwise([-1] + places)), "each name, in order")
                if layout != "thumbs":
                    bodies = [r["sha256"] for note in notes for r in note["resources"]]
                    self.assertEqual([body for body in bodies if body in set(wanted)], wanted)

    def test_a_long_title_is_cut_and_a_long_text_is_not(self):
        text = "\n".join(f"{number} 長い & <text>" for number in range(20_000))
        draft = self.evergear.json("draft", "add", "-", input="🗻é" * 200 + "\n" + text)["id"]
        notes = self.read(*self.evergear.send(draft))
        self.assertLessEqual(len(notes[0]["title"].encode("utf-16-le")) // 2, 255)
        self.assertTrue(notes[0]["title"].startswith("🗻é" * 60))
        self.assertIn(" ".join(text.split()), enex_roundtrip.words(notes[0]["enml"]))

    def test_characters_that_xml_forbids_are_left_out_and_nothing_else(self):
        draft = self.evergear.json(
            "draft", "add", "-", input="a\x01b\x7f\nd\x08e\ufffe\uffff \x1bf\r\ng\u2028h\x0bi\tj\rk\x85l")["id"]
        note = self.read(*self.evergear.send(draft))[0]
        self.assertEqual(note["title"], "ab")
        self.assertEqual(enex_roundtrip.words(note["enml"]), "de f g h i j k l")


def enex_title(text):
    """Titles and tags are composed, with plain spaces at their edges gone."""
    import unicodedata

    return unicodedata.normalize("NFC", text).strip()


if __name__ == "__main__":
    unittest.main()
