import Glibc
import Hashing
import Notes
import System
import Testing
import Workbench

@testable import ENEX

/// Notes with bodies in files, as the writer gets them.
struct Sample {
    let folder: TemporaryFolder
    let exported = Timestamp(milliseconds: 1_777_788_480_000)  // 2026-05-03T06:08:00Z
    static let head =
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        + #"<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">"#

    init() throws { folder = try TemporaryFolder() }

    func resource(_ bytes: [UInt8], name: String, mime: String = "image/jpeg") throws -> Resource {
        let md5 = try #require(MD5(of: bytes))
        if !Files.exists(folder.path / md5.hex) { _ = try folder.write(bytes, as: md5.hex) }
        return Resource(
            blob: BlobKey(md5: md5, size: Int64(bytes.count)), mime: mime,
            pixels: PixelSize(width: 4_000, height: 3_000),
            attributes: ResourceAttributes(fileName: name))
    }

    func note(title: String = "Lake", body: String = "<div>a</div>", resources: [Resource] = []) -> Note {
        Note(
            uid: "01", title: title, enml: Self.head + "<en-note>\(body)</en-note>",
            created: Timestamp(milliseconds: 1_777_787_280_000), updated: Timestamp(milliseconds: 1_777_787_281_999),
            notebook: nil, tags: [], attributes: NoteAttributes(), resources: resources)
    }

    func open(_ resource: Resource) throws -> FileDescriptor {
        try FileDescriptor.openForReading(folder.path / resource.blob.md5.hex)
    }

    func write(_ notes: [Note], as name: String = "out.enex", maker: ENEXWriter.Maker? = nil) throws -> FilePath {
        let path = folder.path / name
        let writer = try ENEXWriter(
            path, maker: maker ?? .init(application: "evergear", version: "0.1.0"), exported: exported)
        for note in notes { try writer.append(note, open: open) }
        let written = try writer.finish()
        #expect(written.notes == notes.count)
        let bytes = try Files.read(path, limit: 1 << 30)
        #expect(written.bytes == Int64(bytes.count))
        let digest = Digest(.sha256)
        digest.update(bytes)
        #expect(written.sha256 == digest.finish())
        return path
    }

    func text(_ path: FilePath) throws -> String {
        String(decoding: try Files.read(path, limit: 1 << 30), as: UTF8.self)
    }

    func readBack(_ path: FilePath) throws -> [ENEXNote] {
        var notes: [ENEXNote] = []
        _ = try ENEXReader.read(path) { notes.append($0) }
        return notes
    }
}

