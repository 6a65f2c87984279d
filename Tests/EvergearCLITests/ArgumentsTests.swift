import Notes
import System
import Testing

@testable import EvergearCLI

/// A command with one of each kind of argument.
private struct Sample: ParsableCommand {
    enum Size: String, CaseIterable, Sendable, ExpressibleByArgument {
        case small, large
    }

    static let configuration = CommandConfiguration(commandName: "sample", abstract: "A sample")

    @Argument(help: "First.") var draft: Int
    @Argument(help: "The rest.") var files: [FilePath] = []
    @Option(name: .shortAndLong, help: "Where.") var output: FilePath?
    @Option(name: .customLong("tag"), help: "Tags.") var tags: [String] = []
    @Option(help: "Size.") var thumbSize = Size.small
    @Option(help: "Place.") var place: Place?
    @Flag(name: [.customShort("n"), .long], help: "Dry.") var dryRun = false
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func validate() throws(ValidationError) {
        if dryRun && output != nil { throw ValidationError("--dry-run writes no --output") }
    }
}

private struct Needy: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "needy", abstract: "Needs things")
    @Argument(help: "At least one.") var drafts: [Int]
    @Option(help: "Required.") var output: FilePath
}

private struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root", abstract: "A root", subcommands: [Sample.self, Needy.self, Group.self])
    struct Group: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "group", abstract: "A group", subcommands: [Inner.self])
    }
    struct Inner: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "inner", abstract: "Inside")
        @OptionGroup var global: GlobalOptions
    }
}

private func invocation(_ words: [[UInt8]]) throws(UsageError) -> Invocation {
    try Invocation.parse(words, root: Root.self, everywhere: GlobalOptions.self, width: 80)
}

private func parse(_ words: String...) throws -> Sample {
    guard case .command(let command, _) = try invocation((["sample"] + words).map { Array($0.utf8) }),
        let sample = command as? Sample
    else { throw UsageError("not a sample") }
    return sample
}

private func usageError(_ words: String...) -> UsageError? {
    do throws(UsageError) {
        _ = try invocation(words.map { Array($0.utf8) })
        return nil
    } catch { return error }
}

@Suite("Arguments")
struct ArgumentsTests {
    @Test("options and arguments come in any order")
    func order() throws {
        let sample = try parse("-o", "out", "--tag", "a", "3", "--json", "x")
        #expect(sample.draft == 3 && sample.files == ["x"] && sample.output == "out" && sample.global.json)
    }

    @Test("values arrive in their properties, by every spelling")
    func spellings() throws {
        let sample = try parse("3", "x", "--tag", "a", "-oout", "y", "--tag=b=c", "--thumb-size", "large", "-q")
        #expect(sample.draft == 3)
        #expect(sample.files == ["x", "y"])
        #expect(sample.output == "out")
        #expect(sample.tags == ["a", "b=c"])
        #expect(sample.thumbSize == .large)
        #expect(sample.global.quiet && !sample.global.json && !sample.dryRun)
        #expect(try parse("3", "-qo", "out").output == "out")
        #expect(try parse("3", "-nv").dryRun)
    }

    @Test("defaults hold where nothing is said")
    func defaults() throws {
        let sample = try parse("3")
        #expect(sample.files.isEmpty && sample.output == nil && sample.tags.isEmpty)
        #expect(sample.thumbSize == .small && sample.place == nil && !sample.dryRun)
    }

    @Test("a dash before a digit begins a value")
    func negativeNumbers() throws {
        let place = try #require(try parse("3", "--place", "-33.9,151.2").place)
        #expect(place.latitude == -33.9)
        #expect(try parse("-3").draft == -3)
        #expect(try #require(try parse("3", "--place", "-.5,0").place).latitude == -0.5)
    }

    @Test("after -- everything is an argument, and a lone - always is")
    func literal() throws {
        #expect(try parse("3", "--", "-n", "--tag").files == ["-n", "--tag"])
        #expect(try parse("3", "-").files == ["-"])
    }

