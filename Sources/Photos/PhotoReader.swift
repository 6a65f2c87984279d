import Notes
public import System

/// Reads a photo's metadata: which kind of file, how large, which way up, when, where, which camera. Never decodes a
/// pixel, and reads only the parts of the file that it needs.
public struct PhotoReader: Sendable {
    private let zone: Zone
    private let namedZone: Zone?
    private let shift: TimeShift?
    private let track: GPXTrack?

    /// - Parameters:
    ///   - zone: Whose offset a time gets that has none, for want of anything better.
    ///   - namedZone: The zone that the user says the photos are from.
    ///   - shift: What the user says the camera's clock is to be corrected by.
    ///   - track: Where somebody was, for photos that have a time and no place.
    public init(
        zone: Zone = .system, namedZone: Zone? = nil, shift: TimeShift? = nil, track: GPXTrack? = nil
    ) {
        self.zone = zone
        self.namedZone = namedZone
        self.shift = shift
        self.track = track
    }

    /// Reads a file by its path.
    /// - Parameters:
    ///   - name: What the file is called, if not by its path: names hold dates.
    ///   - sidecars: What the files beside it say, which counts where the photo itself says nothing.
    /// - Throws: What the system says of a file that can't be opened or read, or that is no regular file.
    public func read(
        _ path: FilePath, name: String? = nil, sidecars: Sidecars = Sidecars()
    ) throws(SystemError) -> PhotoReading {
        let file = try FileDescriptor.openForReading(path)
        let status = try file.status(path)
        do throws(SystemError) {
            return try read(file, status: status, name: name ?? path.name.description, sidecars: sidecars)
        } catch {
            throw SystemError(code: error.code, call: error.call, path: path)
        }
    }

    /// Reads an open file, at offsets of its own choosing; the descriptor's position stays.
    public func read(
        _ file: borrowing FileDescriptor, status: FileStatus, name: String, sidecars: Sidecars = Sidecars()
    ) throws(SystemError) -> PhotoReading {
        let source = ByteSource(descriptor: file.number, count: Int(status.size))
        let reading = read(Region(source), name: name, modified: status.modified, sidecars: sidecars)
        if let failure = source.failure { throw failure }
        return reading
    }

    /// Reads a photo that is in memory.
    /// - Parameter modified: Nanoseconds since 1970: the time to fall back on.
    public func read(_ bytes: [UInt8], name: String, modified: Int64, sidecars: Sidecars = Sidecars()) -> PhotoReading {
        read(Region(ByteSource(bytes)), name: name, modified: modified, sidecars: sidecars)
    }

    private func read(_ file: Region, name: String, modified: Int64, sidecars: Sidecars) -> PhotoReading {
        let size = Int64(file.count)
        guard file.count > 0 else { return PhotoReading(format: nil, size: size, error: .empty) }
        guard let contents = Self.contents(of: file) else {
            return PhotoReading(format: nil, size: size, error: .notAPhoto)
        }
        var reading = PhotoReading(format: contents.format, size: size)
        if contents.isDamaged { reading.error = file.source.isCutShort || Self.isCut(file) ? .truncated : .damaged }
        reading.pixels = contents.pixels
        reading.mayHidePlace = contents.mayHidePlace

        let exif = contents.exif.flatMap(EXIFReader.init)
        let embedded = contents.xmp.flatMap { XMPReader($0) }
        let beside = sidecars.xmp.compactMap { XMPReader(Region(ByteSource($0)), origin: "sidecar") }
        let xmp = [embedded].compactMap(\.self) + beside
        let iptc = contents.iptc.map(IPTCReader.words)
        var evidence = Evidence()
        let captured = evidence.captured(
            (exif?.dates ?? []) + xmp.flatMap(\.dates) + contents.dates, others: [iptc?.created].compactMap(\.self))
        fillCaptured(&reading, captured)
        reading.gpsTime = exif?.gpsTime
        fillMoment(
            &reading,
            evidence.moment(
                MomentFacts(
                    gpsTime: reading.gpsTime, takeout: sidecars.takeout?.taken, name: name, modified: modified,
                    shift: shift, zone: zone, namedZone: namedZone)))
        fillPlace(&reading, &evidence, contents, exif, xmp, sidecars.takeout)
        fillPicture(&reading, &evidence, contents, exif)
        reading.make = exif?.make ?? xmp.first("tiff:Make") ?? contents.make
        reading.model = exif?.model ?? xmp.first("tiff:Model") ?? contents.model
        fillWords(&reading, contents, exif, xmp, iptc, sidecars)

        let fileExtension = FilePath(name).fileExtension
        if !fileExtension.isEmpty, !contents.format.allows(fileExtension: fileExtension) { evidence.warn(.misnamed) }
        if contents.hasPackedMetadata { evidence.warn(.packedMetadata) }
        reading.candidates = evidence.candidates
        reading.warnings = evidence.warnings
        return reading
    }

