import Notes
import Photos
import Storage

/// Which places stay at home: all of them, or those in the user's zones.
final class Discretion {
    /// No place goes out at all.
    private let isEverywhere: Bool
    private let zones: [NoGoZone]
    private let blobs: BlobStore
    /// What photos' bytes tell.
    private var found: [BlobKey: Told] = [:]

    private struct Told {
        /// The name of the first zone that one of their places is in.
        var zone: String?
        /// They tell no place, and may have one where it is not read.
        var isDoubtful = false
    }

    /// A draft as it may go out.
    struct Discreet {
        var draft: Draft
        /// Sentences on what a zone took from it.
        var remarks: [String] = []
        /// The names of videos that may tell a place in a zone, where that is not read.
        var doubtful: Set<String> = []
    }

    init(isEverywhere: Bool, zones: [NoGoZone], blobs: BlobStore) {
        self.isEverywhere = isEverywhere
        self.zones = zones
        self.blobs = blobs
    }

    /// A photo goes without its place when the place is in a zone, or its memo's is, or one that its bytes tell and that
    /// was not taken for the photo's. So does a video of which no place is known and that may tell one. Everything else
    /// keeps its own.
    func applied(to draft: Draft) -> Discreet {
        if !isEverywhere, zones.isEmpty { return Discreet(draft: draft) }
        var draft = draft
        var doubtful: Set<String> = []
        var photos: [String: Int] = [:]
        var memos: [String: Int] = [:]
        var remarks: [String] = []
        if let zone = zone(draft.place) {
            remarks.append("its own place lies in the zone \(zone): it stays at home")
        }
        if withholds(draft.place) { draft.place = nil }
        for index in draft.memos.indices {
            var memo = draft.memos[index]
            if memo.photos.isEmpty, let zone = zone(memo.place) { memos[zone, default: 0] += 1 }
            for number in memo.photos.indices {
                let photo = memo.photos[number]
                let known = zone(photo.place) ?? zone(memo.place)
                let told = isEverywhere || known != nil ? Told() : told(byBytesOf: photo)
                let zone = known ?? told.zone
                let isDoubtful = told.isDoubtful && zone == nil && photo.place == nil && memo.place == nil
                guard isEverywhere || zone != nil || isDoubtful else { continue }
                if isDoubtful { doubtful.insert(photo.name) }
                memo.photos[number].withholdsPlace = true
                memo.photos[number].place = nil
                if let zone { photos[zone, default: 0] += 1 }
            }
            if withholds(memo.place) { memo.place = nil }
            draft.memos[index] = memo
        }
        for zone in zones.map(\.name) {
            remarks += [sentence(photos.removeValue(forKey: zone), "photo", zone)].compactMap(\.self)
            remarks += [sentence(memos.removeValue(forKey: zone), "memo", zone)].compactMap(\.self)
        }
        return Discreet(draft: draft, remarks: remarks, doubtful: doubtful)
    }

    private func withholds(_ place: Place?) -> Bool { isEverywhere || zone(place) != nil }

    /// The name of the first zone that a place is in. Where no place goes out, the zones say nothing more.
    private func zone(_ place: Place?) -> String? {
        guard !isEverywhere, let place else { return nil }
        return zones.first { $0.contains(place) }?.name
    }

    /// A photo has one place; its bytes may tell others, which go out with them.
    private func told(byBytesOf photo: Photo) -> Told {
        if let known = found[photo.blob] { return known }
        // What cannot be read cannot be sent either, and is told of there.
        let reading = try? PhotoReader().read(blobs.path(of: photo.blob), name: "")
        let places = reading?.candidates.filter { $0.kind == .place }.compactMap { Place($0.value) } ?? []
        let told = Told(
            zone: places.lazy.compactMap { self.zone($0) }.first,
            isDoubtful: reading.map { $0.mayHidePlace && $0.place == nil } ?? false)
        found[photo.blob] = told
        return told
    }

    private func sentence(_ count: Int?, _ thing: String, _ zone: String) -> String? {
        guard let count else { return nil }
        return "\(Words.count(count, thing)) \(count == 1 ? "lies" : "lie") in the zone \(zone): sent without "
            + (count == 1 ? "its place" : "their place")
    }
}
