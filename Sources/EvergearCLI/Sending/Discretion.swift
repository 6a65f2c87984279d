import Notes
import Photos
import Storage

/// Which places stay at home: all of them, or those in the user's zones.
final class Discretion {
    /// No place goes out at all.
    private let isEverywhere: Bool
    private let zones: [NoGoZone]
    private let blobs: BlobStore
    /// What was found in photos' bytes: a zone's name.
    private var found: [BlobKey: String?] = [:]

    init(isEverywhere: Bool, zones: [NoGoZone], blobs: BlobStore) {
        self.isEverywhere = isEverywhere
        self.zones = zones
        self.blobs = blobs
    }

    /// The draft as it may go out, and sentences on what a zone took from it.
    ///
    /// A photo goes without its place when the place is in a zone, or its memo's is, or one that its bytes tell and that
    /// was not taken for the photo's. Everything else keeps its own.
    func applied(to draft: Draft) -> (draft: Draft, remarks: [String]) {
        if !isEverywhere, zones.isEmpty { return (draft, []) }
        var draft = draft
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
                let zone = zone(photo.place) ?? zone(memo.place) ?? zone(inBytesOf: photo)
                guard isEverywhere || zone != nil else { continue }
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
        return (draft, remarks)
    }

    private func withholds(_ place: Place?) -> Bool { isEverywhere || zone(place) != nil }

    /// The name of the first zone that a place is in. Where no place goes out, the zones say nothing more.
    private func zone(_ place: Place?) -> String? {
        guard !isEverywhere, let place else { return nil }
        return zones.first { $0.contains(place) }?.name
    }

    /// A photo has one place; its bytes may tell others, which go out with them.
    private func zone(inBytesOf photo: Photo) -> String? {
        guard !isEverywhere else { return nil }
        if let known = found[photo.blob] { return known }
        // What cannot be read cannot be sent either, and is told of there.
        let reading = try? PhotoReader().read(blobs.path(of: photo.blob), name: "")
        let places = reading?.candidates.filter { $0.kind == .place }.compactMap { Place($0.value) } ?? []
        let zone = places.lazy.compactMap { self.zone($0) }.first
        found[photo.blob] = .some(zone)
        return zone
    }

    private func sentence(_ count: Int?, _ thing: String, _ zone: String) -> String? {
        guard let count else { return nil }
        return "\(Words.count(count, thing)) \(count == 1 ? "lies" : "lie") in the zone \(zone): sent without "
            + (count == 1 ? "its place" : "their place")
    }
}
