import Layouts
import Notes
import Photos
import Storage
import System

/// Brings groups of photos into drafts, batch by batch: what a batch has committed is safe, whatever comes.
struct PhotoImport {
    let context: Context
    let store: Store
    let options: ImportOptions
    let intake: PhotoIntake
    /// The draft that all go into; nil: each group has one of its own.
    let into: Draft?
    /// A draft that was delivered is continued as well: it is to be sent as an update.
    var continuesDelivered = false
    let progress: Progress

    /// A batch is synced and committed together. Small enough for Ctrl-C to be quick.
    private static let mostInBatch = 256
    private static let mostBytesInBatch: Int64 = 64 << 20

    /// - Throws: `StoreError`; `Interrupted`, with all but the photos in hand kept.
    func run(_ groups: [PhotoGroup], _ tally: inout ImportTally) throws {
        for group in groups {
            var target = try Target(group, self)
            defer {
                target.tellWhatWasLeftOut(&tally)
                if let made = target.made { tally.drafts.append(made) }
            }
            var rest = group.photos[...]
            do {
                while !rest.isEmpty { try bring(Self.nextBatch(of: &rest), into: &target, &tally) }
            } catch is Interrupted {
                try target.finish(self)
                throw Interrupted()
            }
            try target.finish(self)
        }
    }

    /// Counts what an import would bring, as far as that is known without reading the photos again.
    func foresee(_ groups: [PhotoGroup], _ tally: inout ImportTally) throws {
        for group in groups {
            let target = try Target(group, self)
            for file in group.photos.lazy.flatMap(\.files) {
                if let use = try takenBefore(file, target) {
                    tally.duplicates.append(try duplicate(file, of: use, target))
                } else {
                    tally.imported += 1
                }
            }
        }
    }

    private static func nextBatch(of rest: inout ArraySlice<FoundPhoto>) -> ArraySlice<FoundPhoto> {
        var bytes: Int64 = 0
        let batch = rest.prefix(mostInBatch).prefix { photo in
            defer { bytes += photo.size }
            return bytes < mostBytesInBatch
        }
        rest = rest[batch.endIndex...]
        return batch
    }

    /// Takes photos in, several at once, and puts them into the draft in their order.
    /// - Throws: `Interrupted` once those are kept that were in before the signal came.
    private func bring(_ batch: ArraySlice<FoundPhoto>, into target: inout Target, _ tally: inout ImportTally) throws {
        try Interrupt.check()
        var coming = batch.map { Coming(photo: $0) }
        var unknown: [(index: Int, file: SourceFile)] = []
        for index in coming.indices {
            for file in coming[index].photo.files {
                if let use = try takenBefore(file, target) {
                    try note(file, isThereAs: use, &coming[index].memo, target, &tally)
                    progress.leaveOut(items: 1, bytes: file.size)
                } else {
                    unknown.append((index, file))
                }
            }
        }
        let (intake, progress, photos) = (intake, progress, coming.map(\.photo))
        let taken = unknown.concurrentMap { index, file in
            defer { progress.advance(items: 1, bytes: file.size) }
            return Result<PhotoIntake.Taken, any Error> {
                try Interrupt.check()
                // What is wrong with them was told when they were found.
                var problems: [(path: FilePath, error: SidecarError)] = []
                let isMain = file.path == photos[index].path
                let sidecars = Sidecars(beside: file.path, isMain ? photos[index].sidecars : [], problems: &problems)
                return try intake.take(file.path, followsLink: file.followsLink, sidecars: sidecars)
            }
        }
        var isInterrupted = false
        for ((index, file), taken) in zip(unknown, taken) {
            do {
                try add(file, taken.get(), to: &coming[index].memo, &target, &tally)
            } catch let error as PhotoRefused {
                tally.failed.append(.init(path: file.path, code: error.reason.code, reason: error.reason.words))
            } catch is Interrupted {
                isInterrupted = true
            }
        }
        for coming in coming where !coming.memo.photos.isEmpty {
            target.batch.append(coming.memo)
            try warn(ofVersionsOf: coming.photo, target, &tally)
        }
        tally.imported += try target.commit(self)
        if isInterrupted { throw Interrupted() }
    }

