import Glibc
import System
import Text

/// The program as a whole: from the words of the command line to an exit status.
public enum Program {
    /// Runs the command that the command line names, and ends the process.
    public static func main() -> Never {
        StandardStream.fillClosed()
        Interrupt.install()
        let words = commandLineWords()
        let (status, output) = run(words, environment: .process)
        output.flush()
        if let failure = output.failure {
            if failure.code == EPIPE { endAsIfBySIGPIPE() }
            output.problem(untold(failure))
            exit(ExitStatus.failed.rawValue)
        }
        exit(status.rawValue)
    }

    /// What was done is done: whoever is told to make room and to run the command again would do it twice.
    private static func untold(_ failure: SystemError) -> String {
        let reason =
            failure.code == EBADF
            ? "the standard output is closed" : failure.reason.prefix(1).lowercased() + failure.reason.dropFirst()
        return "the results could not be written: \(reason). Only the telling failed, what the command did is done and "
            + "kept. Look with `evergear draft list` or `evergear queue status` before you run it again."
    }

    /// - Parameter words: Without the program's own name.
    static func run(_ words: [[UInt8]], environment: Environment) -> (ExitStatus, Output) {
        var output = Output()
        do {
            let invocation = try Invocation.parse(
                words, root: Evergear.self, everywhere: GlobalOptions.self,
                width: Help.width(of: output.columns))
            switch invocation {
            case .version:
                output.line("evergear \(version)")
                return (.success, output)
            case .help(let text):
                output.text(String(text.dropLast()))
                return (.success, output)
            case .missingCommand(let help):
                for line in help.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    output.remark(String(line))
                }
                return (.usage, output)
            case .command(let parsed, let path):
                // The parser descends until there are no subcommands, and what has none is a command.
                guard let command = parsed as? any Command else { preconditionFailure("\(path) does nothing") }
                let global = command.global
                output = Output(
                    isQuiet: global.quiet, isVerbose: global.verbose, isJSON: global.json,
                    isDumb: environment.text("TERM") == "dumb")
                do {
                    let context = try Context(
                        output: output, environment: environment, configurationFile: global.config)
                    return (try command.run(in: context), output)
                } catch let error as ValidationError {
                    throw UsageError(error.message, command: path.joined(separator: " "))
                }
            }
        } catch {
            // Who reads our output has gone: that is why work ended, and nobody needs to be told.
            output.flush()
            let failure = Failure(error)
            if output.failure != nil, failure.status == .interrupted { return (.failed, output) }
            output.problem(failure.sentence)
            return (failure.status, output)
        }
    }

    /// As bytes: `CommandLine.arguments` would repair file names that are not UTF-8.
    private static func commandLineWords() -> [[UInt8]] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap {
            word in
            word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    private static func endAsIfBySIGPIPE() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }
}
