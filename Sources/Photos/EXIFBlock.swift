/// The directories of EXIF (CIPA DC-008) in a file, wherever they lie in it.
struct EXIFBlock {
    /// The block with IFD0.
    let image: TIFFBlock
    private let imageDirectory: TIFFBlock.Directory
    /// Where the EXIF and the GPS directory lie: in the same block, but for CR3.
    private let exif: (block: TIFFBlock, directory: TIFFBlock.Directory)?
    private let gps: (block: TIFFBlock, directory: TIFFBlock.Directory)?

    /// - Parameter region: A TIFF block, with or without `Exif\0\0` in front.
    /// - Returns: nil where there is no TIFF header, or no readable first directory.
    init?(_ region: Region) {
        guard let block = TIFFBlock(region.has("Exif\0") ? region.rest(from: 6) : region) else { return nil }
        self.init(block)
    }

    init?(_ block: TIFFBlock) {
        guard let first = block.directory(at: block.first, wanted: Tag.isWantedInImage) else { return nil }
        self.init(
            image: (block, first),
            exif: Self.follow(first[Tag.exifDirectory], block, Tag.isWantedInEXIF),
            gps: Self.follow(first[Tag.gpsDirectory], block, Tag.isWantedInGPS))
    }

    /// Blocks of their own for the three directories, as CR3 has them.
    init?(image: Region, exif: Region?, gps: Region?) {
        func open(_ region: Region?, _ wanted: (UInt16) -> Bool) -> (block: TIFFBlock, directory: TIFFBlock.Directory)?
        {
            guard let block = region.flatMap(TIFFBlock.init),
                let directory = block.directory(at: block.first, wanted: wanted)
            else { return nil }
            return (block, directory)
        }
        guard let first = open(image, Tag.isWantedInImage) else { return nil }
        self.init(image: first, exif: open(exif, Tag.isWantedInEXIF), gps: open(gps, Tag.isWantedInGPS))
    }

    private init(
        image: (TIFFBlock, TIFFBlock.Directory), exif: (TIFFBlock, TIFFBlock.Directory)?,
        gps: (TIFFBlock, TIFFBlock.Directory)?
    ) {
        (self.image, imageDirectory) = image
        self.exif = exif
        self.gps = gps
    }

    private static func follow(
        _ pointer: TIFFBlock.Field?, _ block: TIFFBlock, _ wanted: (UInt16) -> Bool
    ) -> (block: TIFFBlock, directory: TIFFBlock.Directory)? {
        guard let offset = block.number(pointer), offset != block.first,
            let directory = block.directory(at: offset, wanted: wanted)
        else { return nil }
        return (block, directory)
    }

    /// The width and height that EXIF claims: editors and resizers forget to change them, so they serve only where
    /// nothing better is known.
    var claimedSize: (width: Int, height: Int)? {
        guard let exif, let width = exif.block.number(exif.directory[Tag.pixelWidth]),
            let height = exif.block.number(exif.directory[Tag.pixelHeight])
        else { return nil }
        return (width, height)
    }

    // MARK: Thumbnail

    enum Thumbnail { case none, picture, notAPicture }

    /// What IFD1 holds: a JPEG or uncompressed pixels make a picture.
    var thumbnail: Thumbnail {
        guard imageDirectory.next != 0, imageDirectory.next != image.first,
            let directory = image.directory(at: imageDirectory.next, wanted: Tag.isWantedInThumbnail)
        else { return .none }
        if let offset = image.number(directory[Tag.thumbnailOffset]),
            let length = image.number(directory[Tag.thumbnailLength])
        {
            guard length > 0 else { return .none }
            let start = image.region.part(offset, length)
            return start?.uint16(0) == 0xffd8 && start?.byte(2) == 0xff ? .picture : .notAPicture
        }
        if let offset = image.number(directory[Tag.stripOffsets]), image.number(directory[Tag.compression]) == 1,
            let length = image.number(directory[Tag.stripLengths]), length > 0
        {
            return image.region.part(offset, length) == nil ? .notAPicture : .picture
        }
        return .none
    }

    // MARK: Maker note

    /// What ties the still of a Live Photo to its video: tag 17 of Apple's maker note, a small directory of its own.
    var contentIdentifier: String? {
        guard let exif, let note = exif.block.content(exif.directory[Tag.makerNote]), note.has("Apple iOS\0") else {
            return nil
        }
        let block = TIFFBlock(bare: note, isLittle: note.has("II", at: 12), first: 14)
        guard let field = block.directory(at: 14, wanted: { $0 == 0x11 })?[0x11], field.type == 2, field.size <= 256
        else { return nil }
        return block.content(field)?.bytes(limit: 256).flatMap(MetadataText.line)
    }

    // MARK: One small block

    /// The fields that matter, in a TIFF block of their own: small enough for libexif, which stops at 64 KiB, whole,
    /// and without loops, thumbnails and maker notes.
    func packed() -> [UInt8] {
        var packer = Packer(isLittle: image.isLittle)
        let exifOffset = exif.map { packer.append($0.directory.fields, of: $0.block) }
        let gpsOffset = gps.map { packer.append($0.directory.fields, of: $0.block) }
        let fields = imageDirectory.fields.filter { $0.tag != Tag.exifDirectory && $0.tag != Tag.gpsDirectory }
        let first = packer.append(
            fields, of: image, pointers: [(Tag.exifDirectory, exifOffset), (Tag.gpsDirectory, gpsOffset)])
        return packer.finish(first: first)
    }