    /// A photo that was found, and what of it is to come into the draft.
    private struct Coming {
        let photo: FoundPhoto
        var memo = NewMemo(photos: [])
    }

    private func add(
        _ file: SourceFile, _ taken: PhotoIntake.Taken, to memo: inout NewMemo, _ target: inout Target,
        _ tally: inout ImportTally
    ) throws {
        if let same = target.taken[taken.photo.blob] {
            tally.duplicates.append(.init(path: file.path, of: same))
            return
        }
        let uses = try store.uses(of: taken.photo.blob)
        if let use = uses.first(where: { target.holds($0.draft) }) ?? uses.first(where: isInTheWay) {
            if target.isDraft(use.draft), try store.isFreed(use.blob) { try store.noteReturn(of: use.blob) }
            try note(file, isThereAs: use, &memo, target, &tally)
            return
        }
        if skipsWhatIsElsewhere, let past = try store.delivery(of: taken.photo.blob) {
            tally.duplicates.append(
                .init(
                    path: file.path, of: past.path ?? FilePath(taken.photo.name),
                    elsewhere: .delivered(past.delivered)))
            return
        }
        if options.tagsFrom == .keywords { target.tag(by: taken.reading.keywords, of: file.path, &tally) }
        target.taken[taken.photo.blob] = taken.source.path
        memo.photos.append(NewPhoto(photo: taken.photo, source: taken.source))
        if memo.text.isEmpty { memo.text = taken.reading.description ?? "" }
        warn(of: taken.reading, file.path, &tally)
    }

    /// Names a duplicate. What belongs with a file that the draft has joins that file's memo.
    private func note(
        _ file: SourceFile, isThereAs use: PhotoUse, _ memo: inout NewMemo, _ target: Target,
        _ tally: inout ImportTally
    ) throws {
        tally.duplicates.append(try duplicate(file, of: use, target))
        if target.isDraft(use.draft), memo.joins == nil { memo.joins = use.memo }
    }

    /// Who names a draft wants the photos in that draft, wherever else they are.
    private var skipsWhatIsElsewhere: Bool { options.duplicates == .skip && into == nil }

    /// What somebody dropped from another draft is not there any more.
    private func isInTheWay(_ use: PhotoUse) -> Bool { skipsWhatIsElsewhere && use.memo != nil }

    /// What an earlier import took and nobody changed since is not read again.
    private func takenBefore(_ file: SourceFile, _ target: Target) throws -> PhotoUse? {
        let known = try store.imported(Files.absolute(file.path), size: file.size, modified: file.modified)
        let use = known.first { target.holds($0.draft) } ?? known.first(where: isInTheWay)
        // Bytes that were freed or are lost, and that the draft wants back.
        if let use, target.isDraft(use.draft), use.memo != nil, !store.blobs.contains(use.blob) { return nil }
        return use
    }

    /// An edited copy that was made after its original was imported, or asked for after it, is a memo beside it.
    private func warn(ofVersionsOf photo: FoundPhoto, _ target: Target, _ tally: inout ImportTally) throws {
        for version in photo.versions {
            guard let use = try takenBefore(version, target), use.memo != nil else { continue }
            tally.warnings.append(
                .init(
                    path: photo.path, code: "other_version",
                    reason: "draft \(use.draft) has \(version.path.name) already, the same photo in another version: "
                        + "both are memos now"))
        }
    }

    private func duplicate(
        _ file: SourceFile, of use: PhotoUse, _ target: Target
    ) throws -> ImportTally.Duplicate {
        var same = ImportTally.Duplicate(path: file.path, of: use.path ?? FilePath(use.name))
        if !target.isDraft(use.draft) {
            let past = try store.delivery(of: use.blob)
            same.elsewhere = past.map { .delivered($0.delivered) } ?? .draft(use.draft)
        }
        return same
    }

