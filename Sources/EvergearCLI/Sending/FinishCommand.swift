import System

/// The command that `onFinish` in the configuration names: it gets the summary of a run as JSON on its input, to tell
/// somebody, or to go on with what was delivered.
struct FinishCommand {
    let command: String

    /// Runs it and waits for its end. What goes wrong with it is told, and changes nothing of what was done.
    func run(_ summary: SendSummary, in context: Context) {
        do {
            var child = try ChildProcess(
                "/bin/sh", ["-c", "exec >&2; \(command)"], environment: context.environment.forChildren)
            // Who does not read it is free not to.
            try? child.input.write(Array((try JSONText.of(summary) + "\n").utf8))
            child.closeInput()
            let ending = child.wait()
            if ending != .status(0) { context.output.problem("the command onFinish \(ending.words).") }
        } catch { context.output.problem("the command onFinish could not be run: \(Failure(error).sentence)") }
    }
}
