import CTurboJPEG
import Notes

/// libturbojpeg: JPEG to pixels, already smaller, and back. One for each photo: after a broken header its decoder stays
/// in the middle of that file.
final class TurboJPEG {
    private let reader: tjhandle
    private let writer: tjhandle
    /// The whole, a half, a quarter, an eighth: those between gain no time and lose sharpness.
    private let scales: [tjscalingfactor]

    init?() {
        var count: Int32 = 0
        guard let reader = tjInitDecompress(), let writer = tjInitCompress(), let scales = tjGetScalingFactors(&count)
        else { return nil }
        self.reader = reader
        self.writer = writer
        self.scales = UnsafeBufferPointer(start: scales, count: Int(count)).filter { $0.num == 1 }
    }

    deinit {
        tjDestroy(reader)
        tjDestroy(writer)
    }

    struct Header {
        let pixels: PixelSize
        /// False for the four inks, which are libvips' business.
        let isRGB: Bool
        let isGrey: Bool
    }

    func header(of jpeg: UnsafeRawBufferPointer) throws(Refusal) -> Header {
        var width: Int32 = 0
        var height: Int32 = 0
        var sampling: Int32 = 0
        var colours: Int32 = 0
        let bytes = jpeg.assumingMemoryBound(to: UInt8.self).baseAddress
        guard tjDecompressHeader3(reader, bytes, UInt(jpeg.count), &width, &height, &sampling, &colours) == 0,
            let pixels = PixelSize(width: Int(width), height: Int(height))
        else { throw .undecodable(message(reader)) }
        return Header(
            pixels: pixels, isRGB: colours != Int32(TJCS_CMYK.rawValue) && colours != Int32(TJCS_YCCK.rawValue),
            isGrey: colours == Int32(TJCS_GRAY.rawValue))
    }

    /// Four channels, at the smallest size that the decoder has ready (an eighth, a quarter …) and that is not below
    /// what is wanted: the less of it, the faster.
    func decode(
        _ jpeg: UnsafeRawBufferPointer, _ pixels: PixelSize, atLeast wanted: PixelSize
    ) throws(Refusal) -> Raster {
        func scaled(_ side: Int, _ scale: tjscalingfactor) -> Int {
            (side * Int(scale.num) + Int(scale.denom) - 1) / Int(scale.denom)
        }
        let smallest = scales.filter {
            scaled(pixels.width, $0) >= wanted.width && scaled(pixels.height, $0) >= wanted.height
        }.min { $0.num * $1.denom < $1.num * $0.denom }
        let scale = smallest ?? tjscalingfactor(num: 1, denom: 1)
        guard
            var raster = Raster(
                width: scaled(pixels.width, scale), height: scaled(pixels.height, scale), channels: 4)
        else { throw .outOfMemory }
        let bytes = jpeg.assumingMemoryBound(to: UInt8.self).baseAddress
        let result = tjDecompress2(
            reader, bytes, UInt(jpeg.count), raster.bytes, Int32(raster.width), 0, Int32(raster.height),
            Int32(TJPF_RGBX.rawValue), 0)
        if result == 0 { return raster }
        // A warning: the rest of the pixels came, or was filled in.
        guard tjGetErrorCode(reader) == Int32(TJERR_WARNING.rawValue) else { throw .undecodable(message(reader)) }
        raster.isDamaged = true
        return raster
    }

    /// A baseline JPEG without any metadata.
    func encode<Result>(
        _ raster: borrowing Raster, quality: Int, grey: Bool, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(Refusal) -> Result {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var length: UInt = 0
        defer { tjFree(jpeg) }
        let format = raster.channels == 1 ? TJPF_GRAY : raster.channels == 3 ? TJPF_RGB : TJPF_RGBX
        let sampling = grey || raster.channels == 1 ? TJSAMP_GRAY : TJSAMP_420
        let result = tjCompress2(
            writer, raster.bytes, Int32(raster.width), 0, Int32(raster.height), Int32(format.rawValue), &jpeg, &length,
            Int32(sampling.rawValue), Int32(quality), 0)
        guard result == 0 else { throw .undecodable(message(writer)) }
        return body(UnsafeRawBufferPointer(start: jpeg, count: Int(length)))
    }

    private func message(_ handle: tjhandle) -> String { String(cString: tjGetErrorStr2(handle)) }
}

/// Why a photo gives no picture.
enum Refusal: Error {
    case undecodable(String)
    case tooManyPixels(PixelSize)

    static var outOfMemory: Refusal { .undecodable("not enough memory") }
}
