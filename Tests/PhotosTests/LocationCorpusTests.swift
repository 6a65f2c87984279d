import Glibc
import Notes
import Photos
import System
import Testing
import Workbench

/// Locations out of real photos of many cameras and programs. exiftool says whether one is left, libvips whether the
/// picture is the same.
@Suite(.enabled(if: getenv("EVERGEAR_SHARED") != nil))
struct LocationCorpusTests {
    private static func photos() throws -> [FilePath] {
        let root = FilePath(getenv("EVERGEAR_SHARED").map { String(cString: $0) } ?? "") / "corpus"
        var found: [FilePath] = []
        try PhotoFolder.walk(root) { entry in
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
        let folder = try TemporaryFolder()
        var stripped = 0
        var refused: [String] = []
        for (index, path) in try Self.photos().enumerated() {
            let bytes = try Files.read(path, limit: 1 << 28)
            let result: LocationStripper.Stripped
            do throws(LocationError) {
                result = try LocationStripper.strip(bytes)
            } catch {
                refused.append("\(path): \(error.reason)")
                continue
            }
            stripped += 1
            if result.removed.isEmpty { #expect(result.bytes == bytes, "\(path)") }
            let name = "\(index)-\(path.name).\(PhotoFormat.detect(bytes)?.fileExtension ?? "")"
            let written = try folder.write(result.bytes, as: name)
            print(path.name, result.removed.map(\.rawValue).sorted(), bytes.count - result.bytes.count)
            let before = try pixels(path)
            #expect(try pixels(written) == before, "\(path)")
        }
        print("STRIPPED", stripped, "REFUSED", refused)
        let left = try run(
            "/usr/bin/exiftool",
            ["-q", "-q", "-a", "-G1", "-ee", "-r", "-Location:all", "-*GPS*", "-*Latitude*", "-*Longitude*", folder.path.description])
        print("LEFT", left.output)
        #expect(left.output.isEmpty)
    }

    /// A digest of the decoded picture; empty for one that libvips cannot decode.
    private func pixels(_ path: FilePath) throws -> String {
        try run(
            "/bin/sh", ["-c", "vips copy \"$1\" /tmp/evergear-pixels.ppm 2>/dev/null && md5sum < /tmp/evergear-pixels.ppm; rm -f /tmp/evergear-pixels.ppm", "sh", path.description]
        ).output
    }
}
