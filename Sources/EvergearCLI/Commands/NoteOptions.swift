import Layouts
import Notes

/// How a note looks: on every command that makes or shows one.
struct LookOptions: ParsableArguments {
    @Option(
        help: """
            How the note looks: full (text, then each picture large), thumbs+full (cards with small pictures, then all \
            pictures large), thumbs (cards alone; the photos themselves stay at home, while a video, and a photo that cannot be \
            made smaller, such as many RAW files, goes out whole), plain (as full, without any \
            CSS), a stylesheet ./MINE.xsl, or NAME for NAME.xsl in the folder layouts beside the configuration \
            (default: the draft's own, else the setting layout, else full).
            """)
    var layout: LayoutChoice?

    @Option(help: "The language of the note's own words (default: the setting lang, else by the locale).")
    var lang: Language?

    @Option(
        help: """
            What captions show: a list of number, time, place, name, or none (default: the setting caption, else \
            time,place).
            """)
    var caption: Captions?

    @Option(
        help: "Pixels of a thumbnail's short side, 16 to 2000 (default: the setting thumbSize, else 240).")
    var thumbSize: Int?

    @Option(
        help: """
            Attach copies whose long side is N pixels, 16 to 30000, never enlarged (default: the setting photoSize, \
            else the originals).
            """)
    var photoSize: Int?

    @Option(
        help: """
            Whether HEIC, AVIF, TIFF and WebP go out as JPEG or as they are (default: the setting originals, else \
            convert).
            """)
    var originals: Originals?

    @Option(
        help: """
            How exactly captions show places: full, coarse (two decimals, about a kilometre), or none (default: the \
            setting places, else full).
            """)
    var places: CaptionPlaces?

    @Flag(
        help: """
            Send no place at all: none in captions, none beside the note and its files, none in the photos' bytes \
            (always with the setting stripLocation, and for what lies in one of the noGoZones).
            """)
    var stripLocation = false

    func validate() throws(ValidationError) {
        try Limits.thumbSize.check(thumbSize, "--thumb-size")
        try Limits.photoSize.check(photoSize, "--photo-size")
    }
}

/// How much goes into one note: on every command that cuts a draft into notes.
struct PartOptions: ParsableArguments {
    @Option(
        help: """
            At most N photos in a note, up to 100; a larger draft becomes parts (default: the setting photosPerNote, \
            else 100).
            """)
    var photosPerNote: Int?

    @Option(
        help: """
            At most SIZE bytes in a note (default: the setting noteBytes, else 209715200, what a paid Evernote \
            account takes).
            """)
    var noteBytes: ByteSize?

    func validate() throws(ValidationError) { try Limits.photosPerNote.check(photosPerNote, "--photos-per-note") }
}

/// `-n`: on every command that would write.
struct DryRunOption: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
    var dryRun = false
}
