import Notes
import Photos

/// Which places stay at home: all of them, or those in the user's zones.
struct Discretion {
    /// No place goes out at all.
    let isEverywhere: Bool
    let zones: [NoGoZone]

    /// The draft as it may go out, and sentences on what a zone took from it.
    ///
    /// A photo goes without its place when the place is in a zone, or its memo's is. Everything else keeps its own.
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
                guard withholds(photo.place) || withholds(memo.place) else { continue }
                memo.photos[number].withholdsPlace = true
                memo.photos[number].place = nil
                if let zone = zone(photo.place) ?? zone(memo.place) { photos[zone, default: 0] += 1 }
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

    private func sentence(_ count: Int?, _ thing: String, _ zone: String) -> String? {
        guard let count else { return nil }
        return "\(Words.count(count, thing)) \(count == 1 ? "lies" : "lie") in the zone \(zone): sent without "
            + (count == 1 ? "its place" : "their place")
    }
}