    @Test("a file name is the bytes that the system passed, and text must be UTF-8")
    func bytes() throws {
        let broken: [UInt8] = [0x66, 0xff, 0xfe]
        let words = [Array("sample".utf8), Array("3".utf8), broken, Array("--output=".utf8) + broken]
        guard case .command(let command, _) = try invocation(words), let sample = command as? Sample else {
            Issue.record("no sample")
            return
        }
        #expect(sample.files.map(\.bytes) == [broken])
        #expect(sample.output?.bytes == broken)
        #expect(throws: UsageError("--tag: the value is not UTF-8 text", command: "root sample")) {
            try invocation([Array("sample".utf8), Array("3".utf8), Array("--tag".utf8), broken])
        }
    }

    @Test("options that hold everywhere may stand before a command's name")
    func carried() throws {
        guard
            case .command(let command, let path) = try invocation(
                ["--json", "group", "--config", "sample", "-q", "inner"].map { Array($0.utf8) }),
            let inner = command as? Root.Inner
        else {
            Issue.record("not inner")
            return
        }
        #expect(path == ["root", "group", "inner"])
        #expect(inner.global.json && inner.global.quiet && inner.global.config == "sample")
    }

    @Test("each mistake is one sentence that names it, and the command whose help tells more")
    func mistakes() {
        #expect(usageError("sample")?.message == "N is missing")
        #expect(usageError("sample", "x")?.message == "N: \"x\" is not a whole number")
        #expect(usageError("sample", "3", "-x")?.message == "there is no option -x")
        #expect(usageError("sample", "3", "-é")?.message == "there is no option -é")
        #expect(usageError("sample", "3", "-qx")?.message == "there is no option -x")
        #expect(usageError("sample", "3", "--dry-run=yes")?.message == "--dry-run takes no value")
        #expect(usageError("sample", "3", "--output")?.message == "--output needs a value (FILE)")
        #expect(usageError("sample", "3", "--output", "")?.message == "--output: \"\" is not a file's name")
        #expect(
            usageError("sample", "3", "--tag", "--json")?.message
                == "--tag needs a value (TEXT) before --json; one that begins with a dash is written --tag=--json")
        #expect(usageError("sample", "3", "-n", "-o", "x")?.message == "--dry-run writes no --output")
        #expect(usageError("sample", "3", "-q", "-v")?.message == "--quiet and --verbose contradict each other")
        #expect(usageError("group", "inner", "secret")?.message == "a word where only options belong")
        #expect(usageError("sample", "3")?.command == nil)
        #expect(usageError("sample")?.command == "root sample")
        #expect(usageError("needy", "3")?.message == "--output is missing")
        #expect(usageError("needy", "--output", "x")?.message == "N is missing")
        #expect(usageError("--tag", "sample")?.message == "there is no option --tag before a command's name")
        #expect(usageError("--config")?.message == "--config needs a value (FILE)")
    }

    @Test("what was probably meant is suggested")
    func suggestions() {
        #expect(usageError("smaple")?.suggestion == "root sample")
        #expect(usageError("inner")?.suggestion == "root group inner")
        #expect(usageError("group", "iner")?.suggestion == "root group inner")
        #expect(usageError("sample", "3", "--ouptut", "x")?.suggestion == "--output")
        #expect(usageError("sample", "3", "--thumb", "x")?.suggestion == "--thumb-size")
        #expect(usageError("sample", "3", "--thumb-size", "lagre")?.suggestion == "large")
        #expect(usageError("zzzzzz")?.suggestion == nil)
    }

    @Test("help is asked for in every usual way, whatever else is wrong")
    func help() throws {
        for words in [
            ["help"], ["--help"], ["-h"], ["help", "group"], ["group", "-h"], ["sample", "--help"],
            ["group", "help", "inner"], ["sample", "x", "-h"], ["sample", "3", "--tag", "a", "--help"],
        ] {
            guard case .help = try invocation(words.map { Array($0.utf8) }) else {
                Issue.record("\(words) gives no help")
                continue
            }
        }
        guard case .version = try invocation([Array("--version".utf8)]) else {
            Issue.record("no version")
            return
        }
        #expect(usageError("help", "nothing")?.message == "there is no command \"nothing\"")
        // An option's value is no question for help.
        #expect(try parse("3", "--tag=--help").tags == ["--help"])
    }

    @Test("without a command there is help, as a mistake")
    func missingCommand() throws {
        guard case .missingCommand(let help) = try invocation([Array("group".utf8)]) else {
            Issue.record("no help")
            return
        }
        #expect(help.contains("Usage: root group COMMAND"))
    }

    @Test(
        "distances count swapped neighbours as one change",
        arguments: [
            ("list", "list", 0), ("lsit", "list", 1), ("lst", "list", 1), ("", "abc", 3), ("show", "hold", 3),
            ("ca", "abc", 3),
        ])
    func distance(first: String, second: String, expected: Int) {
        #expect(NearestName.distance(first, second) == expected)
        #expect(NearestName.distance(second, first) == expected)
    }
}
