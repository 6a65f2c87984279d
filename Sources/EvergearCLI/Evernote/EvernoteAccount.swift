import EDAM
import HTTP
import Notes
import Outbox
import Storage
import Synchronization
import System

/// An account of a service, called over a connection of its own: one for each thread.
///
/// No call is made while the account's gate is closed.
final class EvernoteAccount {
    let service: Service
    private let context: Context
    private let store: Store
    private let network: Network
    private let known: KnownAccounts.Account
    /// nil: the one that the environment or the file of tokens has.
    private let token: AccessToken?
    private var userStore: UserStore?
    private var noteStore: NoteStore?
    /// Bytes that are set aside for the note in hand.
    private var reserved: Int64 = 0
    /// True while a person wants to know whether the token is good.
    private var isAsking = false

    /// As jobs and gates name it.
    var address: String { JobDestination.account(service).address }

    init(
        _ service: Service, _ context: Context, _ store: Store, _ network: Network, token: AccessToken? = nil
    ) {
        self.service = service
        known = network.accounts.account(service)
        self.context = context
        self.store = store
        self.network = network
        self.token = token
    }

    /// Opens the gate that somebody has to open: a new token may do what the old one did not. What the service ordered
    /// by the clock stays.
    func reopen() throws { try store.openGate(address) }

    /// Opens the gate where it was closed for want of a good token.
    func reopenForAccess() throws {
        if try closedGates().contains(where: { AccountClosed(gate: $0).isForAccess }) { try reopen() }
    }

    /// Opens the gate where it was closed since there was no token, and there is one.
    func reopenIfThereIsAToken() throws {
        guard try closedGates().contains(where: { $0.reason.code == "no_token" }),
            (try? Access(to: service, in: context)) != nil
        else { return }
        try reopen()
    }

    private func closedGates() throws -> [Gate] {
        try store.closedGates(at: context.now()).filter { $0.account == address }
    }

    // MARK: Calls

    /// - Throws: `AccountClosed`; what is wrong with the token; `EDAMError`, `Interrupted`.
    func users() throws -> UserStore {
        try requireOpen()
        if let userStore { return userStore }
        let transport = try CurlTransport(
            userAgent: "evergear/\(version)", caFile: network.caFile,
            bytesPerSecond: network.bandwidth)
        let opened = try UserStore(
            of: service, over: transport, token: token ?? Access(to: service, in: context).token
        ) { [address, context, store] error in
            Self.close(address, after: error, context, store)
        }
        userStore = opened
        return opened
    }

    /// - Throws: As `users`.
    func notes() throws -> NoteStore {
        let users = try users()
        if let noteStore { return noteStore }
        let address = known.noteStore.withLock { $0 }
        let opened = try address.map(users.noteStore) ?? users.noteStore()
        known.noteStore.withLock { $0 = opened.address }
        noteStore = opened
        return opened
    }

    /// Asks how the account stands, and whether the service still speaks with this program: also while the gate is closed
    /// for want of a token, since a new one may be what opens it.
    /// - Throws: As `users`; `ProgramTooOld`.
    func ask() throws -> AccountStanding {
        if let gate = try closedGates().first(where: { $0.notBefore != nil }) { throw AccountClosed(gate: gate) }
        isAsking = true
        defer { isAsking = false }
        guard try users().checkVersion(clientName: "evergear/\(version); Linux") else { throw ProgramTooOld() }
        return try standing()
    }

    /// How the account stands: asked once a run, and reckoned on from there. A run that stays asks again now and then.
    func standing() throws -> AccountStanding {
        try known.standing.withLock { standing in
            if let standing, standing.isFresh(at: context.now()) { return standing }
            let asked = AccountStanding(
                try users().getUser(), try notes().getSyncState(), asked: context.now())
            AccountCache(context.home).keep(asked, of: service)
            standing = asked
            return asked
        }
    }

    /// When the month's upload counts from 0 again, as far as it is known without asking.
    var monthEnds: Timestamp? {
        known.standing.withLock { $0?.monthEnds.map { Timestamp(milliseconds: $0) } }
    }

