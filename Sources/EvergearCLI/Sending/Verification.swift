import EDAM
import ENEX
import Hashing
import Notes
import Storage
import System
import Thrift

/// Compares what was delivered with the frozen note that it was to be.
final class Verification {
    /// What a look at one job gave.
    enum Verdict: Hashable {
        case same
        /// What is different: `the title`, `IMG_1.JPG`.
        case different([String])
        /// Not where its receipt says.
        case missing
        /// It was marked as sent by hand: nobody knows where it is.
        case unknowable
        /// It could not be looked at.
        case unreachable(String)
    }

    private let context: Context
    private let store: Store
    private let network: Network
    private var accounts: [Service: EvernoteAccount] = [:]

    init(_ context: Context, _ store: Store, _ network: Network) {
        self.context = context
        self.store = store
        self.network = network
    }

    /// Looks at jobs: at those of one file together, so that each file is read once.
    /// - Parameter tell: Told of each job once, those of a file in the file's order.
    /// - Throws: `StoreError`, `Interrupted`; what concerns all jobs of an account, as a token that is refused.
    func look(at jobs: [Job], tell: (Job, Verdict) throws -> Void) throws {
        let inFiles = Dictionary(grouping: jobs.indices.filter { jobs[$0].receipt?.path != nil }) {
            jobs[$0].receipt?.path
        }
        for (index, job) in jobs.enumerated() {
            try Interrupt.check()
            guard let path = job.receipt?.path else {
                try tell(job, verdict(on: job))
                continue
            }
            guard let together = inFiles[path], together.first == index else { continue }
            try look(at: together.map { jobs[$0] }, in: path, tell: tell)
        }
    }

    /// At jobs that are at an account, or that nobody knows the place of.
    private func verdict(on job: Job) throws -> Verdict {
        guard let guid = job.receipt?.guid, case .account(let service) = try JobDestination(address: job.destination)
        else { return .unknowable }
        do {
            return try verdict(on: store.note(ofJob: job.id), guid, account(service))
        } catch EDAMError.notFound {
            return .missing
        } catch let error as EDAMError where error.status == .notNow {
            return .unreachable(error.sentence)
        }
    }

    private func account(_ service: Service) -> EvernoteAccount {
        let account = accounts[service] ?? EvernoteAccount(service, context, store, network)
        accounts[service] = account
        return account
    }

    /// What the reading of a file comes to for those of its jobs whose notes it does not show.
    private func look(at jobs: [Job], in path: FilePath, tell: (Job, Verdict) throws -> Void) throws {
        var left = Dictionary(jobs.map { ("evergear://note/\($0.uid)", $0) }) { $1 }
        var rest = Verdict.missing
        if Files.exists(path) {
            do {
                _ = try ENEXReader.read(path) { found in
                    guard let address = found.attributes.sourceURL, let job = left.removeValue(forKey: address) else {
                        return
                    }
                    let differences = try found.differences(from: store.note(ofJob: job.id))
                    try tell(job, differences.isEmpty ? .same : .different(differences))
                }
            } catch let error as ENEXError { rest = .unreachable(error.sentence) }
        }
        for job in jobs where left.removeValue(forKey: "evergear://note/\(job.uid)") != nil { try tell(job, rest) }
    }

    private func verdict(on note: Notes.Note, _ guid: String, _ account: EvernoteAccount) throws -> Verdict {
        let notes = try account.notes()
        let found = try notes.getNote(guid, withContent: true)
        if found.active == false { return .different(["it is in the trash"]) }
        var differences: [String] = []
        if found.title != note.title { differences.append("the title") }
        if found.content != note.enml { differences.append("the text") }
        let hashes = Set((found.resources ?? []).compactMap { $0.data?.bodyHash })
        for resource in note.resources {
            let name = resource.attributes.fileName
            guard hashes.contains(resource.blob.md5) else {
                differences.append("\(name) is missing")
                continue
            }
            try Interrupt.check()
            let data = try notes.getResourceByHash(noteGuid: guid, resource.blob.md5, withData: true).data
            guard case .bytes(let body) = data?.body, Int64(body.count) == resource.blob.size,
                MD5(of: body) == resource.blob.md5
            else {
                differences.append(name)
                continue
            }
        }
        let extra = hashes.subtracting(note.resources.map(\.blob.md5)).count
        if extra > 0 { differences.append("\(Words.count(extra, "file")) more") }
        return differences.isEmpty ? .same : .different(differences)
    }
}

extension Verification.Verdict {
    /// A stable word.
    var code: String {
        switch self {
        case .same: "same"
        case .different: "different"
        case .missing: "missing"
        case .unknowable: "unknowable"
        case .unreachable: "unreachable"
        }
    }

    var words: String {
        switch self {
        case .same: "as it was sent"
        case .different(let differences): "not as it was sent: " + Words.list(differences)
        case .missing: "not there any more"
        case .unknowable: "counted as sent by hand: no receipt says where it is"
        case .unreachable(let reason): "could not be looked at: \(reason)"
        }
    }
}