    private static func contents(of file: Region) -> Contents? {
        guard let format = PhotoFormat.detect(file) else { return nil }
        switch format {
        case .jpeg: return JPEGContainer.read(file)
        case .png: return PNGContainer.read(file)
        case .gif: return GIFContainer.read(file)
        case .webp: return WebPContainer.read(file)
        case .jxl: return JXLContainer.read(file)
        case .heic, .avif: return HEIFContainer.read(file, format)
        case .tiff, .dng, .cr2, .nef, .arw, .pef, .orf, .rw2: return TIFFContainer.read(file, format)
        case .raf: return RAFContainer.read(file)
        case .crw: return CRWContainer.read(file)
        case .cr3: return CR3Container.read(file)
        case .mov, .mp4: return MovieContainer.read(file, format)
        }
    }

    /// A JPEG that does not end as one was cut.
    private static func isCut(_ file: Region) -> Bool {
        file.uint16(0) == 0xffd8 && file.uint16(file.count - 2) != 0xffd9
    }

    private func fillCaptured(_ reading: inout PhotoReading, _ captured: Evidence.Captured?) {
        reading.captured = captured?.local
        reading.capturedFrom = captured?.source
        reading.offset = captured?.offset
        reading.offsetFrom = captured?.offsetSource
        reading.subsec = captured?.fraction
    }

    private func fillMoment(_ reading: inout PhotoReading, _ choice: MomentChoice) {
        reading.moment = choice.moment
        reading.momentSource = choice.source
        reading.offsetSource = choice.offsetSource
        reading.hasTimeOfDay = choice.hasTimeOfDay
    }

    private func fillPlace(
        _ reading: inout PhotoReading, _ evidence: inout Evidence, _ contents: Contents, _ exif: EXIFReader?,
        _ xmp: [XMPReader], _ takeout: TakeoutSidecar?
    ) {
        var position = evidence.position(
            [exif?.position].compactMap(\.self) + xmp.compactMap(\.position) + contents.positions)
        if let place = takeout?.place {
            evidence.complete(&position, place, "Takeout geoData", "the first in order")
        }
        if let place = takeout?.placeInFile {
            evidence.complete(&position, place, "Takeout geoDataExif", "the first in order")
        }
        // A file's own time says when it was copied, not when somebody was there.
        if let track, let moment = reading.moment, reading.hasTimeOfDay,
            let fix = track.fix(at: moment.timestamp)
        {
            let assumed = moment.isOffsetAssumed ? ", by this machine's time zone" : ""
            evidence.complete(&position, fix.place, "GPX track", fix.reason + assumed)
        }
        reading.latitude = position.latitude
        reading.longitude = position.longitude
        reading.altitude = position.altitude
    }

    private func fillPicture(
        _ reading: inout PhotoReading, _ evidence: inout Evidence, _ contents: Contents, _ exif: EXIFReader?
    ) {
        reading.orientation = exif?.orientation
        let allowed = reading.orientation.flatMap { (1...8).contains($0) ? $0 : nil }
        if reading.orientation != nil, allowed == nil { evidence.warn(.orientationNotAllowed) }
        if contents.format.isHEIF {
            reading.turn = contents.turn ?? 1
            if let allowed, allowed > 1, !contents.hasTurnBox { evidence.warn(.orientationWithoutTurn) }
        } else {
            reading.turn = contents.turn ?? allowed ?? 1
        }
        switch exif?.thumbnail {
        case .picture: reading.hasEmbeddedThumbnail = true
        case .notAPicture: evidence.warn(.thumbnailNotAPicture)
        case .some(.none), nil: break
        }
    }

    private func fillWords(
        _ reading: inout PhotoReading, _ contents: Contents, _ exif: EXIFReader?, _ xmp: [XMPReader],
        _ iptc: IPTCReader.Words?, _ sidecars: Sidecars
    ) {
        // Programs copy what a camera wrote from one kind of metadata into the other.
        let older = [iptc?.caption].compactMap(\.self) + (exif?.descriptions ?? [])
        let others = [contents.description, sidecars.takeout?.description].compactMap(\.self)
        let found = xmp.compactMap { $0["dc:description"] } + older + others
        reading.description = found.first { !MachineWords.contain($0, make: reading.make) } ?? sidecars.caption
        let keywords = xmp.lazy.map { $0.list("dc:subject") }.first { !$0.isEmpty } ?? []
        reading.keywords = keywords.isEmpty ? iptc?.keywords ?? [] : keywords
        // Cameras write 0, which is as good as nothing, into what somebody rates elsewhere.
        let ratings = xmp.compactMap { $0["xmp:Rating"].flatMap { Int($0) } } + [exif?.rating].compactMap(\.self)
        reading.rating = ratings.first { $0 != 0 } ?? ratings.first
        reading.contentIdentifier = exif?.contentIdentifier ?? contents.contentIdentifier
    }
}

extension [XMPReader] {
    /// A property, from the first packet that has it.
    fileprivate func first(_ name: String) -> String? { lazy.compactMap { $0[name] }.first }
}
