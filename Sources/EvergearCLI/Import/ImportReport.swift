import Photos
import Storage
import System

/// Says what became of every file of an import.
enum ImportReport {
    static func print(_ tally: ImportTally, isDry: Bool, _ context: Context) throws {
        let output = context.output
        for left in tally.failed { output.problem("\(left.path): \(left.reason)".asSentence) }
        if output.isJSON { return try output.json(ImportJSON(tally)) }
        for left in tally.skipped { output.remark("skipped \(left.path): \(left.reason).") }
        for left in tally.together { output.detail("\(left.path): \(left.reason).") }
        for left in tally.warnings { output.remark("\(left.path): \(left.reason).") }
        for same in tally.duplicates { output.detail("duplicate \(same.path), the same as \(same.of)") }
        for finding in tally.clocks.findings {
            if let sentence = finding.sentence { output.remark("\(sentence).") }
        }
        if tally.found == 0 {
            output.report("No photos were found.")
            return
        }
        var counts = [
            "\(Words.count(tally.found, "file")) found: \(tally.imported) \(isDry ? "to import" : "imported")",
            Words.count(tally.duplicates.count, "duplicate"), "\(tally.skipped.count) skipped",
            "\(tally.failed.count) failed",
        ]
        if !tally.together.isEmpty { counts.insert("\(tally.together.count) that go with others", at: 2) }
        output.report(
            counts.joined(separator: ", ") + (tally.ignored > 0 ? "; \(tally.ignored) ignored by rule." : "."))
        for draft in tally.drafts where draft.photos > 0 {
            let verb = draft.isContinued ? "continued" : "new"
            output.report("Draft \(draft.id) (\(verb)): \(draft.title), \(Words.count(draft.photos, "photo"))")
        }
    }
}
