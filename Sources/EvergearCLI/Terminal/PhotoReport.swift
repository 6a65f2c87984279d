import Notes
import Photos
import System

/// What a photo's metadata tells, and why evergear goes by it, for people.
enum PhotoReport {
    static func lines(_ reading: PhotoReading, path: FilePath, md5: MD5?, width: Int?) -> [String] {
        var lines = [path.description]
        if let error = reading.error { lines.append("  \(error.words)") }
        if case .unreadable = reading.error { return lines }
        var facts: [(String, String?)] = []
        facts.append(("kind", reading.mime.map { "\($0), \(Words.size(reading.size))" }))
        facts.append(("pixels", reading.displaySize.map { "\($0.width) × \($0.height)" + turn(reading.turn) }))
        facts.append(("taken", reading.moment.map(DraftReport.time)))
        facts.append(("  by", reading.momentSource.map { source($0, reading.offsetSource) }))
        facts.append(("place", reading.place.map(place)))
        facts.append(("camera", reading.camera.map(camera)))
        facts.append(("words", reading.description))
        facts.append(("md5", md5?.hex))
        for (name, value) in facts {
            guard let value else { continue }
            lines.append("  " + name + String(repeating: " ", count: 8 - name.count) + value)
        }
        if !reading.candidates.isEmpty {
            var table = Table([("", .left), ("found", .left), ("where", .left), ("why", .left)])
            for candidate in reading.candidates {
                table.add([candidate.isTaken ? "✓" : "", candidate.value, candidate.source, candidate.reason])
            }
            lines += table.lines(width: width.map { $0 - 2 }).map { "  " + $0 }
        }
        if !reading.warnings.isEmpty {
            lines.append("  note    " + reading.warnings.map(\.rawValue).joined(separator: ", "))
        }
        return lines
    }

    private static func turn(_ turn: Int) -> String {
        switch turn {
        case 3: ", turned by 180°"
        case 6: ", turned by 90° to the right"
        case 8: ", turned by 90° to the left"
        case 2, 4, 5, 7: ", mirrored"
        default: ""
        }
    }

    private static func source(_ time: MomentSource, _ offset: OffsetSource?) -> String {
        let zone =
            switch offset {
            case .tag: "; the offset by its tag"
            case .gps: "; the offset by the GPS time"
            case .fileName: "; the offset by the file's name"
            case .option: "; the offset by --time-zone"
            case .system: "; no offset is told: this machine's zone is assumed"
            case nil: ""
            }
        return time.description + zone
    }

    /// `Canon EOS R6`, and not `Canon Canon EOS R6`.
    private static func camera(_ camera: Camera) -> String {
        guard let make = camera.make, let model = camera.model else { return camera.make ?? camera.model ?? "" }
        return model.hasPrefix(make) ? model : "\(make) \(model)"
    }

    private static func place(_ place: Place) -> String {
        DraftReport.place(place) + (place.altitude.map { ", \(Int($0.rounded())) m" } ?? "")
    }
}
