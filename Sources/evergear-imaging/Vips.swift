import CVips
import Glibc
import Notes

/// libvips, set up for photos from anywhere: every kind but plain JPEG, and colours.
enum Vips {
    /// Loads the library and its modules, which takes files and some 70 ms.
    /// - Returns: False where it does not start.
    static func start() -> Bool {
        // A large photo would be decoded into a temporary file, which the sandbox has none of.
        setenv("VIPS_DISC_THRESHOLD", "1000g", 1)
        evergear_vips_be_quiet()
        guard vips_init("evergear-imaging") == 0 else { return false }
        vips_block_untrusted_set(1)
        // libvips calls every decoder untrusted that it has not fuzzed itself; this one is for a kind of photo, and
        // the sandbox is around it.
        vips_operation_block_set("VipsForeignLoadJxl", 0)
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        // Its compiler for inner loops needs memory that can be run.
        vips_vector_set_enabled(0)
        return true
    }

    /// The picture's size as its decoder gives it: turned already where the decoder turns.
    static func size(of bytes: UnsafeMutableRawBufferPointer) throws(Refusal) -> PixelSize {
        let image = try Image(evergear_vips_open(bytes.baseAddress, bytes.count))
        guard let size = image.size else { throw .undecodable("no pixels") }
        return size
    }

    /// The photo at a given size, in sRGB, on white where it is transparent, not turned.
    static func shrink(_ bytes: UnsafeMutableRawBufferPointer, to size: PixelSize) throws(Refusal) -> Raster {
        var out: OpaquePointer?
        _ = evergear_vips_thumbnail(bytes.baseAddress, bytes.count, &out, Int32(size.width), Int32(size.height))
        return try Image(out).plain().raster()
    }

    /// Four channels, from a profile's colours to those of sRGB.
    static func toSRGB(_ raster: borrowing Raster, from profile: [UInt8]) throws(Refusal) -> Raster {
        let unnamed = try Image(
            vips_image_new_from_memory(
                raster.bytes, raster.rowLength * raster.height, Int32(raster.width), Int32(raster.height),
                Int32(raster.channels), 0))
        let image = try unnamed.made { evergear_vips_name_srgb($0, $1) }
        image.setProfile(profile)
        return try image.made { evergear_vips_icc_to_srgb($0, $1) }.raster(isDamaged: raster.isDamaged)
    }
}

/// A step of work in libvips, which is done when pixels are asked for.
private final class Image {
    private let handle: OpaquePointer

    /// - Parameter handle: Taken over; nil where a call failed, whose words are in libvips' own buffer.
    init(_ handle: OpaquePointer?) throws(Refusal) {
        guard let handle else { throw Self.failure }
        self.handle = handle
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    var size: PixelSize? {
        PixelSize(width: Int(vips_image_get_width(handle)), height: Int(vips_image_get_height(handle)))
    }

    /// The image that a call makes of this one.
    func made(_ call: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(Refusal) -> Image {
        var out: OpaquePointer?
        guard call(handle, &out) == 0 else { throw Self.failure }
        return try Image(out)
    }

    func setProfile(_ profile: [UInt8]) {
        vips_image_set_blob_copy(handle, "icc-profile-data", profile, profile.count)
    }

    /// A profile that nobody understands is left out, as viewers do.
    private func inSRGB() throws(Refusal) -> Image {
        if vips_image_get_typeof(handle, "icc-profile-data") != 0 {
            do throws(Refusal) { return try made { evergear_vips_icc_to_srgb($0, $1) } } catch {}
        }
        return try made { evergear_vips_to_srgb($0, $1) }
    }

    /// In sRGB, on white where it was transparent, 8 bits a channel.
    func plain() throws(Refusal) -> Image {
        var image = try inSRGB()
        if vips_image_hasalpha(image.handle) != 0 { image = try image.made { evergear_vips_flatten_on_white($0, $1) } }
        if vips_image_get_format(image.handle) != 0 { image = try image.made { evergear_vips_to_8_bits($0, $1) } }
        return image
    }

    /// The pixels, computed now.
    func raster(isDamaged: Bool = false) throws(Refusal) -> Raster {
        let channels = Int(vips_image_get_bands(handle))
        var length = 0
        guard let size, [1, 3, 4].contains(channels), vips_image_get_format(handle) == 0 else {
            throw .undecodable("colours of an unknown kind")
        }
        guard let memory = vips_image_write_to_memory(handle, &length) else { throw Self.failure }
        var raster = Raster(width: size.width, height: size.height, channels: channels, owning: memory)
        guard length == raster.rowLength * raster.height else { throw .undecodable("too few pixels") }
        raster.isDamaged = isDamaged
        return raster
    }

    /// The last line that libvips said is the cause, those before it are what came of it.
    private static var failure: Refusal {
        let words = String(cString: vips_error_buffer())
        vips_error_clear()
        guard let cause = words.split(separator: "\n").first else { return .undecodable("no reason is told") }
        // What a file that ends too soon makes libvips and the decoders below it say.
        let signs = [
            "bad seek", "unexpected end", "premature end", "truncat", "end of file", "unable to read", "read error",
        ]
        if signs.contains(where: { cause.lowercased().contains($0) }) { return .undecodable("the file is cut short") }
        return .undecodable("libvips says: \(cause)")
    }
}
