import Notes
import System
import Testing

import ENEX
import Workbench

@Suite("An ENEX file is read piece by piece")
struct ENEXReaderTests {
    private func read(_ text: String) throws -> (notes: [ENEXNote], summary: ENEXReader.Summary) {
        let folder = try TemporaryFolder()
        var notes: [ENEXNote] = []
        let summary = try ENEXReader.read(try folder.write(Array(text.utf8), as: "in.enex")) { notes.append($0) }
        return (notes, summary)
    }

    private func reason(_ text: String) throws -> String? {
        do {
            _ = try read(text)
            return nil
        } catch ENEXError.malformed(_, _, let reason) { return reason }
    }

    @Test("a file as other programs write it: one line, other order, unknown elements, a body of many lines")
    func others() throws {
        let (notes, summary) = try read(
            """
            <?xml version="1.0"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
            <en-export application="Other" version="10" export-date="20240102T030405Z"><note><title>A &amp; B</title>\
            <created>20240101T000000Z</created><tag>x</tag><task><title>no</title></task>\
            <content>&lt;en-note/&gt;<![CDATA[ <b> ]]></content>\
            <resource><data encoding="base64">aGVs
            bG8=</data><mime>text/plain</mime><recognition><![CDATA[<recoIndex/>]]></recognition>\
            <width>3</width><height>2</height><resource-attributes><file-name>a.txt</file-name>\
            <application-data key="k">v</application-data></resource-attributes></resource></note></en-export>
            """)
        let note = try #require(notes.first)
        #expect(note.title == "A & B")
        #expect(note.content == "<en-note/> <b> ")
        #expect(note.created == Timestamp(milliseconds: 1_704_067_200_000))
        #expect(note.updated == nil)
        #expect(note.tags == ["x"])
        let resource = try #require(note.resources.first)
        #expect(resource.md5.hex == "5d41402abc4b2a76b9719d911017c592")  // md5sum of "hello"
        #expect(resource.size == 5)
        #expect(resource.mime == "text/plain")
        #expect(resource.pixels == PixelSize(width: 3, height: 2))
        #expect(resource.attributes.fileName == "a.txt")
        #expect(summary.application == "Other")
        #expect(summary.version == "10")
        #expect(summary.notes == 1)
        #expect(summary.exported == Timestamp(milliseconds: 1_704_164_645_000))
    }

    @Test(
        "what is no ENEX is refused with a reason",
        arguments: [
            ("", "document"), ("hello", "document"), ("<html/>", "outermost"),
            ("<en-export><note></en-export>", "mismatch"),
            ("<en-export><note>", "end of the document"), ("<!DOCTYPE html><en-export/>", "document type"),
            ("<!DOCTYPE en-export [<!ENTITY a \"b\">]><en-export>&a;</en-export>", "entities"),
            ("<!DOCTYPE en-export SYSTEM \"a\"><en-export><note><title>&nbsp;</title></note></en-export>", "nbsp"),
            ("<en-export><note><resource><data>AA==</data></resource></note></en-export>", "encoding"),
            ("<en-export><note><resource><data encoding=\"base64\">A</data></resource></note></en-export>", "base64"),
            ("<en-export><note><resource><mime>a/b</mime></resource></note></en-export>", "without data"),
            ("<en-export><note><created>yesterday</created></note></en-export>", "no time"),
        ])
    func refused(text: String, words: String) throws {
        let reason = try #require(try reason(text))
        #expect(reason.lowercased().contains(words))
    }

    @Test("depth, tags and lengths have bounds")
    func bounds() throws {
        let deep = String(repeating: "<a>", count: 100)
        #expect(try reason("<en-export>" + deep) != nil)
        let tags = String(repeating: "<tag>a</tag>", count: 1_001)
        #expect(try reason("<en-export><note>\(tags)</note></en-export>") != nil)
        let title = String(repeating: "a", count: 70_000)
        #expect(try reason("<en-export><note><title>\(title)</title></note></en-export>") != nil)
    }

    @Test("a file that is cut off anywhere is refused")
    func cutOff() throws {
        let sample = try Sample()
        let resource = try sample.resource(Array("hello, hello".utf8), name: "a.jpg")
        let text = try sample.text(try sample.write([sample.note(resources: [resource])]))
        let whole = Array(text.utf8).dropLast()  // a line end behind the last tag may be missing
        for length in stride(from: 0, to: whole.count, by: 7) {
            #expect(try reason(String(decoding: whole[..<length], as: UTF8.self)) != nil)
        }
        #expect(try reason(String(decoding: whole, as: UTF8.self)) == nil)
    }

    @Test("what the visitor throws ends the reading")
    func visitor() throws {
        struct Enough: Error {}
        let sample = try Sample()
        let path = try sample.write([sample.note(), sample.note()])
        var seen = 0
        #expect(throws: Enough.self) {
            try ENEXReader.read(path) { _ in
                seen += 1
                throw Enough()
            }
        }
        #expect(seen == 1)
    }
}