    private struct Packer {
        let isLittle: Bool
        private var bytes: [UInt8] = []

        init(isLittle: Bool) {
            self.isLittle = isLittle
            bytes.reserveCapacity(2048)
            bytes += Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8)
            put(42, width: 2)
            put(0, width: 4)
        }

        private static let header = 6

        /// - Returns: The offset of the directory written.
        mutating func append(
            _ fields: [TIFFBlock.Field], of block: TIFFBlock, pointers: [(UInt16, Int?)] = []
        ) -> Int {
            // CR3 has a byte order for each of its blocks; one that differs from the first's is left out.
            let kept = block.isLittle == isLittle ? fields.filter { $0.size <= Tag.limit($0.tag) && $0.type != 16 } : []
            let pointers = pointers.compactMap { tag, offset in offset.map { (tag, $0) } }
            let start = bytes.count
            let count = kept.count + pointers.count
            put(count, width: 2)
            let table = bytes.count
            bytes += [UInt8](repeating: 0, count: count * 12 + 4)
            for (index, field) in kept.enumerated() {
                var entry = table + index * 12
                set(Int(field.tag), width: 2, at: &entry)
                set(field.type == 129 ? 2 : field.type, width: 2, at: &entry)
                set(field.count, width: 4, at: &entry)
                guard let values = block.region.bytes(field.offset, field.size) else { continue }
                if values.count > 4 {
                    set(bytes.count - Self.header, width: 4, at: &entry)
                    bytes += values
                    if values.count % 2 == 1 { bytes.append(0) }
                } else {
                    bytes.replaceSubrange(entry..<(entry + values.count), with: values)
                }
            }
            for (index, pointer) in pointers.enumerated() {
                var entry = table + (kept.count + index) * 12
                set(Int(pointer.0), width: 2, at: &entry)
                set(4, width: 2, at: &entry)
                set(1, width: 4, at: &entry)
                set(pointer.1, width: 4, at: &entry)
            }
            return start - Self.header
        }

        func finish(first: Int) -> [UInt8] {
            var done = self
            var place = Self.header + 4
            done.set(first, width: 4, at: &place)
            return done.bytes
        }

        private mutating func put(_ number: Int, width: Int) {
            bytes += [UInt8](repeating: 0, count: width)
            var place = bytes.count - width
            set(number, width: width, at: &place)
        }

        private mutating func set(_ number: Int, width: Int, at place: inout Int) {
            for index in 0..<width {
                let shift = 8 * (isLittle ? index : width - 1 - index)
                bytes[place + index] = UInt8(truncatingIfNeeded: number >> shift)
            }
            place += width
        }
    }
}

/// The tags that are read, by their numbers in CIPA DC-008 and TIFF 6.0.
enum Tag {
    static let imageDescription: UInt16 = 0x10e
    static let make: UInt16 = 0x10f
    static let model: UInt16 = 0x110
    static let orientation: UInt16 = 0x112
    static let modifyDate: UInt16 = 0x132
    static let rating: UInt16 = 0x4746
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825

    static let dateTimeOriginal: UInt16 = 0x9003
    static let createDate: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let makerNote: UInt16 = 0x927c
    static let userComment: UInt16 = 0x9286
    static let subSecTime: UInt16 = 0x9290
    static let subSecTimeOriginal: UInt16 = 0x9291
    static let subSecTimeDigitized: UInt16 = 0x9292
    static let pixelWidth: UInt16 = 0xa002
    static let pixelHeight: UInt16 = 0xa003

    static let latitudeReference: UInt16 = 1
    static let latitude: UInt16 = 2
    static let longitudeReference: UInt16 = 3
    static let longitude: UInt16 = 4
    static let altitudeReference: UInt16 = 5
    static let altitude: UInt16 = 6
    static let gpsTime: UInt16 = 7
    static let gpsDate: UInt16 = 0x1d

    static let compression: UInt16 = 0x103
    static let stripOffsets: UInt16 = 0x111
    static let stripLengths: UInt16 = 0x117
    static let thumbnailOffset: UInt16 = 0x201
    static let thumbnailLength: UInt16 = 0x202

    static func isWantedInImage(_ tag: UInt16) -> Bool {
        switch tag {
        case imageDescription, make, model, orientation, modifyDate, rating, exifDirectory, gpsDirectory: true
        default: isDate(tag)
        }
    }

    static func isWantedInEXIF(_ tag: UInt16) -> Bool {
        switch tag {
        case modifyDate, makerNote, userComment, pixelWidth, pixelHeight: true
        default: isDate(tag)
        }
    }

    static func isWantedInGPS(_ tag: UInt16) -> Bool {
        (latitudeReference...gpsTime).contains(tag) || tag == gpsDate
    }

    static func isWantedInThumbnail(_ tag: UInt16) -> Bool {
        switch tag {
        case compression, stripOffsets, stripLengths, thumbnailOffset, thumbnailLength: true
        default: false
        }
    }

    /// Bytes that a field may have to be taken along. All together stay well under libexif's 64 KiB.
    static func limit(_ tag: UInt16) -> Int {
        switch tag {
        case makerNote: 0
        case imageDescription, userComment: 16_384
        default: 512
        }
    }

    /// Some cameras write these into IFD0 instead of the EXIF directory.
    private static func isDate(_ tag: UInt16) -> Bool {
        switch tag {
        case dateTimeOriginal, createDate, offsetTime...offsetTimeDigitized, subSecTime...subSecTimeDigitized: true
        default: false
        }
    }
}