    private func warn(of reading: PhotoReading, _ path: FilePath, _ tally: inout ImportTally) {
        if reading.warnings.contains(.misnamed), let mime = reading.mime {
            tally.warnings.append(.init(path: path, code: "misnamed", reason: "by its content it is \(mime)"))
        }
        if reading.warnings.contains(.cutShort) {
            tally.warnings.append(
                .init(path: path, code: "cut_short", reason: "the file is cut short: a part of the picture is missing"))
        }
        if case .fileTime = reading.momentSource {
            tally.warnings.append(
                .init(path: path, code: "file_time", reason: "it says no date: the file's own time was taken"))
        }
    }

    /// The draft that a group goes into: one that an earlier import made, or a new one, made with the first batch.
    private struct Target {
        private let group: PhotoGroup
        /// Drafts whose photos count as taken: the one that is continued, and those delivered before.
        private let earlier: [Int64]
        private var draft: Draft?
        private var isContinued: Bool
        /// The states in which it may be continued.
        private var open = Set(DraftState.allCases)
        /// No note is made of it from here on.
        private var isInHand = false
        /// Memos that it had before.
        private var known: Set<Int64> = []
        private(set) var made: ImportTally.MadeDraft?
        /// Memos that are not committed yet, and so unknown to the store.
        var batch: [NewMemo] = []
        private var tags: KeywordTags
        /// The first keyword that found no room among the tags.
        private var firstLeftOut: (path: FilePath, keyword: String)?
        /// Their paths, by their bytes. Of photos that are in, nothing is kept in memory.
        var taken: [BlobKey: FilePath] = [:]

        init(_ group: PhotoGroup, _ work: PhotoImport) throws {
            self.group = group
            let configuration = work.context.configuration
            tags = KeywordTags(work.options.tags.isEmpty ? configuration.tags : work.options.tags)
            if let into = work.into {
                (draft, earlier, isContinued) = (into, [into.id], true)
                known = Set(into.memos.map(\.id))
                tags = KeywordTags(into.tags)
                return
            }
            let made = try work.store.drafts(ofFolder: group.folder, group: group.group)
            earlier = work.options.duplicates == .skip ? made : []
            open = work.continuesDelivered ? [.unsent, .sent] : [.unsent]
            if let last = made.last, try open.contains(work.store.draftStanding(last).state) {
                draft = try work.store.draftWithoutMemos(last)
                known = Set(try work.store.memoMoments(of: last).map(\.id))
            }
            isContinued = draft != nil
            if let draft {
                tags = KeywordTags(draft.tags)
                self.made = .init(id: draft.id, uid: draft.uid, title: draft.title, photos: 0, isContinued: true)
            }
        }

        func holds(_ id: Int64) -> Bool { isDraft(id) || earlier.contains(id) }

        func isDraft(_ id: Int64) -> Bool { id == draft?.id }

        /// - Returns: The number of photos that came into the draft.
        mutating func commit(_ work: PhotoImport) throws -> Int {
            if batch.isEmpty {
                // Bytes that came back for a photo that is in already.
                try work.store.blobs.sync()
                return 0
            }
            defer {
                batch.removeAll()
                taken.removeAll()
            }
            let now = work.context.now()
            let count = batch.reduce(0) { $0 + $1.photos.count }
            try takeInHand(work)
            if let draft {
                try keepTags(of: draft, work, now)
                _ = try work.store.addMemos(batch, to: draft.id, at: now)
            } else {
                draft = try start(work, now)
                isInHand = true
            }
            if let draft {
                made = .init(
                    id: draft.id, uid: draft.uid, title: draft.title, photos: (made?.photos ?? 0) + count,
                    isContinued: isContinued)
            }
            return count
        }

        /// A draft of which notes were made since it was looked at is not continued.
        private mutating func takeInHand(_ work: PhotoImport) throws {
            guard let draft, !isInHand else { return }
            isInHand = try work.store.takeInHand(draft.id, in: open)
            if !isInHand { (self.draft, made, isContinued, known) = (nil, nil, false, []) }
        }

        /// Before the photos, which are not read again once they are in.
        private func keepTags(of draft: Draft, _ work: PhotoImport, _ now: Timestamp) throws {
            guard work.options.tagsFrom != nil else { return }
            var current = try work.store.draftWithoutMemos(draft.id)
            let new = tags.tags.filter { !current.tags.contains($0) }
            if new.isEmpty { return }
            current.tags += new
            current.updated = now
            try work.store.updateDraft(current)
        }

