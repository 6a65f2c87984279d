import Notes
import System

/// A command that does something.
///
/// It parses, calls on the modules below, and chooses the exit status. Its arguments are declared in its type.
protocol Command: ParsableCommand {
    var global: GlobalOptions { get }

    func run(in context: Context) throws -> ExitStatus
}

/// Options that every command has, before its name or after.
struct GlobalOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print nothing on success, and every problem otherwise.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more about what is done.")
    var verbose = false

    @Flag(help: "Print results as JSON: one object, or one object a line where there are many.")
    var json = false

    @Option(help: "Read the settings from FILE (default: config.json5 in $EVERGEAR_HOME, else in ~/.config/evergear).")
    var config: FilePath?

    // The parser answers it before any command runs; it is declared for the sake of help.
    @Flag(name: [.customShort("h"), .customLong("help")], help: "Show this help.")
    var showHelp = false

    func validate() throws(ValidationError) {
        if quiet && verbose { throw ValidationError("--quiet and --verbose contradict each other") }
    }
}

/// What a command works with.
struct Context {
    let output: Output
    let environment: Environment
    let home: Home
    let configuration: Configuration

    /// - Throws: `ConfigurationError`, `SystemError`.
    init(output: Output, environment: Environment, configurationFile: FilePath?) throws {
        self.output = output
        self.environment = environment
        home = try Home(environment)
        configuration = try Configuration(home: home, file: configurationFile, environment: environment)
        for (name, meant) in Configuration.unknownVariables(in: environment) {
            output.remark(
                "\(name) is in the environment, and there is no such setting."
                    + (meant.map { " Did you mean \($0)?" } ?? ""))
        }
    }

    func now() -> Timestamp { Timestamp(milliseconds: SystemClock.milliseconds()) }
}
