import Hashing
import Layouts
import Notes

/// What the notes of a draft depend on, as one name: equal for a draft that nobody changed and that is asked for in the
/// same look. By it, what was delivered before is known, so its form never changes: it is in every store.
///
/// No part of it are: how the draft is cut into notes (--photos-per-note, --note-bytes), the language where the locale
/// chose it, and the versions of the program and of the shipped layouts. None of these is a wish for a new note.
///
/// It is the SHA-256 of lines `name length value`, the length in bytes of UTF-8, in a fixed order; what a draft does not
/// have has no line.
struct DraftDigest {
    /// How the draft is to look, as far as it is known before the pictures are made.
    struct Look {
        /// A layout that ships; nil: a stylesheet of the user's own.
        var layout: Layout?
        /// What the user's own stylesheet says.
        var sheet: [UInt8] = []
        /// As asked for; nil: by the locale.
        var language: Language?
        var captions: Captions
        var pictures: PictureOptions
    }

    private let digest = Digest(.sha256)

    /// - Returns: 64 hexadecimal digits.
    static func of(_ draft: Draft, _ look: Look) -> String {
        let all = DraftDigest()
        all.add("form", "1")
        all.add("draft", draft.uid)
        all.add("text", draft.text)
        all.add("notebook", draft.notebook)
        for tag in draft.tags { all.add("tag", tag) }
        all.add(draft.moment)
        all.add(draft.place)
        for memo in draft.memos {
            all.add("memo", memo.text)
            all.add(memo.moment)
            all.add(memo.place)
            for photo in memo.photos { all.add(photo) }
        }
        all.add(look)
        return MD5.hex(all.digest.finish())
    }

    private func add(_ name: String, _ value: String?) {
        guard let value else { return }
        digest.update(Array("\(name) \(value.utf8.count) \(value)\n".utf8))
    }

    private func add(_ moment: Moment?) {
        guard let moment else { return }
        add("time", "\(moment.local.seconds).\(moment.local.nanosecond)")
        add(moment.isOffsetAssumed ? "assumed-offset" : "offset", moment.offset.map(String.init))
    }

    private func add(_ place: Place?) {
        guard let place else { return }
        // Bit by bit: no rounding, and no two ways to write a number.
        add("latitude", String(place.latitude.bitPattern, radix: 16))
        add("longitude", String(place.longitude.bitPattern, radix: 16))
        add("altitude", place.altitude.map { String($0.bitPattern, radix: 16) })
        add("place", place.name)
    }

    private func add(_ photo: Photo) {
        add("photo", photo.blob.description)
        add("name", photo.name)
        add(photo.moment)
        add(photo.place)
        if photo.withholdsPlace { add("place-withheld", "") }
        add("make", photo.camera?.make)
        add("model", photo.camera?.model)
    }

    private func add(_ look: Look) {
        add("layout", look.layout?.rawValue)
        if look.layout == nil { add("sheet", MD5.hex(Self.sha256(look.sheet))) }
        add("language", look.language?.rawValue)
        add("captions", String(look.captions.rawValue))
        // What a layout does not show makes no other note.
        if look.layout != .full && look.layout != .plain { add("thumb-size", String(look.pictures.thumbSize)) }
        if look.layout != .thumbs {
            add("photo-size", look.pictures.photoSize.map(String.init))
            add("originals", look.pictures.keepsOriginals ? "keep" : nil)
        }
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let digest = Digest(.sha256)
        digest.update(bytes)
        return digest.finish()
    }
}
