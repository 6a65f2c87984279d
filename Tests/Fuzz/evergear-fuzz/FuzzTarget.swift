import ENEX
import HTTP
import Layouts
import Notes
import Photos
import System

/// A reader of what others wrote.
enum FuzzTarget: String, CaseIterable {
    // Containers: each gets only files that begin as its own do.
    case jpeg, png, webp, heif, tiff, jxl, gif, movie, crw, cr3, raf
    // What is in them or lies beside them
    case exif, xmp, gpx, takeout, caption
    /// A file's name, which may hold a time.
    case name
    /// A photo through a window on a file reads as it does from memory.
    case window
    case strip
    case enex, enml
    /// The headers and the body that a service answers with, as we get them, and all that it sends.
    case reply, http
    /// What a service answers in Thrift.
    case thrift

    /// - Returns: false for what is none of this target's business.
    func run(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .jpeg, .png, .webp, .heif, .tiff, .jxl, .gif, .movie, .crw, .cr3, .raf:
            guard let format = PhotoFormat.detect(bytes), formats.contains(format) else { return false }
            read(bytes)
        case .exif:
            read(MadePhotos.jpeg([MadePhotos.segment(0xe1, MadePhotos.bytes("Exif\0\0") + bytes.prefix(65_000))]))
        case .xmp:
            var sidecars = Sidecars()
            sidecars.xmp = [bytes]
            read(MadePhotos.gif, sidecars)
        case .name: read(MadePhotos.gif, name: String(decoding: bytes, as: UTF8.self))
        case .takeout:
            guard let takeout = TakeoutSidecar(bytes) else { return true }
            var sidecars = Sidecars()
            sidecars.takeout = takeout
            read(MadePhotos.gif, sidecars)
        case .caption:
            let text = Sidecars.text(bytes)
            require(text.map { !$0.isEmpty && $0.utf8.count <= bytes.count * 3 } ?? true, "a caption that grew")
        case .gpx: readTrack(bytes)
        case .window: readBothWays(bytes)
        case .strip: return strip(bytes)
        case .enex: readENEX(bytes)
        case .enml: check(String(decoding: bytes, as: UTF8.self))
        case .reply: collect(bytes)
        case .http: exchange(bytes)
        case .thrift: return FuzzCall.run(bytes)
        }
        return true
    }

    private static let zone = Zone("UTC") ?? .system

    private var formats: Set<PhotoFormat> {
        switch self {
        case .jpeg: [.jpeg]
        case .png: [.png]
        case .webp: [.webp]
        case .heif: [.heic, .avif]
        case .tiff: [.tiff, .dng, .cr2, .nef, .arw, .pef, .orf, .rw2]
        case .jxl: [.jxl]
        case .gif: [.gif]
        case .movie: [.mov, .mp4]
        case .crw: [.crw]
        case .cr3: [.cr3]
        case .raf: [.raf]
        default: Set(PhotoFormat.allCases)
        }
    }

    private func read(_ bytes: [UInt8], _ sidecars: Sidecars = Sidecars(), name: String = "IMG_1") {
        let reading = PhotoReader(zone: Self.zone).read(bytes, name: name, modified: 0, sidecars: sidecars)
        require(reading.size == Int64(bytes.count), "the size")
        require((1...8).contains(reading.turn), "the turn")
        if let place = reading.place {
            require(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "the place")
            require(place.altitude?.isFinite ?? true, "the altitude")
        }
        if let pixels = reading.pixels { require(pixels.width >= 0 && pixels.height >= 0, "the pixels") }
        require(Explanation(reading, path: "x", md5: nil).json.hasSuffix("}"), "the explanation")
    }

    private func readBothWays(_ bytes: [UInt8]) {
        let reader = PhotoReader(zone: Self.zone)
        MemoryFile.shared.hold(bytes) { path in
            guard let status = try? Files.status(path), let file = try? reader.read(path, name: "IMG_1") else {
                fatalError("the file in memory cannot be read")
            }
            let memory = reader.read(bytes, name: "IMG_1", modified: status.modified)
            require(
                Explanation(file, path: "x", md5: nil).json == Explanation(memory, path: "x", md5: nil).json,
                "the file reads otherwise than its bytes")
        }
    }

    private func readTrack(_ bytes: [UInt8]) {
        var track = GPXTrack()
        guard (try? track.add(bytes)) != nil else { return }
        require(zip(track.points, track.points.dropFirst()).allSatisfy { $0.time < $1.time }, "the order of points")
        for point in track.points.prefix(50) {
            for shift: Int64 in [-61_000, -1, 0, 1, 299_999] {
                let (instant, overflow) = point.time.milliseconds.addingReportingOverflow(shift)
                if let fix = overflow ? nil : track.fix(at: Timestamp(milliseconds: instant)) {
                    require(abs(fix.place.latitude) <= 90 && abs(fix.place.longitude) <= 180, "the place of a fix")
                }
            }
        }
    }

    private func strip(_ bytes: [UInt8]) -> Bool {
        let format = PhotoFormat.detect(bytes)
        let once: LocationStripper.Stripped
        do throws(LocationError) {
            once = try LocationStripper.strip(bytes)
        } catch {
            if case .notSupported = error { return false }
            return true
        }
        require(once.bytes.count <= bytes.count, "a photo that grew")
        require(!once.removed.isEmpty || once.bytes == bytes, "a change that is not owned up to")
        require(PhotoFormat.detect(once.bytes) == format, "the format changed")
        do throws(LocationError) {
            let twice = try LocationStripper.strip(once.bytes)
            require(twice.bytes == once.bytes, "the second time takes out more: \(once.removed), \(twice.removed)")
        } catch {
            fatalError("what was stripped (\(once.removed)) is refused: \(error)")
        }
        return true
    }

    private func readENEX(_ bytes: [UInt8]) {
        MemoryFile.shared.hold(bytes) { path in
            var notes = 0
            let summary = try? ENEXReader.read(path) { note in notes += 1 }
            require(summary.map { $0.notes == notes && $0.bytes == Int64(bytes.count) } ?? true, "the summary")
        }
    }

    /// Lines while there are headers, then pieces of the body, as libcurl hands them over.
    private func collect(_ bytes: [UInt8]) {
        var collector = ReplyCollector(limit: 1000, now: 1_714_521_600)
        var rest = bytes[...]
        var isTaking = true
        while !rest.isEmpty {
            let isLine = !collector.hasWholeHeaders
            let end = isLine ? rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } : rest.startIndex + 7
            let piece = rest[..<min(end ?? rest.endIndex, rest.endIndex)]
            rest = rest[piece.endIndex...]
            let isTaken = piece.withUnsafeBytes { isLine ? collector.takeHeader($0) : collector.takeBody($0) }
            require(isTaking || !isTaken, "more was taken after too much")
            isTaking = isTaken
        }
        let reply = collector.reply
        require(isTaking != collector.isTooLong, "the verdict")
        require(reply.status == 0 || (100...999).contains(reply.status), "the status")
        require(!collector.hasWholeHeaders || reply.status >= 200, "an interim reply is the last")
        require((0...366 * 86_400).contains(reply.retryAfter ?? 0), "the wait")
        require(collector.headerCount <= ReplyCollector.headerLimit && reply.body.count <= 1000, "the bounds")
        require((reply.contentType?.utf8.count ?? 0) <= bytes.count * 3, "a kind that grew")
    }

    private func exchange(_ bytes: [UInt8]) {
        switch LoopbackService.shared.answer(bytes, replyLimit: 10_000) {
        case .success(let reply):
            require((200...999).contains(reply.status) && reply.body.count <= 10_000, "the reply")
        case .failure(let error as HTTPError):
            require(error.bodySent, "the body had gone: \(error)")
            require([.badReply, .broken, .replyTooLong].contains(error.kind), "the failure: \(error)")
        case .failure(let error): require(false, "\(error)")
        }
    }

    private func check(_ enml: String) {
        guard (try? ENMLValidator.check(enml)) != nil else {
            _ = try? ENMLValidator.checkDocumentType(enml)
            return
        }
        require((try? ENMLValidator.checkDocumentType(enml)) != nil, "the wider verdict is narrower")
    }
}

/// `precondition` without its text in an optimised build helps nobody.
func require(_ holds: Bool, _ what: String) {
    if !holds {
        print("Broken: \(what)")
        fatalError(what)
    }
}
