import Photos
import Testing

/// Which JSON file of a Google Takeout goes with which photo. The names are those of exports.
extension CompanionsTests {
    @Test(
        "a photo of a Google Takeout has the JSON file that is named by it",
        arguments: [
            ("PXL_20211013_220651983.jpg", "PXL_20211013_220651983.jpg.json"),
            ("IMG_20250112_100426.jpg", "IMG_20250112_100426.jpg.supplemental-metadata.json"),
            ("DSC_0101(1).JPG", "DSC_0101.JPG(1).json"), ("IMG_2710(1).HEIC", "IMG_2710.HEIC(1).json"),
            ("DSC00107(1).JPG", "DSC00107.JPG.supplemental-metadata(1).json"),
            ("Photo0549 - Copy(1).jpg", "Photo0549 - Copy.jpg.supplemental-metadata(1).json"),
            ("img(18).jpg", "img(18).jpg.supple(18).json"), ("img(18).jpg", "img(18).jpg.supplemental-metadata.json"),
            ("Screenshot_2017-07-05-10-05-26.png", "Screenshot_2017-07-05-10-05-26.png.supplementa.json"),
            ("Screenshot_20241227_105539_Edge.jpg", "Screenshot_20241227_105539_Edge.jpg.supplement.json"),
            ("D7157814-D2D5-4A62-AFCE-9CF465CB7D66.jpeg", "D7157814-D2D5-4A62-AFCE-9CF465CB7D66.jpeg.supp.json"),
            (
                "123456789123456789123456789123456789_DSCN009.JPG",
                "123456789123456789123456789123456789_DSCN009.JPG.json"
            ),
            (
                "Screenshot_20220207_102421_com.snapchat.android.jpg",
                "Screenshot_20220207_102421_com.snapchat.androi.json"
            ),
            (
                "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
                "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json"
            ),
            ("05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg", "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json"),
            ("Urlaub in Knaufspesch in der Schneifel (38).JPG", "Urlaub in Knaufspesch in der Schneifel (38).JP.json"),
            (
                "13039_327707840323_537645323_9470255_27214_n(1).jpg",
                "13039_327707840323_537645323_9470255_27214_n.j(1).json"
            ),
            (
                "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg",
                "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json"
            ),
            (
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg",
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json"
            ),
            ("😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg", "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋.json"),
            ("IMG_1-edited.jpg", "IMG_1.jpg.supplemental-metadata.json"),
            ("IMG_1.MP4", "IMG_1.MP4.supplemental-metadata.json"),
            ("IMG_1.jpg", "IMG_1.json"),
        ])
    func takeout(photo: String, json: String) {
        #expect(Self.lines(Companions.sets(of: [Self.file(photo), Self.file(json)])) == ["\(photo), takeout \(json)"])
    }

    @Test(
        "a JSON file of another photo is not taken",
        arguments: [
            ("PXL_20211013_220651958.jpg", "PXL_20211013_220651983.jpg.json"),
            ("DSC_0102(1).JPG", "DSC_0102.JPG(2).json"),
            ("DSC_0103.JPG", "DSC_0103.JPG(1).json"), ("DSC_0104(1).JPG", "DSC_0104.JPG.json"),
            ("PXL_20220405_090123741.PORTRAIT-modifié.jpg", "PXL_20220405_090123740.PORTRAIT.jpg.json"),
            (
                "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg",
                "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json"
            ),
            ("IMG_10.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.something.json"),
        ])
    func otherTakeout(photo: String, json: String) {
        let sets = Companions.sets(of: [Self.file(photo), Self.file(json)])
        #expect(sets.count == 2)
        #expect(sets.allSatisfy { $0.companions.isEmpty })
    }

    @Test("of two photos with one number more, each has its own JSON file")
    func numberedTakeout() {
        let names = [
            "a.jpg", "a(1).jpg", "a.jpg.supplemental-metadata.json", "a.jpg.supplemental-metadata(1).json", "b.jpg",
            "b-edited.jpg", "b.jpg.json", "c.HEIC", "c.MP4", "c.HEIC.json",
        ]
        #expect(
            Self.lines(Companions.sets(of: names.map { Self.file($0) })) == [
                "a(1).jpg, takeout a.jpg.supplemental-metadata(1).json",
                "a.jpg, takeout a.jpg.supplemental-metadata.json",
                "b-edited.jpg, original b.jpg, takeout b.jpg.json", "c.HEIC, video c.MP4, takeout c.HEIC.json",
            ])
    }

    @Test(
        "in one folder each photo of a name has its own JSON file, however long the name is", arguments: [true, false])
    func takeoutOfAFolder(isNew: Bool) {
        // As Google names them: 46 units of the photo's name and the ending, then the number.
        var expected: Set<String> = []
        var files: [FolderFile] = []
        for length in 30...47 {
            let stem = "\(length)-" + String("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".prefix(length - 3))
            for number in ["", "(1)", "(2)", "(10)"] {
                let photo = "\(stem)\(number).jpg"
                let json =
                    String((stem + ".jpg" + (isNew ? ".supplemental-metadata" : "")).prefix(46)) + number + ".json"
                files += [Self.file(photo), Self.file(json)]
                expected.insert("\(photo), takeout \(json)")
            }
        }
        #expect(Set(Self.lines(Companions.sets(of: files))) == expected)
    }

    @Test("names of one export, all together")
    func takeoutTogether() {
        let pairs = [
            (
                "1581270440551-d356c6b2-6178-49af-bcdf-b308a5b4b.jpg",
                "1581270440551-d356c6b2-6178-49af-bcdf-b308a5b4.json"
            ),
            (
                "1581270440551-d356c6b2-6178-49af-bcdf-b308a5b4b(1).jpg",
                "1581270440551-d356c6b2-6178-49af-bcdf-b308a5b4(1).json"
            ),
            ("Urlaub in Knaufspesch in der Schneifel (38).JPG", "Urlaub in Knaufspesch in der Schneifel (38).JP.json"),
            ("Urlaub in Knaufspesch in der Schneifel.JPG", "Urlaub in Knaufspesch in der Schneifel.JPG.sup.json"),
            (
                "13039_327707840323_537645323_9470255_27214_n(1).jpg",
                "13039_327707840323_537645323_9470255_27214_n.j(1).json"
            ),
            ("13039_327707840323_537645323_9470255_27214_n.jpg", "13039_327707840323_537645323_9470255_27214_n.j.json"),
            ("DSC_0101.JPG", "DSC_0101.JPG.json"), ("DSC_0101(1).JPG", "DSC_0101.JPG(1).json"),
        ]
        let files = pairs.flatMap { [Self.file($0.0), Self.file($0.1)] }
        #expect(Set(Self.lines(Companions.sets(of: files))) == Set(pairs.map { "\($0.0), takeout \($0.1)" }))
    }

    @Test("a JSON name that was cut so short that it fits two photos is given to neither")
    func ambiguousTakeout() {
        let start = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
        let names = ["\(start)1.jpg", "\(start)2.jpg", "\(start).json"]
        let sets = Companions.sets(of: names.map { Self.file($0) })
        #expect(sets.count == 3)
        #expect(sets.allSatisfy { $0.companions.isEmpty })
    }
}
