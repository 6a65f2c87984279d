import Layouts
import Notes
import Storage
import System

extension PhotoImport {
    /// The draft that a group goes into: one that an earlier import made, or a new one, made with the first batch.
    struct Target {
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
            try work.store.changeDraft(draft.id, at: now) { draft in
                draft.tags += tags.tags.filter { !draft.tags.contains($0) }
            }
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
            if isContinued {
                try work.store.orderMemos(of: draft.id, at: now) { Self.placedByTime($0, after: known) }
            }
            if work.into != nil { return }
            let title = try title(of: work.store.memoMoments(of: draft.id).compactMap(\.moment), work)
            try work.store.changeDraft(draft.id, at: now) { draft in
                // What a person wrote below it stays.
                if draft.isTitleGenerated, draft.title != title {
                    draft.text = draft.body.isEmpty ? title : "\(title)\n\(draft.body)"
                }
            }
        }

        /// The memos' numbers in the store with the late ones among the known, each before the first that is later.
        private static func placedByTime(
            _ memos: [(id: Int64, moment: Moment?)], after known: Set<Int64>
        ) -> [Int64] {
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
            return order.map(\.id)
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
