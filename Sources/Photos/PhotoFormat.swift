public import System

/// What a photo or video file is by its first bytes, never by its extension.
public enum PhotoFormat: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, tiff, jxl
    case heic, avif
    case dng, crw, cr2, cr3, nef, arw, pef, orf, rw2, raf
    case mov, mp4

    public var mime: String {
        switch self {
        case .jpeg, .png, .gif, .webp, .tiff, .jxl, .heic, .avif: "image/" + rawValue
        case .dng: "image/x-adobe-dng"
        case .crw, .cr2, .cr3: "image/x-canon-" + rawValue
        case .nef: "image/x-nikon-nef"
        case .arw: "image/x-sony-arw"
        case .pef: "image/x-pentax-pef"
        case .orf: "image/x-olympus-orf"
        case .rw2: "image/x-panasonic-rw2"
        case .raf: "image/x-fujifilm-raf"
        case .mov: "video/quicktime"
        case .mp4: "video/mp4"
        }
    }

    /// - Returns: nil for a type that is none of these.
    public init?(mime: String) {
        guard let format = Self.allCases.first(where: { $0.mime == mime }) else { return nil }
        self = format
    }

    /// In lower case, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// True where a file's name may end so: `jpeg`, `tif` and `hif` are as good as `fileExtension`.
    public func allows(fileExtension: String) -> Bool {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "mpo"].contains(fileExtension)
        case .tiff: ["tif", "tiff"].contains(fileExtension)
        case .heic: ["heic", "heif", "hif", "heics"].contains(fileExtension)
        case .mov: ["mov", "qt"].contains(fileExtension)
        case .mp4: ["mp4", "m4v", "3gp", "3g2"].contains(fileExtension)
        case .nef: ["nef", "nrw"].contains(fileExtension)
        default: fileExtension == rawValue
        }
    }

    /// What a file's name says that it is: for where its content is not to be read, or not yet.
    public static func named(_ path: FilePath) -> PhotoFormat? {
        let ending = path.fileExtension
        return allCases.first { $0.allows(fileExtension: ending) }
    }

    /// True for a file whose name says that it is a photo or a video, also of a kind that is not read here.
    public static func isClaimed(by path: FilePath) -> Bool { named(path) != nil || isOfOtherKind(path) }

    /// True for a file whose name says that it is a photo or a video of a kind that is not read here.
    public static func isOfOtherKind(_ path: FilePath) -> Bool { otherEndings.contains(path.fileExtension) }

    private static let otherEndings: Set<String> = [
        "3fr", "arq", "bmp", "dcr", "dib", "erf", "fff", "gpr", "iiq", "j2k", "jp2", "jpx", "jxr", "kdc", "mef", "mos",
        "mrw", "psb", "psd", "raw", "rwl", "sr2", "srf", "srw", "tga", "wdp", "x3f",
        "avi", "flv", "insv", "m2ts", "m2v", "mkv", "mpeg", "mpg", "mts", "ogv", "vob", "webm", "wmv",
    ]

    public var isVideo: Bool { self == .mov || self == .mp4 }

    /// A camera's sensor data rather than a picture.
    public var isRaw: Bool {
        switch self {
        case .dng, .crw, .cr2, .cr3, .nef, .arw, .pef, .orf, .rw2, .raf: true
        default: false
        }
    }

    /// HEIF and its kin: which way up is said by `irot` and `imir` alone, and its decoders turn by themselves.
    public var isHEIF: Bool { self == .heic || self == .avif }

    /// How many bytes `detect` likes to see.
    public static let headLength = 64

    /// - Parameter head: The file's first bytes. The kinds of RAW that are TIFF inside (DNG, NEF, ARW, PEF) look like
    ///   TIFF from here; `PhotoReader` looks further in.
    /// - Returns: nil for what is no photo and no video.
    public static func detect(_ head: [UInt8]) -> PhotoFormat? { detect(Region(ByteSource(head))) }

    static func detect(_ file: Region) -> PhotoFormat? {
        if file.has("II") || file.has("MM") { return tiffKind(file) }
        // StaticString holds UTF-8, so bytes from 80 up are compared as numbers.
        switch file.uint32(0) {
        case .some(0xffd8_ff00...0xffd8_ffff): return .jpeg
        case 0x8950_4e47 where file.uint32(4) == 0x0d0a_1a0a: return .png
        default: break
        }
        if file.uint16(0) == 0xff0a { return .jxl }
        if file.has("GIF87a") || file.has("GIF89a") { return .gif }
        if file.has("RIFF"), file.has("WEBP", at: 8) { return .webp }
        if file.has("FUJIFILMCCD-RAW") { return .raf }
        return boxKind(file)
    }

    private static func tiffKind(_ file: Region) -> PhotoFormat? {
        let little = file.has("II")
        switch file.uint16(2, little: little) {
        case 42: return file.has("CR", at: 8) && little ? .cr2 : .tiff
        case 43: return file.uint16(4, little: little) == 8 ? .tiff : nil  // BigTIFF
        case 0x55 where little: return .rw2
        case 0x4f52, 0x5352: return .orf
        default: return file.has("HEAPCCDR", at: 6) ? .crw : nil
        }
    }

    /// Files made of ISO boxes: the brands in `ftyp` say which kind.
    private static func boxKind(_ file: Region) -> PhotoFormat? {
        switch file.name(4) {
        case "JXL ": return .jxl
        case "ftyp": break
        case "moov", "mdat", "wide", "free", "skip", "pnot": return hasMovie(file) ? .mov : nil
        default: return nil
        }
        guard let size = file.uint32(0), let major = file.name(8) else { return nil }
        var brands = [major]
        for offset in stride(from: 16, to: min(size, 256), by: 4) {
            if let brand = file.name(offset) { brands.append(brand) }
        }
        if major == "crx " { return .cr3 }
        if major == "qt  " { return .mov }
        for brand in brands {
            switch brand {
            case "avif", "avis": return .avif
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
            default: continue
            }
        }
        if brands.contains("mif1") || brands.contains("msf1") { return .heic }
        return .mp4
    }

    /// Early QuickTime files have no `ftyp`; `free` alone proves nothing.
    private static func hasMovie(_ file: Region) -> Bool {
        Boxes(in: file).prefix(16).contains { $0.name == "moov" }
    }
}
