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

    /// Counts what an import would bring, and says what it would say, as far as that is known without taking the photos
    /// in: which of them have the same bytes shows only then.
    /// - Throws: `StoreError`, `Interrupted`.
    func foresee(_ groups: [PhotoGroup], _ tally: inout ImportTally) throws {
        for group in groups {
            var target = try Target(group, self)
            var rest = group.photos[...]
            while !rest.isEmpty { try foresee(Array(Self.nextBatch(of: &rest)), &target, &tally) }
            target.tellWhatWasLeftOut(&tally)
        }
    }

    private func foresee(_ batch: [FoundPhoto], _ target: inout Target, _ tally: inout ImportTally) throws {
        try Interrupt.check()
        var unknown: [(photo: FoundPhoto, file: SourceFile)] = []
        for photo in batch {
            for file in photo.files {
                if let use = try takenBefore(file, target) {
                    tally.duplicates.append(try duplicate(file, of: use, target))
                    progress.leaveOut(items: 1, bytes: 0)
                } else {
                    unknown.append((photo, file))
                }
            }
        }
        let (intake, progress) = (intake, progress)
        let read = unknown.concurrentMap { photo, file in
            defer { progress.advance(items: 1) }
            return Result<PhotoReading, any Error> {
                try Interrupt.check()
                return try intake.look(
                    at: file.path, followsLink: file.followsLink, sidecars: Self.sidecars(of: file, of: photo))
            }
        }
        try Interrupt.check()
        for ((photo, file), read) in zip(unknown, read) {
            do {
                let reading = try read.get()
                tally.imported += 1
                if options.tagsFrom == .keywords { target.tag(by: reading.keywords, of: file.path, &tally) }
                warn(of: reading, file.path, &tally)
                if file.path == photo.path { try warn(ofVersionsOf: photo, target, &tally) }
            } catch let error as PhotoRefused {
                tally.failed.append(.init(path: file.path, code: error.reason.code, reason: error.reason.words))
            }
        }
    }

    /// What lies beside a file. What is wrong with that was told when it was found.
    private static func sidecars(of file: SourceFile, of photo: FoundPhoto) -> Sidecars {
        var problems: [(path: FilePath, error: SidecarError)] = []
        return Sidecars(beside: file.path, file.path == photo.path ? photo.sidecars : [], problems: &problems)
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
                return try intake.take(
                    file.path, followsLink: file.followsLink, sidecars: Self.sidecars(of: file, of: photos[index]))
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
        let known = try store.imported(Files.place(of: file.path), size: file.size, modified: file.modified)
        let use = known.first { target.holds($0.draft) } ?? known.first(where: isInTheWay)
        // Bytes that were freed or are lost, and that the draft wants back.
        if let use, target.isDraft(use.draft), use.memo != nil, try !store.blobs.contains(use.blob) { return nil }
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
                .init(path: path, code: "file_time", reason: "it says no time: the file's own was taken"))
        } else if !reading.hasTimeOfDay {
            tally.warnings.append(
                .init(path: path, code: "no_time_of_day", reason: "it says no time of day: noon was taken"))
        }
    }
}
