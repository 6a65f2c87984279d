import Notes
import Photos
import System
import Testing
import Workbench

@Suite("Pictures of other people's photos")
struct PicturesAcceptanceTests {
    @Test("every file gives a picture or a reason, and none ends its decoder")
    func everyFile() throws {
        let shared = try SharedFolder.path()
        let client = ImagingClient(workers: 1)
        var pictures = 0
        var refused: [String] = []
        for folder in ["corpus/photos", "corpus/synthetic"] {
            try PhotoFolder.walk(shared / folder) { entry in
                guard case .file(let path, _, _) = entry else { return }
                do {
                    // Any type that is decoded: the decoder goes by the content.
                    let image = try client.render(path, as: .thumbnail(mime: "image/jpeg", turn: 1))
                    pictures += 1
                    let (short, long) = (
                        min(image.pixels.width, image.pixels.height), max(image.pixels.width, image.pixels.height)
                    )
                    #expect(short <= 240 && long <= 720, "\(path)")
                } catch let error as ImagingError {
                    refused.append("\(path.name): \(error.reason)")
                    #expect(error.code == "undecodable", "\(path): \(error.reason)")
                }
            }
        }
        #expect(pictures >= 140, "\(refused)")
        #expect(pictures + refused.count == 161)
    }
}
