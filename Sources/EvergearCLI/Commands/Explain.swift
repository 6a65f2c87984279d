import Hashing
import Notes
import Photos
import System

struct ExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a photo's metadata tells, and why evergear goes by it",
        discussion: """
            When, where, which way up, which camera; every date and place that was found, where it was found, and why it
            was taken or not. What lies beside a photo and speaks of it (.xmp, .txt, the .json of a Google Takeout) is read
            with it. Nothing is written.

            Exit status: 0 when all were read, 3 when some were, 65 when none.
            """)

    @Argument(help: "The photos.")
    var photos: [FilePath]

    @Flag(help: "Leave out the MD5, for which the whole file is read.")
    var noHash = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "Everywhere") var global: GlobalOptions

    func run(in context: Context) throws -> ExitStatus {
        let reader = try reading.reader(context)
        var beside = SidecarSearch()
        var read = 0
        for path in photos {
            try Interrupt.check()
            var problems: [(path: FilePath, error: SidecarError)] = []
            let sidecars = beside.sidecars(beside: path, problems: &problems)
            for (path, error) in problems { context.output.remark("\(path): \(error.reason).") }
            let (reading, md5) = self.read(path, reader, sidecars)
            if reading.error == nil { read += 1 }
            if context.output.isJSON {
                context.output.json(line: Explanation(reading, path: path, md5: md5, isHashed: !noHash).json)
            } else {
                context.output.lines(
                    PhotoReport.lines(reading, path: path, md5: md5, width: context.output.columns))
                if path != photos.last { context.output.line("") }
            }
        }
        return read == photos.count ? .success : read > 0 ? .partlyDone : .badInput
    }

    private func read(_ path: FilePath, _ reader: PhotoReader, _ sidecars: Sidecars) -> (PhotoReading, MD5?) {
        do throws(SystemError) {
            let file = try FileDescriptor.openForReading(path)
            let reading = try reader.read(
                file, status: file.status(path), name: path.name.description, sidecars: sidecars)
            return (reading, noHash ? nil : try MD5(of: file))
        } catch {
            return (PhotoReading(format: nil, size: 0, error: .unreadable(error)), nil)
        }
    }
}
