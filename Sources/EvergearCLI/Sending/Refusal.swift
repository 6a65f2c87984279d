import Layouts
import Notes
import Storage
import System

/// A draft that no note is made of, which keeps no other from going.
struct Refusal {
    let draft: Draft
    let failure: Failure

    /// - Returns: nil for an error that does not concern this draft alone.
    init?(of draft: Draft, _ error: any Error) {
        guard Self.concernsOnlyOne(error) else { return nil }
        self.draft = draft
        failure = Failure(error)
    }

    /// Says so, for people and for machines.
    /// - Parameter isAlone: Whether no other draft was asked for: then it is plain which one is meant.
    func tell(_ output: Output, isAlone: Bool) throws {
        let name = isAlone ? "" : "draft \(draft.id), \(Words.title(draft.title)): "
        output.problem(name + failure.sentence)
        if output.isJSON { try output.event(DraftEvent(refused: draft, failure)) }
    }

    /// How the program ends for drafts that were refused.
    /// - Parameters:
    ///   - refused: How it would end for each of them alone.
    ///   - isAll: Whether there was no other draft.
    static func status(of refused: [ExitStatus], isAll: Bool) -> ExitStatus {
        guard let first = refused.first else { return .success }
        if refused.contains(.notNow) { return .notNow }
        return isAll && refused.allSatisfy { $0 == first } ? first : .partlyDone
    }

    private static func concernsOnlyOne(_ error: any Error) -> Bool {
        switch error {
        case is NoteMaker.NameRefused, is NoteMaker.TooManyTags, is NoteMaker.Overfull, is PlaceStays, is ENMLError,
            is NoteComposer.Failure,
            is LayoutSheet.Unknown, is UnknownNotebook, is AccountRefuses, is NothingToReplace, is FewerParts,
            is StylesheetError, StoreError.missingBlob, StoreError.draftInOutbox, StoreError.draftInHand,
            StoreError.changedMeanwhile, StoreError.noSuchDraft:
            true
        // A stylesheet of the draft's own that is not there any more.
        case let error as SystemError: error.path?.fileExtension == "xsl"
        default: false
        }
    }
}
