import Layouts
import Notes
import Photos
import Storage
import System

/// Says what became of every file of an import.
enum ImportReport {
    static func print(_ tally: ImportTally, isDry: Bool, _ context: Context) throws {
        let output = context.output
        for left in tally.failed { output.problem("\(left.path): \(left.reason)".asSentence) }
        if output.isJSON { return try ImportJSON.write(tally, to: output) }
        for left in tally.skipped { output.remark("skipped \(left.path): \(left.reason).") }
        for left in tally.together { output.detail("\(left.path): \(left.reason).") }
        for left in tally.warnings { output.remark("\(left.path): \(left.reason).") }
        for same in tally.duplicates { output.detail(same.sentence) }
        for finding in tally.clocks.findings {
            if let sentence = finding.sentence { output.remark("\(sentence).") }
        }
        if tally.found + tally.notReached == 0 {
            output.report("No photos were found.")
            return
        }
        output.report(tally.counts(isDry: isDry) + (tally.ignored > 0 ? "; \(tally.ignored) ignored by rule." : "."))
        if let elsewhere = tally.duplicatesElsewhere {
            output.report(elsewhere + "; --duplicates keep imports them all the same.")
        }
        if let sentence = tally.burstsTaken { output.report(sentence) }
        if tally.videos > 0 {
            output.report("\(Words.count(tally.videos, "video")) left out; --videos attach brings what is left out.")
        }
        for draft in tally.drafts where draft.photos > 0 {
            let verb = draft.isContinued ? "continued" : "new"
            output.report("Draft \(draft.id) (\(verb)): \(draft.title), \(Words.count(draft.photos, "photo"))")
        }
    }
}

extension ImportTally.Duplicate {
    fileprivate var sentence: String {
        let place =
            switch elsewhere {
            case .draft(let id): ", in draft \(id)"
            case .delivered(let time): ", delivered at \(time.iso8601)"
            case nil: ""
            }
        return "duplicate \(path), the same as \(of)\(place)"
    }
}

extension ImportTally {
    /// `11 files found: 6 imported, 0 duplicates, 4 skipped (3 that go with others), 1 failed`.
    fileprivate func counts(isDry: Bool) -> String {
        let found =
            notReached == 0
            ? "\(Words.count(found, "file")) found" : "Interrupted after \(found) of \(found + notReached) files"
        let others = together.count == 1 ? "1 that goes with another" : "\(together.count) that go with others"
        let skipped = "\(skipped.count + together.count) skipped" + (together.isEmpty ? "" : " (\(others))")
        let counts = [
            "\(imported) \(isDry ? "to import" : "imported")", Words.count(duplicates.count, "duplicate"), skipped,
            "\(failed.count) failed",
        ]
        return "\(found): " + counts.joined(separator: ", ")
            + (notReached == 0 ? "" : "; \(notReached) not looked at")
    }

    /// nil where there are none.
    fileprivate var burstsTaken: String? {
        guard !bursts.isEmpty else { return nil }
        let photos = bursts.values.reduce(0, +)
        return "\(Words.count(photos, "photo")) of \(Words.count(bursts.count, "burst")), each a memo of its own."
    }

    /// `100 already delivered on 3 May 2026, 2 already in draft 7`; nil where no duplicate is elsewhere.
    fileprivate var duplicatesElsewhere: String? {
        var days: [Moment] = []
        var drafts: [Int64: Int] = [:]
        for case let elsewhere? in duplicates.map(\.elsewhere) {
            switch elsewhere {
            case .delivered(let time):
                days.append(time.moment(offset: Zone.system.offset(at: time.milliseconds / 1000)))
            case .draft(let id): drafts[id, default: 0] += 1
            }
        }
        var parts: [String] = []
        if !days.isEmpty {
            parts.append("\(days.count) already delivered on \(DateSpan.text(days, language: .english))")
        }
        if !drafts.isEmpty {
            let names =
                drafts.count > 3 ? "\(drafts.count) drafts" : Words.list(drafts.keys.sorted().map { "draft \($0)" })
            parts.append("\(drafts.values.reduce(0, +)) already in \(names)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
