import ENEX
import Glibc
import Layouts
import Notes
import Outbox
import Storage
import System

/// A folder of ENEX files: one for each notebook and run, since importers make a notebook of each file.
///
/// A file appears whole or not at all, and never over an existing one: it is written under a temporary name, synced, and
/// then renamed.
struct ENEXDestination: Destination {
    let folder: FilePath
    let blobs: BlobStore
    /// Bytes after which another file begins.
    let split: Int64
    let now: () -> Timestamp

    let mostTogether = 1_000
    /// A file is there or not.
    let settlingTime: Int64 = 0

    func batch(from due: [Job]) -> [Job] {
        var size: Int64 = 0
        var batch: [Job] = []
        for job in due where job.notebook == due[0].notebook {
            // Base64, and its line ends.
            size += job.bytes * 77 / 57
            if size > split, !batch.isEmpty { break }
            batch.append(job)
        }
        return batch
    }

    func deliver(_ handover: Handover) throws -> [Receipt] {
        let jobs = handover.jobs
        var inHand: Int64?
        do {
            try Files.makeFolder(folder, mode: 0o755)
            let stem = ENEXFile.stem(of: jobs, first: try handover.note(of: jobs[0]))
            var target = try ENEXFile.unusedName(stem, in: folder)
            try handover.choose(target)
            let file = try ENEXFile(beside: target, exported: now())
            for job in jobs {
                inHand = job.id
                try file.append(handover.note(of: job), from: blobs, advance: handover.advance)
            }
            inHand = nil
            let written = try file.finish()
            while try !publish(file, as: target) {
                target = try ENEXFile.unusedName(stem, in: folder)
                try handover.choose(target)
            }
            return jobs.map { receipt(of: $0, in: target, sha256: written.sha256) }
        } catch { throw Self.failure(error, job: inHand) }
    }

    /// - Throws: `DeliveryFailure`: nobody knows how much of it the disk has.
    private func publish(_ file: ENEXFile, as target: FilePath) throws(DeliveryFailure) -> Bool {
        do throws(SystemError) {
            return try file.publish(as: target)
        } catch { throw DeliveryFailure(.outcomeUnknown, code: "publish_failed", message: Failure(error).sentence) }
    }

    func find(_ handover: Handover) throws -> [Int64: Finding] {
        Files.removeAbandonedTemporaries(in: folder)
        var found: [Int64: Finding] = [:]
        for (target, together) in Dictionary(grouping: handover.jobs, by: \.target) {
            guard let target, try isThere(target) else { continue }
            let expected = Dictionary(
                uniqueKeysWithValues: try together.map { job in
                    ("evergear://note/\(job.uid)", (job, try handover.note(of: job)))
                })
            var here: [Job] = []
            do {
                let summary = try ENEXReader.read(target) { note in
                    guard let (job, frozen) = note.attributes.sourceURL.flatMap({ expected[$0] }) else { return }
                    if note.differences(from: frozen).isEmpty { here.append(job) }
                }
                if here.isEmpty { continue }
                // Who gave it its name may have died before that was on the disk.
                try FileDescriptor.openForReading(target).sync()
                try Files.syncFolder(target.folder)
                for job in here { found[job.id] = .arrived(receipt(of: job, in: target, sha256: summary.sha256)) }
            } catch ENEXError.malformed {
                continue  // no file of ours, which are whole or not there
            } catch { throw Self.failure(error, job: nil) }
        }
        return found
    }

    /// - Throws: `DeliveryFailure` where that cannot be told: as long as its folder is away, so is the file.
    private func isThere(_ target: FilePath) throws -> Bool {
        do {
            if try Files.isThere(target) { return true }
            if Files.isFolder(target.folder) { return false }
        } catch { throw Self.failure(error, job: nil) }
        throw DeliveryFailure(
            .unreachable, code: "folder_unusable",
            message:
                "\(target.folder) is not there, and whether \(target.name) arrived in it cannot be told. Mount it; if it "
                + "is gone for good, make it anew.")
    }

    private func receipt(of job: Job, in path: FilePath, sha256: [UInt8]) -> Receipt {
        Receipt(delivered: now(), path: path, sha256: MD5.hex(sha256), bytes: job.bytes)
    }

    /// - Parameter job: The one that was being written, where it was one.
    private static func failure(_ error: any Error, job: Int64?) -> any Error {
        let sentence = Failure(error).sentence
        switch error {
        case is DeliveryFailure: return error
        case is Interrupted: return DeliveryFailure(.interrupted, code: "interrupted", message: sentence)
        case let error as SystemError where error.code == EINTR:
            return DeliveryFailure(.interrupted, code: "interrupted", message: sentence)
        case ENEXError.file(let system), let system as SystemError:
            let code = [ENOSPC, EDQUOT].contains(system.code) ? "disk_full" : "folder_unusable"
            return DeliveryFailure(.unreachable, code: code, message: sentence)
        case let error as ENEXError: return DeliveryFailure(.rejected, code: error.code, message: sentence, job: job)
        case StoreError.missingBlob:
            return DeliveryFailure(.rejected, code: "missing_blob", message: sentence, job: job)
        default: return error  // the store's own troubles are nobody's fault here
        }
    }
}
