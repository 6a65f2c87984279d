import Storage
import System
import Testing
import Workbench

@testable import EvergearCLI

@Suite("The report of photos") struct PhotoReportFileTests {
    @Test("one that cannot be written any more says which, and that the deliveries went well") func lost() throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path / "home")
        let path = folder.path / "gone" / "report.csv"
        let lost = #expect(throws: ReportLost.self) { try PhotoReportFile(path).write([], from: store) }
        let sentence = try #require(lost).sentence
        #expect(sentence.contains("\(path)") && sentence.contains("delivered all the same"), "\(sentence)")
    }

    @Test("a report may go into a folder that may be written, or in place of a file, or into a device") func possible()
        throws
    {
        let folder = try TemporaryFolder()
        try Files.replace(folder.path / "old.csv", with: [])
        for path in [folder.path / "new.csv", folder.path / "old.csv", "/dev/null"] { try PhotoReportFile.check(path) }
        for path in [folder.path, folder.path / "gone/new.csv", folder.path / "old.csv/new.csv"] {
            #expect(throws: ReportUnwritable.self, "\(path)") { try PhotoReportFile.check(path) }
        }
    }
}
