import EDAM
import Notes
import Outbox
import Storage
import System

/// An account of Evernote: one note after the other, each in one request or in steps.
///
/// The service has no way to say that two requests mean the same note. So each note carries an address of its own
/// (`sourceURL`), by which one whose answer was lost is found, and every change is made only to the version that is
/// known (`updateNoteIfUsnMatches`), so that a step cannot be done twice.
struct EvernoteDestination: Destination {
    let account: EvernoteAccount
    let blobs: BlobStore
    /// Bytes that go in one request; nil: however many.
    let threshold: Int64?
    /// Milliseconds within which a request that was cut off may still be carried out.
    let settlingTime: Int64
    let now: () -> Timestamp

    let mostTogether = 1

    func batch(from due: [Job]) -> [Job] { Array(due.prefix(1)) }

    func deliver(_ handover: Handover) throws -> [Receipt] {
        try handover.jobs.map { job in
            var course = Course()
            do {
                return try send(job, handover, &course)
            } catch { throw course.told(in: failure(error, writes: course.isWriting)) }
        }
    }

    func find(_ handover: Handover) throws -> [Int64: Finding] {
        var found: [Int64: Finding] = [:]
        for job in handover.jobs {
            do {
                found[job.id] = try find(job, handover)
            } catch EDAMError.user(.permissionDenied, parameter: let parameter) {
                throw DeliveryFailure(
                    .unreachable, code: "reading_not_permitted",
                    message:
                        "The token does not permit to look whether the note arrived. Look yourself, then `evergear queue "
                        + "mark-sent \(job.id)` where it did, or `evergear queue retry \(job.id)` where it did not.",
                    parameter: parameter, job: job.id)
            } catch let failure as DeliveryFailure {
                throw failure
            } catch { throw notLookedFor(failure(error, writes: false)) }
        }
        return found
    }

    /// The look was refused, and not the note: that may be there all the same.
    private func notLookedFor(_ error: any Error) -> any Error {
        guard let failure = error as? DeliveryFailure, failure.kind == .rejected else { return error }
        return DeliveryFailure(
            .unreachable, code: failure.code, message: "It could not be looked for: \(failure.message)",
            parameter: failure.parameter, job: failure.job)
    }

    private func failure(_ error: any Error, writes: Bool) -> any Error {
        EvernoteFailure.of(error, writes: writes, at: now(), monthEnds: account.monthEnds)
    }

    /// How far the sending of a note has come.
    struct Course {
        /// True while a call is under way that makes or changes the note.
        var isWriting = false
        /// How many of the note's files are there, and how many it has.
        var files: (there: Int, all: Int) = (0, 0)

        /// A note that stays behind in part is told of, where nobody sends on by himself.
        func told(in error: any Error) -> any Error {
            guard let failure = error as? DeliveryFailure, failure.kind == .rejected, files.there > 0 else {
                return error
            }
            return DeliveryFailure(
                .rejected, code: failure.code,
                message: failure.message + " The note at the service holds \(files.there) of \(files.all) files.",
                parameter: failure.parameter, job: failure.job)
        }
    }
}
