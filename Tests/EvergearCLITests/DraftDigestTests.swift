import Layouts
import Notes
import Testing

@testable import EvergearCLI

@Suite("A draft's digest") struct DraftDigestTests {
    private let draft: Draft
    private let look = DraftDigest.Look(layout: .full, captions: .standard, pictures: PictureOptions())

    init() throws {
        let photo = Photo(
            blob: BlobKey(md5: try #require(MD5(hex: "d41d8cd98f00b204e9800998ecf8427e")), size: 7), mime: "image/jpeg",
            pixels: nil, name: "a b.jpg", moment: Moment(iso8601: "2024-05-01T05:12:00+09:00"),
            place: Place(latitude: 35.5, longitude: -1, altitude: 8), camera: Camera(make: "M", model: nil))
        draft = Draft(
            uid: "u", text: "旅\nx", notebook: "N", tags: ["t"], created: Timestamp(milliseconds: 1),
            updated: Timestamp(milliseconds: 2), memos: [Memo(text: "m", photos: [photo])])
    }

    /// Written down by hand and hashed by sha256sum. It is in every store: whatever changes it makes all that was
    /// delivered count as not delivered.
    @Test("its form is the written one, and stays") func form() {
        #expect(DraftDigest.of(draft, look) == "7dd892760919c568761069e4fba9219102a5ef13d25c912463fe1a1c2d4c2b97")
    }

    @Test("whatever shows in the note changes it") func changes() throws {
        var seen: Set<String> = [DraftDigest.of(draft, look)]
        func isNew(_ change: (inout Draft, inout DraftDigest.Look) throws -> Void) throws -> Bool {
            var (draft, look) = (draft, look)
            try change(&draft, &look)
            return seen.insert(DraftDigest.of(draft, look)).inserted
        }
        #expect(try isNew { draft, _ in draft.uid = "v" })
        #expect(try isNew { draft, _ in draft.text = "旅\ny" })
        #expect(try isNew { draft, _ in draft.notebook = nil })
        #expect(try isNew { draft, _ in draft.tags = [] })
        #expect(try isNew { draft, _ in draft.tags = ["t", ""] })
        #expect(try isNew { draft, _ in draft.moment = Moment(iso8601: "2024-05-01") })
        #expect(try isNew { draft, _ in draft.moment = Moment(iso8601: "2024-05-01T00:00Z") })
        #expect(try isNew { draft, _ in draft.place = Place(latitude: 0, longitude: 0) })
        #expect(try isNew { draft, _ in draft.place = Place(latitude: 0, longitude: 0, name: "Null Island") })
        #expect(try isNew { draft, _ in draft.memos[0].text = "n" })
        #expect(try isNew { draft, _ in draft.memos[0].moment = draft.memos[0].photos[0].moment })
        #expect(try isNew { draft, _ in draft.memos.append(Memo()) })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].blob.size = 8 })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].name = "b.jpg" })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].moment?.isOffsetAssumed = true })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].place?.latitude.negate() })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].camera = Camera(make: nil, model: "M") })
        #expect(try isNew { draft, _ in draft.memos[0].photos.append(draft.memos[0].photos[0]) })
        #expect(try isNew { draft, _ in draft.memos[0].photos[0].withholdsPlace = true })
        #expect(try isNew { _, look in look.captions.insert(.number) })
        #expect(try isNew { _, look in look.captions.insert(.coarse) })
        #expect(try isNew { _, look in look.language = .japanese })
        #expect(try isNew { _, look in look.pictures.photoSize = 2048 })
        #expect(try isNew { _, look in look.pictures.keepsOriginals = true })
        for layout in [Layout.thumbs, .thumbsFull] {
            #expect(try isNew { _, look in look.layout = layout })
            #expect(
                try isNew { _, look in
                    look.layout = layout
                    look.pictures.thumbSize = 300
                })
        }
        #expect(try isNew { _, look in look.layout = nil })
        #expect(
            try isNew { _, look in
                look.layout = nil
                look.sheet = [1]
            })
    }

    @Test("what does not show leaves it") func leaves() {
        var (other, otherLook) = (draft, look)
        other.id = 9
        other.isHeld = true
        other.created = Timestamp(milliseconds: 99)
        other.updated = Timestamp(milliseconds: 99)
        other.layout = "full"
        other.memos[0].id = 5
        other.memos[0].number = 5
        other.memos[0].photos[0].id = 5
        otherLook.pictures.thumbSize = 300
        #expect(DraftDigest.of(other, otherLook) == DraftDigest.of(draft, look))
    }
}
