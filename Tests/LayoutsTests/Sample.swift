import Layouts
import Notes
import System

/// A draft of two days and two time zones, with every shape of picture, and what stands for its photos.
enum Sample {
    static let uid = "0196a1c2-7d40-7a10-9c1e-3f5b2a6d8e01"

    static let draft = Draft(
        id: 3, uid: uid,
        text: """
            尾道 and back, two slow days
            朝いちばんの船で島へ渡り、夕方まで歩いた。何も決めずに出ると、よく見える。

            The ferry times are at https://example.org/ferry (in Japanese).
            """,
        notebook: "Travel", tags: ["onomichi", "ferry"], created: Timestamp(milliseconds: 1_777_800_000_000),
        updated: Timestamp(milliseconds: 1_777_900_000_000),
        memos: [
            memo(
                "まだ暗い。坂の上から灯りがひとつずつ消えてゆく。\nCoffee in the flask, no plan.", "2026-05-03T05:48:00+09:00",
                Place(latitude: 34.40851, longitude: 133.20509)),
            memo(
                "", "2026-05-03T06:02:11+09:00", Place(latitude: 34.40463, longitude: 133.19702),
                [photo(1, "dawn.jpg", 1600, 1200)]),
            memo(
                "Took the first ferry. 対岸まで五分。\nTimetable: https://example.org/ferry?day=1&pier=2.",
                "2026-05-03T09:15:40+09:00", Place(latitude: 34.3981, longitude: 133.1882, name: "向島"),
                [photo(2, "ferry.jpg", 1600, 1200)]),
            memo("昼。塔の下で弁当。GPS の届かない路地。", "2026-05-03T12:30:05+09:00", nil, [photo(3, "tower.jpg", 1200, 1600)]),
            memo(
                "All the islands in one turn of the head.", "2026-05-03T15:05:52+09:00",
                Place(latitude: 34.3648, longitude: 133.0441), [photo(4, "islands.jpg", 3200, 900)]),
            memo(
                """
                庭に一時間ほど座っていた。風がやむと、葉の先から落ちるしずくの音が聞こえる。猫が一匹、前を横切って、こちらを見なかった。

                I meant to write down all that I could see. The list stopped at four, because the light kept moving, and \
                each time it did the stones were another grey. For the next visit:
                - come before nine, by the north gate
                - bring a cushion; the stone is cold
                - 傘は要らない

                   字下げの行もそのまま残る。
                [x] ask about the bus: 17:05
                """, "2026-05-03T16:40:00", Place(latitude: 34.2621, longitude: 133.0987),
                [photo(5, "garden.jpg", 1600, 1067)]),
            memo(
                "Three boats, one after the other.", "2026-05-03T18:21:00+09:00", nil,
                [
                    photo(6, "boat-1.jpg", 1600, 1067), photo(7, "boat-2.jpg", 1067, 1600),
                    photo(8, "boat-3.jpg", 1600, 1200),
                ]),
            memo(
                "台北。もう別の国の夜。", "2026-05-04T20:10:31+08:00", Place(latitude: 25.0854, longitude: 121.5612),
                [photo(9, "night.jpg", 1600, 1067)]),
        ])

    /// Twenty photos without words: two mornings, with a pause of two hours in the first and a sentence in it.
    static let sheets: Draft = {
        var memos: [Memo] = []
        for index in 0..<20 {
            let (day, hour) = index < 6 ? (3, 5) : index < 12 ? (3, 9) : (4, 6)
            let (width, height) = [(1600, 1200), (1600, 1067), (1200, 1600), (1600, 1067), (3200, 900)][index % 5]
            let text = index == 9 ? "昼まで歩く。The road is flat all the way." : ""
            memos.append(
                memo(
                    text, "2026-05-0\(day)T0\(hour):\(10 + index * 2):00+09:00", nil,
                    [photo(Int64(index + 1), "IMG_\(100 + index).jpg", width, height)]))
        }
        return Draft(
            id: 4, uid: uid, text: "Every frame", created: Timestamp(milliseconds: 1_777_800_000_000),
            updated: Timestamp(milliseconds: 1_777_800_000_000), memos: memos)
    }()

    /// One picture for each photo: itself and a small one.
    static func pictures(of draft: Draft) -> [Int64: Picture] {
        Dictionary(
            uniqueKeysWithValues: draft.photos.map { photo in
                let thumbPixels = photo.displaySize.map { size in
                    size.scaled(
                        by: min(
                            1, 240 / Double(min(size.width, size.height)), 720 / Double(max(size.width, size.height))))
                }
                var full = resource(photo.blob, photo.displaySize, photo.name)
                full.mime = photo.mime
                if photo.isVideo { return (photo.id, Picture(photo: photo, full: full)) }
                let thumb = resource(blob("thumb of \(photo.name)", size: 9000), thumbPixels, "thumb \(photo.name)")
                return (photo.id, Picture(photo: photo, full: full, thumb: thumb))
            })
    }

    static func memo(_ text: String, _ time: String?, _ place: Place? = nil, _ photos: [Photo] = []) -> Memo {
        Memo(text: text, photos: photos, moment: time.flatMap { Moment(iso8601: $0) }, place: place)
    }

    static func photo(_ id: Int64, _ name: String, _ width: Int, _ height: Int) -> Photo {
        Photo(
            id: id, blob: blob(name, size: 80_000), mime: "image/jpeg", pixels: PixelSize(width: width, height: height),
            name: name)
    }

    static func video(_ id: Int64, _ name: String) -> Photo {
        var video = photo(id, name, 1080, 1920)
        video.mime = "video/quicktime"
        return video
    }

    static func resource(_ blob: BlobKey, _ pixels: PixelSize?, _ name: String) -> Resource {
        Resource(
            blob: blob, mime: "image/jpeg", pixels: pixels, attributes: ResourceAttributes(fileName: name))
    }

    /// A key that is always the same for a name. It is no true digest: nothing here reads the bytes.
    static func blob(_ name: String, size: Int64) -> BlobKey {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        let bytes = (0..<UInt64(16)).map { round -> UInt8 in
            for byte in name.utf8 { state = (state ^ UInt64(byte) ^ round) &* 0x100_0000_01b3 }
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        guard let md5 = MD5(bytes: bytes) else { preconditionFailure("sixteen bytes") }
        return BlobKey(md5: md5, size: size)
    }

    static func document(
        _ draft: Draft = Sample.draft, memos: Range<Int>? = nil, language: Language = .english,
        captions: Captions = .standard, part: NotePart? = nil
    ) -> DraftDocument {
        DraftDocument(
            of: draft, memos: memos, pictures: pictures(of: draft), layout: "full", language: language,
            captions: captions, part: part)
    }

    static func note(_ layout: Layout, of draft: Draft = Sample.draft, document: DraftDocument? = nil) throws -> String
    {
        try LayoutSheet(layout, in: TemplateFolder()).render(document ?? self.document(draft))
    }
}
