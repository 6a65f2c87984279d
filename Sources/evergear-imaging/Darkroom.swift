import Notes
import Photos

/// Makes pictures of photos that lie in memory.
enum Darkroom {
    /// Hands over the finished JPEG, its size, and whether parts of the photo were missing.
    static func develop<Result>(
        _ order: ImagingOrder, _ bytes: UnsafeMutableRawBufferPointer,
        _ deliver: (UnsafeRawBufferPointer, PixelSize, _ isDamaged: Bool) -> Result
    ) throws(Refusal) -> Result {
        guard !bytes.isEmpty else { throw .undecodable("an empty file") }
        guard let jpeg = TurboJPEG() else { throw .outOfMemory }
        let isQuarter = order.turn >= 5
        let whole = UnsafeRawBufferPointer(bytes)
        if whole.starts(with: [0xff, 0xd8, 0xff]) {
            // Of colours that are stored at an uncommon share of the pixels, libturbojpeg does not read even the header.
            if let header = try? jpeg.header(of: whole), header.isRGB {
                let wanted = try size(header.pixels, order.box, isQuarter)
                return try finish(
                    decode(whole, header, by: jpeg, to: wanted), order, isGrey: header.isGrey, by: jpeg, deliver)
            }
            guard JPEGFile(whole).hasPixels else { throw .undecodable("the file ends before the first pixel") }
        }
        let wanted = try size(Vips.size(of: bytes), order.box, isQuarter)
        return try finish(Vips.shrink(bytes, to: wanted), order, isGrey: false, by: jpeg, deliver)
    }

    /// The size of the picture before it is turned.
    private static func size(
        _ pixels: PixelSize, _ box: ImageRequest.Box, _ isQuarter: Bool
    ) throws(Refusal) -> PixelSize {
        guard pixels.width * pixels.height <= ImagingFrame.mostPixels else {
            throw .tooManyPixels(isQuarter ? pixels.turned : pixels)
        }
        // The box is the same for a picture and its quarter turn.
        return box.size(of: pixels)
    }

    /// The hot path: a JPEG in three colours or grey, whose own profile is applied to the few pixels that are left.
    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: TurboJPEG.Header, by jpeg: TurboJPEG, to size: PixelSize
    ) throws(Refusal) -> Raster {
        let file = JPEGFile(bytes)
        guard file.hasPixels else { throw .undecodable("the file ends before the first pixel") }
        var raster = try jpeg.decode(bytes, header.pixels, atLeast: size)
        if raster.width != size.width || raster.height != size.height {
            guard let smaller = raster.shrunk(to: size.width, size.height) else { throw .outOfMemory }
            raster = smaller
        }
        if let profile = file.profile, !header.isGrey {
            // A profile that nobody understands is left out, as viewers do.
            do throws(Refusal) { raster = try Vips.toSRGB(raster, from: profile) } catch {}
        }
        return raster
    }

    private static func finish<Result>(
        _ raster: consuming Raster, _ order: ImagingOrder, isGrey: Bool, by jpeg: TurboJPEG,
        _ deliver: (UnsafeRawBufferPointer, PixelSize, _ isDamaged: Bool) -> Result
    ) throws(Refusal) -> Result {
        let isDamaged = raster.isDamaged
        guard let upright = raster.upright(turn: order.turn) else { throw .outOfMemory }
        guard let size = PixelSize(width: upright.width, height: upright.height) else {
            throw .undecodable("no pixels")
        }
        return try jpeg.encode(upright, quality: order.quality, grey: isGrey) { deliver($0, size, isDamaged) }
    }
}