        /// Keywords that are no tags by Evernote's rules are told, each once.
        mutating func tag(by keywords: [String], of path: FilePath, _ tally: inout ImportTally) {
            for keyword in keywords {
                switch tags.add(keyword) {
                case .added, .known: break
                case .noRoom: firstLeftOut = firstLeftOut ?? (path, keyword)
                case .refused(let problem):
                    tally.warnings.append(
                        .init(
                            path: path, code: "keyword_no_tag",
                            reason: "its keyword \"\(keyword)\" cannot be a tag: \(problem)"))
                }
            }
        }

        func tellWhatWasLeftOut(_ tally: inout ImportTally) {
            guard let (path, keyword) = firstLeftOut else { return }
            tally.warnings.append(
                .init(
                    path: path, code: "too_many_tags",
                    reason: "a note has at most \(TagName.mostInNote) tags: from \"\(keyword)\" on, "
                        + "\(Words.count(tags.leftOut, "keyword")) did not become tags"))
        }

        private func start(_ work: PhotoImport, _ now: Timestamp) throws -> Draft {
            let configuration = work.context.configuration
            let new = Draft(
                uid: UID.make(at: now), text: title(of: group.photos.map(\.moment), work), isTitleGenerated: true,
                notebook: work.options.notebook ?? configuration.notebook,
                tags: tags.tags, created: now, updated: now,
                memos: batch.map(\.memo))
            let sources = batch.reduce(into: [:]) { $0.merge($1.sources) { first, _ in first } }
            return try work.store.addDraft(
                new, sources: sources, folder: group.folder, group: group.group, isInHand: true)
        }

        /// Puts photos that came late into their place by time, and counts them into a title that nobody has changed. From
        /// here on it may be sent.
        func finish(_ work: PhotoImport) throws {
            guard let draft, isInHand else { return }
            try arrange(draft, work)
            try work.store.putDown(draft.id)
        }

        private func arrange(_ draft: Draft, _ work: PhotoImport) throws {
            let now = work.context.now()
            let memos = try work.store.memoMoments(of: draft.id)
            if isContinued, let order = Self.placedByTime(memos, after: known) {
                try work.store.orderMemos(order, of: draft.id, now: now)
            }
            let current = try work.store.draftWithoutMemos(draft.id)
            guard current.isTitleGenerated, work.into == nil else { return }
            var renamed = current
            renamed.text = title(of: memos.compactMap(\.moment), work)
            if renamed.text == current.text { return }
            renamed.updated = now
            try work.store.updateDraft(renamed)
        }

        /// The memos' numbers in the store with the late ones among the known, each before the first that is later.
        /// - Returns: nil where that is the order already.
        private static func placedByTime(
            _ memos: [(id: Int64, moment: Moment?)], after known: Set<Int64>
        ) -> [Int64]? {
            var order = memos.filter { known.contains($0.id) }
            var latest = order.compactMap(\.moment).max { Moment.isEarlier($0, than: $1) }
            for memo in memos where !known.contains(memo.id) {
                var place: Int?
                if let moment = memo.moment {
                    if let last = latest, Moment.isEarlier(moment, than: last) {
                        place = order.firstIndex { $0.moment.map { Moment.isEarlier(moment, than: $0) } ?? false }
                    } else {
                        latest = moment
                    }
                }
                order.insert(memo, at: place ?? order.count)
            }
            let ids = order.map(\.id)
            return ids == memos.map(\.id) ? nil : ids
        }

        private func title(of moments: [Moment], _ work: PhotoImport) -> String {
            let language = work.context.language(nil)
            let folder = group.folder.name.description
            let date = DateSpan.text(moments, language: language)
            guard let template = work.options.title else {
                if work.options.groupBy == .none { return date }
                // A folder that is named by its day says it already.
                let first = moments.map(\.local).min()?.description.prefix(10) ?? ""
                return !first.isEmpty && folder.hasPrefix(first) ? folder : "\(folder), \(date)"
            }
            return template.replacing("{folder}", with: folder).replacing("{date}", with: date)
                .replacing("{count}", with: "\(moments.count)")
        }
    }
}
