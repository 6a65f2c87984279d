import EDAM
import Notes

/// How an account stands: its plan, its limits and what of them is used. Sizes are in bytes, as the service counts
/// them: a note is its ENML in characters plus its resources in bytes. What the service does not tell is nil, and not
/// held against anybody.
struct AccountStanding: Codable, Hashable, Sendable {
    var user: Int32?
    var username: String?
    var name: String?
    var plan: String?
    var noteSizeMax: Int64?
    var resourceSizeMax: Int64?
    var noteResourcesMax: Int32?
    var noteTagsMax: Int32?
    var notesMax: Int32?
    var notebooksMax: Int32?
    var tagsMax: Int32?
    /// What may be uploaded in the running month.
    var uploadLimit: Int64?
    var uploadLimitNextMonth: Int64?
    var uploaded: Int64
    /// When the next month begins, milliseconds since 1970.
    var monthEnds: Int64?
    /// How many changes the account has seen.
    var updateCount: Int32
    /// When this was asked, milliseconds since 1970.
    var asked: Int64

    /// Bytes, more than anybody has: what is added to it still is a number.
    private static let most: Int64 = 1 << 60

    init(_ user: User, _ sync: SyncState, asked: Timestamp) {
        self.user = user.id
        username = user.username
        name = user.name
        plan = user.serviceLevel?.description
        let limits = user.accountLimits
        noteSizeMax = limits?.noteSizeMax
        resourceSizeMax = limits?.resourceSizeMax
        noteResourcesMax = limits?.noteResourceCountMax
        noteTagsMax = limits?.noteTagCountMax
        notesMax = limits?.userNoteCountMax
        notebooksMax = limits?.userNotebookCountMax
        tagsMax = limits?.userTagCountMax
        uploadLimit = limits?.uploadLimit.map { min(max(0, $0), Self.most) }
        uploadLimitNextMonth = user.accounting?.uploadLimitNextMonth
        // Numbers of another's, which are reckoned with.
        uploaded = min(max(0, sync.uploaded ?? 0), Self.most)
        monthEnds = user.accounting?.uploadLimitEnd?.milliseconds
        updateCount = sync.updateCount ?? 0
        self.asked = asked.milliseconds
    }

    /// Whether it can still be reckoned with: the month that it speaks of has not ended, and an hour has not gone.
    func isFresh(at now: Timestamp) -> Bool {
        let age = now.milliseconds - asked
        let hasMonthEnded = monthEnds.map { $0 > asked && $0 <= now.milliseconds } ?? false
        return !hasMonthEnded && (0..<3_600_000).contains(age)
    }

    /// What can still be uploaded before the month ends.
    var uploadLeft: Int64? { uploadLimit.map { max(0, $0 - uploaded) } }

    /// Whether a note of this account's can go, as far as can be told before a byte of it has.
    enum Room: Hashable {
        case fits
        /// The month's upload is used up: it fits from then on.
        case notBefore(Timestamp)
        /// The note, or one of its files, is larger than the account ever takes.
        case tooLarge(size: Int64, limit: Int64, file: String?)
        /// More than a whole month's upload.
        case overQuota(size: Int64, limit: Int64)
        case tooManyFiles(count: Int, limit: Int)
        case tooManyTags(count: Int, limit: Int)
    }

    /// - Parameter bytes: How many of the note's have to be uploaded; nil: all.
    func room(for note: Notes.Note, uploading bytes: Int64? = nil) -> Room {
        if let limit = noteSizeMax, note.size > limit { return .tooLarge(size: note.size, limit: limit, file: nil) }
        if let limit = resourceSizeMax, let file = note.resources.first(where: { $0.blob.size > limit }) {
            return .tooLarge(size: file.blob.size, limit: limit, file: file.attributes.fileName)
        }
        if let limit = noteResourcesMax, note.resources.count > limit {
            return .tooManyFiles(count: note.resources.count, limit: Int(limit))
        }
        if let limit = noteTagsMax, note.tags.count > limit {
            return .tooManyTags(count: note.tags.count, limit: Int(limit))
        }
        let size = bytes ?? note.size
        guard let left = uploadLeft, size > left else { return .fits }
        let most = max(uploadLimit ?? 0, uploadLimitNextMonth ?? 0)
        if size > most { return .overQuota(size: size, limit: most) }
        // Where the service does not say when that is, it is left to judge.
        guard let monthEnds, monthEnds > asked else { return .fits }
        return .notBefore(Timestamp(milliseconds: monthEnds))
    }
}
