import Layouts
import Notes
import Photos
import System
import Testing
import Workbench

@testable import EvergearCLI

@Suite("Configuration")
struct ConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ file: String?, _ variables: [String: String] = [:]) throws -> Configuration {
        let environment = Environment(
            variables.merging(["EVERGEAR_HOME": folder.path.description]) { given, _ in given })
        let home = try Home(environment)
        if let file { try Files.replace(home.configurationFile, with: Array(file.utf8)) }
        return try Configuration(home: home, file: nil, environment: environment)
    }

    private func complaint(_ file: String?, _ variables: [String: String] = [:]) -> String? {
        do {
            _ = try configuration(file, variables)
            return nil
        } catch { return Failure(error).status == .configuration ? Failure(error).sentence : "other: \(error)" }
    }

    @Test("without a file and without variables the documented defaults hold")
    func defaults() throws {
        let settings = try configuration(nil)
        #expect(settings.layout == .shipped(.full))
        #expect(settings.lang == nil)
        #expect(settings.caption == [.time, .place])
        #expect(settings.notebook == nil && settings.tags.isEmpty)
        #expect(settings.to == .enex(nil))
        #expect(settings.photosPerNote == 100)
        #expect(settings.noteBytes.bytes == 209_715_200)
        #expect(settings.thumbSize == 240 && settings.photoSize == nil)
        #expect(settings.originals == .convert)
        #expect(settings.enexSplit.description == "200M")
        #expect(settings.timeZone == nil)
        #expect(settings.retryBase == 2 && settings.retryCap == 900)
    }

    @Test("the file is JSON5: comments, bare keys, single quotes, trailing commas")
    func file() throws {
        let settings = try configuration(
            """
            // how I like it
            {
                layout: 'thumbs-full', "lang": "ja", caption: ["number", "time"],
                notebook: "旅", tags: ["a b", "c",],
                to: "enex:~/notes", photosPerNote: 50, noteBytes: "25M",
                thumbSize: 300, photoSize: null, originals: "keep", enexSplit: 1000000,
                timeZone: "Asia/Tokyo", retryBase: 0.05,
            }
            """)
        #expect(settings.layout == .shipped(.thumbsFull))
        #expect(settings.lang == .japanese)
        #expect(settings.caption == [.number, .time])
        #expect(settings.notebook == "旅" && settings.tags == ["a b", "c"])
        #expect(settings.to == .enex("~/notes"))
        #expect(settings.photosPerNote == 50)
        #expect(settings.noteBytes.bytes == 26_214_400 && settings.enexSplit.bytes == 1_000_000)
        #expect(settings.thumbSize == 300 && settings.photoSize == nil && settings.originals == .keep)
        #expect(settings.timeZone?.name == "Asia/Tokyo" && settings.retryBase == 0.05)
    }

    @Test("no-go zones are objects of a name, a middle and a radius")
    func zones() throws {
        let zone = "{name: 'home', latitude: 35.5, longitude: -139, metres: 300}"
        let settings = try configuration("{noGoZones: [\(zone), \(zone)], stripLocation: true, places: 'coarse'}")
        let home = try #require(NoGoZone(name: "home", latitude: 35.5, longitude: -139, metres: 300))
        #expect(settings.noGoZones == [home, home])
        #expect(settings.stripLocation && settings.places == .coarse)
        #expect(try configuration("{no_go_zones: []}").noGoZones.isEmpty)
        #expect(try configuration("{noGoZones: null}").noGoZones.isEmpty)
        for bad in [
            "{name: 'home', latitude: 35.5, longitude: -139}", "{name: 'home', latitude: 95, longitude: 0, metres: 1}",
            "{name: 'home', latitude: 5, longitude: 0, metres: 0}", "{name: '', latitude: 5, longitude: 0, metres: 1}",
            "{name: 'home', latitude: 5, longitude: 0, metres: 1, radius: 9}", "{}",
        ] {
            #expect(
                complaint("{\nnoGoZones: [\(zone), \(bad)]}")?.contains("line 2: noGoZones: number 2 is not") == true,
                "\(bad)")
        }
        for bad in ["'home'", "['home']", zone, "3", "[3]", "[[]]"] {
            #expect(
                complaint("{noGoZones: \(bad)}")?.contains("line 1: noGoZones: this is not of the form") == true,
                "\(bad)")
        }
        #expect(complaint("{noGoZone: []}")?.contains("Did you mean \"noGoZones\"?") == true)
        #expect(complaint("{stripLocation: 'perhaps'}")?.contains("is not true or false") == true)
    }

    @Test(
        "a mistake in the file is told by its line and column",
        arguments: [
            ("{\n  layout: 'plain'\n  lang: 'en',\n}", "line 3, column 3: a comma, or }, is expected here"),
            ("{layout: plain}", "line 1, column 10: a value is expected here; a text stands in quotes"),
            ("{\n\tlayout 'plain'}", "line 2, column 9: a colon is expected here, behind layout"),
            ("{ // open\n  tags: ['a', 'b'\n", "line 2, column 9: there is no ] for this bracket"),
            ("{notebook: 'Travel}\n", "line 1, column 12: the text that begins here has no end in its line"),
            ("{} {}", "line 1, column 4: nothing more is expected behind the object's }"),
            ("/* {}", "line 1, column 1: the comment that begins here has no end"),
        ])
    func mistakes(text: String, expected: String) {
        let complaint = complaint(text)
        #expect(complaint?.contains(expected) == true, "\(complaint ?? "none")")
        #expect(complaint?.contains("..") == false)
    }

    @Test("brackets without end, and nothing at all, are mistakes and no more", arguments: ["", "[", "{", "{a:"])
    func unfinished(text: String) {
        #expect(complaint(text) != nil)
        #expect(complaint(String(repeating: "{a:[", count: 50_000)) != nil)
    }

    @Test("a setting that is there twice, however it is spelt, is refused")
    func twice() {
        #expect(
            complaint("{\n  photosPerNote: 5, // not this\n  'photos_per_note': 6,\n}")?
                .contains("line 3: photos_per_note is there for the second time, after line 2") == true)
        #expect(complaint("{ /* layout: 1 */ layout: 'plain', tags: ['layout', 'lang: {layout:'] }") == nil)
    }

    @Test("a variable that begins as ours do and means nothing is known as such, with what was meant")
    func unknownVariables() {
        let unknown = Configuration.unknownVariables(
            in: Environment([
                "EVERGEAR_NOPE": "1", "EVERGEAR_LAYOUTS": "plain", "EVERGEAR_HOME": "/", "EVERGEAR_TOKEN": "x",
                "EVERGEAR_SHARED": "/", "EVERGEAR_TAGS": "a", "PATH": "/bin",
            ]))
        #expect(unknown.map(\.name) == ["EVERGEAR_LAYOUTS", "EVERGEAR_NOPE"])
        #expect(unknown.map(\.meant).first == "EVERGEAR_LAYOUT")
    }

    @Test("keys with underscores or dashes are understood as well")
    func spellings() throws {
        #expect(try configuration("{photos_per_note: 7, 'enex-split': '1G'}").photosPerNote == 7)
    }

    @Test("a variable stands above the file, and one that is empty is none")
    func variables() throws {
        let file = "{layout: 'thumbs', photosPerNote: 50}"
        let settings = try configuration(
            file,
            [
                "EVERGEAR_LAYOUT": "plain", "EVERGEAR_PHOTOS_PER_NOTE": "", "EVERGEAR_TAGS": "a, b c ,d",
                "EVERGEAR_CAPTION": "none", "EVERGEAR_RETRY_BASE": "0.1", "EVERGEAR_ALL": "nonsense",
            ])
        #expect(settings.layout == .shipped(.plain))
        #expect(settings.photosPerNote == 50)
        #expect(settings.tags == ["a", "b c", "d"])
        #expect(settings.caption.isEmpty)
        #expect(settings.retryBase == 0.1)
    }

    @Test("every setting has the variable that its name says")
    func names() {
        #expect(
            Setting.all.map(\.variable) == [
                "EVERGEAR_LAYOUT", "EVERGEAR_LANG", "EVERGEAR_CAPTION", "EVERGEAR_NOTEBOOK", "EVERGEAR_TAGS",
                "EVERGEAR_TO", "EVERGEAR_PHOTOS_PER_NOTE", "EVERGEAR_NOTE_BYTES", "EVERGEAR_THUMB_SIZE",
                "EVERGEAR_PHOTO_SIZE", "EVERGEAR_ORIGINALS", "EVERGEAR_PLACES", "EVERGEAR_STRIP_LOCATION",
                "EVERGEAR_ENEX_SPLIT", "EVERGEAR_KEEP_ORIGINALS", "EVERGEAR_TIME_ZONE", "EVERGEAR_SERVICE",
                "EVERGEAR_CA_FILE", "EVERGEAR_ON_ERRORS", "EVERGEAR_TRANSMIT", "EVERGEAR_ON_FINISH",
                "EVERGEAR_TRANSFERS", "EVERGEAR_SINGLE_REQUEST", "EVERGEAR_BWLIMIT", "EVERGEAR_STEP_THRESHOLD",
                "EVERGEAR_LOOK_AGAIN", "EVERGEAR_RETRY_BASE", "EVERGEAR_RETRY_CAP",
            ])
    }

    @Test("an unknown key is an error that names key, file and line, and the key that was meant")
    func unknownKey() {
        let path = folder.path / "config.json5"
        #expect(
            complaint("{\n  layout: 'full',\n  photosPerNot: 3\n}")
                == "\(path), line 3: there is no setting \"photosPerNot\". Did you mean \"photosPerNote\"?")
        #expect(
            complaint("{zzz: 1}")?.hasPrefix("\(path), line 1: there is no setting \"zzz\". The settings are layout,")
                == true)
    }

    @Test("a bad value is an error that names where it is and what would be a good one")
    func badValues() {
        let path = folder.path / "config.json5"
        #expect(
            complaint("{photosPerNote: 101}")
                == "\(path), line 1: photosPerNote: \"101\" is not a whole number from 1 to 100.")
        #expect(complaint("{layout: ['full']}")?.contains("layout: [\"full\"] is not a layout") == true)
        #expect(complaint("{thumbSize: {a: 1}}")?.contains("thumbSize: what is there is not") == true)
        #expect(complaint("{caption: ['weather']}")?.contains("is not a list of number, time, place, name") == true)
        #expect(complaint("{to: 'enex:notes'}")?.contains("to: notes is relative") == true)
        #expect(complaint("{layout: './mine.xsl'}")?.contains("layout: ./mine.xsl is relative") == true)
        #expect(complaint("{caFile: 'ca.pem'}")?.contains("caFile: ca.pem is relative") == true)
        #expect(complaint("{layout: '~/mine.xsl', caFile: '~/ca.pem', to: 'enex:~/notes'}") == nil)
        #expect(complaint("{timeZone: 'Asia/Tokio'}")?.contains("is not a time zone") == true)
        #expect(
            complaint("{}", ["EVERGEAR_THUMB_SIZE": "big"])
                == "EVERGEAR_THUMB_SIZE: \"big\" is not a whole number from 16 to 2000.")
    }

    @Test("what is no JSON5, or no object, is an error that names the file")
    func noJSON() {
        let path = folder.path / "config.json5"
        for text in ["", "{", "[]", "{layout 'full'}", "3"] {
            #expect(
                complaint(text)?.hasPrefix("\(path)") == true, "\(text): \(complaint(text) ?? "nil")")
        }
    }

    @Test("a file that was asked for must be there")
    func missingFile() throws {
        let environment = Environment(["EVERGEAR_HOME": folder.path.description])
        let home = try Home(environment)
        #expect(throws: ConfigurationError.self) {
            try Configuration(home: home, file: folder.path / "none.json5", environment: environment)
        }
    }

    @Test("EVERGEAR_HOME puts everything under one folder")
    func home() throws {
        let home = try Home(Environment(["EVERGEAR_HOME": "/x", "HOME": "/home/me", "XDG_DATA_HOME": "/data"]))
        #expect(home.data == "/x" && home.config == "/x" && home.notes == "/x/notes")
        #expect(home.configurationFile == "/x/config.json5" && home.layouts == "/x/layouts")
        let relative = try Home(Environment(["EVERGEAR_HOME": "y"]))
        #expect(try relative.data == Files.currentFolder() / "y")
    }

    @Test("else the folders are those of the XDG specification")
    func xdg() throws {
        let plain = try Home(Environment(["HOME": "/home/me"]))
        #expect(plain.data == "/home/me/.local/share/evergear")
        #expect(plain.config == "/home/me/.config/evergear")
        #expect(plain.notes == "/home/me/evergear")
        let set = try Home(
            Environment(["HOME": "/home/me", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative/is/ignored"]))
        #expect(set.data == "/data/evergear" && set.config == "/home/me/.config/evergear")
        #expect(set.expand("~/notes") == "/home/me/notes")
        #expect(set.expand("/notes") == "/notes")
        #expect(throws: ConfigurationError.self) { try Home(Environment([:])) }
    }

    @Test("the language goes by the locale")
    func language() {
        #expect(Language(locale: Environment(["LANG": "ja_JP.UTF-8"])) == .japanese)
        #expect(Language(locale: Environment(["LC_ALL": "C", "LANG": "ja_JP.UTF-8"])) == .english)
        #expect(Language(locale: Environment([:])) == .english)
    }
}

@Suite("Values of options and settings")
struct ValueTests {
    // As GNU split(1) documents its SIZE.
    @Test(
        "sizes: K, M, G by 1024, kB, MB, GB by 1000",
        arguments: [
            ("1", 1), ("200M", 209_715_200), ("200MB", 200_000_000), ("1k", 1024), ("1kB", 1000),
            ("1.5G", 1_610_612_736),
            ("2MiB", 2_097_152), ("0", nil), ("-1", nil), ("", nil), ("M", nil), ("1T", nil), ("1e3", nil),
            ("9999999999G", nil), ("1 M", nil), ("nan", nil), (".", nil), ("0.1", nil),
        ])
    func sizes(text: String, bytes: Int64?) { #expect(ByteSize(argument: text)?.bytes == bytes) }

    @Test(
        "a layout is a shipped one, a stylesheet's path, or the user's own by name",
        arguments: [
            ("thumbnail", LayoutChoice.shipped(.thumbs)), ("./mine.xsl", .stylesheet("./mine.xsl")),
            ("mine.xsl", .stylesheet("mine.xsl")), ("mine", .own("mine")), ("", nil), (".hidden", nil),
        ])
    func layouts(text: String, choice: LayoutChoice?) {
        #expect(LayoutChoice(argument: text) == choice)
        if let choice { #expect(LayoutChoice(argument: choice.description) == choice) }
    }

    @Test(
        "a destination is enex, with a folder or without",
        arguments: [
            ("enex", DestinationAddress.enex(nil)), ("enex:/tmp/x", .enex("/tmp/x")), ("enex:", nil), ("Enex", nil),
            ("ftp", nil), ("", nil),
        ])
    func destinations(text: String, address: DestinationAddress?) {
        #expect(DestinationAddress(argument: text) == address)
        if let address { #expect(DestinationAddress(argument: address.description) == address) }
    }

    @Test("drafts and jobs go by number, address or last")
    func references() {
        let uid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
        #expect(DraftReference(argument: "3") == .number(3))
        #expect(DraftReference(argument: "last") == .last)
        #expect(DraftReference(argument: "evergear://draft/" + uid.uppercased()) == .uid(uid))
        #expect(JobReference(argument: "evergear://note/\(uid)") == .uid(uid))
        for wrong in [
            "0", "-1", "+1", "", "x", "3.0", "٣", "99999999999999999999", "evergear://draft/3",
            "evergear://note/\(uid)", "evergear://draft/\(uid)/", "evergear://draft/\(uid)/memo/2",
        ] {
            #expect(DraftReference(argument: wrong) == nil, "\(wrong)")
        }
        #expect(JobReference(argument: "evergear://draft/\(uid)") == nil)
    }

    @Test("captions are a list of what they show")
    func captions() {
        #expect(Captions(argument: "time, place") == [.time, .place])
        #expect(Captions(argument: "none") == [])
        #expect(Captions(argument: "name,number") == [.number, .name])
        #expect(
            Captions(argument: "") == nil && Captions(argument: "time,") == nil && Captions(argument: "weather") == nil)
    }
}