@Suite("ENEX is written as its importers want it")
struct ENEXWriterTests {
    @Test("a whole file, letter for letter")
    func golden() throws {
        let sample = try Sample()
        var resource = try sample.resource(Array("hello".utf8), name: "IMG_1.jpg")
        resource.attributes = ResourceAttributes(
            fileName: "IMG_1.jpg", timestamp: 1_777_787_280_000,
            place: Place(latitude: 35.2945, longitude: -0.00001, altitude: 84),
            camera: Camera(make: "A&B", model: ""))
        var note = sample.note(title: "Lake & <sea>", resources: [resource])
        note.tags = ["travel", "湖"]
        note.attributes = NoteAttributes(
            place: Place(latitude: 35.5, longitude: 136.25, name: "Biwa"), sourceURL: "evergear://note/01",
            sourceApplication: "evergear", subjectDate: 1_777_787_280_000)
        let path = try sample.write([note])
        #expect(
            try sample.text(path) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">
                <en-export export-date="20260503T060800Z" application="evergear" version="0.1.0">
                <note>
                <title>Lake &amp; &lt;sea&gt;</title>
                <content><![CDATA[\(note.enml)]]></content>
                <created>20260503T054800Z</created>
                <updated>20260503T054801Z</updated>
                <tag>travel</tag>
                <tag>湖</tag>
                <note-attributes>
                <subject-date>20260503T054800Z</subject-date>
                <latitude>35.5</latitude>
                <longitude>136.25</longitude>
                <source-url>evergear://note/01</source-url>
                <source-application>evergear</source-application>
                <place-name>Biwa</place-name>
                </note-attributes>
                <resource>
                <data encoding="base64">
                aGVsbG8=
                </data>
                <mime>image/jpeg</mime>
                <width>4000</width>
                <height>3000</height>
                <resource-attributes>
                <timestamp>20260503T054800Z</timestamp>
                <latitude>35.2945</latitude>
                <longitude>-0.00001</longitude>
                <altitude>84.0</altitude>
                <camera-make>A&amp;B</camera-make>
                <file-name>IMG_1.jpg</file-name>
                </resource-attributes>
                </resource>
                </note>
                </en-export>

                """)
    }

    @Test("for NixNote 2 the file calls itself Evernote's")
    func nixnote() throws {
        let sample = try Sample()
        let path = try sample.write([sample.note()], maker: .nixnote2)
        #expect(try sample.text(path).contains(#"application="Evernote" version="6.x""#))
    }

    @Test(
        "the content is one CDATA section, whatever is in the note",
        arguments: [
            ("<div title=\"a]]>b\">x</div>", "<div title=\"a]]&gt;b\">x</div>"),
            ("<![CDATA[a < b && c]]>d", "a &lt; b &amp;&amp; cd"),
            ("<![CDATA[]]]]><![CDATA[>]]>", "]]&gt;"),
            ("<!-- <![CDATA[ -->a", "<!-- <![CDATA[ -->a"),
            ("<!-- ]]> -->a", "<!-- ]]&gt; -->a"),
            ("<?p <![CDATA[ ?>a]]&gt;", "<?p <![CDATA[ ?>a]]&gt;"),
            ("a\u{0}\u{b}\u{ffff}b\u{fffd}", "ab\u{fffd}"),
        ])
    func content(body: String, expected: String) throws {
        let sample = try Sample()
        let path = try sample.write([sample.note(body: body)])
        let text = try sample.text(path)
        #expect(text.contains("<content><![CDATA[<?xml version="))
        #expect(text.components(of: "<![CDATA[") - expected.components(of: "<![CDATA[") == 1)
        #expect(text.components(of: "]]>") == 1)
        let read = try #require(try sample.readBack(path).first)
        #expect(read.content == Sample.head + "<en-note>\(expected)</en-note>")
    }

    @Test("a mark or space before the XML declaration is left out")
    func declarationFirst() throws {
        let sample = try Sample()
        var note = sample.note()
        note.enml = "\u{feff}\n " + note.enml
        #expect(try sample.text(try sample.write([note])).contains("<content><![CDATA[<?xml version="))
    }

    @Test("what comes back is what was written: titles, texts, times, places, every byte")
    func roundTrip() throws {
        let sample = try Sample()
        var state: UInt32 = 9
        let sizes = [0, 1, 2, 57, 58, 387_599, 387_600, 387_601, 1_200_000]
        let resources = try sizes.enumerated().map { index, size in
            let bytes = (0..<size).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(truncatingIfNeeded: state >> 24)
            }
            var resource = try sample.resource(bytes, name: "写真 \(index).jpg")
            resource.attributes.timestamp = Int64(index) * 1_000
            resource.attributes.latitude = 1e-7
            resource.attributes.longitude = -179.99999999999997
            return resource
        }
        var notes = [
            sample.note(title: "\u{202b}\u{1f600}\"'&<>]]>", resources: resources), sample.note(body: "\r\nx\ry"),
        ]
        notes[0].tags = ["a&b", "c"]
        notes[0].attributes.altitude = -12.25
        notes[1].created = Timestamp(milliseconds: -1)
        let path = try sample.write(notes)
        let read = try sample.readBack(path)
        try #require(read.count == 2)
        for (one, note) in zip(read, notes) { #expect(one.differences(from: note) == []) }
        #expect(read[0].resources.map(\.size) == sizes.map(Int64.init))
        #expect(read[0].resources[0].attributes.latitude == 1e-7)
        #expect(read[0].resources[0].attributes.longitude == -179.99999999999997)
        #expect(read[1].created == Timestamp(milliseconds: -1_000))
    }

    @Test("every difference is named")
    func differences() throws {
        let sample = try Sample()
        let note = sample.note(resources: [try sample.resource([1, 2, 3], name: "a.jpg")])
        let read = try #require(try sample.readBack(try sample.write([note])).first)
        var other = note
        other.title = "Sea"
        other.tags = ["x"]
        other.attributes.placeName = "Biwa"
        other.resources[0].blob.size = 4
        #expect(
            read.differences(from: other) == ["the title", "the tags", "the place", "the bytes of a.jpg"])
    }

    @Test("a resource whose bytes are gone, fewer, more or others ends the file")
    func changedBodies() throws {
        let sample = try Sample()
        let good = try sample.resource(Array("hello".utf8), name: "a.jpg")
        var fewer = good
        fewer.blob.size = 6
        var more = good
        more.blob.size = 4
        var gone = good
        gone.blob.md5 = try #require(MD5(of: Array("nobody".utf8)))
        let other = try sample.resource(Array("world".utf8), name: "a.jpg")
        for (number, resource) in [fewer, more, other, gone].enumerated() {
            let writer = try ENEXWriter(
                sample.folder.path / "bad\(number)", maker: .nixnote2, exported: sample.exported)
            do {
                try writer.append(sample.note(resources: [resource])) { wanted in
                    // For `other`, a file of the same length with other bytes.
                    try sample.open(wanted == other ? good : wanted)
                }
                Issue.record("written")
            } catch let error as ENEXError {
                if resource == gone {
                    let missing = SystemError(
                        code: ENOENT, call: "open", path: sample.folder.path / gone.blob.md5.hex)
                    #expect(error == .bodyUnreadable(note: "Lake", fileName: "a.jpg", missing))
                } else {
                    #expect(error == .bodyChanged(note: "Lake", fileName: "a.jpg"))
                }
            }
            #expect(throws: ENEXError.unusable) { try writer.finish() }
            #expect(throws: ENEXError.unusable) { try writer.append(sample.note(), open: sample.open) }
        }
    }

    @Test("a note that importers could not take is refused")
    func refused() throws {
        let sample = try Sample()
        let one = try sample.resource([1], name: "a.jpg")
        let twin = try sample.resource([2], name: "a.jpg")
        let slash = try sample.resource([3], name: "a/b.jpg")
        let kind = try sample.resource([4], name: "b.jpg", mime: "image/<jpeg>")
        let notes = [
            sample.note(resources: [one, twin]), sample.note(resources: [slash]), sample.note(resources: [kind]),
            sample.note(title: " \n"),
        ]
        for (number, note) in notes.enumerated() {
            let writer = try ENEXWriter(
                sample.folder.path / "bad\(number)", maker: .nixnote2, exported: sample.exported)
            do {
                try writer.append(note, open: sample.open)
                Issue.record("written")
            } catch let error as ENEXError { #expect(error.code == "note-refused") }
        }
        let empty = try ENEXWriter(sample.folder.path / "empty", maker: .nixnote2, exported: sample.exported)
        #expect(throws: ENEXError.noNotes) { try empty.finish() }
    }

    @Test("an existing file is never written over, and a folder that is not there is named")
    func existing() throws {
        let sample = try Sample()
        let path = try sample.folder.write([1], as: "there")
        #expect(throws: ENEXError.file(SystemError(code: EEXIST, call: "create", path: path))) {
            try ENEXWriter(path, maker: .nixnote2, exported: sample.exported)
        }
        let nowhere = sample.folder.path / "no/where"
        #expect(throws: ENEXError.file(SystemError(code: ENOENT, call: "create", path: nowhere))) {
            try ENEXWriter(nowhere, maker: .nixnote2, exported: sample.exported)
        }
    }

    @Test("a signal ends the writing between two chunks, and the file is of no use")
    func interrupted() async {
        await #expect(processExitsWith: .exitCode(130)) {
            Interrupt.install()
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)  // the test's process comes with signals blocked
            raise(SIGINT)
            exit(try Self.isGivenUp() ? 130 : 1)
        }
    }

    /// Whether writing throws `Interrupted`, and finishing after it throws.
    private static func isGivenUp() throws -> Bool {
        let sample = try Sample()
        let note = sample.note(resources: [try sample.resource([1, 2, 3], name: "a.jpg")])
        let writer = try ENEXWriter(sample.folder.path / "out", maker: .nixnote2, exported: sample.exported)
        do {
            try writer.append(note, open: sample.open)
        } catch is Interrupted {
            do { _ = try writer.finish() } catch ENEXError.unusable { return true }
        }
        return false
    }

    @Test("a full disk is told as such")
    func fullDisk() throws {
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(device >= 0)
        let output = ENEXOutput(FileDescriptor(owning: device))
        #expect(throws: SystemError(code: ENOSPC, call: "write")) {
            for _ in 0..<10 { try output.write([UInt8](repeating: 0, count: 300_000)) }
        }
    }

    @Test("the size told beforehand is not below what is written, and close to it")
    func size() throws {
        let sample = try Sample()
        let note = sample.note(resources: [try sample.resource([UInt8](repeating: 7, count: 100_000), name: "a.jpg")])
        let path = try sample.write([note])
        let written = try Files.status(path).size
        let told = ENEXWriter.size(of: note)
        #expect(told >= written - 250)
        #expect(told <= written + 2_000)
    }

    @Test("dates outside the years 1 to 9999 are left out, not misspelt")
    func dates() {
        #expect(ENEXText.date(Timestamp(milliseconds: .max)) == nil)
        #expect(ENEXText.date(Timestamp(milliseconds: .min)) == nil)
        #expect(ENEXText.date(Timestamp(milliseconds: 253_402_300_799_999)) == "99991231T235959Z")
        #expect(ENEXText.date(Timestamp(milliseconds: -62_135_596_800_000)) == "00010101T000000Z")
        #expect(ENEXText.time("20260503T054800Z") == Timestamp(milliseconds: 1_777_787_280_000))
        for text in ["", "20260503T054800", "20261303T054800Z", "2026-05-03T05:48", "20260503T0548٠0Z"] {
            #expect(ENEXText.time(text) == nil)
        }
    }

    @Test("numbers are plain decimals")
    func decimals() {
        #expect(ENEXText.decimal(136.25634) == "136.25634")
        #expect(ENEXText.decimal(-0.00002) == "-0.00002")
        // Next to the equator and to Greenwich: what is read is what was written.
        for number: Double in [0.0000472222, -0.000012333333333333334, 1.2345678901234567e-9, -1e-300, 0] {
            let written = ENEXText.decimal(number)
            #expect(written.flatMap { Double($0) } == number && written?.contains("e") == false, "\(number)")
        }
        #expect(ENEXText.decimal(1e300) == nil)
        #expect(ENEXText.decimal(.nan) == nil)
        #expect(ENEXText.decimal(-.infinity) == nil)
    }
}

extension String {
    /// How often a text is in it.
    func components(of text: String) -> Int {
        let (all, part) = (Array(utf8), Array(text.utf8))
        guard all.count >= part.count else { return 0 }
        return (0...(all.count - part.count)).count { all[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
