import FoundationEssentials
import Notes
import Photos
import System
import Testing
import Workbench

@Suite("Photos that others made")
struct PhotosAcceptanceTests {
    private struct Truth: Decodable {
        struct File: Decodable {
            var path: String
            var mime: String
            var size: Int64
            var width: Int?
            var captured: String?
            var captured_accept: [String?]?
        }
        var files: [File]
    }

    @Test("every photo of the corpus is read, with the right type, size, width and time")
    func everyFile() throws {
        let folder = try SharedFolder.path() / "corpus"
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(try Files.read(folder / "truth.json", limit: 1 << 24)))
        #expect(truth.files.count >= 161)
        for file in truth.files {
            let reading = try PhotoReader().read(folder / file.path)
            #expect(reading.size == file.size, "\(file.path)")
            #expect(reading.pixels?.width == file.width, "\(file.path)")
            let accepted = (file.captured_accept ?? []) + [file.captured]
            #expect(accepted.contains(reading.captured?.description), "\(file.path)")
            if let mime = reading.mime, mime != "image/heic" { #expect(mime == file.mime, "\(file.path)") }
        }
    }

    @Test("mutations of real photos are read to an end")
    func mutations() throws {
        let folder = try SharedFolder.path() / "corpus"
        let truth = try JSONDecoder().decode(
            Truth.self, from: Data(try Files.read(folder / "truth.json", limit: 1 << 24)))
        var random = SeededNumbers(seed: 161)
        for file in truth.files where file.size > 0 && file.size < 1 << 20 {
            let seed = try Files.read(folder / file.path, limit: 1 << 20)
            for _ in 0..<20 {
                var bytes = seed
                // Where the metadata are: mostly in front.
                for _ in 0..<8 {
                    let place = Int.random(in: 0..<min(bytes.count, 20_000), using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                #expect(PhotoReader().read(bytes, name: "x", modified: 0).size == file.size)
            }
        }
    }
}