    /// Sets so much of the month's upload aside for a note, before its first byte, so that two notes that go at once do not
    /// both count on what is left for one. Where it depends on another that is on its way, that one is waited for.
    /// - Returns: Whether there is room; then `release` gives back what is set aside.
    func reserve(_ bytes: Int64, for note: Notes.Note) throws -> AccountStanding.Room {
        while true {
            let room: AccountStanding.Room? = try known.reserved.withLock { all in
                var standing = try standing()
                let room = standing.room(for: note, uploading: bytes)
                if room != .fits { return room }
                standing.uploaded += all
                if standing.room(for: note, uploading: bytes) != .fits { return nil }
                all += bytes
                reserved = bytes
                return .fits
            }
            if let room { return room }
            try Interrupt.wait(milliseconds: Self.lookAround)
        }
    }

    /// Milliseconds.
    private static let lookAround: Int64 = 100

    /// Gives back what was set aside, once what was uploaded is reckoned with.
    func release() {
        known.reserved.withLock { $0 -= reserved }
        reserved = 0
    }

    /// Reckons with what was uploaded.
    /// - Parameter updateCount: The account's, after it.
    func uploaded(_ bytes: Int64, updateCount: Int32?) {
        known.standing.withLock { standing in
            guard var known = standing else { return }
            known.uploaded += bytes
            known.updateCount = max(known.updateCount, updateCount ?? 0)
            standing = known
        }
    }

    /// The notebooks that there are: asked once a run.
    /// - Parameter isFresh: Asks again.
    func notebooks(isFresh: Bool = false) throws -> [NotebookName] {
        try known.notebooks.withLock { notebooks in
            if let notebooks, !isFresh { return notebooks }
            let asked = try notes().listNotebooks().compactMap(NotebookName.init)
            AccountCache(context.home).keep(notebooks: asked, of: service, at: context.now())
            notebooks = asked
            return asked
        }
    }

    /// How many notes the account has, those in the trash not counted.
    func noteCount() throws -> Int64? {
        try notes().findNotesMetadata(NoteFilter(), maxNotes: 1, NotesMetadataResultSpec()).totalNotes.map(Int64.init)
    }

    /// The names of the tags that there are.
    func tags() throws -> [String] {
        let tags = try notes().listTags().compactMap(\.name)
        AccountCache(context.home).keep(tags: tags, of: service, at: context.now())
        return tags
    }

    /// Makes a notebook.
    func createNotebook(_ name: String) throws {
        var notebook = EDAM.Notebook()
        notebook.name = name
        _ = try notes().createNotebook(notebook)
        _ = try notebooks(isFresh: true)
    }

    /// Closes the gate where the service asks to be left alone, whichever call it was that it said so to.
    private static func close(_ address: String, after error: EDAMError, _ context: Context, _ store: Store) {
        let now = context.now()
        let failure = EvernoteFailure.of(error, writes: false, at: now) as? DeliveryFailure
        guard let failure, case .accountClosed(let time?) = failure.kind else { return }
        let reason = JobFailure(code: failure.code, message: failure.message, parameter: failure.parameter)
        // Where the store cannot be written to, what made the call is told of the error all the same.
        try? store.closeGate(Gate(account: address, notBefore: time, reason: reason), at: now)
    }

    private func requireOpen() throws {
        if isAsking { return }
        if let gate = try store.closedGate(address, at: context.now()) { throw AccountClosed(gate: gate) }
    }
}

/// The service has moved on.
struct ProgramTooOld: ExplainedError {
    var sentence: String {
        "the service does not speak with this version of evergear any more. Update it; until then ENEX files still work."
    }
    var status: ExitStatus { .failed }
}

/// A notebook of an account.
struct NotebookName: Codable, Hashable, Sendable {
    let guid: String
    let name: String
    let isDefault: Bool

    init?(_ notebook: EDAM.Notebook) {
        guard let guid = notebook.guid, let name = notebook.name else { return nil }
        self.guid = guid
        self.name = name
        isDefault = notebook.defaultNotebook ?? false
    }
}

extension [NotebookName] {
    /// The one that a draft means: by its GUID, else by its name, whatever the case of its letters.
    func notebook(_ name: String) -> NotebookName? {
        first { $0.guid == name } ?? first { $0.name == name }
            ?? first { $0.name.lowercased() == name.lowercased() }
    }
}

/// The account takes no calls for now.
struct AccountClosed: ExplainedError {
    let gate: Gate

    var isForAccess: Bool { EvernoteFailure.accessCodes.contains(gate.reason.code) }
    var sentence: String { "nothing is asked of the service: \(gate.reason.message)" }
    var status: ExitStatus { isForAccess ? .authentication : .notNow }
}
