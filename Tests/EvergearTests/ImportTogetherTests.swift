import Foundation
import Testing

/// Files that belong together, from outside.
@Suite("import, what belongs together") struct ImportTogetherTests {
    private func folder(_ evergear: Evergear, _ names: [String]) throws -> URL {
        let folder = evergear.home.appending(path: "photos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = try ImportCommandTests.somePhoto()
        for name in names {
            let file = folder.appending(path: name)
            try FileManager.default.copyItem(at: source, to: file)
            try exiftool("-all=", "-Comment=\(name)", file.path)  // no two are the same
        }
        return folder
    }

    private func memos(_ evergear: Evergear) throws -> [[String: Any]] {
        let draft = try evergear.run("draft", "show", "last", "--json").object()
        return try #require(draft["memos"] as? [[String: Any]])
    }

    private func names(_ memos: [[String: Any]]) -> [String] {
        memos.compactMap { ($0["photos"] as? [[String: Any]])?.first?["name"] as? String }
    }

    @Test("an edited copy stands for its original, and every file is accounted for") func edited() throws {
        let evergear = try Evergear()
        let folder = try folder(evergear, ["IMG_1.jpg", "IMG_E1.jpg", "IMG_2.jpg"])
        _ = try evergear.file("photos/IMG_1.AAE", "<plist/>")
        let run = try evergear.run("import", "--json", folder.path)
        #expect(run.status == 0, "\(run)")
        let summary = try run.object()
        #expect(summary["found"] as? Int == 4)
        #expect(summary["imported"] as? Int == 2)
        let skipped = try #require(summary["skipped"] as? [[String: Any]])
        #expect(Set(skipped.compactMap { $0["code"] as? String }) == ["original", "adjustments"])
        #expect(skipped.contains { $0["reason"] as? String == "the original of IMG_E1.jpg, which is taken instead" })
        #expect(try Set(names(memos(evergear))) == ["IMG_E1.jpg", "IMG_2.jpg"])
    }

    @Test("--edited both takes both, --edited original the original") func editedPolicies() throws {
        let evergear = try Evergear()
        let folder = try folder(evergear, ["a.jpg", "a-edited.jpg"])
        #expect(
            try evergear.run("import", "--json", "-n", folder.path, "--edited", "both").object()["imported"] as? Int
                == 2)
        #expect(try evergear.run("import", folder.path, "--edited", "original").status == 0)
        #expect(try names(memos(evergear)) == ["a.jpg"])
        #expect(try evergear.run("import", folder.path, "--edited", "none").status == 64)
    }

    @Test("a Google Takeout's JSON gives the time, the place and the words") func takeout() throws {
        let evergear = try Evergear()
        let folder = try folder(evergear, ["a.jpg", "b.jpg"])
        _ = try evergear.file(
            "photos/a.jpg.supplemental-metadata.json",
            """
            {"title": "a.jpg", "description": "By the sea", "photoTakenTime": {"timestamp": "1687791968"},
             "geoData": {"latitude": 48.5, "longitude": 2.25, "altitude": 0.0}}
            """)
        _ = try evergear.file("photos/b.jpg.json", "no JSON")
        _ = try evergear.file("photos/metadata.json", "{}")
        let run = try evergear.run("import", "--json", folder.path, "--time-zone", "Europe/Paris")
        #expect(run.status == 0, "\(run)")
        let summary = try run.object()
        #expect(summary["found"] as? Int == 5)
        #expect(summary["imported"] as? Int == 2)
        let warnings = try #require(summary["warnings"] as? [[String: Any]])
        #expect(warnings.contains { $0["code"] as? String == "sidecar_not_takeout" })
        let memo = try #require(try memos(evergear).first { names([$0]) == ["a.jpg"] })
        #expect(memo["text"] as? String == "By the sea")
        let text = try evergear.run("draft", "show", "last", "--json").output
        #expect(text.contains("2023-06-26T17:06:08") && text.contains("48.5"))
        let explained = try evergear.run("explain", "--json", folder.appending(path: "a.jpg").path).object()
        #expect(explained["description"] as? String == "By the sea")
        #expect((explained["moment"] as? [String: Any])?["source"] as? String == "Takeout photoTakenTime")
    }

    @Test("--gpx places photos, --time-shift moves them, and what is no track is refused") func tracks() throws {
        let evergear = try Evergear()
        let folder = try folder(evergear, ["a.jpg"])
        try exiftool(
            "-DateTimeOriginal=2024:05:01 10:03:30", "-OffsetTimeOriginal=+09:00", folder.appending(path: "a.jpg").path)
        let track = try evergear.file(
            "walk.gpx",
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="35.5" lon="139.5"><time>2024-05-01T01:00:00Z</time></trkpt>
            <trkpt lat="35.75" lon="139.5"><time>2024-05-01T01:01:00Z</time></trkpt></trkseg></trk></gpx>
            """)
        let shifted = ["--time-shift", "-00:03", "--gpx", track.path]
        let explained = try evergear.run(
            ["explain", "--json", folder.appending(path: "a.jpg").path] + shifted)
        #expect(try explained.object()["latitude"] as? Double == 35.625)
        #expect(try evergear.run(["import", folder.path] + shifted).status == 0)
        let shown = try evergear.run("draft", "show", "last", "--json").output
        #expect(shown.contains("35.625") && shown.contains("2024-05-01T10:00:30"))
        #expect(try evergear.run("import", folder.path, "--gpx", folder.appending(path: "a.jpg").path).status == 65)
        #expect(try evergear.run("import", folder.path, "--gpx", "/no/such.gpx").status == 66)
        #expect(try evergear.run("import", folder.path, "--time-shift", "3 minutes").status == 64)
    }

    @Test("a camera whose clock is off is named, with the shift that would mend it, and nothing is changed")
    func clock() throws {
        let evergear = try Evergear()
        let folder = try folder(evergear, ["a.jpg", "b.jpg", "c.jpg"])
        for name in ["a.jpg", "b.jpg", "c.jpg"] {
            try exiftool(
                "-Make=Canon", "-Model=X", "-DateTimeOriginal=2024:05:01 10:05:00", "-OffsetTimeOriginal=+09:00",
                "-GPSDateStamp=2024:05:01", "-GPSTimeStamp=01:00:00", folder.appending(path: name).path)
        }
        let run = try evergear.run("import", folder.path)
        #expect(run.errors.contains("the clock of Canon X is 5 minutes ahead"), "\(run)")
        #expect(run.errors.contains("--time-shift -00:05 would mend that"), "\(run)")
        #expect(try evergear.run("draft", "show", "last", "--json").output.contains("2024-05-01T10:05:00"))
    }
}
