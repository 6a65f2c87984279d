import Notes
import Photos
import System
import Testing
import Workbench

/// Locations out of real photos of many cameras and programs. exiftool says whether one is left, libvips or djpeg
/// whether the picture is the same.
@Suite("Locations out of photos that others made")
struct LocationAcceptanceTests {
    private static func photos(in folder: FilePath) throws -> [FilePath] {
        var found: [FilePath] = []
        try PhotoFolder.walk(folder) { entry in
            guard case .file(let path, _, _) = entry, let bytes = try? Files.read(path, limit: 1 << 28) else { return }
            switch PhotoFormat.detect(bytes) {
            case .jpeg, .png, .webp, .heic, .avif: found.append(path)
            default: break
            }
        }
        return found
    }

    @Test("exiftool finds no location any more, and every picture is as it was")
    func corpus() throws {
        let corpus = try SharedFolder.path() / "corpus"
        let folder = try TemporaryFolder()
        let located = Set(
            try locations("-r", corpus.description, printing: "$FilePath").split(separator: "\n"))
        #expect(located.count > 40)
        var refused: [String] = []
        for (index, path) in try Self.photos(in: corpus).enumerated() {
            let bytes = try Files.read(path, limit: 1 << 28)
            let result: LocationStripper.Stripped
            do throws(LocationError) {
                result = try LocationStripper.strip(bytes)
            } catch {
                refused.append(path.name.description)
                continue
            }
            if result.removed.isEmpty { #expect(result.bytes == bytes, "\(path)") }
            if located.contains(path.description[...]) { #expect(!result.removed.isEmpty, "\(path)") }
            let written = try folder.write(result.bytes, as: "\(index)-\(path.name)")
            if result.bytes != bytes {
                #expect(try pixels(written, in: folder) == pixels(path, in: folder), "\(path)")
            }
        }
        #expect(try locations("-r", folder.path.description, printing: nil) == "")
        // Only files that were broken for the purpose.
        #expect(refused.count < 6, "\(refused)")
    }

    private func locations(_ arguments: String..., printing format: String?) throws -> String {
        let tags = ["-Location:all", "-*GPS*", "-*Latitude*", "-*Longitude*"]
        let listed = ["-p", format ?? "", "-if", "$GPSLatitude or $GPSLongitude or $City or $Location"]
        return try run(
            "/usr/bin/exiftool", ["-q", "-q", "-a", "-G1", "-s", "-ee"] + (format == nil ? tags : listed) + arguments
        ).output
    }

    /// A digest of the decoded picture; of nothing where no decoder takes it. libvips is told to refuse a damaged file:
    /// what it makes of one holds memory that nobody wrote, and differs from run to run. djpeg decodes the damaged JPEGs
    /// the same way each time.
    private func pixels(_ path: FilePath, in folder: TemporaryFolder) throws -> String {
        let script = #"""
            { vips rawsave "$1[fail_on=error]" "$2" || djpeg -pnm "$1" > "$2"; } 2>/dev/null
            md5sum < "$2"
            """#
        return try run("/bin/sh", ["-c", script, "sh", path.description, (folder.path / "raw").description]).output
    }
}
