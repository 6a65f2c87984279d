import Foundation
import Testing

/// Which photos an import takes, from outside.
@Suite("import, which photos") struct ImportChoiceTests {
    private func rated(_ evergear: Evergear, _ ratings: [Int?]) throws -> URL {
        let folder = try evergear.manyPhotos(ratings.count)
        for (index, rating) in ratings.enumerated() {
            let file = folder.appending(path: "IMG_\(index + 1).jpg").path
            if let rating { try exiftool("-XMP-xmp:Rating=\(rating)", file) }
        }
        return folder
    }

    private func skipped(_ summary: [String: Any], _ code: String) throws -> [String: String] {
        let skipped = try #require(summary["skipped"] as? [[String: Any]]).filter { $0["code"] as? String == code }
        return Dictionary(
            uniqueKeysWithValues: skipped.compactMap { left in
                guard let path = left["path"] as? String, let reason = left["reason"] as? String else { return nil }
                return (URL(filePath: path).lastPathComponent, reason)
            })
    }

    @Test("--rating takes photos by their stars, and names the others") func rating() throws {
        let evergear = try Evergear()
        let folder = try rated(evergear, [5, 4, 3, nil, -1])
        // Windows and many cameras write the one of EXIF.
        try exiftool("-IFD0:Rating=4", folder.appending(path: "IMG_4.jpg").path)
        for (asked, imported) in [("4+", 3), ("4", 2), ("3-4", 3), ("0", 0), ("1+", 4)] {
            let run = try evergear.run("import", "-n", "--json", folder.path, "--rating", asked)
            #expect(try run.object()["imported"] as? Int == imported, "\(asked)")
        }
        let summary = try evergear.run("import", "--json", folder.path, "--rating", "4+").object()
        #expect(
            try skipped(summary, "rating") == ["IMG_3.jpg": "it is rated 3", "IMG_5.jpg": "it was rejected"])
        for wrong in ["6", "4-3", "-1", "+4", "4++", "", "four"] {
            #expect(try evergear.run("import", folder.path, "--rating", wrong).status == 64, "\(wrong)")
        }
    }

    @Test("--rating goes by the XMP file beside a photo, where the photo itself has none") func ratingBeside() throws {
        let evergear = try Evergear()
        let folder = try rated(evergear, [0, nil])
        _ = try evergear.file(
            "many/IMG_1.xmp",
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF></x:xmpmeta>
            """)
        let summary = try evergear.run("import", "--json", folder.path, "--rating", "5").object()
        #expect(summary["imported"] as? Int == 1)
        #expect(try skipped(summary, "rating") == ["IMG_2.jpg": "nobody rated it"])
    }

    @Test("--min-age leaves what may still be written, with all that belongs to it") func minAge() throws {
        let evergear = try Evergear()
        let folder = try evergear.manyPhotos(4)
        // The third is half there, and would be refused.
        let half = folder.appending(path: "IMG_3.jpg")
        try Data(Data(contentsOf: half).prefix(100)).write(to: half)
        _ = try evergear.file("many/IMG_4.xmp", "<x")
        func age(_ name: String, _ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
                ofItemAtPath: folder.appending(path: name).path)
        }
        for name in ["IMG_1.jpg", "IMG_4.jpg"] { try age(name, 7200) }
        // A camera's clock: years ahead.
        try age("IMG_2.jpg", -1e8)
        let run = try evergear.run("import", "--json", folder.path, "--min-age", "1h")
        #expect(run.status == 0, "\(run)")
        let summary = try run.object()
        #expect(summary["found"] as? Int == 5 && summary["imported"] as? Int == 2)
        #expect(
            try skipped(summary, "too_young") == [
                "IMG_3.jpg": "changed less than 1h ago", "IMG_4.xmp": "changed less than 1h ago",
                "IMG_4.jpg": "what belongs to it was changed less than 1h ago",
            ])
        #expect(try evergear.run("import", "-n", folder.path).status == 3, "the half photo fails without --min-age")
        for wrong in ["2", "m", "0m", "-1m", "2 m", "2w", "9999999d"] {
            #expect(try evergear.run("import", folder.path, "--min-age", wrong).status == 64, "\(wrong)")
        }
    }
}
